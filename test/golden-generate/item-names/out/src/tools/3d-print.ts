import { tools } from '../../generated/index.js';

/** Called 3d-print. */
export default tools._3dPrint(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
