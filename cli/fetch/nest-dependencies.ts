// In: a package in a folder of fetched ones. Out: it has below its own node_modules what it needs and the project does not have in that
// version, so that it can be moved as a whole, and nothing of the project is shadowed or replaced.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { upwards } from '../../runtime/load/find-pack.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { isMap } from '../../schema/document.js';

/** A package beside the pack, and what it will lie in. */
interface Brought {
  readonly from: string;
  readonly to: string;
}

/** `modules`: where the pack was fetched. `project`: where it will be installed. */
export function nestDependencies(name: string, modules: string, project: string): void {
  const root = join(modules, name);
  const below = join(root, 'node_modules');
  // What lies below the pack already decides for everything that is put beside it.
  const fixed = new Set(packagesIn(below));
  const peers = peersOf(root);
  const placed = new Map<string, string>();
  const waiting: Brought[] = [{ from: root, to: root }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const needed of neededBy(next.from)) {
      const from = join(modules, needed);
      if (peers.has(needed) || needed === name || !existsSync(join(from, 'package.json'))) continue;
      const isSeen = upwards(next.to).some(folder => placed.get(join(folder, 'node_modules', needed)) === from);
      const isTaken = fixed.has(needed);
      if (isSeen || (isTaken && next.to === root) || (!isTaken && isInProject(needed, from, project))) continue;
      const to = join(isTaken ? join(next.to, 'node_modules') : below, needed);
      placed.set(to, from);
      waiting.push({ from, to });
    }
  }
  // In this order each is there before what is put below it.
  for (const [to, from] of placed) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** What a package and those below it look for outside of themselves. */
function neededBy(folder: string): readonly string[] {
  const inside = join(folder, 'node_modules');
  const nested = packagesIn(inside);
  const all = [...dependenciesOf(folder), ...nested.flatMap(name => neededBy(join(inside, name)))];
  return [...new Set(all)].filter(name => !nested.includes(name));
}

/** Peers of a dependency are looked for, too; only those of the pack itself are the project's business. */
function dependenciesOf(folder: string): readonly string[] {
  const manifest = readMap(folder, 'package.json');
  const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies'].map(kind => manifest[kind]);
  return kinds.flatMap(kind => (isMap(kind) ? Object.keys(kind) : []));
}

function peersOf(folder: string): ReadonlySet<string> {
  const { peerDependencies, dependencies } = readMap(folder, 'package.json');
  const own = isMap(dependencies) ? dependencies : {};
  const peers = isMap(peerDependencies) ? Object.keys(peerDependencies) : [];
  return new Set(peers.filter(name => !Object.hasOwn(own, name)));
}

function isInProject(name: string, fetched: string, project: string): boolean {
  const { version } = readMap(fetched, 'package.json');
  const nearest = upwards(project)
    .map(folder => join(folder, 'node_modules', name))
    .find(folder => existsSync(folder));
  return nearest !== undefined && version !== undefined && readMap(nearest, 'package.json')['version'] === version;
}

function packagesIn(modules: string): readonly string[] {
  const names = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return names(modules)
    .filter(name => !name.startsWith('.'))
    .flatMap(name => (name.startsWith('@') ? names(join(modules, name)).map(inner => `${name}/${inner}`) : [name]));
}
