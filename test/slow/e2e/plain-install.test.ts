// The package as npm would install it, beside nothing else: how much comes with it, and what is said about drivers that do not.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, root } from '../../harness/build-pack.js';
import { writeFiles } from '../../harness/files.js';

/** CONTRIBUTING.md: more than that is too much for who only wants to serve some YAML. */
const most = { packages: 45, megabytes: 62 };
const drivers = ['pg', 'better-sqlite3', 'node-sqlite3-wasm'];
/** Node has it from 22.13 on. */
const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-plain-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pack = join(folder, 'pack');
const modules = join(pack, 'node_modules');
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
let installed = '';

const statement = (backend: string): string =>
  `description: Asks\neffect: read\nsql: { backend: ${backend}, text: SELECT 1 AS one, result: value }\n`;

beforeAll(() => {
  writeFiles(folder, {
    'pack/package.json': '{ "name": "plain", "version": "1.0.0", "type": "module" }\n',
    'pack/toolwright.yaml': `name: plain
backends:
  remote: { type: postgres, url: "postgres://nobody@127.0.0.1:1/main" }
  local: { type: sqlite, url: "sqlite:data.db" }
`,
    'pack/data.db': '',
    'pack/mcp/servers/main.yaml': 'description: Main\n',
    'pack/mcp/tools/ask-remote.yaml': statement('remote'),
    'pack/mcp/tools/ask-local.yaml': statement('local'),
  });
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ readonly filename: string }];
  const ran = spawnSync('npm', ['install', ...quiet, join(folder, filename)], { cwd: pack, encoding: 'utf8' });
  installed = ran.stdout + ran.stderr;
  if (ran.status !== 0) throw new Error(installed);
}, 300_000);

function bytesBelow(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}

/** Of a call on the command line. */
function call(tool: string): Readonly<Record<string, unknown>> {
  const command = join(modules, 'toolwright/dist/cli/main.js');
  const { stdout, stderr } = spawnSync(process.execPath, [command, 'call', tool, '--format', 'json'], {
    ...{ cwd: pack, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder } },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

function errorOf(result: Readonly<Record<string, unknown>> | undefined): unknown {
  return (result?.['_meta'] as Readonly<Record<string, unknown>> | undefined)?.['toolwright/error'];
}

const missing = {
  remote: {
    code: 'DRIVER_MISSING',
    message: 'remote needs the package pg, which is not installed',
    suggested_fix: 'npm install pg',
  },
  local: {
    code: 'DRIVER_MISSING',
    message: 'local needs Node 22.13 or later, or the package better-sqlite3, which is not installed',
    suggested_fix: 'npm install better-sqlite3@12',
  },
};

describe('B2 a plain install', () => {
  it('B2 a plain install has few packages and megabytes, and npm has nothing to warn about', () => {
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    // Of the programs of other machines npm only notes that they are not for this one.
    const packages = Object.keys(lock.packages).filter(path => existsSync(join(pack, path)));
    expect(packages.length).toBeGreaterThan(20);
    expect(packages.length).toBeLessThanOrEqual(most.packages);
    expect(Math.ceil(bytesBelow(modules) / 1024 ** 2)).toBeLessThanOrEqual(most.megabytes);
    expect(installed).not.toMatch(/peer|ERESOLVE|EBADENGINE|deprecated/i);
    const listed = spawnSync('npm', ['ls', '--all'], { cwd: pack, encoding: 'utf8' });
    expect(listed.status).toBe(0);
    expect(listed.stdout + listed.stderr).not.toMatch(/missing|invalid|extraneous/i);
  });

  it('B2 drivers of databases do not come with a plain install', () => {
    const require = createRequire(join(pack, 'package.json'));
    for (const name of drivers) expect(() => require.resolve(name)).toThrow('Cannot find module');
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(modules, 'toolwright/package.json'), 'utf8'),
    );
    expect(Object.keys(peerDependencies).sort()).toEqual([...drivers].sort());
    for (const name of drivers) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  });

  it('B2 a call that needs a driver names the command that installs it, also in a built server', async () => {
    const command = join(modules, 'toolwright/dist/cli/main.js');
    const built = spawnSync(process.execPath, [command, 'build', '--out', join(folder, 'built')], {
      ...{ cwd: pack, encoding: 'utf8' },
    });
    expect(built.status, built.stderr).toBe(0);
    expect(errorOf(call('ask-remote'))).toMatchObject(missing.remote);
    const { replies } = await ask(join(folder, 'built/main.cjs'), [
      ['tools/call', { name: 'ask-remote', arguments: {} }],
      ['tools/call', { name: 'ask-local', arguments: {} }],
    ]);
    expect(errorOf(replies[1]?.result)).toMatchObject(missing.remote);
    if (hasSqlite) {
      expect(call('ask-local')).toMatchObject({ content: [{ type: 'text', text: '1' }] });
    } else {
      expect(errorOf(call('ask-local'))).toMatchObject(missing.local);
      expect(errorOf(replies[2]?.result)).toMatchObject(missing.local);
    }
  }, 120_000);

  it('B2 the command that an error names is all that was missing', () => {
    const [program = '', ...words] = missing.remote.suggested_fix.split(' ');
    execFileSync(program, [...words, ...quiet], { cwd: pack, stdio: 'ignore' });
    expect(errorOf(call('ask-remote'))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', meta: {} });
  }, 120_000);
});
