import { resources } from '../../generated/index.js';

/** A file with a reserved expansion. */
export default resources.file(async ({ path, rest }, ctx) => {
  throw ctx.notImplemented();
});
