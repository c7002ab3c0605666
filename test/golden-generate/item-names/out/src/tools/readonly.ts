import { tools } from '../../generated/index.js';

/** Called readonly. */
export default tools.readonly(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
