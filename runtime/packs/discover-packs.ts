// In: a folder. Out: the packs that can be seen from it, each with its outline: those of the project around it, those that
// are installed for it, and the built-in one. Reads what discovery may read (DESIGN.md 5), runs and writes nothing.

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isMap } from '../../schema/document.js';
import { packNameOfPackage, parseName } from '../../schema/names.js';
import { upwards } from '../load/find-pack.js';
import { existsAt, nodeFolder } from '../load/folder.js';
import { manifestFile } from '../load/manifest.js';
import { builtinPack } from '../load/own-package.js';
import { dependencyKinds } from './package-manager.js';
import { type PackOutline, readOutline } from './read-outline.js';
import { findProject, readMap } from './workspaces.js';

/** Where a pack was found; in this order they win over others of the same name (W50). */
export const packOrigins = ['project', 'installed', 'builtin', 'remote'] as const;
export type PackOrigin = (typeof packOrigins)[number];

export interface DiscoveredPack {
  readonly origin: PackOrigin;
  /** As references write it. */
  readonly name: string;
  readonly outline: PackOutline;
}

export interface DiscoverOptions {
  readonly cwd: string;
  /** Every installed package, not only those that the project lists. */
  readonly all?: boolean;
  readonly builtin?: boolean;
  /** Reads an outline, or knows it already. */
  readonly outlineOf?: (folder: string) => PackOutline;
  /** Whether it is known already. */
  readonly isKnown?: IsKnown;
}

export interface Discovered {
  readonly packs: readonly DiscoveredPack[];
  /** In words: what could not be looked at. */
  readonly warnings: readonly string[];
}

export function discoverPacks(options: DiscoverOptions): Discovered {
  const { cwd, outlineOf = folder => readOutline(nodeFolder(folder)) } = options;
  const { pack, packages } = findProject(cwd);
  const places = packages.length > 0 ? packages : [cwd];
  const own = [...new Set([...(pack === undefined ? [] : [pack]), ...packages])].filter(hasManifest);
  const installed = options.all === true ? allPacks(places, options.isKnown) : listedPacks(packages, options.isKnown);
  const seen = new Set(own);
  const foreign = installed.filter(({ folder }) => !seen.has(folder) && seen.add(folder));
  return {
    packs: [
      ...own.map(folder => describeOwn('project', outlineOf(folder), folder)),
      ...foreign.map(found => discoverInstalled(found, outlineOf)),
      ...(options.builtin === true ? builtinPacks(outlineOf) : []),
    ],
    warnings: packages.some(usesPlugAndPlay) ? [plugAndPlay] : [],
  };
}

function hasManifest(folder: string): boolean {
  return nodeFolder(folder).status(manifestFile) !== 'missing';
}

function describeOwn(origin: PackOrigin, outline: PackOutline, folder: string): DiscoveredPack {
  // A pack whose manifest cannot be read still has a folder.
  return { origin, name: outline.name === '' ? nodeFolderName(folder) : outline.name, outline };
}

function nodeFolderName(folder: string): string {
  return folder.split(/[\\/]/).at(-1) ?? folder;
}

function discoverInstalled(
  { name, folder }: InstalledPackage,
  outlineOf: (folder: string) => PackOutline,
): DiscoveredPack {
  const outline = outlineOf(folder);
  const parsed = parseName(`${name}/any`);
  if (outline.broken !== undefined || !('problem' in parsed)) return { origin: 'installed', name, outline };
  return { origin: 'installed', name, outline: { ...outline, broken: `no reference can name it: ${parsed.problem}` } };
}

/** A copy of the package that was cut down to less may lack it. */
function builtinPacks(outlineOf: (folder: string) => PackOutline): readonly DiscoveredPack[] {
  const folder = builtinPack();
  return hasManifest(folder) ? [describeOwn('builtin', outlineOf(folder), folder)] : [];
}

const plugAndPlay =
  'this project uses yarn Plug\'n\'Play, which keeps packages in archives that Toolwright does not read: set "nodeLinker: node-modules" in .yarnrc.yml to have installed packs listed';

function usesPlugAndPlay(folder: string): boolean {
  const root = upwards(folder).find(one => existsSync(join(one, '.pnp.cjs')) || existsSync(join(one, 'node_modules')));
  return root !== undefined && existsSync(join(root, '.pnp.cjs'));
}

interface InstalledPackage {
  /** The pack's name as references write it: that of its folder in node_modules, which may be an alias. */
  readonly name: string;
  /** Without links in it. */
  readonly folder: string;
}

/** Whether a folder is a pack for sure, so that nobody need look. */
type IsKnown = (folder: string) => boolean;

/**
 * Packs among the packages that these packages list, found as Node finds them. Only names of folders are looked at, and for a
 * toolwright.yaml in each: reading a package.json costs ten times as much.
 *
 * @example listedPacks(['/app']) // [{ name: 'acme/jira', folder: '/app/node_modules/@acme/jira' }]
 */
function listedPacks(packages: readonly string[], isKnown: IsKnown = () => false): readonly InstalledPackage[] {
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
  const lists = dependencyKinds.map(key => manifest[key]).filter(isMap);
  return [...new Set(lists.flatMap(list => Object.keys(list)))];
}

/**
 * Packs among all packages that are installed for these packages: scoped, nested, and in the store of pnpm. The nearest
 * come first.
 */
function allPacks(packages: readonly string[], isKnown: IsKnown = () => false): readonly InstalledPackage[] {
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
