import { tools } from './build/api/index.js';

/** At the root of the pack. */
export default tools.atRoot(async (_args, ctx) => {
  throw ctx.notImplemented();
});
