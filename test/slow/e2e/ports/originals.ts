// Public servers from the npm registry, installed into a cache folder; the pack that ports one beside it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../../../harness/interop-clients.js';

const root = join(import.meta.dirname, '../../../..');
const command = join(root, 'dist/cli/main.js');

/** The main module of a server; undefined where the registry cannot be reached, which is a failure in CI. */
export function installOriginal(name: string, version: string, path = 'dist/index.js'): string | undefined {
  const folder = join(root, 'node_modules/.cache/toolwright-ports', name);
  const main = join(folder, 'node_modules', name, path);
  if (existsSync(main)) return main;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', `${name}@${version}`];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return main;
  if (process.env['CI'] !== undefined) throw new Error(`${name} cannot be installed\n${stderr}`);
  console.warn(`skipped: ${name} cannot be installed from the npm registry`);
  return undefined;
}

/** A copy of an example with generated code and its dependencies, as somebody has it who copied the folder. */
export function copyExample(name: string, into: string): string {
  const pack = join(into, name);
  cpSync(join(root, 'examples', name), pack, { recursive: true });
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  for (const one of ['diff', 'minimatch', '@types', 'typescript'])
    symlinkSync(join(root, 'node_modules', one), join(pack, 'node_modules', one), 'dir');
  run(pack, 'generate');
  return pack;
}

/** Runs a command in a pack; a failure is an error with what was printed. */
export function run(pack: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { cwd: pack, encoding: 'utf8' });
  if (status !== 0) throw new Error(`toolwright ${words.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** The only server of the pack, built: a program of its own. */
export function builtOf(pack: string, env: Readonly<Record<string, string>>): Target {
  const { artifacts } = JSON.parse(run(pack, 'build', '--format', 'json')) as { artifacts: { file: string }[] };
  return { command: process.execPath, args: [join(pack, artifacts[0]?.file ?? '')], cwd: pack, env };
}

export function startOf(pack: string, env: Readonly<Record<string, string>>): Target {
  return { command: process.execPath, args: [command, 'start'], cwd: pack, env };
}
