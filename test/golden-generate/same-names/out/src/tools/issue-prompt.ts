import { tools } from '../../generated/index.js';

/** A tool whose types are called like those of a prompt. */
export default tools.issuePrompt(async (_args, ctx) => {
  throw ctx.notImplemented();
});
