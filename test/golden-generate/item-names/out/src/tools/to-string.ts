import { tools } from '../../generated/index.js';

/** Called to-string. */
export default tools.toString(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
