import { tools } from '../../generated/index.js';

/** The root is a reference. */
export default tools.byRef(async (args, ctx) => {
  throw ctx.notImplemented();
});
