import { tools } from '../../generated/index.js';

/** Called tools. */
export default tools.tools(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
