import { tools } from '../../generated/index.js';

/** Returns anything sensible. */
export default tools.free(async (_args, ctx) => {
  throw ctx.notImplemented();
});
