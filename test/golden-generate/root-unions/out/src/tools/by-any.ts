import { tools } from '../../generated/index.js';

/** The arguments themselves are a union. */
export default tools.byAny(async (args, ctx) => {
  throw ctx.notImplemented();
});
