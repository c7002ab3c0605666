import { tools } from '../../generated/index.js';

/** $defs, $anchor, $id and siblings of $ref. */
export default tools.demo(async ({ byDef, byAnchor, byId, inside }, ctx) => {
  throw ctx.notImplemented();
});
