import { tools } from '../generated/index.js';

/** A module of another extension. */
export default tools.module(async (_args, ctx) => {
  throw ctx.notImplemented();
});
