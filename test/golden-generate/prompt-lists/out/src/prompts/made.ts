import { prompts } from '../../generated/index.js';

/** Is given a list. */
export default prompts.made(async ({ items }, ctx) => {
  throw ctx.notImplemented();
});
