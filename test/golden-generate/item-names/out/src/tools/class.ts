import { tools } from '../../generated/index.js';

/** Called class. */
export default tools.class(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
