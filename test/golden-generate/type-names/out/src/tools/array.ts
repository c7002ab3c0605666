import { tools } from '../../generated/index.js';

/** ArrayArgs. */
export default tools.array(async ({ list }, ctx) => {
  throw ctx.notImplemented();
});
