import { tools } from '../../generated/index.js';

/** The tool. */
export default tools.issue(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
