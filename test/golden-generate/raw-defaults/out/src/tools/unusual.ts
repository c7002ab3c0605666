import { tools } from '../../generated/index.js';

/** Two passes by ajv. */
export default tools.unusual(async ({ list, size }, ctx) => {
  throw ctx.notImplemented();
});
