// The first minutes with every package manager: install, init, test, build, pack, and the workflow in a fresh clone. `npm run slow:managers`
// tries every manager in every kind of folder; otherwise each manager and each kind of folder comes up once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Manager, type ManagersWorld, openManagersWorld } from './managers-world.js';

let world: ManagersWorld;
beforeAll(async () => {
  world = await openManagersWorld();
}, 120_000);
afterAll(() => world.close());

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Modern yarn installs in two ways: Plug'n'Play, and a folder node_modules. */
type Way = Manager | typeof yarnFolders;
const yarnFolders = 'yarn4 with node_modules';

const yarn4 = {
  ...{ add: 'yarn add toolwright', exec: 'yarn', run: 'yarn run' },
  ...{ frozen: 'yarn install --immutable', pack: 'yarn pack' },
};

/** What people type. */
const words: Readonly<Record<Way, { add: string; exec: string; run: string; frozen: string; pack: string }>> = {
  npm: { add: 'npm install toolwright', exec: 'npx', run: 'npm run', frozen: 'npm ci', pack: 'npm pack' },
  pnpm: {
    ...{ add: 'pnpm add toolwright', exec: 'pnpm exec', run: 'pnpm run' },
    ...{ frozen: 'pnpm install --frozen-lockfile', pack: 'pnpm pack' },
  },
  pnpm12: {
    ...{ add: 'pnpm add toolwright', exec: 'pnpm exec', run: 'pnpm run' },
    ...{ frozen: 'pnpm install --frozen-lockfile', pack: 'pnpm pack' },
  },
  yarn1: {
    ...{ add: 'yarn add toolwright', exec: 'yarn -s', run: 'yarn run' },
    ...{ frozen: 'yarn install --frozen-lockfile', pack: 'yarn pack' },
  },
  yarn4,
  [yarnFolders]: yarn4,
  bun: {
    ...{ add: 'bun add toolwright', exec: 'bunx', run: 'bun run' },
    ...{ frozen: 'bun install --frozen-lockfile', pack: 'bun pm pack' },
  },
};

interface Setting {
  readonly files: Readonly<Record<string, string>>;
  /** Where the pack is to be. */
  readonly at: string;
  readonly isNew: boolean;
  /** The scripts of the pack. */
  readonly test: string;
  readonly build: string;
}

const own = { name: 'mine', version: '1.0.0' };
const tsconfig = {
  compilerOptions: { module: 'nodenext', target: 'es2022', rootDir: 'src', outDir: 'lib', strict: true },
};
const settings: Readonly<Record<string, Setting>> = {
  'an empty folder': { files: {}, at: '.', isNew: true, test: 'test', build: 'build' },
  'a CommonJS package': {
    files: {
      'package.json': json({ ...own, main: 'index.js', scripts: { test: 'node index.js' } }),
      'index.js': 'module.exports = require("node:path").sep;\n',
    },
    ...{ at: '.', isNew: false, test: 'mcp:test', build: 'build' },
  },
  'an ESM package': {
    files: {
      'package.json': json({
        ...{ ...own, type: 'module', scripts: { build: 'tsc -p .' } },
        devDependencies: { typescript: '^5.9.0', '@types/node': '^20.19.0' },
      }),
      'tsconfig.json': json(tsconfig),
      'src/index.ts': 'export const one: number = 1;\n',
    },
    ...{ at: '.', isNew: false, test: 'test', build: 'mcp:build' },
  },
  'a workspace': {
    files: {
      'package.json': json({ name: 'root', private: true, version: '1.0.0', workspaces: ['packages/*'] }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/* # all\n',
      'packages/mine/package.json': json(own),
    },
    ...{ at: 'packages/mine', isNew: true, test: 'test', build: 'build' },
  },
};

/** Says which manager it is, as the first command of a project does. */
const begin: Readonly<Partial<Record<Way, Readonly<Record<string, string>>>>> = {
  yarn4: { 'yarn.lock': '', '.yarnrc.yml': 'enableGlobalCache: true\n' },
  [yarnFolders]: { 'yarn.lock': '', '.yarnrc.yml': 'enableGlobalCache: true\nnodeLinker: node-modules\n' },
};

const ways = Object.keys(words) as Way[];
const isFull = process.env['TOOLWRIGHT_ALL_MANAGERS'] === '1';
const chosen: readonly (readonly [Way, string])[] = [
  ['npm', 'a CommonJS package'],
  ['pnpm12', 'an empty folder'],
  ['yarn1', 'an ESM package'],
  ['yarn4', 'an empty folder'],
  [yarnFolders, 'an ESM package'],
  ['bun', 'a workspace'],
];
const all = ways.flatMap(way => Object.keys(settings).map(kind => [way, kind] as const));

describe('fix-N4 package managers', { timeout: 300_000 }, () => {
  it('fix-N4 `npx toolwright init my-server --install` makes a folder in which everything runs', async () => {
    const top = world.write('somewhere', {});
    const said = await world.run('npm', 'npx -y toolwright init my-server --install', top);
    expect(said).toContain('npm install ...');
    expect(said).toContain('Next:\n  cd my-server\n  npm test\n');
    const folder = join(top, 'my-server');
    expect(existsSync(join(folder, 'node_modules/toolwright/package.json'))).toBe(true);
    await world.run('npm', 'npm test', folder);
  });

  it.each(isFull ? all : chosen)(
    'fix-N4 fix-N25 %s can install, init, test, build and pack in %s',
    async (way, kind) => {
      const { files, at, isNew, test, build } = settings[kind] as Setting;
      const { add, exec, run, frozen, pack } = words[way];
      const manager = way === yarnFolders ? 'yarn4' : way;
      const top = world.write('mine', { ...files, ...begin[way] });
      const folder = join(top, at);
      if (manager === 'yarn4' && kind === 'an empty folder') await world.run(manager, 'yarn init -y', folder);
      if (kind === 'an ESM package') await world.run(manager, add.replace(/(?:add|install) .*/, 'install'), folder);
      await world.run(manager, add, folder);
      const said = await world.run(manager, `${exec} toolwright init --yes`, folder);
      expect(said).toContain(`${/^[a-z]+/.exec(manager)?.[0]} `);
      expect(said).not.toContain('not installed');
      const called = `${exec} toolwright call greet --arg name=Ada --format json`;
      expect(await world.run(manager, called, folder)).toContain('Hello, Ada!');
      for (const script of [test, build]) await world.run(manager, `${run} ${script}`, folder);
      // Their own scripts go on as before.
      if (kind === 'a CommonJS package') await world.run(manager, `${run} test`, folder);
      if (kind === 'an ESM package') await world.run(manager, `${run} build`, folder);
      expect(existsSync(join(folder, 'dist/mine.cjs'))).toBe(true);
      const packed = await world.run(manager, pack, folder);
      expect(packed).not.toContain('publish/unused-build');
      const file = [folder, top].flatMap(path => readdirSync(path).map(name => join(path, name))).find(isPackage);
      const paths = world.listPackage(file ?? 'no package');
      expect(paths).toContain('mcp/tools/greet.yaml');
      // Yarn 1 knows no exclamation marks.
      if (isNew && manager !== 'yarn1')
        expect(paths.filter(path => /generated\/schema|dist\/mine/.test(path))).toEqual([]);
      if (isNew) expect(paths).toContain('dist/tools/greet.js');
      await runWorkflow(manager, { top, at, commands: [frozen, `${run} ${test}`, `${run} ${build}`] });
    },
  );
});

/** What the machines of CI do, in a fresh clone: as the workflow says, or, where a workspace has its own, as people would write it. */
async function runWorkflow(
  manager: Manager,
  { top, at, commands }: { top: string; at: string; commands: readonly string[] },
): Promise<void> {
  const clone = world.clone(top);
  const workflow = join(clone, '.github/workflows/toolwright.yml');
  const written = existsSync(workflow)
    ? [...readFileSync(workflow, 'utf8').matchAll(/- run: (.*)/g)].map(([, line = '']) => line)
    : undefined;
  if (at === '.') expect(written).toBeDefined();
  const lines = (written ?? commands).filter(line => line !== 'corepack enable');
  // A test of the package itself runs too, where there is no other workflow to run it.
  expect(lines).toHaveLength(lines.some(line => line.includes('mcp:test')) ? 4 : 3);
  if (manager !== 'npm') expect(lines[0]).toBe(commands[0]);
  for (const line of lines) await world.run(manager, line, line === lines[0] ? clone : join(clone, at));
}

function isPackage(file: string): boolean {
  return file.endsWith('.tgz');
}
