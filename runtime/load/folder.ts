// The port through which everything before `link` sees a disk: one folder, relative paths, no way out.
// Tests and editors pass a folder in memory; nodeFolder is the real one.

import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Format } from '../../schema/document.js';
import type { HandlerRef } from './program.js';
import { maxBytes, readUpTo } from './read-file.js';

export type EntryType = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  readonly name: string;
  readonly type: EntryType;
}

/** What a path leads to, links followed. `outside`: to a place that is not in the folder. */
export type PathStatus = 'file' | 'folder' | 'other' | 'missing' | 'outside';

/** Paths are relative to the folder, with forward slashes; '' is the folder itself. */
export interface Folder {
  /** The folder's own absolute path, for messages and for code that must be loaded from it. */
  readonly path: string;
  status(path: string): PathStatus;
  /** Sorted by name in code-point order; undefined where there is no such folder. */
  list(path: string): readonly Entry[] | undefined;
  /** The bytes of a file, or its size where it has more than `limit`. Throws what the system throws. */
  read(path: string, limit: number): Uint8Array | number;
}

/** A file is no longer what the folder said it was: anyone who relied on that starts anew. */
export class ChangedMeanwhileError extends Error {}

/**
 * A folder on disk.
 *
 * @example const { diagnostics } = await checkPack(nodeFolder('packs/jira'));
 */
export function nodeFolder(path: string): Folder {
  const root = resolve(path);
  const full = (inside: string): string => joinInside(root, inside);
  return {
    path: root,
    status(inside) {
      try {
        const plain = plainStatus(root, inside);
        if (plain !== undefined) return plain;
        const real = realpathSync.native(full(inside));
        const way = relative(realpathSync.native(root), real);
        if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return 'outside';
        const stats = statSync(real);
        return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
      } catch (error) {
        // A link that leads to itself exists, but to nothing that can be read.
        return codeOf(error) === 'ELOOP' ? 'other' : 'missing';
      }
    },
    list(inside) {
      try {
        return readdirSync(full(inside), { withFileTypes: true })
          .map((entry): Entry => {
            const type = entry.isFile()
              ? 'file'
              : entry.isDirectory()
                ? 'folder'
                : entry.isSymbolicLink()
                  ? 'link'
                  : 'other';
            return { name: entry.name, type };
          })
          .sort((a, b) => (a.name < b.name ? -1 : 1));
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
        throw error;
      }
    },
    read: (inside, limit) => readUpTo(full(inside), limit),
  };
}

/** A path without links on it leads nowhere else, and is looked at in a fraction of the time. Undefined: it has some. */
function plainStatus(root: string, inside: string): PathStatus | undefined {
  if (inside === '') return undefined;
  let path = root;
  let status: PathStatus = 'folder';
  for (const step of inside.split('/')) {
    if (step === '' || step === '.' || step === '..' || step.includes(sep)) return undefined;
    path = `${path}${sep}${step}`;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'missing';
    if (stats.isSymbolicLink()) return undefined;
    status = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  }
  return status;
}

/** Whether something is at a full path, be it a link to nothing. What cannot be looked at is not there. */
export function existsAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * A path of a manifest, without `.` and `//`; undefined where it leaves the pack or is absolute.
 *
 * @example normalizePath('./docs//a.md') // 'docs/a.md'
 */
export function normalizePath(path: string): string | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.includes('\0')) return undefined;
  const steps: string[] = [];
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.join('/');
}

export function formatOf(path: string): Format {
  return path.endsWith('.json') ? 'json' : 'yaml';
}

export function joinPath(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('/');
}

/** The full path of what is inside a folder; forward slashes are right on every system. */
export function joinInside(root: string, inside: string): string {
  return inside === '' ? root : `${root}${sep}${inside}`;
}

/** The way from one full path to another, with forward slashes, as it is shown and compared. */
export function relativePath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/');
}

/** Whether a full path is a folder or in it. */
export function isInsideFolder(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The text of a file, without its byte order mark; undefined where it is too large, cannot be read, or is not what the decoder takes. */
export function readTextIn(
  folder: Folder,
  path: string,
  limit = maxBytes,
  decoder = new TextDecoder(),
): string | undefined {
  try {
    const bytes = folder.read(path, limit);
    return typeof bytes === 'number' ? undefined : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the last step of a path is a link. */
export function isLinkIn(folder: Folder, path: string): boolean {
  return folder.list(parentOf(path))?.some(({ name, type }) => type === 'link' && name === nameOf(path)) === true;
}

/** The folder that a path is in; '' is the pack. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Tells whether a path is below a folder; '' is the pack, which holds everything.
 *
 * @example isBelow('generated/tools/a.js', 'generated') // true
 */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

export interface NotedFolder {
  readonly folder: Folder;
  /** Files that were read, or looked for and found. */
  files(): readonly string[];
  isNoted(path: string): boolean;
}

/** The same folder, which remembers which files were asked for. */
export function noteFiles(folder: Folder): NotedFolder {
  const noted = new Set<string>();
  return {
    folder: {
      path: folder.path,
      status(path) {
        noted.add(path);
        return folder.status(path);
      },
      list: path => folder.list(path),
      read(path, limit) {
        noted.add(path);
        return folder.read(path, limit);
      },
    },
    files: () => [...noted].filter(path => folder.status(path) === 'file').sort(),
    isNoted: path => noted.has(path),
  };
}

/**
 * What `path#export` names; undefined where it leaves the pack, which linking reports.
 *
 * @example handlerRefOf('./src/db.ts#connect') // { path: 'src/db.ts', export: 'connect' }
 */
export function handlerRefOf(value: string): HandlerRef | undefined {
  const hash = value.indexOf('#');
  const path = normalizePath(hash < 0 ? value : value.slice(0, hash));
  if (path === undefined || path === '') return undefined;
  return { path, export: hash < 0 ? 'default' : value.slice(hash + 1) };
}
