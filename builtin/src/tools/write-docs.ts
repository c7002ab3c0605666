import { join } from 'node:path';
import { tools } from '../../generated/index.js';
import { staysInside } from '../find-pack.js';
import { openOwnPack } from '../open-pack.js';
import { printDiagnostics, recordsOf } from '../records.js';
import { runToolwright } from '../run-toolwright.js';

const files = { readme: 'README.md', html: 'docs/index.html' } as const;

/** Write the reference of a pack: regions of its README, or one page. */
export default tools.writeDocs(async ({ form, pack, dryRun }, ctx) => {
  const folder = openOwnPack(pack, ctx);
  // The command writes through links, as authors want it; what a model asks for stays in the pack.
  if (!staysInside(join(folder, files[form]), folder))
    throw ctx.errors.OUTSIDE_PROJECT(`${files[form]} is a link that is outside the pack`);
  const words = ['docs', ...(form === 'html' ? ['--html'] : []), ...(dryRun ? ['--check'] : [])];
  const result = await runToolwright(words, { folder, signal: ctx.signal });
  if ('problem' in result) throw ctx.errors.CANNOT_WRITE(result.problem);
  const diagnostics = printDiagnostics(result.data['diagnostics']);
  const operations = recordsOf(result.data['operations']).map(({ op, path }) => ({
    op: String(op),
    path: String(path),
  }));
  return {
    ok: diagnostics.every(({ severity }) => severity !== 'error'),
    upToDate: operations.length > 0 && operations.every(({ op }) => op === 'keep'),
    operations,
    diagnostics,
  };
});
