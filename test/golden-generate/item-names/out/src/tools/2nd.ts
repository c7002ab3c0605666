import { tools } from '../../generated/index.js';

/** Called 2nd. */
export default tools._2nd(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
