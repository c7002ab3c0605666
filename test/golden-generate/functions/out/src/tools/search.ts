import { tools } from '../../generated/index.js';

/** Search issues */
export default tools.search(async ({ query }, ctx) => {
  throw ctx.notImplemented();
});
