import { explainItem, showHidden } from 'toolwright';
import { tools } from '../../generated/index.js';
import { openPack } from '../open-pack.js';

/** Tell which definition of an item wins, what it shadows and where each field was written. */
export default tools.explainItem(async ({ item, pack }, ctx) => {
  const { explanation, problem, candidates, isPack } = await explainItem(openPack(pack, ctx), item);
  if (explanation !== undefined) return showHidden(explanation);
  if (!isPack) throw ctx.errors.BROKEN_PACK();
  if (candidates.length > 0) throw ctx.errors.AMBIGUOUS_ITEM(problem, { meta: { candidates } });
  throw ctx.errors.UNKNOWN_ITEM(problem);
});
