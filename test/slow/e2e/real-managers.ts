// Real pnpm, yarn (both generations) and bun from the npm registry, installed once into node_modules/.cache. In: nothing. Out: for each a
// folder for PATH that has it under its usual name. Where they cannot be installed, tests fail: none is left out.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package with the program itself: the one that is called bun brings it by a script. */
const bun = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;

/** The same of pnpm, from its twelfth version on. */
const pnpm = `@pnpm/exe.${process.platform}-${process.arch}`;

/** Versions that Node 20 runs, and where their programs lie in node_modules. */
const managers = {
  pnpm: { name: 'pnpm', packages: ['pnpm10@npm:pnpm@10.34.9'], program: 'pnpm10/bin/pnpm.cjs' },
  pnpm12: { name: 'pnpm', packages: [`${pnpm}@12.18.0`], program: `${pnpm}/pnpm` },
  yarn1: { name: 'yarn', packages: ['yarn1@npm:yarn@1.22.22'], program: 'yarn1/bin/yarn.js' },
  yarn4: {
    name: 'yarn',
    packages: ['@yarnpkg/cli-dist@4.18.1'],
    program: '@yarnpkg/cli-dist/bin/yarn.js',
  },
  bun: { name: 'bun', packages: [`${bun}@1.4.4`], program: `${bun}/bin/bun` },
} as const;

export type RealManager = keyof typeof managers;

const folderOfCaches = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

/** @example const folders = installManagers(); run('start', { PATH: folders.pnpm }) */
export function installManagers(): Readonly<Record<RealManager, string>> {
  const wanted = Object.values(managers).flatMap(({ packages }) => packages);
  const cache = installOnce('toolwright-managers-3', wanted, (stage, settled) => {
    for (const [id, { name, program }] of Object.entries(managers)) {
      const bin = join(stage, 'bin', id);
      mkdirSync(bin, { recursive: true });
      const target = join(settled, 'node_modules', program);
      const isScript = /\.c?js$/.test(target);
      const words = isScript ? `'${process.execPath}' '${target}'` : `'${target}'`;
      // What is not a script is not always packed as a program.
      if (!isScript) chmodSync(join(stage, 'node_modules', program), 0o755);
      const commands = { [name]: words, ...(name === 'bun' ? { bunx: `${words} x` } : {}) };
      for (const [command, line] of Object.entries(commands))
        writeFileSync(join(bin, command), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
    }
  });
  const folderOf = (id: RealManager): string => join(cache, 'bin', id);
  return {
    ...{ pnpm: folderOf('pnpm'), pnpm12: folderOf('pnpm12'), yarn1: folderOf('yarn1') },
    ...{ yarn4: folderOf('yarn4'), bun: folderOf('bun') },
  };
}

/** Packages of the registry in a folder of the cache, without their scripts. `finish` gets the folder, and where it will be. */
export function installOnce(
  name: string,
  packages: readonly string[],
  finish: (stage: string, settled: string) => void = () => undefined,
): string {
  const cache = join(folderOfCaches, name);
  if (existsSync(cache)) return cache;
  mkdirSync(folderOfCaches, { recursive: true });
  const stage = mkdtempSync(`${cache}-`);
  writeFileSync(join(stage, 'package.json'), '{"private": true}\n');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  execFileSync('npm', words, { cwd: stage, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  finish(stage, cache);
  try {
    renameSync(stage, cache);
  } catch (error) {
    // Another process was faster.
    rmSync(stage, { recursive: true, force: true });
    if (!existsSync(cache)) throw error;
  }
  return cache;
}
