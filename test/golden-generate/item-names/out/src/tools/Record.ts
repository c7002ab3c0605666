import { tools } from '../../generated/index.js';

/** Called Record. */
export default tools.record(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
