import { tools } from '../../generated/index.js';

/** Three hundred members. */
export default tools.demo(async ({ country }, ctx) => {
  throw ctx.notImplemented();
});
