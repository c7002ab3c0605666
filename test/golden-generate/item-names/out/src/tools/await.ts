import { tools } from '../../generated/index.js';

/** Called await. */
export default tools.await(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
