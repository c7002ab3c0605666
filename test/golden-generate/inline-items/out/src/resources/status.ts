import { resources } from '../../generated/index.js';

/** The status. */
export default resources.status(async (_variables, ctx) => {
  throw ctx.notImplemented();
});
