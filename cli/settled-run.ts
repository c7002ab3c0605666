// A run of generate that left nothing to do, remembered with everything it looked at and wrote: as long as all of that is
// untouched, the next run keeps every file and need not read a single manifest. One file per pack, never needed.
import type { FileOp } from '../generator/file-op.js';
import type { Generated } from '../generator/generate.js';
import { hashText, isPassing, printLedger } from '../generator/ledger.js';
import { ledgerOf } from '../generator/reconcile-ledger.js';
import { type Folder, joinInside, nodeFolder, parentOf } from '../runtime/load/folder.js';
import { maxCodeBytes, readBytes } from '../runtime/load/read-file.js';
import { isDiagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { cacheFile, circumstances, isListOf, readCached, writeCached } from './cache-file.js';
import { hasName, type Sight, sightOfBytes, sightOfNames, sightOfType } from './sights.js';
import { findSame, type Known, watchRun } from './stamps.js';

const layout = 'settled-4';

/** What a command prints. */
export type RunResult = Pick<Generated, 'ok' | 'operations' | 'diagnostics'>;

export interface Recalled {
  /** The result that a run has now; undefined where there may be something to do. */
  readonly settled: RunResult | undefined;
  /** What a run need not look at again. */
  readonly known: KnownRun;
}

export interface KnownRun extends Known {
  /** Of the generated files, by their paths in the pack: what the ledger says of them. They count for those that are the same. */
  readonly hashes: Readonly<Record<string, unknown>>;
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
  if (file === undefined || !isMap(stored) || stored['pack'] !== pack) return undefined;
  if (stored['circumstances'] !== circumstances(build)) return undefined;
  const { stamps, contents, hashes, operations, diagnostics } = stored;
  if (!isMap(stamps) || !isMap(contents) || !isMap(hashes)) return undefined;
  const same = findSame(stamps);
  const known = { same, contents, hashes };
  const isWhole = isListOf(operations, isKept) && isListOf(diagnostics, isDiagnostic) && operations.length > 0;
  if (!isWhole || same.size < Object.keys(stamps).length) return { settled: undefined, known };
  const hasMatured = [...same].some(([path, stamp]) => stamp !== stamps[path]);
  if (hasMatured) writeCached(file, { ...stored, stamps: Object.fromEntries(same) });
  return { settled: { ok: true, operations, diagnostics }, known };
}

function isKept(value: unknown): value is FileOp {
  return isMap(value) && value['op'] === 'keep' && [value['path'], value['role']].every(one => typeof one === 'string');
}

/** The hash of a generated file that nobody touched since the last run. */
export function knownHashOf(pack: string, path: string, { same, hashes }: KnownRun): string | undefined {
  const hash = same.has(joinInside(pack, path)) ? hashes[path] : undefined;
  return typeof hash === 'string' ? hash : undefined;
}

/** Starts to note what a run looks at; undefined where nothing is to be kept. */
export function recordRun(pack: string, build: string, known?: KnownRun): Recording | undefined {
  const file = cacheFile(pack, layout);
  if (file === undefined) return undefined;
  const watch = watchRun(known === undefined ? {} : { known });
  return {
    folder: watch.open(pack),
    keep(result) {
      const { ok, operations, diagnostics } = result;
      // After a mistake, what should have been replaced may still be as it was.
      const left = operations.filter(one => one.op === 'keep' || (ok && leavesNothing(one)));
      const isSettled = ok && left.length === operations.length;
      const hashes = operations.length === 0 ? stillKnown(pack, known) : hashesOf(left);
      const changed = operations.filter(({ op }) => op !== 'keep').map(({ path }) => path);
      const written = new Set([...changed, ...changed.map(parentOf)].map(path => joinInside(pack, path)));
      const sights = operations.length === 0 ? sightless(pack, Object.keys(hashes)) : sightsOf(pack, left, operations);
      const { stamps, isWhole } = watch.stamps(sights, written);
      const kept = operations.map(({ path, role }) => ({ op: 'keep', path, role }));
      writeCached(file, {
        ...{ circumstances: circumstances(build), pack, stamps, contents: watch.contents(), hashes },
        ...(isSettled && isWhole ? { operations: kept, diagnostics } : {}),
      });
    },
  };
}

function hashesOf(operations: readonly FileOp[]): KnownRun['hashes'] {
  const hashes: Record<string, string> = {};
  for (const { path, after } of operations) if (after?.role === 'generated') hashes[path] = after.hash;
  return hashes;
}

/** What a run that a mistake ended early leaves to the next one. */
function stillKnown(pack: string, known: KnownRun | undefined): KnownRun['hashes'] {
  if (known === undefined) return {};
  return Object.fromEntries(Object.entries(known.hashes).filter(([path]) => known.same.has(joinInside(pack, path))));
}

/** As nothing was seen of them, only those count that were known before. */
function sightless(pack: string, paths: readonly string[]): ReadonlyMap<string, () => Sight> {
  return new Map(paths.map(path => [joinInside(pack, path), () => undefined]));
}

/** What the run knows of each file that it wrote or kept. */
function sightsOf(
  pack: string,
  left: readonly FileOp[],
  operations: readonly FileOp[],
): ReadonlyMap<string, () => Sight> {
  const sights = new Map<string, () => Sight>();
  const folders = new Set<string>();
  for (const one of left) {
    const path = joinInside(pack, one.path);
    sights.set(path, () => sightOfFile(path, one, operations));
    folders.add(parentOf(one.path));
  }
  // A folder changes with the names in it: handlers of another name, files that a killed run left behind.
  for (const folder of folders) {
    const path = joinInside(pack, folder);
    sights.set(path, () => sightOfFolder(path));
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
  try {
    const bytes = readBytes(path, maxCodeBytes);
    return isAsLeft(bytes, op, all) ? sightOfBytes(bytes) : undefined;
  } catch {
    return undefined;
  }
}

function isAsLeft(bytes: Buffer, op: FileOp, all: readonly FileOp[]): boolean {
  if (op.op === 'replace') return bytes.equals(Buffer.from(op.text));
  if (op.role === 'ledger') return hashText(bytes) === hashText(printLedger(ledgerOf(all, () => true)));
  return op.after?.role === 'generated' && hashText(bytes) === op.after.hash;
}

/** Nothing of a killed run, nor of one that writes at this moment, is part of what was found. */
function sightOfFolder(path: string): Sight {
  return hasName(path, isPassing) ? undefined : sightOfNames(nodeFolder(path).list(''));
}
