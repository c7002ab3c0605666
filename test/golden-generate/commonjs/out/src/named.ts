import { tools } from '../generated/index.js';

/** A named export. */
export const run = tools.named(async (_args, ctx) => {
  throw ctx.notImplemented();
});
