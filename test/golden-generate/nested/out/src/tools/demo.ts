import { tools } from '../../generated/index.js';

/** Objects in objects and lists. */
export default tools.demo(async ({ filter, rows }, ctx) => {
  throw ctx.notImplemented();
});
