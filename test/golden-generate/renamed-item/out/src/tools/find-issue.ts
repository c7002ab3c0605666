import { tools } from '../../generated/index.js';

/** Was called get-issue. */
export default tools.findIssue(async ({ key }, ctx) => {
  throw ctx.notImplemented();
});
