import { tools } from '../../generated/index.js';

/** Still there. */
export default tools.demo(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
