import { tools } from '../../generated/index.js';

/** Every type of the shorthand. */
export default tools.demo(async ({ text, whole, number, flag }, ctx) => {
  throw ctx.notImplemented();
});
