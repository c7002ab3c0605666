import { tools } from '../../generated/index.js';

/** Its types start as those of demo do. */
export default tools.demoArgs(async ({ x }, ctx) => {
  throw ctx.notImplemented();
});
