// In: the names of peers. Out: a folder with those that could be installed, kept between runs; they are no dependencies of ours.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What each contender needs; the compiler is our own, so that both sides of a comparison have the same. */
const peers = {
  'json-schema-to-typescript': ['json-schema-to-typescript@15'],
  'openapi-typescript': ['openapi-typescript@7', 'typescript@5.9'],
  'hey-api': ['@hey-api/openapi-ts@0.95', 'typescript@5.9'],
  'openapi-mcp-generator': ['openapi-mcp-generator@4'],
  'zod on the SDK': ['@modelcontextprotocol/server@2', 'zod@4', 'typescript@5.9'],
};

/** Each peer in a folder of its own: one that cannot be installed leaves the others as they are. */
export function installPeers() {
  const home = fileURLToPath(new URL('../node_modules/.cache/toolwright-bench', import.meta.url));
  return new Map(Object.entries(peers).map(([id, packages]) => [id, install(join(home, id), packages)]));
}

/** The folder, or undefined where npm fails. */
function install(folder, packages) {
  const wanted = packages.join(' ');
  const mark = join(folder, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return folder;
  console.error(`installing ${wanted} ...`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  // Names are looked up from the module that imports them, so this one has to be beside the packages.
  writeFileSync(join(folder, 'load.mjs'), 'export const load = name => import(name);\n');
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder, ...packages];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 180_000 });
  if (status !== 0) return undefined;
  writeFileSync(mark, wanted);
  return folder;
}
