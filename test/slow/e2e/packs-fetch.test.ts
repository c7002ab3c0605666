// W64: what is missing is fetched beside and moved in; nothing that lies in node_modules is touched. Real npm, pnpm and yarn, a
// registry on loopback.
import { spawn } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RegistryServer, startRegistry } from '../../harness/registry-server.js';
import { makeUser, type ProcessRun, type RegistryUser } from '../../harness/registry-user.js';
import { command, makePack } from '../../runtime/packs/packs-kit.js';
import { installManagers, type RealManager } from './real-managers.js';

let registry: RegistryServer;
let user: RegistryUser;
let managers: Readonly<Record<RealManager, string>>;
const locked = new Map<string, Readonly<Record<string, string>>>();

beforeAll(async () => {
  managers = installManagers();
  registry = await startRegistry();
  user = makeUser(registry);
  await user.put(library('left', '1.0.0'));
  await user.put(library('right', '1.0.0'));
  await user.put(library('toolwright', '9.9.9'));
  await user.put(jira('1.0.0'));
  // Projects that were locked when there was only 1.0.0.
  for (const one of tried) locked.set(one.id, await makeLocked(one));
  await user.put(library('left', '1.0.1'));
  await user.put(jira('1.1.0'));
}, 300_000);
afterAll(async () => {
  await registry.close();
  user.remove();
});

function library(name: string, version: string): Readonly<Record<string, string>> {
  return {
    'package.json': JSON.stringify({ name, version, type: 'module', exports: './index.js' }),
    'index.js': `export default '${name} ${version}';\n`,
  };
}

/** Its tool says which versions it runs with; its script leaves a mark. */
function jira(version: string): Readonly<Record<string, string>> {
  const files = makePack('@acme/jira', { version, tools: { issue: '' }, servers: { jira: 'tools: [issue]\n' } });
  return {
    ...files,
    'package.json': JSON.stringify({
      ...(JSON.parse(files['package.json'] ?? '') as object),
      dependencies: { left: '^1.0.0', right: '^1.0.0' },
      peerDependencies: { toolwright: '*' },
      scripts: { postinstall: `node -e "require('fs').writeFileSync(process.env.INIT_CWD + '/MARK', '')"` },
    }),
    'lib/tools/issue.js': `import left from 'left';\nimport right from 'right';\nexport default () => \`jira ${version}, \${left}, \${right}\`;\n`,
  };
}

interface Tried {
  readonly id: 'npm' | RealManager;
  /** Of the project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly lock: string;
  readonly install: readonly string[];
}

const tried: readonly Tried[] = [
  { id: 'npm', lock: 'package-lock.json', install: ['npm', 'install', '--ignore-scripts'] },
  { id: 'pnpm', lock: 'pnpm-lock.yaml', install: ['pnpm', 'install', '--ignore-scripts', '--no-frozen-lockfile'] },
  { id: 'yarn1', lock: 'yarn.lock', install: ['yarn', 'install', '--ignore-scripts'] },
  {
    id: 'yarn4',
    lock: 'yarn.lock',
    install: ['yarn', 'install', '--mode=skip-build', '--no-immutable'],
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\n' },
  },
  { id: 'bun', lock: 'bun.lock', install: ['bun', 'install', '--ignore-scripts'] },
];

/** Of every manager, in places of the test's own. */
function worldOf(id: Tried['id']): NodeJS.ProcessEnv {
  const path = user.env['PATH'] ?? '';
  return {
    PATH: id === 'npm' ? path : [managers[id], path].join(delimiter),
    CI: '',
    HOME: join(user.folder, 'home'),
    XDG_CONFIG_HOME: '',
    XDG_DATA_HOME: join(user.folder, 'data'),
    XDG_CACHE_HOME: join(user.folder, 'cache'),
    npm_config_registry: registry.url,
    YARN_CACHE_FOLDER: id === 'yarn1' ? join(user.folder, 'yarn-1') : undefined,
    // It remembers for minutes what a registry has.
    BUN_INSTALL_CACHE_DIR: join(user.folder, `bun-${projects}`),
    YARN_GLOBAL_FOLDER: join(user.folder, 'yarn-4'),
    YARN_NPM_REGISTRY_SERVER: registry.url.replace(/\/$/, ''),
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
  };
}

/** What a real one has written, as files of the project. */
async function makeLocked({ id, install, lock, files }: Tried): Promise<Readonly<Record<string, string>>> {
  const cwd = write(files);
  const [program = '', ...words] = install;
  const made = await user.run(program, words, { cwd, env: worldOf(id) });
  if (made.status !== 0) throw new Error(`${id}: ${made.stdout}${made.stderr}`);
  return { ...files, [lock]: readFileSync(join(cwd, lock), 'utf8') };
}

let projects = 0;
function write(
  files: Readonly<Record<string, string>> = {},
  dependencies: object = { '@acme/jira': '^1.0.0' },
): string {
  projects += 1;
  mkdirSync(join(user.folder, 'home'), { recursive: true });
  return user.write(`fetch-${projects}/project`, {
    ...makePack('desk', { tools: { ping: '' }, servers: { desk: 'tools: [ping, acme/jira/issue]\n' } }),
    'package.json': JSON.stringify({ name: 'desk', version: '1.0.0', type: 'module', dependencies }),
    '.git/HEAD': '',
    ...files,
  });
}

function run(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = worldOf('npm')): Promise<ProcessRun> {
  return user.run(process.execPath, [command, ...args], { cwd, env, input: '' });
}

/** Every path below with what it is: the text of a file, the target of a link. */
function treeOf(folder: string, below = ''): ReadonlyMap<string, string> {
  const tree = new Map<string, string>();
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = join(below, name);
    const stats = lstatSync(join(folder, path));
    if (stats.isSymbolicLink()) tree.set(path, `-> ${readlinkSync(join(folder, path))}`);
    else if (stats.isDirectory()) {
      tree.set(path, 'folder');
      for (const [inner, what] of treeOf(folder, path)) tree.set(inner, what);
    } else tree.set(path, readFileSync(join(folder, path), 'utf8'));
  }
  return tree;
}

const without = (tree: ReadonlyMap<string, string>, added: string): ReadonlyMap<string, string> =>
  new Map([...tree].filter(([path]) => path !== added && !path.startsWith(`${added}/`)));

/** What people have in node_modules beside what a package manager has put there. */
function fillModules(cwd: string): void {
  const around = join(cwd, '..');
  const put = (path: string, files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(around, path, file, '..'), { recursive: true });
      writeFileSync(join(around, path, file), text);
    }
  };
  const modules = 'project/node_modules';
  put('mine', library('mine', '1.0.0'));
  put('team/one', library('@team/one', '1.0.0'));
  put('team/two', library('@team/two', '1.0.0'));
  put(`${modules}/unlisted`, library('unlisted', '1.0.0'));
  put(`${modules}/handmade`, { 'index.js': 'by hand\n' });
  put(`${modules}/@acme/other`, library('@acme/other', '1.0.0'));
  put(`${modules}/right`, library('right', '1.0.0'));
  // Another version than the pack needs.
  put(`${modules}/left`, library('left', '0.5.0'));
  symlinkSync('../../mine', join(around, modules, 'mine'));
  symlinkSync('../../team', join(around, modules, '@team'));
}

describe('packs that are fetched', () => {
  it.each(tried)(
    'fix-F1 W64 $id: linked, unlisted and hand-made packages and linked scopes stay, and the lockfile decides',
    async ({ id }) => {
      const env = worldOf(id);
      const cwd = write(locked.get(id));
      fillModules(cwd);
      const before = treeOf(join(cwd, '..'));
      const ran = await run(cwd, ['call', 'issue', '{}'], env);
      expect(ran.stdout, ran.stderr).toContain('jira 1.0.0, left 1.0.0, right 1.0.0');
      expect(ran.stderr).toContain(`installing @acme/jira with ${id.replace(/\d$/, '')}, without scripts`);
      const after = treeOf(join(cwd, '..'));
      const added = 'project/node_modules/@acme/jira';
      expect(after.has(`${added}/toolwright.yaml`)).toBe(true);
      expect(without(after, added)).toEqual(before);
      // What the project has in the right version is used; peers are the project's business.
      const below = readdirSync(join(cwd, 'node_modules/@acme/jira/node_modules'));
      expect(below.filter(name => !name.startsWith('.'))).toEqual(['left']);
      const again = await run(cwd, ['call', 'issue', '{}'], env);
      expect(again.stderr).not.toContain('installing');
    },
    120_000,
  );

  it('fix-F1 W64 without a lockfile the newest allowed version is fetched, and no lockfile is written', async () => {
    for (const id of ['npm', 'pnpm', 'yarn1', 'bun'] as const) {
      const cwd = write({}, { '@acme/jira': '^1.0.0' });
      const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as object;
      const stated = { npm: 'npm@11.0.0', pnpm: 'pnpm@10.34.9', yarn1: 'yarn@1.22.22', bun: 'bun@1.4.4' }[id];
      writeFileSync(join(cwd, 'package.json'), JSON.stringify({ ...manifest, packageManager: stated }));
      const before = treeOf(cwd);
      const ran = await run(cwd, ['call', 'issue', '{}'], worldOf(id));
      expect(ran.stdout, ran.stderr).toContain('jira 1.1.0, left 1.0.1, right 1.0.0');
      expect(readdirSync(join(cwd, 'node_modules'))).toEqual(['@acme']);
      expect(without(treeOf(cwd), 'node_modules')).toEqual(before);
    }
  }, 120_000);

  it('fix-F1 W64 a member of a workspace gets the pack by the lockfile of the root', async () => {
    for (const { id, lock, install, files } of tried) {
      const extra: Readonly<Record<string, string>> =
        id === 'pnpm' ? { 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n' } : (files ?? {});
      const root = write(
        {
          'package.json': JSON.stringify({ name: 'root', version: '1.0.0', private: true, workspaces: ['packages/*'] }),
          'packages/desk/package.json': JSON.stringify({
            name: 'desk',
            version: '1.0.0',
            type: 'module',
            dependencies: { '@acme/jira': '1.0.0' },
          }),
          ...Object.fromEntries(
            Object.entries(makePack('desk', { tools: {}, servers: { desk: 'tools: [acme/jira/issue]\n' } }))
              .filter(([file]) => file !== 'package.json')
              .map(([file, text]) => [`packages/desk/${file}`, text]),
          ),
          ...extra,
        },
        {},
      );
      const [program = '', ...words] = install;
      const made = await user.run(program, words, { cwd: root, env: worldOf(id) });
      expect(made, made.stderr).toMatchObject({ status: 0 });
      for (const folder of ['.', 'packages/desk'])
        rmSync(join(root, folder, 'node_modules'), { recursive: true, force: true });
      const cwd = join(root, 'packages/desk');
      const text = readFileSync(join(root, lock), 'utf8');
      const ran = await run(cwd, ['call', 'issue', '{}'], worldOf(id));
      expect(ran.stdout, ran.stderr).toContain('jira 1.0.0');
      expect(readdirSync(join(cwd, 'node_modules'))).toEqual(['@acme']);
      expect(readFileSync(join(root, lock), 'utf8')).toBe(text);
    }
  }, 120_000);

  it('fix-F1 W64 the registries that the .npmrc of the project names are asked', async () => {
    const nobody = join(user.folder, 'nobody.npmrc');
    writeFileSync(nobody, '');
    for (const id of ['npm', 'pnpm'] as const) {
      const cwd = write({ ...locked.get(id), '.npmrc': `registry=${registry.url}\n` });
      const cache = join(user.folder, `npmrc-${id}`);
      const own = { npm_config_registry: undefined, npm_config_userconfig: nobody, npm_config_cache: cache };
      const ran = await run(cwd, ['call', 'issue', '{}'], {
        ...worldOf(id),
        ...own,
        XDG_DATA_HOME: cache,
        XDG_CACHE_HOME: cache,
      });
      expect(ran.stdout, ran.stderr).toContain('jira 1.0.0');
    }
  }, 120_000);

  it('fix-F1 W64 many starts at once each serve, and none of their folders is left', async () => {
    const cwd = write(locked.get('npm'));
    const runs = await Promise.all([1, 2, 3, 4].map(() => run(cwd, ['call', 'issue', '{}'])));
    for (const ran of runs) expect(ran.stdout, ran.stderr).toContain('jira 1.0.0, left 1.0.0');
    expect(readdirSync(join(cwd, 'node_modules'))).toEqual(['@acme']);
  });

  it('fix-F1 W64 a killed run leaves nothing half-installed, and the next one cleans up', async () => {
    const cwd = write();
    const silent = createServer(() => {});
    await new Promise<void>(done => silent.listen(0, '127.0.0.1', done));
    const address = silent.address();
    const npm_config_registry = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const isAsked = new Promise<void>(done => silent.once('connection', () => done()));
    const env = { ...user.env, ...worldOf('npm'), npm_config_registry, npm_config_cache: join(cwd, '../empty-cache') };
    const child = spawn(process.execPath, [command, 'start'], { cwd, env, stdio: 'ignore', detached: true });
    await isAsked;
    // npm itself, too, or it would go on.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await new Promise(done => child.once('exit', done));
    silent.close();
    const [left, ...others] = readdirSync(join(cwd, 'node_modules'));
    expect([left?.startsWith('.toolwright-'), others]).toEqual([true, []]);
    const ran = await run(cwd, ['call', 'issue', '{}']);
    expect(ran.stdout, ran.stderr).toContain('jira 1.1.0');
    expect(readdirSync(join(cwd, 'node_modules'))).toEqual(['@acme']);
  });
});

/** Nothing changes, and the command is told. */
async function expectRefused(cwd: string, reason: string, env = worldOf('npm'), manager = 'npm'): Promise<void> {
  const before = treeOf(join(cwd, '..'));
  const ran = await run(cwd, ['start'], env);
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(ran.stderr).toContain(reason);
  expect(ran.stderr).toContain(`Run ${manager} install (in ${cwd})`);
  expect(ran.stderr).toContain('[pack/dependency-missing]');
  expect(treeOf(join(cwd, '..'))).toEqual(before);
}

describe('packs that are not fetched', () => {
  it('fix-F1 W64 a scope folder or node_modules that is a link out of the project is refused', async () => {
    const scoped = write(locked.get('npm'));
    mkdirSync(join(scoped, '../elsewhere/other'), { recursive: true });
    mkdirSync(join(scoped, 'node_modules'));
    symlinkSync('../../elsewhere', join(scoped, 'node_modules/@acme'));
    await expectRefused(scoped, 'node_modules/@acme is a link to a place outside the project');
    const whole = write(locked.get('npm'));
    mkdirSync(join(whole, '../elsewhere'));
    symlinkSync('../elsewhere', join(whole, 'node_modules'));
    await expectRefused(whole, 'node_modules is a link to a place outside the project');
  });

  it('fix-F1 W64 a link of the user that leads nowhere, or a folder in the way, stays', async () => {
    const linked = write(locked.get('npm'));
    mkdirSync(join(linked, 'node_modules/@acme'), { recursive: true });
    symlinkSync('../../../gone', join(linked, 'node_modules/@acme/jira'));
    await expectRefused(linked, 'node_modules/@acme/jira is a link to something that is not a pack');
    const empty = write(locked.get('npm'));
    mkdirSync(join(empty, 'node_modules/@acme/jira'), { recursive: true });
    await expectRefused(empty, 'node_modules/@acme/jira exists and is not a pack');
  });

  it('fix-F1 W64 a package that is not what the lockfile says is refused', async () => {
    const files = locked.get('npm') ?? {};
    const text = files['package-lock.json'] ?? '';
    const [integrity = ''] = /sha512-[\w+/=]+/.exec(text.slice(text.indexOf('"node_modules/@acme/jira"'))) ?? [];
    const wrong = text.replace(integrity, `sha512-${'A'.repeat(86)}==`);
    expect(wrong).not.toBe(text);
    await expectRefused(write({ 'package-lock.json': wrong }), 'npm ended with exit code');
  });

  it('fix-F1 W64 a lockfile that lacks what package.json asks for is refused', async () => {
    for (const id of ['npm', 'pnpm', 'yarn1', 'yarn4', 'bun'] as const) {
      const manager = id.replace(/\d$/, '');
      await expectRefused(
        write(locked.get(id), { '@acme/jira': '^1.1.0' }),
        'cannot be installed here',
        worldOf(id),
        manager,
      );
    }
  }, 120_000);

  it('fix-F1 W64 versions that no registry has, and yarn without node_modules, are refused', async () => {
    for (const spec of [
      'workspace:*',
      'github:acme/jira',
      'file:../jira.tgz',
      'https://127.0.0.1/jira.tgz',
      'acme/jira',
    ])
      await expectRefused(write({}, { '@acme/jira': spec }), `"${spec}" is not a version that a registry has`);
    const plugged = write({ ...locked.get('yarn4'), '.yarnrc.yml': 'nodeLinker: pnp\n' });
    await expectRefused(plugged, 'outside node_modules', worldOf('yarn4'), 'yarn');
    const missing = write(locked.get('pnpm'));
    await expectRefused(missing, 'there is no pnpm on PATH', worldOf('npm'), 'pnpm');
  });
});
