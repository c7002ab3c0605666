import { tools } from '../../generated/index.js';

/** Called Array. */
export default tools.array(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
