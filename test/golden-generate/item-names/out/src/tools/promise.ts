import { tools } from '../../generated/index.js';

/** Called promise. */
export default tools.promise(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
