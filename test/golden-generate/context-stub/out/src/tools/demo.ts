import { tools } from '../../generated/index.js';

/** Uses the context. */
export default tools.demo(async (_args, ctx) => {
  throw ctx.notImplemented();
});
