// In: a project and the packages to fetch for it. Out: the files of a folder in which its package manager fetches these and nothing else:
// a package.json that asks for them, and the project's lockfile, so that each version is the one that is locked.

import { join } from 'node:path';
import { relativePath } from '../../runtime/load/folder.js';
import { readUtf8 } from '../../runtime/load/read-file.js';
import type { Project } from '../../runtime/packs/package-manager.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { isMap } from '../../schema/document.js';

export type StageFiles = Readonly<Record<string, string>>;

type Data = Readonly<Record<string, unknown>>;

const dependencyKinds = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Undefined where the lockfile cannot be read. */
export function stageFiles(project: Project, wanted: Data): StageFiles | undefined {
  const { lockfile, folder } = project;
  const { overrides, resolutions } = readMap(lockfile?.folder ?? folder, 'package.json');
  const manifest = { name: 'toolwright-stage', version: '0.0.0', private: true, overrides, resolutions };
  const files = { 'package.json': JSON.stringify({ ...manifest, dependencies: wanted }) };
  if (lockfile === undefined) return files;
  const text = readLock(lockfile);
  const lock = text === undefined ? undefined : printLock(project, text, wanted);
  return lock === undefined ? undefined : { ...files, [lockfile.file]: lock };
}

export function readLock({ folder, file }: NonNullable<Project['lockfile']>): string | undefined {
  try {
    return readUtf8(join(folder, file));
  } catch {
    return undefined;
  }
}

/** The same lockfile, as one of a project that has these packages only. */
function printLock({ lockfile, folder }: Project, text: string, wanted: Data): string | undefined {
  if (lockfile === undefined) return undefined;
  const member = relativePath(lockfile.folder, folder);
  switch (lockfile.file) {
    case 'package-lock.json':
    case 'npm-shrinkwrap.json': {
      const lock = readMap(lockfile.folder, lockfile.file);
      return isMap(lock['packages'])
        ? JSON.stringify({ ...lock, packages: npmPackages(lock['packages'], member, wanted) })
        : text;
    }
    case 'pnpm-lock.yaml': {
      const lock = readMap(lockfile.folder, lockfile.file);
      // A patched package is not what its registry has.
      if (lock['lockfileVersion'] === undefined || isMap(lock['patchedDependencies'])) return undefined;
      const { importers, overrides: _, packageExtensionsChecksum: __, pnpmfileChecksum: ___, ...rest } = lock;
      if (!isMap(importers)) return JSON.stringify(pnpmImporter(rest, wanted));
      const importer = importers[member === '' ? '.' : member];
      if (!isMap(importer)) return undefined;
      return JSON.stringify({ ...rest, importers: { '.': pnpmImporter(importer, wanted) } });
    }
    case 'bun.lockb':
      return undefined;
    default:
      return text;
  }
}

/** What a member of a workspace has for itself comes first; links to other members lead nowhere here. */
function npmPackages(packages: Data, member: string, wanted: Data): Data {
  const own = member === '' ? '' : `${member}/`;
  const entries = Object.entries(packages).filter(([, entry]) => !(isMap(entry) && entry['link'] === true));
  const shared = entries.filter(([path]) => path.startsWith('node_modules/'));
  const nearer = entries.filter(([path]) => own !== '' && path.startsWith(`${own}node_modules/`));
  const moved = nearer.map(([path, entry]) => [path.slice(own.length), entry] as const);
  return {
    '': { name: 'toolwright-stage', version: '0.0.0', dependencies: wanted },
    ...Object.fromEntries([...shared, ...moved]),
  };
}

/** Everything is a plain dependency of the stage. */
function pnpmImporter(importer: Data, wanted: Data): Data {
  const others = Object.entries(importer).filter(([key]) => !dependencyKinds.includes(key) && key !== 'specifiers');
  const all = dependencyKinds.flatMap(kind => Object.entries(isMap(importer[kind]) ? importer[kind] : {}));
  const dependencies = Object.fromEntries(all.filter(([name]) => Object.hasOwn(wanted, name)));
  return { ...Object.fromEntries(others), dependencies };
}
