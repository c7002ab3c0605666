import { tools } from '../../generated/index.js';

/** Declared here */
export default tools.combined(async ({ a }, ctx) => {
  throw ctx.notImplemented();
});
