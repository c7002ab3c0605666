import { prompts, tools } from '../generated/index.js';

/** The first. */
export default tools.first(async ({ a }, ctx) => {
  throw ctx.notImplemented();
});

/** The second. */
export const second = tools.second(async ({ b }, ctx) => {
  throw ctx.notImplemented();
});

/** A prompt in the same module. */
export const ask = prompts.ask(async (_args, ctx) => {
  throw ctx.notImplemented();
});
