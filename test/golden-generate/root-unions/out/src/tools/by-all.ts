import { tools } from '../../generated/index.js';

/** Put together. */
export default tools.byAll(async (args, ctx) => {
  throw ctx.notImplemented();
});
