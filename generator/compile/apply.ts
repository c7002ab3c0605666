// The one stage that writes. In: operations. Out: the disk as they say, and what could not be done.
// Order: lock, journal, deletions, files, ledger, empty folders. Killed at any moment, the next run knows every file: its text
// is in the ledger (old) or in the journal (new).
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isBelow, joinPath, parentOf } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { type Disk, isFinal, linkOrRename, nodeDisk, reasonOf, removeIfPossible } from './apply-disk.js';
import { acquireLock, type Lock } from './apply-lock.js';
import { bookkeepingOf, hashText, ledgerOf, printLedger } from './ledger.js';
import { type CreateOp, type DeleteOp, diagnosticsOf, type FileOp, type ReplaceOp } from './reconcile.js';
import { makePlaces } from './snapshot.js';

export interface ApplyOptions {
  /** The generated folder, relative to the pack. */
  readonly generated: string;
  /** A lock that the caller holds already; else apply takes one itself. */
  readonly lock?: Lock | undefined;
  /** Milliseconds to wait for another run; 5,000 unless told. */
  readonly wait?: number | undefined;
  readonly disk?: Disk | undefined;
}

export interface Applied {
  /** Also those of refused operations. */
  readonly diagnostics: readonly Diagnostic[];
  /** The operations that were carried out, housekeeping included. */
  readonly applied: readonly FileOp[];
}

/**
 * Carries out what reconcile decided. Files that cannot be written are reported, the others are written all the same.
 *
 * @example const { diagnostics } = await apply(ops, '/packs/jira', { generated: 'generated' })
 */
export async function apply(ops: readonly FileOp[], folder: string, options: ApplyOptions): Promise<Applied> {
  const refusals = diagnosticsOf(ops);
  const isForbidden = ops.some(({ role, op }) => role === 'ledger' && op === 'refuse');
  // Without a ledger nothing could be told from an author's file later.
  if (isForbidden || !ops.some(isWrite)) return { diagnostics: sortDiagnostics(refusals), applied: [] };
  const done = await underLock(folder, options, () =>
    write(ops, makeWriter(folder, options.disk ?? nodeDisk), options.generated),
  );
  const { diagnostics, applied } = 'code' in done ? { diagnostics: [done], applied: [] } : done;
  return { diagnostics: sortDiagnostics([...refusals, ...diagnostics]), applied };
}

/** Does the work while the pack's lock is held: the caller's, or one that is taken for it. A diagnostic where there is none to be had. */
export async function underLock<Result extends object>(
  folder: string,
  options: ApplyOptions,
  work: (lock: Lock) => Promise<Result>,
): Promise<Result | Diagnostic> {
  const lock = options.lock ?? (await lockPack(folder, options));
  if ('code' in lock) return lock;
  try {
    return await work(lock);
  } finally {
    if (options.lock === undefined) lock.release();
  }
}

/** Waits for the pack's lock; a diagnostic where somebody keeps it or the disk refuses. */
export async function lockPack(folder: string, options: Omit<ApplyOptions, 'lock'>): Promise<Lock | Diagnostic> {
  const { generated, wait = 5000, disk = nodeDisk } = options;
  const { lock: path } = bookkeepingOf(generated);
  const writer = makeWriter(folder, disk);
  const made = writer.makeFolder(generated);
  if (!made.isDone) return made.diagnostic;
  try {
    const lock = await acquireLock({ path: writer.full(path), temporary: writer.temporaryIn(generated), disk, wait });
    return 'holder' in lock ? diagnose('generate/locked', { path, holder: lock.holder }, startOf(path)) : lock;
  } catch (error) {
    // It is the first file that is written: what forbids it forbids all, unless only its own name is taken.
    const place = generated === '' || codeOf(error) === 'EISDIR' ? path : generated;
    return diagnose('generate/write-failed', { path: place, reason: reasonOf(error) }, startOf(place));
  }
}

async function write(ops: readonly FileOp[], writer: Writer, generated: string): Promise<Applied> {
  const paths = bookkeepingOf(generated);
  const wasKilled = ops.some(({ path }) => path === paths.journal);
  // Deletions first: where case makes no difference, a file may be deleted under its old name and made under its new one.
  const work = [...ops.filter(op => op.op === 'delete'), ...ops.filter(op => op.op !== 'delete')]
    .filter(isWrite)
    .filter(({ path }) => path !== paths.journal && path !== paths.ledger);
  const pending = ledgerOf(
    work.filter(({ op }) => op !== 'delete'),
    () => true,
  );
  const prepared = [
    // The journal of a killed run is about to be replaced: what it knows of the disk goes into the ledger first.
    ...(wasKilled ? [[paths.ledger, printLedger(ledgerOf(ops, () => false))] as const] : []),
    ...(pending.size > 0 ? [[paths.journal, printLedger(pending)] as const] : []),
  ];
  for (const [path, text] of prepared) {
    const written = await writer.overwrite(path, text);
    if (!written.isDone) return { diagnostics: [written.diagnostic], applied: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const applied = new Set<FileOp>();
  for (const op of work) {
    const written = await writer.perform(op);
    if (written.isDone) applied.add(op);
    else diagnostics.push(written.diagnostic);
    if (!written.isDone && written.isFinal) break;
  }
  const undone = new Set<FileOp>(work.filter(op => !applied.has(op)));
  const isSettled = undone.size === 0 && !wasKilled && ops.some(({ role, op }) => role === 'ledger' && op === 'keep');
  // Where all is done, it is what reconcile printed.
  const printed = undone.size > 0 ? undefined : ops.find(({ role }) => role === 'ledger');
  const text = (): string =>
    printed?.op === 'create' || printed?.op === 'replace'
      ? printed.text
      : printLedger(ledgerOf(ops, op => !undone.has(op)));
  const ledger = isSettled ? undefined : await writer.overwrite(paths.ledger, text());
  // Without the ledger the journal is what the next run needs.
  if (ledger?.isDone === false) return { diagnostics: [...diagnostics, ledger.diagnostic], applied: [...applied] };
  const cleaned = writer.remove(paths.journal);
  const deleted = [...applied].filter(({ op }) => op === 'delete').map(({ path }) => path);
  const [ours, handlers] = [deleted.filter(isOurs), deleted.filter(path => !isOurs(path))];
  writer.removeEmptyFolders(ours.map(parentOf), generated);
  writer.removeEmptyFolders(handlers.map(parentOf), '');
  return { diagnostics: cleaned.isDone ? diagnostics : [...diagnostics, cleaned.diagnostic], applied: [...applied] };

  function isOurs(path: string): boolean {
    return isBelow(path, generated);
  }
}

function isWrite(op: FileOp): op is WriteOp {
  return op.op === 'create' || op.op === 'replace' || op.op === 'delete';
}

// One operation on disk, so that its file is old or new at any moment. In: an operation. Out: done, or why it was not.
// Generated files are not synced: a killed process loses nothing, and what a power failure empties is nobody's, so that the next
// run writes it again. A stub that is emptied comes back once it is deleted. Files of an author are synced (`isDurable`), for
// nobody could write them again; files of other programs are written by clients/client-file.ts.

type WriteOp = CreateOp | ReplaceOp | DeleteOp;

export type Written =
  | { readonly isDone: true }
  /** `isFinal`: the other files would fail as well. */
  | { readonly isDone: false; readonly diagnostic: Diagnostic; readonly isFinal: boolean };

export interface Writer {
  perform(op: WriteOp): Promise<Written>;
  /** Makes a folder of the pack; the diagnostic says why not. */
  makeFolder(folder: string): Written;
  /** Writes a file of the compiler's own, whatever was there. */
  overwrite(path: string, text: string): Promise<Written>;
  remove(path: string): Written;
  /** Removes the folders, and those above them that become empty, but nothing outside `top`, nor `top` itself. */
  removeEmptyFolders(folders: readonly string[], top: string): void;
  full(path: string): string;
  /** The absolute path of a file that does not exist yet, in a folder of the pack. */
  temporaryIn(folder: string): string;
}

/** `isNew`: nothing may be in its place. */
interface Target {
  readonly isNew?: boolean;
  readonly seen?: string;
}

const done: Written = { isDone: true };

interface WriterOptions {
  /** Whether a file that is done must survive a power failure. */
  readonly isDurable?: boolean;
}

export function makeWriter(pack: string, disk: Disk, { isDurable = false }: WriterOptions = {}): Writer {
  const places = makePlaces(pack);
  const folders = new Map<string, Written>();
  let count = 0;

  const full = (path: string): string => places.full(path);
  const temporaryIn = (folder: string): string => {
    for (;;) {
      const path = full(joinPath(folder, `.toolwright-${process.pid}-${count++}.tmp`));
      if (!disk.exists(path)) return path;
    }
  };

  const makeFolder = (folder: string): Written => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const written = makeFolderAnew(folder);
    folders.set(folder, written);
    return written;
  };

  const makeFolderAnew = (folder: string): Written => {
    const place = places.of(folder);
    if (place.type === 'problem') return { isDone: false, diagnostic: place.diagnostic, isFinal: false };
    if (place.type === 'folder') return done;
    try {
      disk.makeFolder(full(folder));
      return done;
    } catch (error) {
      return failed(folder, error);
    }
  };

  /** Somebody may have deleted the folder since it was looked at. */
  const writeAgain = (path: string, text: string, folder: string): void => {
    try {
      disk.write(path, text);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      disk.makeFolder(full(folder));
      disk.write(path, text);
    }
  };

  /**
   * A temporary file beside the target, so that the last step is within one file system. `seen`: the hash of what it replaces, which is
   * looked at once more right before that step, for an editor may save the file while it is written or waited for.
   */
  const publish = async (path: string, text: string, { isNew = false, seen }: Target = {}): Promise<Written> => {
    const folder = parentOf(path);
    const made = makeFolder(folder);
    if (!made.isDone) return made;
    const temporary = temporaryIn(folder);
    try {
      writeAgain(temporary, text, folder);
      if (isDurable) disk.sync(temporary);
    } catch (error) {
      removeIfPossible(disk, temporary);
      // What forbids a new file forbids all of them: one message for the folder.
      return failed(isFinal(error) || folder === '' ? path : folder, error);
    }
    try {
      if (isNew) linkOrRename(disk, temporary, full(path));
      else if (!(await renamePatiently(disk, temporary, full(path), seen))) {
        removeIfPossible(disk, temporary);
        return changed(path);
      }
      if (isDurable) disk.syncFolder(full(folder));
      return done;
    } catch (error) {
      removeIfPossible(disk, temporary);
      return codeOf(error) === 'EEXIST' ? changed(path) : failed(path, error);
    }
  };

  const perform = async (op: WriteOp): Promise<Written> => {
    try {
      const now = hashOf(disk, full(op.path));
      switch (op.op) {
        case 'create':
          if (now === undefined) return await publish(op.path, op.text, { isNew: op.role === 'stub' });
          // Another run was faster, or the author: a handler that appeared meanwhile is never replaced.
          return op.role === 'stub' || now === hashText(op.text) ? done : changed(op.path);
        case 'replace':
          if (now === hashText(op.text)) return done;
          return now === undefined || now === op.seen
            ? await publish(op.path, op.text, { seen: op.seen })
            : changed(op.path);
        case 'delete':
          if (now === undefined) return done;
          if (op.seen !== undefined && now !== op.seen) return changed(op.path);
          disk.remove(full(op.path));
          return done;
        default:
          return op satisfies never;
      }
    } catch (error) {
      return failed(op.path, error);
    }
  };

  return {
    perform,
    makeFolder,
    overwrite: (path, text) => publish(path, text),
    remove(path) {
      try {
        if (disk.exists(full(path))) disk.remove(full(path));
        return done;
      } catch (error) {
        return failed(path, error);
      }
    },
    removeEmptyFolders(emptied, top) {
      // Deepest first.
      for (const folder of [...new Set(emptied)].sort().reverse()) {
        for (let one = folder; one !== '' && isBelow(one, top); one = parentOf(one)) {
          try {
            disk.removeFolder(full(one));
          } catch {
            break;
          }
        }
      }
    },
    full,
    temporaryIn,
  };
}

/** On Windows a virus scanner or an editor may hold a file for a moment. False where another text than `seen` is there by then. */
async function renamePatiently(disk: Disk, from: string, to: string, seen: string | undefined): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (seen !== undefined && (hashOf(disk, to) ?? seen) !== seen) return false;
      disk.rename(from, to);
      return true;
    } catch (error) {
      const isHeld = ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '');
      if (!isHeld || attempt === 5) throw error;
      await sleep(attempt * 10);
    }
  }
}

function hashOf(disk: Disk, path: string): string | undefined {
  try {
    return hashText(disk.read(path));
  } catch (error) {
    // A link to nothing is something.
    if (codeOf(error) === 'ENOENT' && !disk.exists(path)) return undefined;
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function failed(path: string, error: unknown): Written {
  const diagnostic = diagnose('generate/write-failed', { path, reason: reasonOf(error) }, startOf(path));
  return { isDone: false, diagnostic, isFinal: isFinal(error) };
}

function changed(path: string): Written {
  return { isDone: false, diagnostic: diagnose('generate/changed-meanwhile', { path }, startOf(path)), isFinal: false };
}
