import { tools } from '../../generated/index.js';
import { openOwnPack } from '../open-pack.js';
import { printDiagnostics, printOperations } from '../records.js';
import { runToolwright } from '../run-toolwright.js';

/** Write types, validators and handler stubs of a pack. */
export default tools.generatePack(async ({ pack, dryRun }, ctx) => {
  const folder = openOwnPack(pack, ctx);
  const words = ['generate', ...(dryRun ? ['--dry-run'] : [])];
  const result = await runToolwright(words, { folder, signal: ctx.signal });
  if ('problem' in result) throw ctx.errors.CANNOT_GENERATE(result.problem);
  const { ok, operations, diagnostics } = result.data;
  return {
    ok: ok === true,
    operations: printOperations(operations),
    diagnostics: printDiagnostics(diagnostics),
  };
});
