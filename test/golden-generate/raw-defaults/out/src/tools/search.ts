import { tools } from '../../generated/index.js';

/** What is absent is filled in, and what is required must be given all the same. */
export default tools.search(async (args, ctx) => {
  throw ctx.notImplemented();
});
