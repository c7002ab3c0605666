import { tools } from '../../generated/index.js';

/** Looks things up */
export default tools.demo(async ({ query }, ctx) => {
  throw ctx.notImplemented();
});
