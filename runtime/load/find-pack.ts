// In: the name of a pack and folders to start from. Out: the folder of the pack, as Node would find its package.
import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packageOfPack } from '../../schema/names.js';
import { type Folder, nodeFolder } from './folder.js';
import { manifestFile, readManifest } from './manifest.js';
import { createReader } from './read.js';

export type FoundPack =
  | { readonly folder: string }
  /** The package is there, but has no toolwright.yaml. */
  | { readonly plainPackage: string }
  | { readonly missing: true };

/** How folders are opened: a run that remembers its result must know what it looked at. */
export type OpenFolder = (path: string) => Folder;

/**
 * A project may name its own pack; all others are looked for in node_modules, from each start upwards. Nothing is run.
 *
 * @example findPack('acme/jira', [process.cwd()]) // { folder: '/app/node_modules/@acme/jira' }
 */
export function findPack(pack: string, starts: readonly string[], open: OpenFolder = nodeFolder): FoundPack {
  let plainPackage: string | undefined;
  for (const start of starts) {
    const own = ownPack(start, open);
    if (own?.name === pack) return { folder: own.folder };
    for (const folder of upwards(start)) {
      const candidate = join(folder, 'node_modules', packageOfPack(pack));
      const inside = open(candidate);
      if (inside.status(manifestFile) !== 'missing') return { folder: candidate };
      // Node would stop at the nearest package; one that is not a pack cannot be meant.
      if (inside.status('package.json') !== 'missing') plainPackage ??= candidate;
    }
  }
  return plainPackage === undefined ? { missing: true } : { plainPackage };
}

/**
 * Where to start from for what a pack names: its real place, where pnpm puts what it depends on, then the place where it was
 * found, which may be a link, then the project.
 */
export function startsOf(folder: string, project: string): readonly string[] {
  return [...new Set([realPath(folder), resolve(folder), resolve(project)])];
}

/** The folder itself where links cannot be followed. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/** The pack that a folder belongs to: the nearest toolwright.yaml, but never beyond the folder's own package. */
function ownPack(start: string, open: OpenFolder): { readonly name: string; readonly folder: string } | undefined {
  for (const folder of upwards(start)) {
    const inside = open(folder);
    if (inside.status(manifestFile) !== 'missing') {
      const { value } = readManifest(createReader(inside));
      return value === undefined ? undefined : { name: value.name, folder };
    }
    if (inside.status('package.json') !== 'missing') return undefined;
  }
  return undefined;
}

/** @example upwards('/a/b') // ['/a/b', '/a', '/'] */
export function upwards(start: string): readonly string[] {
  const folders = [resolve(start)];
  for (let folder = folders[0] ?? ''; dirname(folder) !== folder; folder = dirname(folder))
    folders.push(dirname(folder));
  return folders;
}
