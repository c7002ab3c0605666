import { tools } from '../../generated/index.js';

/** Called delete. */
export default tools.delete(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
