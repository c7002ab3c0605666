import { tools } from '../../generated/index.js';

/** Called GET_ISSUE_2. */
export default tools.getISSUE2(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
