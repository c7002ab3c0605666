import { resources } from '../../generated/index.js';

/** An item. */
export default resources.item(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
