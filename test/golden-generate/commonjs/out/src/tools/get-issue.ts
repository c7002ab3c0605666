import { tools } from '../../generated/index.js';

/** Get an issue. */
export default tools.getIssue(async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
});
