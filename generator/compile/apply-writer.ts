// One operation on disk, so that its file is old or new at any moment. In: an operation. Out: done, or why it was not.
// Generated files are not synced: a killed process loses nothing, and what a power failure empties is nobody's, so that the next
// run writes it again. A stub that is emptied comes back once it is deleted. Files of an author are synced (`isDurable`), for
// nobody could write them again; files of other programs are written by clients/client-file.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isBelow, joinPath, parentOf } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { type Disk, isFinal, linkOrRename, reasonOf, removeIfPossible } from './apply-disk.js';
import { hashText } from './ledger.js';
import type { CreateOp, DeleteOp, ReplaceOp } from './reconcile.js';
import { makePlaces } from './snapshot.js';

export type WriteOp = CreateOp | ReplaceOp | DeleteOp;

export type Written =
  | { readonly isDone: true }
  /** `isFinal`: the other files would fail as well. */
  | { readonly isDone: false; readonly diagnostic: Diagnostic; readonly isFinal: boolean };

export interface Writer {
  perform(op: WriteOp): Promise<Written>;
  /** The first half of it, for many files: the text lies beside its place, and nothing has changed yet. */
  stage(op: WriteOp): Staged | Written;
  /** Waits until all that is staged is on the disk: at once, since each by itself would wait for the disk to turn. */
  sync(staged: readonly Staged[]): Promise<Written>;
  /** The second half: a step for each file. What appeared or changed since is not replaced. */
  finish(staged: Staged): Promise<Written>;
  syncFolders(folders: readonly string[]): void;
  /** Of what is staged and will not be finished. */
  discard(staged: readonly Staged[]): void;
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

export interface Staged {
  readonly op: WriteOp;
  /** Undefined where there is nothing to do, or where the file is deleted. */
  readonly temporary?: string;
  readonly isDeletion?: true;
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

  /** A temporary file beside the target, so that the last step is within one file system. Its path, or why there is none. */
  const prepare = (path: string, text: string): string | Written => {
    const folder = parentOf(path);
    const made = makeFolder(folder);
    if (!made.isDone) return made;
    const temporary = temporaryIn(folder);
    try {
      writeAgain(temporary, text, folder);
      return temporary;
    } catch (error) {
      removeIfPossible(disk, temporary);
      // What forbids a new file forbids all of them: one message for the folder.
      return failed(isFinal(error) || folder === '' ? path : folder, error);
    }
  };

  const syncOne = (path: string, temporary: string): Written => {
    try {
      disk.sync(temporary);
      return done;
    } catch (error) {
      removeIfPossible(disk, temporary);
      const folder = parentOf(path);
      return failed(isFinal(error) || folder === '' ? path : folder, error);
    }
  };

  /**
   * The temporary file takes its place. `seen`: the hash of what it replaces, which is looked at once more right before that step, for an
   * editor may save the file while it is written or waited for.
   */
  const put = async (path: string, temporary: string, { isNew = false, seen }: Target): Promise<Written> => {
    try {
      if (isNew) linkOrRename(disk, temporary, full(path));
      else if (!(await renamePatiently(disk, temporary, full(path), seen))) {
        removeIfPossible(disk, temporary);
        return changed(path);
      }
      return done;
    } catch (error) {
      removeIfPossible(disk, temporary);
      return codeOf(error) === 'EEXIST' ? changed(path) : failed(path, error);
    }
  };

  const publish = async (path: string, text: string, target: Target = {}): Promise<Written> => {
    const temporary = prepare(path, text);
    if (typeof temporary !== 'string') return temporary;
    const synced = isDurable ? syncOne(path, temporary) : done;
    if (!synced.isDone) return synced;
    const written = await put(path, temporary, target);
    if (written.isDone && isDurable) syncFolder(parentOf(path));
    return written;
  };

  const syncFolder = (folder: string): void => disk.syncFolder(full(folder));

  const stage = (op: WriteOp): Staged | Written => {
    try {
      const now = hashOf(disk, full(op.path));
      const isThere = op.op === 'delete' ? now === undefined : now === hashText(op.text);
      if (isThere) return { op };
      if (op.op === 'create' ? now !== undefined : now !== undefined && op.seen !== undefined && now !== op.seen)
        return changed(op.path);
      if (op.op === 'delete') return { op, isDeletion: true };
      const temporary = prepare(op.path, op.text);
      return typeof temporary === 'string' ? { op, temporary } : temporary;
    } catch (error) {
      return failed(op.path, error);
    }
  };

  const finish = async ({ op, temporary, isDeletion }: Staged): Promise<Written> => {
    if (isDeletion === true) return perform(op);
    if (temporary === undefined) return done;
    return put(op.path, temporary, op.op === 'replace' ? { seen: op.seen } : { isNew: true });
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
    stage,
    finish,
    async sync(staged) {
      const files = staged.filter(({ temporary }) => temporary !== undefined);
      const failures = await inTurns(files, async ({ op, temporary = '' }) => {
        try {
          await disk.syncLater(temporary);
          return undefined;
        } catch (error) {
          return failed(op.path, error);
        }
      });
      return failures.find(one => one !== undefined) ?? done;
    },
    syncFolders: folders => {
      for (const folder of new Set(folders)) syncFolder(folder);
    },
    discard: staged => {
      for (const { temporary } of staged) if (temporary !== undefined) removeIfPossible(disk, temporary);
    },
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

/** As many at a time as wait for the disk together. */
const syncsAtOnce = 16;

async function inTurns<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const turn = async (): Promise<void> => {
    for (let one = list[next++]; one !== undefined; one = list[next++]) results.push(await work(one));
  };
  await Promise.all(Array.from({ length: syncsAtOnce }, turn));
  return results;
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
