import { resources } from '../../generated/index.js';

/** A fixed URI with a handler. */
export default resources.live(async (_variables, ctx) => {
  throw ctx.notImplemented();
});
