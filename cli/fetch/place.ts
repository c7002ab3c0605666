// In: a project and the name of a package. Out: the place of the package in node_modules, where nothing lies and which is the project's
// own; a fetched package is moved there by one rename. Whatever lies there already is somebody's, and stays.
import { lstatSync, mkdirSync, realpathSync, renameSync, rmdirSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, relativePath } from '../../runtime/load/folder.js';
import type { Refused } from './fetch-words.js';

export interface Place {
  readonly path: string;
  /** Folders that are missing for it, the outer one first. */
  readonly missing: readonly string[];
}

/** Nothing is written through a link that leads out of the project: what is behind it belongs to others. */
export function findPlace(project: string, name: string): Place | Refused {
  const modules = join(project, 'node_modules');
  const path = join(modules, name);
  const around = dirname(path) === modules ? [modules] : [modules, dirname(path)];
  for (const folder of around) {
    const problem = folderProblem(folder, project);
    if (problem !== undefined) return { reason: `${relativePath(project, folder)} ${problem}` };
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, missing: around.filter(folder => !isThere(folder)) };
  const what = stats.isSymbolicLink() ? 'is a link to something that is not a pack' : 'exists and is not a pack';
  return { reason: `${relativePath(project, path)} ${what}` };
}

function folderProblem(folder: string, project: string): string | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return undefined;
  if (!stats.isSymbolicLink()) return 'is not a folder';
  try {
    const way = relative(realpathSync.native(project), realpathSync.native(folder));
    const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
    return isOutside ? 'is a link to a place outside the project' : undefined;
  } catch {
    return 'is a broken link';
  }
}

/** Folders that were made and stayed empty are removed. */
function withFolders<T>({ missing }: Place, use: () => T): T {
  for (const folder of missing) mkdirSync(folder, { recursive: true });
  try {
    return use();
  } finally {
    removeEmpty(missing);
  }
}

export function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something is in it.
    }
  }
}

/** False where another process was faster, whose package is then the one. */
export function moveIn(from: string, place: Place): boolean {
  return withFolders(place, () => unlessThere(place.path, () => renameSync(from, place.path)));
}

/** As package managers install folders. */
export function linkIn(folder: string, place: Place): boolean {
  return withFolders(place, () =>
    unlessThere(place.path, () => {
      const isWindows = process.platform === 'win32';
      const target = isWindows ? folder : relative(realpathSync.native(dirname(place.path)), folder);
      symlinkSync(target, place.path, isWindows ? 'junction' : 'dir');
    }),
  );
}

function unlessThere(path: string, write: () => void): boolean {
  // A folder that is empty would be replaced by the rename.
  if (isThere(path)) return false;
  try {
    write();
    return true;
  } catch (error) {
    if (isThere(path) && /^(?:EEXIST|ENOTEMPTY|EPERM|EACCES)$/.test(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
