import { tools } from '../../generated/index.js';

/** Types whose names are taken. */
export default tools.demo(async ({ a, b, c, d }, ctx) => {
  throw ctx.notImplemented();
});
