import { tools } from '../../generated/index.js';

/** Defaults are optional for callers and there for handlers. */
export default tools.demo(async ({ limit, order, tags, page }, ctx) => {
  throw ctx.notImplemented();
});
