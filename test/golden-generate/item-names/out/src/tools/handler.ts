import { tools } from '../../generated/index.js';

/** Called handler. */
export default tools.handler(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
