import { tools } from '../../build/api/index.js';

/** In a folder of its own. */
export default tools.elsewhere(async (_args, ctx) => {
  throw ctx.notImplemented();
});
