import { tools } from '../../generated/index.js';

/** Called tool. */
export default tools.tool(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
