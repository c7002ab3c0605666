// One operation on disk, so that its file is old or new at any moment. In: an operation. Out: done, or why it was not.
// Generated files are not synced: a killed process loses nothing, and what a power failure empties is nobody's, so that the next
// run writes it again. A stub that is emptied comes back once it is deleted. Files of an author are synced (`isDurable`), for
// nobody could write them again; files of other programs are written by clients/client-file.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isBelow, parentOf } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { type Disk, isFinal, reasonOf, removeIfPossible } from './apply-disk.js';
import { isLinkless } from './apply-lock.js';
import type { CreateOp, DeleteOp, ReplaceOp } from './generated-file.js';
import { hashText } from './ledger.js';
import { makePlaces } from './snapshot.js';

export type WriteOp = CreateOp | ReplaceOp | DeleteOp;

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

const done: Written = { isDone: true };

export interface WriterOptions {
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
      const path = full(`${folder === '' ? '' : `${folder}/`}.toolwright-${process.pid}-${count++}.tmp`);
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

  /** A temporary file beside the target, so that the last step is within one file system. */
  const publish = async (path: string, text: string, isNew: boolean): Promise<Written> => {
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
      else await renamePatiently(disk, temporary, full(path));
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
          if (now === undefined) return await publish(op.path, op.text, op.role === 'stub');
          // Another run was faster, or the author: a handler is never replaced.
          return op.role === 'stub' || now === hashText(op.text) ? done : changed(op.path);
        case 'replace':
          if (now === hashText(op.text)) return done;
          return now === undefined || now === op.seen ? await publish(op.path, op.text, false) : changed(op.path);
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
    overwrite: (path, text) => publish(path, text, false),
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

/** Never replaces a file, not even one that appeared this very moment. */
export function linkOrRename(disk: Disk, from: string, to: string): void {
  try {
    disk.link(from, to);
  } catch (error) {
    if (!isLinkless(error) || disk.exists(to)) throw error;
    disk.rename(from, to);
    return;
  }
  removeIfPossible(disk, from);
}

/** On Windows a virus scanner or an editor may hold a file for a moment. */
async function renamePatiently(disk: Disk, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      disk.rename(from, to);
      return;
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
