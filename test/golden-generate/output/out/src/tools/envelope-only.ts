import { tools } from '../../generated/index.js';

/** An envelope without an output schema. */
export default tools.envelopeOnly(async (_args, ctx) => {
  throw ctx.notImplemented();
});
