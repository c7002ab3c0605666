import { tools } from '../../generated/index.js';

/** Answers. */
export default tools.ping(async ({ text }, ctx) => {
  throw ctx.notImplemented();
});
