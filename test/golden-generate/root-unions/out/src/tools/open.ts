import { tools } from '../../generated/index.js';

/** Anything goes. */
export default tools.open(async (_args, ctx) => {
  throw ctx.notImplemented();
});
