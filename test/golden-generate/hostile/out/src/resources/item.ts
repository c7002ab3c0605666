import { resources } from '../../generated/index.js';

/** *\/ */
export default resources.item(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
