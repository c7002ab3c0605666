import { tools } from '../../generated/index.js';

/** Called new. */
export default tools.new(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
