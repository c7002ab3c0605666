import { tools } from '../../generated/index.js';

/** Parameters that are not used are refused. */
export default tools.demo(async (_args, ctx) => {
  throw ctx.notImplemented();
});
