import { tools } from '../../generated/index.js';

/** Get one. */
export default tools.getItem(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
