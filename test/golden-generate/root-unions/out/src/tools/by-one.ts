import { tools } from '../../generated/index.js';

/** Told apart by a field. */
export default tools.byOne(async (args, ctx) => {
  throw ctx.notImplemented();
});
