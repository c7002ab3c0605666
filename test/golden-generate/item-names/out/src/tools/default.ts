import { tools } from '../../generated/index.js';

/** Called default. */
export default tools.default(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
