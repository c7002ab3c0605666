import { prompts } from '../../generated/index.js';

/** Nothing to say. */
export default prompts.noArguments(async (_args, ctx) => {
  throw ctx.notImplemented();
});
