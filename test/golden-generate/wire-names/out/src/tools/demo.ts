import { tools } from '../../generated/index.js';

/** Its name on the wire is another. */
export default tools.demo(async (_args, ctx) => {
  throw ctx.notImplemented();
});
