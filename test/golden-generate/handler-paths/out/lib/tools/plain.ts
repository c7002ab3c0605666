import { tools } from '../../build/api/index.js';

/** Where handlers live by default. */
export default tools.plain(async (_args, ctx) => {
  throw ctx.notImplemented();
});
