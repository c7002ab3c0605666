import { tools } from '../../generated/index.js';

/** The tsconfig is broken. */
export default tools.demo(async (_args, ctx) => {
  throw ctx.notImplemented();
});
