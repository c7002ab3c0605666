// In: what a person typed for a pack. Out: the folder of the pack (W72: folder, package name or manifest path).
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findProject } from '../../runtime/packs/package-manager.js';
import { packNameOfPackage } from '../../schema/names.js';
import { UsageError } from '../terminal/usage-error.js';
import { noSuchPack } from './named-pack.js';

const manifest = 'toolwright.yaml';

/** The pack around a folder: the nearest one upwards that has a manifest, else the folder itself. */
export function findPackAround(folder: string): string {
  for (let here = resolve(folder); ; here = dirname(here)) {
    if (existsSync(join(here, manifest))) return here;
    if (dirname(here) === here) return resolve(folder);
  }
}

export function findPack(typed: string, cwd: string): string {
  const path = resolve(cwd, typed);
  if (existsSync(path)) {
    // A definition file stands for its pack, so that a list of changed files can be checked.
    return statSync(path).isDirectory() ? path : findPackAround(dirname(path));
  }
  for (const name of packageNames(typed)) {
    for (let here = resolve(cwd); ; here = dirname(here)) {
      const installed = join(here, 'node_modules', name);
      if (existsSync(join(installed, 'package.json'))) return installed;
      if (dirname(here) === here) break;
    }
  }
  // W53: what the project lists is only to be fetched.
  const listed = packageNames(typed).find(name => findProject(cwd)?.listed.has(name));
  if (listed !== undefined) throw noSuchPack(packNameOfPackage(listed), { missing: true }, cwd);
  throw new UsageError(`there is no folder, file or installed package "${typed}"`);
}

/** Pack `acme/jira` is the package `@acme/jira`. Anything else that looks like a path is none. */
function packageNames(typed: string): readonly string[] {
  if (!/^@?[a-z0-9~][a-z0-9._~-]*(\/[a-z0-9~][a-z0-9._~-]*)?$/i.test(typed)) return [];
  return typed.startsWith('@') || !typed.includes('/') ? [typed] : [`@${typed}`];
}
