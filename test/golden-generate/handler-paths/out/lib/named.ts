import { tools } from '../build/api/index.js';

/** A named export. */
export const runNamed = tools.named(async (_args, ctx) => {
  throw ctx.notImplemented();
});
