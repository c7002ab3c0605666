import { prompts } from '../../generated/index.js';

/** Made by a handler. */
export default prompts.byHandler(async ({ limit }, ctx) => {
  throw ctx.notImplemented();
});
