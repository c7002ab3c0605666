// The last report of check, remembered with everything that it came from: as long as all of that is untouched, the
// next run has the same report and need not read a single manifest. One file per pack and its overlays, never needed.
import type { CheckReport } from '../runtime/packs/check.js';
import { isDiagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { type CacheFile, cacheFile, circumstances, isListOf, readCached, writeCached } from './cache-file.js';
import { openParseCache } from './parse-cache.js';
import { findUntouched, watchRun } from './stamps.js';

const layout = 'checked-1';

export interface CheckRun {
  readonly pack: string;
  readonly overlays: readonly string[];
  /** Of the compiler: another one may find other mistakes. */
  readonly build: string;
}

/**
 * What is wrong with a pack, found out only where something was touched since the last time.
 *
 * @example const report = await checkUnlessSettled({ pack: '/packs/jira', overlays: [], build });
 */
export async function checkUnlessSettled(run: CheckRun): Promise<CheckReport> {
  const file = cacheFile(foldersOf(run), layout);
  return (file === undefined ? undefined : findReport(file, run)) ?? (await checkAndKeep(file, run));
}

function foldersOf({ pack, overlays }: CheckRun): string {
  return [pack, ...overlays].join('\0');
}

function circumstancesOf(run: CheckRun): string {
  return `${circumstances(run.build)} ${foldersOf(run)}`;
}

function findReport(file: CacheFile, run: CheckRun): CheckReport | undefined {
  const stored = readCached(file);
  if (!isMap(stored) || stored['circumstances'] !== circumstancesOf(run)) return undefined;
  const { report } = stored;
  if (!isReport(report)) return undefined;
  const stamps = findUntouched(stored['stamps']);
  if (stamps === undefined) return undefined;
  if (stamps !== stored['stamps']) writeCached(file, { ...stored, stamps });
  return report;
}

async function checkAndKeep(file: CacheFile | undefined, run: CheckRun): Promise<CheckReport> {
  const { checkPack } = await import('../runtime/packs/check.js');
  const watch = watchRun();
  const cache = openParseCache(run.pack);
  const report = await checkPack(watch.open(run.pack), {
    overlays: run.overlays.map(watch.open),
    open: watch.open,
    cache,
  });
  cache.save();
  if (file === undefined) return report;
  const { stamps, isWhole } = watch.stamps();
  if (isWhole) writeCached(file, { circumstances: circumstancesOf(run), stamps, report });
  return report;
}

function isReport(value: unknown): value is CheckReport {
  return isMap(value) && isMap(value['items']) && isListOf(value['diagnostics'], isDiagnostic);
}
