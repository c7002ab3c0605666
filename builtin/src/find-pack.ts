// In: what a model calls a pack. Out: its folder, which lies in the project or is installed for it; nothing else is ever read.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

const manifest = 'toolwright.yaml';

export type FoundPack =
  | { readonly found: 'pack'; readonly folder: string }
  | { readonly found: 'nothing' }
  | { readonly found: 'outside' };

/** The folder that the tools may look at: where the operator says, else where the server runs. */
export function projectFolder(config: { readonly TOOLWRIGHT_PROJECT?: string | undefined }): string {
  return resolve(config.TOOLWRIGHT_PROJECT ?? '.');
}

/**
 * Finds a folder of the project, or an installed pack by its name. What lies outside is refused before anything is asked
 * of the disk, so that the answer does not tell what is there.
 *
 * @example findPack('packs/jira', '/app/desk')
 */
export function findPack(typed: string, project: string): FoundPack {
  const path = resolve(project, typed);
  if (typed.includes('\0')) return { found: 'nothing' };
  if (!isInside(project, path)) return { found: 'outside' };
  const real = realPath(path);
  if (real === undefined) return findInstalled(typed, project);
  const root = realPath(project);
  if (root === undefined || !isInside(root, real)) return { found: 'outside' };
  const start = statSync(real).isDirectory() ? real : dirname(real);
  const folder = findAround(start, root);
  if (folder !== undefined) return { found: 'pack', folder };
  return findInstalled(typed, project);
}

/**
 * A folder of the project for a new pack; it need not exist. Links on the way to it are followed, so that none leads out.
 *
 * @example findNewFolder('packs/jira', '/app/desk')
 */
export function findNewFolder(typed: string, project: string): FoundPack {
  const path = resolve(project, typed);
  if (typed.includes('\0')) return { found: 'nothing' };
  return isInside(project, path) && staysInside(path, project) ? { found: 'pack', folder: path } : { found: 'outside' };
}

/** Whether a file that may not exist yet would be written inside a folder, links followed. */
export function staysInside(path: string, folder: string): boolean {
  const root = realPath(folder);
  if (root === undefined) return false;
  for (let here = path; ; here = dirname(here)) {
    const real = realPath(here);
    // A link that leads nowhere is still a link: what is written through it appears elsewhere.
    if (real === undefined && isLink(here)) return false;
    if (real !== undefined) return isInside(root, real);
    if (dirname(here) === here) return false;
  }
}

/** Whether a pack lies in the project itself, links followed, and not among what is installed for it. */
export function isOwn(folder: string, project: string): boolean {
  const [real, root] = [realPath(folder), realPath(project)];
  if (real === undefined || root === undefined || !isInside(root, real)) return false;
  return !relative(root, real).split(sep).includes('node_modules');
}

/** The nearest folder upwards with a manifest, never above the project. */
function findAround(start: string, root: string): string | undefined {
  for (let here = start; isInside(root, here); here = dirname(here)) {
    if (existsSync(join(here, manifest))) return here;
    if (here === root) break;
  }
  return undefined;
}

/** As Node looks for a dependency. Links are followed: package managers link packages to where they keep them. */
function findInstalled(typed: string, project: string): FoundPack {
  const name = packageName(typed);
  if (name === undefined) return { found: 'nothing' };
  for (let here = project; ; here = dirname(here)) {
    const folder = join(here, 'node_modules', name);
    if (existsSync(join(folder, manifest))) return { found: 'pack', folder };
    if (dirname(here) === here) return { found: 'nothing' };
  }
}

/** Pack `acme/jira` is the package `@acme/jira`. */
function packageName(typed: string): string | undefined {
  if (!/^@?[a-z0-9~][a-z0-9._~-]*(\/[a-z0-9~][a-z0-9._~-]*)?$/i.test(typed)) return undefined;
  return typed.includes('/') && !typed.startsWith('@') ? `@${typed}` : typed;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
