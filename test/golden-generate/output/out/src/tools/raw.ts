import { tools } from '../../generated/index.js';

/** Raw schema for the output. */
export default tools.raw(async (_args, ctx) => {
  throw ctx.notImplemented();
});
