import { tools } from '../../generated/index.js';

/** Called index. */
export default tools.index(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
