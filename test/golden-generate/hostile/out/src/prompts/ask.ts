import { prompts } from '../../generated/index.js';

/** *\/ `${x}` */
export default prompts.ask(async (args, ctx) => {
  throw ctx.notImplemented();
});
