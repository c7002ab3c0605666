import { tools } from '../../generated/index.js';

/** Called string. */
export default tools.string(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
