// toolwright check [path...]
import type { CheckReport } from '../../runtime/packs/check.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { noteLooks } from '../memory/file-fingerprint.js';
import { openMemory } from '../memory/memory.js';
import { findPack } from '../pack/find-pack.js';
import {
  colors,
  findPackAround,
  overlaysOf,
  type PackFlags,
  printDiagnostics,
  rebaseDiagnostics,
  workingFolder,
} from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import type { Published } from './publish.js';

export interface CheckFlags extends PackFlags {
  readonly strict?: boolean;
  readonly publish?: boolean;
  readonly fix?: boolean;
}

export async function check(paths: readonly string[], flags: CheckFlags): Promise<number> {
  if (flags.fix && !flags.publish) throw new UsageError('--fix fixes what --publish finds: it needs --publish');
  const cwd = workingFolder(flags);
  const packs = paths.length === 0 ? [findPackAround(cwd)] : [...new Set(paths.map(path => findPack(path, cwd)))];
  const reports: CheckReport[] = [];
  const overlays = overlaysOf(flags, cwd);
  for (const pack of packs) {
    // Publishing may fix package.json, which the check of the pack reads.
    const published = flags.publish ? await (await import('./publish.js')).checkPublishing(pack, flags) : undefined;
    const found = await checkRemembered(pack, overlays);
    const report = published === undefined ? found : joinReports(found, published);
    reports.push({ ...report, diagnostics: rebaseDiagnostics(report.diagnostics, pack, cwd) });
  }
  process.stdout.write(printReports(reports, flags, cwd, [...packs, ...overlays]));
  const found = reports.flatMap(report => report.diagnostics);
  if (found.some(({ code }) => code === 'discover/no-manifest')) return 2;
  return hasErrors(found) || failsByWarnings(found, flags) ? 1 : 0;
}

/**
 * What is wrong with a pack, found out only where something was touched since the last time.
 *
 * @example const report = await checkRemembered('/packs/jira', []);
 */
export async function checkRemembered(pack: string, overlays: readonly string[], by?: string): Promise<CheckReport> {
  const memory = openMemory(pack, by);
  const name = JSON.stringify(['check', ...overlays]);
  const known = memory.recallResult(name) as CheckReport | undefined;
  if (known !== undefined) return known;
  const { checkPack } = await import('../../runtime/packs/check.js');
  const { open, fingerprints } = noteLooks();
  const report = await checkPack(open(pack), { overlays: overlays.map(open), open, cache: memory });
  memory.keepResult(name, report, fingerprints);
  memory.save();
  return report;
}

function joinReports(
  report: CheckReport,
  { diagnostics, fixed }: Published,
): CheckReport & { fixed?: readonly string[] } {
  // What is an error of publishing need not be a warning too.
  const others = report.diagnostics.filter(({ code }) => code !== 'text/placeholder');
  const all = sortDiagnostics([...others, ...diagnostics]);
  return { ...report, ok: !hasErrors(all), diagnostics: all, ...(fixed === undefined ? {} : { fixed }) };
}

function printReports(
  reports: readonly CheckReport[],
  flags: CheckFlags,
  cwd: string,
  folders: readonly string[],
): string {
  if (flags.format === 'json') {
    const [only, ...others] = reports;
    const data = others.length === 0 ? only : { ok: reports.every(({ ok }) => ok), packs: reports };
    return `${visibleJson(data)}\n`;
  }
  const text = printDiagnostics(
    reports.flatMap(({ diagnostics }) => diagnostics),
    flags,
    cwd,
    folders,
  );
  if (flags.format !== 'text') return text;
  const all = reports.flatMap(({ diagnostics }) => diagnostics);
  const why = failsByWarnings(all, flags) ? '; --strict treats warnings as errors' : '';
  // Only errors are printed, and here there are none.
  if (flags.quiet && why !== '') return 'there are warnings; --strict treats warnings as errors\n';
  if (flags.quiet) return reports.every(({ ok }) => ok) ? '' : text;
  const paint = colors(flags);
  const summaries = reports.flatMap(report =>
    report.pack === null
      ? []
      : [`${paint.bold(visible(report.pack))} ${visible(report.version ?? '')}: ${count(report)}`],
  );
  const found = reports.some(({ diagnostics }) => diagnostics.length > 0) ? `${text.trimEnd()}${why}` : nothingWrong;
  return `${[...summaries, found].join('\n')}\n`;
}

function failsByWarnings(found: readonly Diagnostic[], { strict }: CheckFlags): boolean {
  return strict === true && !hasErrors(found) && found.some(({ severity }) => severity === 'warning');
}

/** Manifests are all that is checked: the code of a pack is neither run nor read. */
const nothingWrong = 'manifests: no problems (handlers are checked by generate --check and typecheck)';

function count({ items }: CheckReport): string {
  // Few packs have shared schemas, and nobody misses them.
  const parts = Object.entries(items).flatMap(([key, names]) =>
    key === 'schemas' && names.length === 0 ? [] : [`${names.length} ${names.length === 1 ? key.slice(0, -1) : key}`],
  );
  const isEmpty = Object.values(items).every(names => names.length === 0);
  return isEmpty ? 'nothing is defined yet: toolwright add tool <name> starts one' : parts.join(', ');
}
