import { tools } from '../../generated/index.js';
import { openOwnPack } from '../open-pack.js';
import { printDiagnostics, printOperations, recordsOf } from '../records.js';
import { runToolwright } from '../run-toolwright.js';

/** Rename an item everywhere in its pack. */
export default tools.renameItem(async ({ kind, from, to, pack, dryRun }, ctx) => {
  const folder = openOwnPack(pack, ctx);
  const words = ['rename', ...(dryRun ? ['--dry-run'] : []), kind, from, to];
  const result = await runToolwright(words, { folder, signal: ctx.signal });
  if ('problem' in result) throw ctx.errors.CANNOT_RENAME(result.problem);
  const { ok, applied, files, moves, operations, diagnostics } = result.data;
  return {
    ok: ok === true,
    applied: applied === true,
    edited: recordsOf(files).map(({ path }) => String(path)),
    moved: recordsOf(moves).map(one => ({ from: String(one['from']), to: String(one['to']) })),
    operations: printOperations(operations),
    diagnostics: printDiagnostics(diagnostics),
  };
});
