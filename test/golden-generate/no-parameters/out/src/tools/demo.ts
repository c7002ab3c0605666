import { tools } from '../../generated/index.js';

/** Takes nothing. */
export default tools.demo(async (_args, ctx) => {
  throw ctx.notImplemented();
});
