// The files of a pack while a plan is made. In: edits, one after the other. Out: each file as it was and as it should be.
import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, type Entry, type Folder, isBelow, parentOf } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { maxBytes } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { listOf } from '../clients/client-file.js';
import { type Disk, nodeDisk, removeIfPossible } from '../compile/apply-disk.js';
import { makeWriter, type Staged, type WriteOp, type Written } from '../compile/apply-writer.js';
import { hashText } from '../compile/ledger.js';

/** The texts of the files that a plan changes, each as the last edit left it. */
export interface ChangeBook {
  readonly folder: Folder;
  /** Undefined where there is no such file. */
  text(path: string): string | undefined;
  put(path: string, text: string): void;
  /** Deletes the file. */
  drop(path: string): void;
  changes(): readonly FileChange[];
}

export function openBook(folder: Folder): ChangeBook {
  const before = new Map<string, string | undefined>();
  const after = new Map<string, string | undefined>();
  const read = (path: string): string | undefined => {
    if (!before.has(path)) before.set(path, readText(folder, path));
    return before.get(path);
  };
  return {
    folder,
    text: path => (after.has(path) ? after.get(path) : read(path)),
    put: (path, text) => {
      read(path);
      after.set(path, text);
    },
    drop: path => {
      read(path);
      after.set(path, undefined);
    },
    // A declaration without its definition would be a mistake: new files, then the manifest, then what is deleted.
    changes: () =>
      [...after]
        .map(([path, text]) => ({ path, before: before.get(path), after: text }))
        .sort((a, b) => turnOf(a) - turnOf(b)),
  };
}

function turnOf({ path, after }: FileChange): number {
  return after === undefined ? 2 : path === manifestFile ? 1 : 0;
}

export function readText(folder: Folder, path: string): string | undefined {
  if (folder.status(path) !== 'file') return undefined;
  const bytes = folder.read(path, maxBytes);
  return typeof bytes === 'number' ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function notEditable(path: string, reason: string, site: Site = startOf(path)): Diagnostic {
  return diagnose('author/not-editable', { path, reason }, site);
}

export interface FileChange {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** Undefined where there is no file yet; with its byte order mark. */
  readonly before: string | undefined;
  /** Undefined where it is deleted. */
  readonly after: string | undefined;
}

// In: a folder and changes that nobody has written yet. Out: the folder as it would be, so that a plan can be loaded and proved.

export function plannedFolder(folder: Folder, changes: readonly FileChange[]): Folder {
  const texts = new Map(changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after] as const])));
  const deleted = new Set(changes.filter(({ after }) => after === undefined).map(({ path }) => path));
  const planned = entriesByFolder(texts.keys());
  const outside = new Map<string, boolean>();
  const isOutside = (path: string): boolean => {
    const known = outside.get(path);
    if (known !== undefined) return known;
    const found = path !== '' && (folder.status(path) === 'outside' || isOutside(parentOf(path)));
    outside.set(path, found);
    return found;
  };
  return {
    path: folder.path,
    status(path) {
      // A planned file in a folder that is a link stays where the link leads: what is out of the pack is not read.
      if (deleted.has(path)) return 'missing';
      if (texts.has(path)) return isOutside(parentOf(path)) ? 'outside' : 'file';
      const real = folder.status(path);
      return real === 'missing' && (path === '' || planned.has(path)) ? 'folder' : real;
    },
    list(path) {
      const start = path === '' ? '' : `${path}/`;
      const listed = folder.list(path);
      const real = (listed ?? []).filter(({ name }) => !deleted.has(`${start}${name}`));
      const found = new Map([...(planned.get(path)?.values() ?? []), ...real].map(entry => [entry.name, entry]));
      if (found.size === 0 && listed === undefined) return undefined;
      return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read(path, limit) {
      const text = texts.get(path);
      if (text === undefined) return folder.read(path, limit);
      const bytes = new TextEncoder().encode(text);
      return bytes.length > limit ? bytes.length : bytes;
    },
  };
}

/** What each folder would have in it: packs have thousands of files, and each of them is looked for. */
function entriesByFolder(files: Iterable<string>): ReadonlyMap<string, ReadonlyMap<string, Entry>> {
  const folders = new Map<string, Map<string, Entry>>();
  for (const file of files) {
    let type: Entry['type'] = 'file';
    for (let path = file; path !== ''; path = parentOf(path), type = 'folder') {
      const above = parentOf(path);
      const entries = folders.get(above);
      const name = above === '' ? path : path.slice(above.length + 1);
      if (entries === undefined) folders.set(above, new Map([[name, { name, type }]]));
      else if (entries.has(name)) break;
      else entries.set(name, { name, type });
    }
  }
  return folders;
}

// In: changes of an author's files. Out: the disk with all of them, or with none and the reason.

/**
 * Nothing is replaced that is not as it was seen: neither a file that was changed meanwhile nor one that appeared. Folders that are
 * empty then are deleted, but for `root`: a pack may name it, and would be broken without it.
 */
export async function writeChanges(
  changes: readonly FileChange[],
  pack: string,
  { root = '', disk = nodeDisk }: { readonly root?: string | undefined; readonly disk?: Disk } = {},
): Promise<readonly Diagnostic[]> {
  const writer = makeWriter(pack, disk, { isDurable: true });
  sweepKilled(pack, changes, disk);
  const staged: Staged[] = [];
  const finished: FileChange[] = [];
  // Everything is beside its place before the first file changes: what stops a run stops it with the old files, all of them.
  for (const change of changes) {
    const one = writer.stage(operationOf(change, pack));
    if (!('isDone' in one)) staged.push(one);
    else if (!one.isDone) return refuse(one);
  }
  const synced = await writer.sync(staged);
  if (!synced.isDone) return refuse(synced);
  for (const [index, one] of staged.entries()) {
    const written = await writer.finish(one);
    if (!written.isDone) {
      const lost = await undo();
      return [...refuse(written), ...lost];
    }
    const change = changes[index];
    if (change !== undefined && (one.temporary !== undefined || one.isDeletion === true))
      finished.push({ ...change, path: one.op.path });
  }
  writer.syncFolders(finished.map(({ path }) => parentOf(path)));
  for (const { path } of finished.filter(({ after }) => after === undefined))
    writer.removeEmptyFolders([parentOf(path)], root !== '' && isBelow(path, root) ? root : '');
  return [];

  function refuse(written: Written): readonly Diagnostic[] {
    writer.discard(staged);
    const created = changes.filter(({ before }) => before === undefined);
    writer.removeEmptyFolders(
      created.map(({ path }) => parentOf(path)),
      '',
    );
    return written.isDone ? [] : [written.diagnostic];
  }

  /** What could not be put back is said. */
  async function undo(): Promise<readonly Diagnostic[]> {
    const found: Diagnostic[] = [];
    for (const { path, before } of finished.toReversed()) {
      const undone = before === undefined ? writer.remove(path) : await writer.overwrite(path, before);
      if (!undone.isDone) found.push(undone.diagnostic);
    }
    return found;
  }
}

function operationOf({ path, before, after }: FileChange, pack: string): WriteOp {
  const role = 'generated';
  if (after === undefined) return { op: 'delete', role, path, seen: hashText(before ?? '') };
  if (before === undefined) return { op: 'create', role, path, text: after };
  return { op: 'replace', role, path: behindLink(pack, path), text: after, seen: hashText(before) };
}

/** What a link leads to takes the text, and the link stays. It was read, so that it is in the pack. */
function behindLink(pack: string, path: string): string {
  try {
    if (!lstatSync(join(pack, path)).isSymbolicLink()) return path;
    const way = relative(realpathSync.native(pack), realpathSync.native(join(pack, path)));
    return way.startsWith('..') || isAbsolute(way) ? path : way.replaceAll(sep, '/');
  } catch {
    // It is gone: writing says so.
    return path;
  }
}

/** Texts that a killed run has left beside their places. */
function sweepKilled(pack: string, changes: readonly FileChange[], disk: Disk): void {
  for (const folder of new Set(changes.map(({ path }) => join(pack, parentOf(path))))) {
    for (const name of listOf(folder)) {
      const [, id] = /^\.toolwright-(\d+)-\d+\.tmp$/.exec(name) ?? [];
      if (id !== undefined && !isAlive(Number(id))) removeIfPossible(disk, join(folder, name));
    }
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return codeOf(error) === 'EPERM';
  }
}
