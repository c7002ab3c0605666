// Which paths may be used: those below the allowed folders, with every link followed.
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tool_Context } from '../generated/index.js';

/** An error of the manifest (`match`) gives it its code and its status. */
export class PathRefused extends Error {
  readonly code = 'PATH_REFUSED';
}

/** The folders of a call: the client's roots where it has some, else those of the operator. */
export async function allowedFolders(ctx: Pick<Tool_Context, 'config' | 'has' | 'roots'>): Promise<readonly string[]> {
  const roots = ctx.has('roots') ? await ctx.roots() : [];
  const ofClient = await Promise.all(roots.map(({ uri }) => folderOfRoot(uri)));
  const found = ofClient.flat();
  if (found.length > 0) return found;
  const given = ctx.config.FS_DIRECTORIES.split(delimiter).filter(part => part !== '');
  return (await Promise.all(given.map(folder => withTarget(resolve(expandHome(folder)))))).flat();
}

/** The real path of what a caller names, which must lie below an allowed folder. It need not exist yet. */
export async function usePath(named: string, allowed: readonly string[]): Promise<string> {
  const expanded = expandHome(named);
  if (sep === '/' && /^[A-Za-z]:([\\/]|$)/.test(expanded)) {
    throw new PathRefused(`${named} is a path of Windows, and this is not Windows`);
  }
  const absolute = isAbsolute(expanded) ? resolve(expanded) : besideAllowed(expanded, allowed);
  if (!isBelow(absolute, allowed)) throw outside('path', absolute, allowed);
  const real = await realpath(absolute).catch(error => {
    if (error.code !== 'ENOENT') throw error;
    return realPartOf(absolute, allowed);
  });
  if (!isBelow(real, allowed)) throw outside('symlink target', real, allowed);
  return real;
}

function outside(what: string, path: string, allowed: readonly string[]): PathRefused {
  return new PathRefused(`Access denied - ${what} outside allowed directories: ${path} not in ${allowed.join(', ')}`);
}

export function isBelow(path: string, folders: readonly string[]): boolean {
  if (path.includes('\0')) return false;
  return folders.some(folder => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep));
}

/** A relative path belongs to the first folder that holds it. */
function besideAllowed(path: string, allowed: readonly string[]): string {
  const places = allowed.map(folder => resolve(folder, path));
  return places.find(place => isBelow(place, allowed)) ?? places[0] ?? resolve(path);
}

/** As far as the path exists, with names that only look the same in Unicode; the rest as it was named. */
async function realPartOf(absolute: string, allowed: readonly string[]): Promise<string> {
  const [folder] = allowed.filter(one => isBelow(absolute, [one])).sort((one, other) => other.length - one.length);
  if (folder === undefined) throw outside('path', absolute, allowed);
  let place = await realpath(folder);
  const names = relative(folder, absolute).split(sep);
  for (const [index, name] of names.entries()) {
    const entries = await readdir(place);
    const alike = entries.includes(name) ? [name] : entries.filter(entry => entry.normalize() === name.normalize());
    if (alike.length > 1) throw new PathRefused(`${name} may be ${alike.length} different files`);
    const [found] = alike;
    if (found === undefined) return join(place, ...names.slice(index));
    place = await realpath(join(place, found));
    if (!isBelow(place, allowed)) throw outside('symlink target', place, allowed);
  }
  return place;
}

/** A folder, and where it leads if it is a link: callers may use either. Nothing where it is not a folder. */
async function withTarget(folder: string): Promise<readonly string[]> {
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  return isFolder ? [...new Set([folder, await realpath(folder)])] : [];
}

async function folderOfRoot(uri: string): Promise<readonly string[]> {
  try {
    const real = await realpath(resolve(expandHome(uri.startsWith('file://') ? fileURLToPath(uri) : uri)));
    return (await stat(real)).isDirectory() ? [real] : [];
  } catch {
    return [];
  }
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
