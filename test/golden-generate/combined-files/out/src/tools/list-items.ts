import { tools } from '../../generated/index.js';

/** List the items. */
export default tools.listItems(async ({ limit }, ctx) => {
  throw ctx.notImplemented();
});
