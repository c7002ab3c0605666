import { resources } from '../../generated/index.js';

/** The resource. */
export default resources.issue(async ({ id }, ctx) => {
  throw ctx.notImplemented();
});
