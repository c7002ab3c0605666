// In: packages by name and version. Out: a folder that has them, kept between runs; they are not dependencies of this package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../node_modules/.cache/toolwright-bench', import.meta.url));

/** Each peer in a folder of its own: one that cannot be installed leaves the others as they are. Undefined where npm fails. */
export function installPeer(id, packages) {
  const folder = join(home, id);
  const wanted = packages.join(' ');
  const mark = join(folder, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return folder;
  if (packages.length > 0) console.error(`installing ${wanted} ...`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  // Names are looked up from the module that imports them, so this one has to be beside the packages.
  writeFileSync(join(folder, 'load.mjs'), 'export const load = name => import(name);\n');
  if (packages.length === 0) return folder;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder, ...packages];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 180_000 });
  if (status !== 0) return undefined;
  writeFileSync(mark, wanted);
  return folder;
}
