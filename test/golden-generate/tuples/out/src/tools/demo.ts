import { tools } from '../../generated/index.js';

/** Lists with a form. */
export default tools.demo(async ({ pair, atLeastOne, rest, open }, ctx) => {
  throw ctx.notImplemented();
});
