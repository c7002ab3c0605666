import { tools } from '../../generated/index.js';

/** Fixed values. */
export default tools.demo(async ({ color, level, mixed, one }, ctx) => {
  throw ctx.notImplemented();
});
