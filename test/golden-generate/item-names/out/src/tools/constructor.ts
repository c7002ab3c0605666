import { tools } from '../../generated/index.js';

/** Called constructor. */
export default tools.constructor(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
