import { prompts } from '../../generated/index.js';

/** The prompt. */
export default prompts.issue(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
