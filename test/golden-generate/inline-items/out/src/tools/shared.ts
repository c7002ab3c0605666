import { tools } from '../../generated/index.js';

/** Defined in a file. */
export default tools.shared(async (_args, ctx) => {
  throw ctx.notImplemented();
});
