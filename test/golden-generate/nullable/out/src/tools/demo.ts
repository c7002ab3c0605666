import { tools } from '../../generated/index.js';

/** Every way to allow null. */
export default tools.demo(async ({ byType, byAnyOf, byOneOf, byEnum }, ctx) => {
  throw ctx.notImplemented();
});
