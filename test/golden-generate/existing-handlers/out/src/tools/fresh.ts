import { tools } from '../../generated/index.js';

/** Gets a stub. */
export default tools.fresh(async (_args, ctx) => {
  throw ctx.notImplemented();
});
