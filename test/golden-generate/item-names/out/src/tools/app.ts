import { tools } from '../../generated/index.js';

/** Called app. */
export default tools.app(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
