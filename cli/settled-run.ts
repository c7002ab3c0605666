// A run of generate that left nothing to do, remembered with everything it looked at and wrote: as long as all of that is
// untouched, the next run keeps every file and need not read a single manifest. One file per pack, never needed.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileOp } from '../generator/file-op.js';
import type { Generated } from '../generator/generate.js';
import { hashText, isPassing, printLedger } from '../generator/ledger.js';
import { ledgerOf } from '../generator/reconcile-ledger.js';
import { type Folder, nodeFolder } from '../runtime/load/folder.js';
import type { Diagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { cacheFile, readCached, writeCached } from './parse-cache.js';
import { hasName, type Sight, sightOfBytes, sightOfNames, sightOfType } from './sights.js';
import { findSame, type Known, watchRun } from './stamps.js';

const layout = 'settled-3';

/** What a command prints. */
export type RunResult = Pick<Generated, 'ok' | 'operations' | 'diagnostics'>;

export interface Recalled {
  /** The result that a run has now; undefined where there may be something to do. */
  readonly settled: RunResult | undefined;
  /** What a run need not look at again. */
  readonly known: Known;
}

export interface Recording {
  /** The pack's folder, which notes what is asked of it. */
  readonly folder: Folder;
  /** Remembers what the run looked at, and its result if the next one would change nothing. */
  keep(result: RunResult): void;
}

/**
 * What is left of the last run. `build`: of the compiler.
 *
 * @example const result = recallRun('/packs/jira', build)?.settled ?? (await runOnce(...))
 */
export function recallRun(pack: string, build: string): Recalled | undefined {
  const file = cacheFile(pack, layout);
  const stored = file === undefined ? undefined : readCached(file);
  if (file === undefined || !isMap(stored) || stored['build'] !== build || stored['pack'] !== pack) return undefined;
  const { stamps, contents, operations, diagnostics } = stored;
  if (!isMap(stamps) || !isMap(contents)) return undefined;
  const same = findSame(stamps);
  const known = { same, contents };
  const isSettled = Array.isArray(operations) && Array.isArray(diagnostics) && same.size === Object.keys(stamps).length;
  if (!isSettled) return { settled: undefined, known };
  const hasMatured = [...same].some(([path, stamp]) => stamp !== stamps[path]);
  if (hasMatured) writeCached(file, { ...stored, stamps: Object.fromEntries(same) });
  return { settled: { ok: true, operations: operations as FileOp[], diagnostics: diagnostics as Diagnostic[] }, known };
}

/** Starts to note what a run looks at; undefined where nothing is to be kept. */
export function recordRun(pack: string, build: string, known?: Known): Recording | undefined {
  const file = cacheFile(pack, layout);
  if (file === undefined) return undefined;
  const watch = watchRun(known === undefined ? {} : { known });
  return {
    folder: watch.open(pack),
    keep(result) {
      const { ok, operations, diagnostics } = result;
      const isSettled = ok && operations.every(leavesNothing);
      const changed = operations.filter(({ op }) => op !== 'keep').map(({ path }) => join(pack, path));
      const written = new Set([...changed, ...changed.map(path => dirname(path))]);
      const { stamps, isWhole } = watch.stamps(isSettled ? sightsOf(pack, operations) : new Map(), written);
      const kept = operations.map(({ path, role }) => ({ op: 'keep', path, role }));
      writeCached(file, {
        ...{ build, pack, stamps, contents: watch.contents() },
        ...(isSettled && isWhole ? { operations: kept, diagnostics } : {}),
      });
    },
  };
}

/** What the run knows of each file that it wrote or kept. */
function sightsOf(pack: string, operations: readonly FileOp[]): ReadonlyMap<string, () => Sight> {
  const sights = new Map<string, () => Sight>();
  for (const one of operations) {
    const path = join(pack, one.path);
    sights.set(path, () => sightOfFile(path, one, operations));
    // A folder changes with the names in it: handlers of another name, files that a killed run left behind.
    const folder = dirname(path);
    sights.set(folder, () => sightOfFolder(folder));
  }
  return sights;
}

/** What is created or deleted changes what the next run finds; a replaced file is kept by it. */
function leavesNothing({ op, role }: FileOp): boolean {
  return op === 'keep' || (op === 'replace' && role !== 'stub');
}

/** A file that was just written, as the run knows it: what somebody else wrote meanwhile is not taken for it. */
function sightOfFile(path: string, op: FileOp, all: readonly FileOp[]): Sight {
  if (op.role === 'stub') return sightOfType('file');
  const known = op.role === 'ledger' ? hashText(printLedger(ledgerOf(all, () => true))) : hashAfter(op);
  try {
    const bytes = readFileSync(path);
    return hashText(bytes) === known ? sightOfBytes(bytes) : undefined;
  } catch {
    return undefined;
  }
}

function hashAfter({ after }: FileOp): string | undefined {
  return after?.role === 'generated' ? after.hash : undefined;
}

/** Nothing of a killed run, nor of one that writes at this moment, is part of what was found. */
function sightOfFolder(path: string): Sight {
  return hasName(path, isPassing) ? undefined : sightOfNames(nodeFolder(path).list(''));
}
