import { tools } from '../../generated/index.js';

/** Get an issue. */
export default tools.getIssue(async (_args, ctx) => {
  throw ctx.notImplemented();
});
