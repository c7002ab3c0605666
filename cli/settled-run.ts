// A run of generate that found nothing to do, remembered with everything it looked at: as long as all of that is
// untouched, the next run has the same result and need not read a single manifest. One file per pack, never needed.
import { statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { FileOp } from '../generator/file-op.js';
import type { Generated } from '../generator/generate.js';
import { type Folder, nodeFolder } from '../runtime/load/folder.js';
import type { Diagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { type CacheFile, cacheFile, isStable, readCached, writeCached } from './parse-cache.js';

const layout = 'settled-1';

/** What a command prints. */
export type RunResult = Pick<Generated, 'ok' | 'operations' | 'diagnostics'>;

export interface Recording {
  /** The pack's folder, which notes what is asked of it. */
  readonly folder: Folder;
  /** Remembers the run if it changed nothing. */
  keep(result: RunResult): void;
}

/**
 * The result of the last run, where nothing that it depends on was touched since. `build`: of the compiler.
 *
 * @example const result = findSettled('/packs/jira', build) ?? (await runOnce(...))
 */
export function findSettled(pack: string, build: string): RunResult | undefined {
  const file = cacheFile(pack, layout);
  const stored = file === undefined ? undefined : readCached(file);
  if (!isMap(stored) || stored['build'] !== build) return undefined;
  const { stamps, operations, diagnostics } = stored;
  if (!isMap(stamps) || !Array.isArray(operations) || !Array.isArray(diagnostics)) return undefined;
  for (const [path, stamp] of Object.entries(stamps)) if (lookAt(join(pack, path)).stamp !== stamp) return undefined;
  return { ok: true, operations: operations as FileOp[], diagnostics: diagnostics as Diagnostic[] };
}

/** Starts to note what a run looks at; undefined where nothing is to be kept. */
export function recordRun(pack: string, build: string): Recording | undefined {
  const file = cacheFile(pack, layout);
  if (file === undefined) return undefined;
  const start = Date.now();
  const folder = nodeFolder(pack);
  const paths = new Set<string>();
  const note = (path: string): string => {
    paths.add(path);
    return path;
  };
  return {
    folder: {
      path: folder.path,
      status: path => folder.status(note(path)),
      list: path => folder.list(note(path)),
      read: (path, limit) => folder.read(note(path), limit),
    },
    keep(result) {
      if (result.ok && result.operations.every(({ op }) => op === 'keep'))
        keep(result, { file, pack, build, start, paths });
    },
  };
}

interface Run {
  readonly file: CacheFile;
  readonly pack: string;
  readonly build: string;
  /** When it began. */
  readonly start: number;
  /** What it read of the pack, besides the files that it keeps. */
  readonly paths: ReadonlySet<string>;
}

function keep({ operations, diagnostics }: RunResult, { file, pack, build, start, paths }: Run): void {
  const files = operations.map(({ path }) => path);
  // A folder changes with the names in it: handlers of another name, files that a killed run left behind.
  const all = new Set([...paths, ...files, ...files.map(path => posix.dirname(path))]);
  const stamps: [string, string][] = [];
  for (const path of all) {
    const { stamp, changed } = lookAt(join(pack, path));
    // It may have been touched after the run looked at it.
    if (!isStable(changed, start)) return;
    stamps.push([path, stamp]);
  }
  const kept = operations.map(({ op, path, role }) => ({ op, path, role }));
  writeCached(file, { build, stamps: Object.fromEntries(stamps), operations: kept, diagnostics });
}

interface Look {
  readonly stamp: string;
  /** When it last was, in ms. */
  readonly changed: number;
}

/** Links are followed. What is missing has a stamp too, and appears with its folder's change. */
function lookAt(full: string): Look {
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(full);
    return { stamp: `${size}-${mtimeMs}-${ctimeMs}-${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
  } catch {
    return { stamp: 'none', changed: nearestChange(dirname(full)) };
  }
}

/** Of the nearest folder that is there: something that just vanished changed it. */
function nearestChange(folder: string): number {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined) return Math.max(stats.mtimeMs, stats.ctimeMs);
  const above = dirname(folder);
  return above === folder ? 0 : nearestChange(above);
}
