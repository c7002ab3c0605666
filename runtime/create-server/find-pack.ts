// In: the name of a pack and a folder to start from. Out: the folder of the pack, as Node would find its package.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nodeFolder } from '../load/folder.js';
import { manifestFile, readManifest } from '../load/manifest.js';
import { createReader } from '../load/read.js';

export type FoundPack =
  | { readonly folder: string }
  /** The package is there, but has no toolwright.yaml. */
  | { readonly plainPackage: string }
  | { readonly missing: true };

/**
 * The npm package of a pack.
 *
 * @example packageOfPack('acme/jira') // '@acme/jira'
 */
export function packageOfPack(pack: string): string {
  return pack.includes('/') ? `@${pack}` : pack;
}

/**
 * A project may name its own pack; all others are looked for in node_modules, from `cwd` upwards. Nothing is run.
 *
 * @example findPack('acme/jira', process.cwd()) // { folder: '/app/node_modules/@acme/jira' }
 */
export function findPack(pack: string, cwd: string): FoundPack {
  const own = ownPack(cwd);
  if (own?.name === pack) return { folder: own.folder };
  let plainPackage: string | undefined;
  for (const folder of upwards(cwd)) {
    const candidate = join(folder, 'node_modules', packageOfPack(pack));
    if (existsSync(join(candidate, manifestFile))) return { folder: candidate };
    // Node would stop at the nearest package; one that is no pack cannot be meant.
    if (existsSync(join(candidate, 'package.json'))) plainPackage ??= candidate;
  }
  return plainPackage === undefined ? { missing: true } : { plainPackage };
}

/** The pack that a folder belongs to: the nearest toolwright.yaml, but never beyond the folder's own package. */
function ownPack(cwd: string): { readonly name: string; readonly folder: string } | undefined {
  for (const folder of upwards(cwd)) {
    if (existsSync(join(folder, manifestFile))) {
      const { value } = readManifest(createReader(nodeFolder(folder)));
      return value === undefined ? undefined : { name: value.name, folder };
    }
    if (existsSync(join(folder, 'package.json'))) return undefined;
  }
  return undefined;
}

function upwards(start: string): readonly string[] {
  const folders = [resolve(start)];
  for (let folder = folders[0] ?? ''; dirname(folder) !== folder; folder = dirname(folder))
    folders.push(dirname(folder));
  return folders;
}
