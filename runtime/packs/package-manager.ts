// In: a folder of a project. Out: its package.json and package manager, and the commands that install and remove a package.

import { asMap, isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { packageOfPack, packNameOfPackage } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import type { OpenFolder } from '../load/find-pack.js';
import { upwards } from '../load/find-pack.js';
import { type Folder, nodeFolder, readTextIn } from '../load/folder.js';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface Project {
  /** Where its package.json is. */
  readonly folder: string;
  readonly manager: PackageManager;
  /** What its version, as `packageManager` states it, starts with; undefined where nobody states it. */
  readonly major: number | undefined;
  /** The lockfile, here or at the root of the workspace. */
  readonly lockfile: { readonly folder: string; readonly file: string } | undefined;
  /** Packages that package.json lists, in any kind of dependencies, with what it asks for. */
  readonly listed: ReadonlyMap<string, string>;
}

const lockfiles: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

export const dependencyKinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** The project around a folder; undefined where no package.json is on the way up. */
export function findProject(start: string, open: OpenFolder = nodeFolder): Project | undefined {
  const folders = upwards(start);
  const nearest = folders.findIndex(folder => open(folder).status('package.json') === 'file');
  const folder = folders[nearest];
  if (folder === undefined) return undefined;
  const manifest = readPackageJson(open(folder));
  const listed = new Map<string, string>();
  for (const kind of dependencyKinds) {
    const dependencies = manifest[kind];
    for (const [name, wanted] of Object.entries(isMap(dependencies) ? dependencies : {}))
      if (!listed.has(name)) listed.set(name, typeof wanted === 'string' ? wanted : '*');
  }
  return { folder, ...findManager(folders.slice(nearest), open), listed };
}

/** Whether anything says which manager a project uses; npm is only assumed where nothing does. */
export function isManagerKnown({ lockfile, major }: Project): boolean {
  return lockfile !== undefined || major !== undefined;
}

/**
 * The manager that runs this process, as it presents itself to registries.
 *
 * @example managerOfAgent('pnpm/12.18.0 npm/? node/v22.1.0 linux x64') // { manager: 'pnpm', major: 12 }
 */
export function managerOfAgent(agent: string | undefined): Pick<Project, 'manager' | 'major'> | undefined {
  return statedManager(agent?.replace('/', '@'));
}

/** From its second version on yarn has other words and settings. */
export function isModernYarn({ major, folder, lockfile }: Pick<Project, 'major' | 'folder' | 'lockfile'>): boolean {
  if (major !== undefined) return major > 1;
  return [folder, lockfile?.folder ?? folder].some(path => nodeFolder(path).status('.yarnrc.yml') !== 'missing');
}

/** What a project or its workspace says: the field `packageManager`, else a lockfile; npm where nobody says anything. */
function findManager(folders: readonly string[], open: OpenFolder): Pick<Project, 'manager' | 'major' | 'lockfile'> {
  let stated: { readonly manager: PackageManager; readonly major: number | undefined } | undefined;
  for (const path of folders) {
    const folder = open(path);
    stated ??= statedManager(readPackageJson(folder)['packageManager']);
    const [file, locked] = lockfiles.find(
      ([name, manager]) => (stated?.manager ?? manager) === manager && folder.status(name) === 'file',
    ) ?? [undefined, undefined];
    if (locked !== undefined) return { manager: locked, major: stated?.major, lockfile: { folder: path, file } };
    // A repository ends here: what lies above belongs to somebody else.
    if (folder.status('.git') !== 'missing') break;
  }
  return { manager: stated?.manager ?? 'npm', major: stated?.major, lockfile: undefined };
}

function statedManager(field: unknown): Pick<Project, 'manager' | 'major'> | undefined {
  const [, name, major] = (typeof field === 'string' && /^(npm|pnpm|yarn|bun)@(\d+)/.exec(field)) || [];
  if (name === undefined) return undefined;
  return { manager: name as PackageManager, major: Number(major) };
}

function readPackageJson(folder: Folder): Readonly<Record<string, unknown>> {
  const text = folder.status('package.json') === 'file' ? readTextIn(folder, 'package.json') : undefined;
  return asMap(parseJson(text ?? ''));
}

/**
 * What a person runs to have a pack: one that package.json lists is only to be fetched, any other is to be added.
 *
 * @example installCommand('acme/jira', project) // 'pnpm add @acme/jira'
 */
export function installCommand(pack: string, project: Project | undefined): string {
  const name = packageOfPack(pack);
  const { manager = 'npm', listed } = project ?? {};
  if (listed?.has(name)) return `${manager} install`;
  return `${manager} ${manager === 'npm' ? 'install' : 'add'} ${name}`;
}

/**
 * The same as a hint. A pack that is listed under nearly the same name comes first: nobody should install a misspelt name.
 *
 * @example missingHint('acme/jria', project) // 'did you mean "acme/jira"? Else npm install @acme/jria'
 */
export function missingHint(pack: string, project: Project | undefined): string {
  const command = installCommand(pack, project);
  const { listed = new Map<string, string>() } = project ?? {};
  const meant = project?.listed.has(packageOfPack(pack))
    ? undefined
    : didYouMean(pack, [...listed.keys()].map(packNameOfPackage));
  return meant === undefined ? command : `${meant} Else ${command}`;
}

/**
 * What a person runs to have a package no longer.
 *
 * @example removeCommand('acme/jira', project) // 'pnpm remove @acme/jira'
 */
export function removeCommand(pack: string, project: Project | undefined): string {
  const { manager = 'npm' } = project ?? {};
  return `${manager} ${manager === 'npm' ? 'uninstall' : 'remove'} ${packageOfPack(pack)}`;
}
