import { tools } from '../../generated/index.js';

/** Switched off. */
export default tools.off(async (_args, ctx) => {
  throw ctx.notImplemented();
});
