// In: a folder. Out: the packs that can be seen from it, each with its outline: those of the project around it, those that
// are installed for it, and the built-in one. Reads what discovery may read (DESIGN.md 5), runs and writes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseName } from '../../schema/names.js';
import { builtinPack } from '../load/builtin-pack.js';
import { nodeFolder } from '../load/folder.js';
import { manifestFile } from '../load/manifest.js';
import { allPacks, type InstalledPackage, type IsKnown, listedPacks } from './installed-packages.js';
import { type PackOutline, readOutline } from './read-outline.js';
import { upwards } from './upwards.js';
import { findProject } from './workspaces.js';

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
      ...own.map(folder => discover('project', outlineOf(folder), folder)),
      ...foreign.map(found => discoverInstalled(found, outlineOf)),
      ...(options.builtin === true ? builtinPacks(outlineOf) : []),
    ],
    warnings: packages.some(usesPlugAndPlay) ? [plugAndPlay] : [],
  };
}

function hasManifest(folder: string): boolean {
  return nodeFolder(folder).status(manifestFile) !== 'missing';
}

function discover(origin: PackOrigin, outline: PackOutline, folder: string): DiscoveredPack {
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
  return hasManifest(folder) ? [discover('builtin', outlineOf(folder), folder)] : [];
}

const plugAndPlay =
  'this project uses Plug\'n\'Play of yarn, whose packages are in archives that are not looked into: set "nodeLinker: node-modules" in .yarnrc.yml to have installed packs listed';

function usesPlugAndPlay(folder: string): boolean {
  const root = upwards(folder).find(one => existsSync(join(one, '.pnp.cjs')) || existsSync(join(one, 'node_modules')));
  return root !== undefined && existsSync(join(root, '.pnp.cjs'));
}
