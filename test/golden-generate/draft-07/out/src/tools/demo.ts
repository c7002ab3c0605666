import { tools } from '../../generated/index.js';

/** An older dialect. */
export default tools.demo(async ({ id, pair, rest, ignored }, ctx) => {
  throw ctx.notImplemented();
});
