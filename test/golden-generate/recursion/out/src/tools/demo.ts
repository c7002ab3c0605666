import { tools } from '../../generated/index.js';

/** Schemas that contain themselves. */
export default tools.demo(async ({ tree, json, even, self }, ctx) => {
  throw ctx.notImplemented();
});
