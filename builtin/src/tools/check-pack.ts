import { checkPack, type Diagnostic } from 'toolwright';
import { tools } from '../../generated/index.js';
import { openPack } from '../open-pack.js';

const ranks = { error: 0, warning: 1, info: 2 } as const;

/** Report every mistake in a pack. */
export default tools.checkPack(async ({ pack, limit }, ctx) => {
  const { ok, pack: name, version, items, diagnostics } = await checkPack(openPack(pack, ctx));
  // A stable sort: within a severity they stay in the order of files and lines.
  const sorted = [...diagnostics].sort((a, b) => ranks[a.severity] - ranks[b.severity]);
  return {
    ok,
    pack: name,
    version,
    items,
    diagnostics: sorted.slice(0, limit).map(print),
    omitted: Math.max(0, sorted.length - limit),
  };
});

function print({ code, severity, message, file, line, column, hint }: Diagnostic) {
  return { code, severity, message, file, line, column, ...(hint === undefined ? {} : { hint }) };
}
