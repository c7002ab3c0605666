import { tools } from '../../generated/index.js';

/** Called config. */
export default tools.config(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
