import { tools } from '../../generated/index.js';

/** anyOf, oneOf, allOf, not, if. */
export default tools.demo(async ({ any, one, all, allOfUnions }, ctx) => {
  throw ctx.notImplemented();
});
