import { tools } from '../../generated/index.js';

/** Names that are no identifiers, or more than that. */
export default tools.demo(async ({ größe, 日本語, readonly, args }, ctx) => {
  throw ctx.notImplemented();
});
