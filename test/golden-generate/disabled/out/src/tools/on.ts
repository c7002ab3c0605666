import { tools } from '../../generated/index.js';

/** Switched on. */
export default tools.on(async (_args, ctx) => {
  throw ctx.notImplemented();
});
