import { tools } from '../../generated/index.js';

/** Structured output in an envelope. */
export default tools.enveloped(async (_args, ctx) => {
  throw ctx.notImplemented();
});
