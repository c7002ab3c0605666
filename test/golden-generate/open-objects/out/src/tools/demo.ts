import { tools } from '../../generated/index.js';

/** Properties that no name is given for. */
export default tools.demo(async ({ map, mixed, closed, empty }, ctx) => {
  throw ctx.notImplemented();
});
