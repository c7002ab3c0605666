import { tools } from '../../generated/index.js';

/** Called get.issue. */
export default tools.getIssue(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
