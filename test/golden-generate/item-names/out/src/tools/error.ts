import { tools } from '../../generated/index.js';

/** Called error. */
export default tools.error(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
