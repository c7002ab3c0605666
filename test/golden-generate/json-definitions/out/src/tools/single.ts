import { tools } from '../../generated/index.js';

/** Defined in JSON. */
export default tools.single(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
