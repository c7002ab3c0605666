// In: the folders of packages. Out: the packages that are installed for them: those that their package.json lists, or all.
// Looks at names of folders and for a toolwright.yaml in each: reading a package.json costs ten times as much.

import { readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isMap } from '../../schema/document.js';
import { packNameOfPackage } from '../../schema/names.js';
import { existsAt } from '../load/folder.js';
import { manifestFile } from '../load/manifest.js';
import { upwards } from './upwards.js';
import { readMap } from './workspaces.js';

export interface InstalledPackage {
  /** The pack's name as references write it: that of its folder in node_modules, which may be an alias. */
  readonly name: string;
  /** Without links in it. */
  readonly folder: string;
}

/** Whether a folder is a pack for sure, so that nobody need look. */
export type IsKnown = (folder: string) => boolean;

const dependencyKeys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Packs among the packages that these packages list, found as Node finds them.
 *
 * @example listedPacks(['/app']) // [{ name: 'acme/jira', folder: '/app/node_modules/@acme/jira' }]
 */
export function listedPacks(packages: readonly string[], isKnown: IsKnown = () => false): readonly InstalledPackage[] {
  const found: InstalledPackage[] = [];
  const contents = new Map<string, ReadonlyMap<string, InstalledEntry>>();
  const installedIn = (modules: string): ReadonlyMap<string, InstalledEntry> => {
    const known = contents.get(modules) ?? new Map(entriesOf(modules).map(entry => [entry.name, entry]));
    contents.set(modules, known);
    return known;
  };
  for (const folder of packages) {
    const ways = upwards(folder).map(way => installedIn(join(way, 'node_modules')));
    for (const name of dependenciesOf(folder)) {
      const entry = ways.find(way => way.has(name))?.get(name);
      const path = entry?.isLink ? realOf(entry.path) : entry?.path;
      if (path === undefined || !(isKnown(path) || isPack(path))) continue;
      found.push({ name: packNameOfPackage(name), folder: path });
    }
  }
  return found;
}

function dependenciesOf(folder: string): readonly string[] {
  const manifest = readMap(folder, 'package.json');
  const lists = dependencyKeys.map(key => manifest[key]).filter(isMap);
  return [...new Set(lists.flatMap(list => Object.keys(list)))];
}

/**
 * Packs among all packages that are installed for these packages: scoped, nested, and in the store of pnpm. The nearest
 * come first.
 */
export function allPacks(packages: readonly string[], isKnown: IsKnown = () => false): readonly InstalledPackage[] {
  const found: InstalledPackage[] = [];
  const seen = new Set<string>();
  let level = [...new Set(packages.flatMap(upwards))].map(folder => join(folder, 'node_modules'));
  while (level.length > 0) {
    const next: string[] = [];
    for (const modules of level) {
      for (const { name, path, isLink } of entriesOf(modules)) {
        const folder = isLink ? realOf(path) : path;
        if (folder === undefined || seen.has(folder)) continue;
        seen.add(folder);
        if (isKnown(folder) || isPack(folder)) found.push({ name: packNameOfPackage(name), folder });
        const nested = `${folder}${sep}node_modules`;
        if (existsAt(nested)) next.push(nested);
      }
      // Each folder of the store has the node_modules of one version of one package.
      for (const entry of namesIn(join(modules, '.pnpm'))) next.push(join(modules, '.pnpm', entry, 'node_modules'));
    }
    level = next;
  }
  return found;
}

/** Whatever toolwright.yaml is, a file, a folder or a pipe: reading it will say what is wrong. */
function isPack(folder: string): boolean {
  return existsAt(`${folder}${sep}${manifestFile}`);
}

interface InstalledEntry {
  /** With its scope. */
  readonly name: string;
  readonly path: string;
  readonly isLink: boolean;
}

/** Everything in a node_modules folder that can be a package. */
function entriesOf(modules: string): readonly InstalledEntry[] {
  const entries = dirents(modules);
  // Only what is a link itself can then be at another place than its path says.
  const folder = entries.length === 0 ? modules : (realOf(modules) ?? modules);
  return entries.flatMap((entry): InstalledEntry[] => {
    const path = `${folder}${sep}${entry.name}`;
    const isLink = entry.isSymbolicLink();
    if (!entry.name.startsWith('@')) return toEntry(entry, { name: entry.name, path, isLink });
    return dirents(path).flatMap(inner =>
      toEntry(inner, {
        name: `${entry.name}/${inner.name}`,
        path: `${path}${sep}${inner.name}`,
        isLink: isLink || inner.isSymbolicLink(),
      }),
    );
  });
}

interface Dirent {
  readonly name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function toEntry(dirent: Dirent, entry: InstalledEntry): InstalledEntry[] {
  // `.bin`, `.pnpm`, `.cache`.
  const isHidden = dirent.name.startsWith('.');
  return !isHidden && (dirent.isDirectory() || dirent.isSymbolicLink()) ? [entry] : [];
}

function dirents(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  return dirents(folder)
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
