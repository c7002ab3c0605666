// A run of generate that found nothing to do, remembered with everything it looked at: as long as all of that is
// untouched, the next run has the same result and need not read a single manifest. One file per pack, never needed.
import { join, posix } from 'node:path';
import type { FileOp } from '../generator/file-op.js';
import type { Generated } from '../generator/generate.js';
import type { Folder } from '../runtime/load/folder.js';
import type { Diagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { cacheFile, readCached, writeCached } from './parse-cache.js';
import { areUntouched, watchRun } from './stamps.js';

const layout = 'settled-2';

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
  if (!isMap(stored) || stored['build'] !== build || stored['pack'] !== pack) return undefined;
  const { stamps, operations, diagnostics } = stored;
  if (!Array.isArray(operations) || !Array.isArray(diagnostics) || !areUntouched(stamps)) return undefined;
  return { ok: true, operations: operations as FileOp[], diagnostics: diagnostics as Diagnostic[] };
}

/** Starts to note what a run looks at; undefined where nothing is to be kept. */
export function recordRun(pack: string, build: string): Recording | undefined {
  const file = cacheFile(pack, layout);
  if (file === undefined) return undefined;
  const watch = watchRun();
  return {
    folder: watch.open(pack),
    keep({ ok, operations, diagnostics }) {
      if (!ok || !operations.every(({ op }) => op === 'keep')) return;
      const files = operations.map(({ path }) => path);
      // A folder changes with the names in it: handlers of another name, files that a killed run left behind.
      const others = new Set([...files, ...files.map(path => posix.dirname(path))]);
      const stamps = watch.stamps([...others].map(path => join(pack, path)));
      const kept = operations.map(({ op, path, role }) => ({ op, path, role }));
      if (stamps !== undefined) writeCached(file, { build, pack, stamps, operations: kept, diagnostics });
    },
  };
}
