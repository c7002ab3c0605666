import { tools } from '../../generated/index.js';

/** Called object. */
export default tools.object(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
