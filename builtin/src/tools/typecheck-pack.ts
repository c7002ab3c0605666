import { tools } from '../../generated/index.js';
import { openOwnPack } from '../open-pack.js';
import { printDiagnostics, recordsOf } from '../records.js';
import { runToolwright } from '../run-toolwright.js';

/** Report type errors of handlers, each with the manifest line it contradicts. */
export default tools.typecheckPack(async ({ pack, limit }, ctx) => {
  const folder = openOwnPack(pack, ctx);
  const result = await runToolwright(['typecheck'], { folder, signal: ctx.signal });
  if ('problem' in result) throw ctx.errors.CANNOT_TYPECHECK(result.problem);
  const found = recordsOf(result.data['diagnostics']);
  const shown = found.slice(0, limit);
  const related = shown.map(one => recordsOf(one['related']).map(printRelated));
  return {
    ok: result.data['ok'] === true,
    diagnostics: printDiagnostics(shown, limit).map((one, index) => ({ ...one, related: related[index] ?? [] })),
    omitted: found.length - shown.length,
  };
});

function printRelated({ message, file, line }: Readonly<Record<string, unknown>>) {
  return { message: String(message), file: String(file), line: Number(line) };
}
