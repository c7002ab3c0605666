import { tools } from '../../generated/index.js';

/** Imports end in .ts. */
export default tools.demo(async (_args, ctx) => {
  throw ctx.notImplemented();
});
