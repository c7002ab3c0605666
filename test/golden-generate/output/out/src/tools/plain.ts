import { tools } from '../../generated/index.js';

/** Structured output. */
export default tools.plain(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
