// toolwright doctor as people run it: each thing that can be wrong on a machine, and a machine on which nothing is.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { examine } from '../../../generator/doctor/finding.js';
import { machineRules } from '../../../generator/doctor/machine-rules.js';
import { command, filesOf, linkDependencies } from '../../cli/author-world.js';
import { openCommands, type Ran } from '../../harness/commands.js';
import { writeFiles } from '../../harness/files.js';
import { handOver, runUnprivileged } from '../../harness/unprivileged.js';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly hint?: string;
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright doctor ü-')));
const commands = openCommands();
const version = spawnSync(process.execPath, [command, '--version'], { encoding: 'utf8' }).stdout.trim();
const secret = 'hunter2-of-the-user';
let world = '';
let pack = '';
let count = 0;

type Env = Readonly<Record<string, string>>;

function run(args: readonly string[], env: Env = {}, cwd = pack): Ran {
  const PATH = process.env['PATH'] ?? '';
  return commands.runSync(args, { cwd, env: { PATH, HOME: world, TOOLWRIGHT_CACHE: 'off', ...env } });
}

/** What is said, and by which exit code. */
function doctor(env?: Env, ...args: readonly string[]): { readonly code: number | null; readonly checks: Check[] } {
  const { status, stdout, stderr } = run(['doctor', '--format', 'json', ...args], env);
  expect(stderr).toBe('');
  const { ok, checks, ...rest } = JSON.parse(stdout);
  expect({ ok, rest }).toEqual({ ok: status === 0, rest: {} });
  return { code: status, checks };
}

/** `status message` of one rule. */
function told(id: string, env?: Env): readonly string[] {
  return doctor(env)
    .checks.filter(one => one.id === id)
    .map(({ status, message }) => `${status} ${message}`);
}

function write(files: Readonly<Record<string, string>>, folder = pack): void {
  writeFiles(folder, files);
}

const packageJson = (more: object = {}): string =>
  JSON.stringify({ name: '@acme/p', version: '1.0.0', type: 'module', dependencies: { toolwright: '*' }, ...more });
const tsconfig = (compilerOptions: object, more: object = {}): Readonly<Record<string, string>> => ({
  'tsconfig.json': `${JSON.stringify({ compilerOptions, include: ['src'], ...more })}\n`,
});

/** A pack in which nothing is wrong. */
beforeEach(() => {
  count += 1;
  world = join(root, `world ${count}`);
  pack = join(world, 'päck');
  write({
    'package.json': packageJson(),
    'toolwright.yaml': 'config:\n  TOKEN: { type: string, secret: true }\n  LIMIT: { type: integer, default: 3 }\n',
    'mcp/servers/s.yaml': 'description: S.\n',
    'mcp/tools/t.yaml': 'description: T.\nrequires: { TOKEN: required }\n',
    'src/tools/t.ts': 'export default () => "t";\n',
    ...tsconfig({ target: 'es2023', module: 'nodenext', rootDir: 'src', outDir: 'dist', strict: true }),
  });
  linkDependencies(pack);
  expect(run(['generate'])).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('created') });
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  commands.close();
});

const healthy: Env = { TOKEN: secret };

describe('`toolwright doctor` in a healthy pack', () => {
  it('`doctor` finds nothing in the way of a healthy pack', () => {
    const { code, checks } = doctor(healthy);
    expect(code).toBe(0);
    expect(checks.filter(({ status }) => status === 'warning' || status === 'error')).toEqual([]);
    const ids = ['node', 'toolwright', 'variables', 'cache', 'check', 'generated', 'handlers'];
    expect(checks.map(({ id }) => id)).toEqual([...ids, 'tsconfig', 'typescript', 'config']);
    expect(told('toolwright', healthy)).toEqual([expect.stringContaining(`ok toolwright ${version} in `)]);
    expect(told('check', healthy)).toEqual(['ok acme/p 1.0.0: 1 server, 1 tool, 0 prompts, 0 resources']);
  });

  it('`doctor --format json` prints records of a known shape', () => {
    write({ '.cursor/mcp.json': '{' }, world);
    rmSync(join(pack, 'src/tools/t.ts'));
    const { checks } = doctor({ TOOLWRIGHT_OPTIONS: '{', TOOLWRIGHT_OVERLAY: 'nowhere', LIMIT: 'many' });
    expect(new Set(checks.map(({ status }) => status)).size).toBe(4);
    for (const one of checks) {
      expect(Object.keys(one)).toEqual(['id', 'status', 'message', ...(one.hint === undefined ? [] : ['hint'])]);
      expect(['ok', 'info', 'warning', 'error']).toContain(one.status);
      if (one.status === 'warning' || one.status === 'error') expect(one).toHaveProperty('hint');
    }
  });

  it('`doctor` prints its findings as lines on stdout, and with `--quiet` nothing about a healthy pack', () => {
    const { status, stdout, stderr } = run(['doctor', '--no-color'], healthy);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^ok {7}node {8}Node \d+/);
    expect(stdout.endsWith('no problems found\n')).toBe(true);
    expect(run(['doctor', '--quiet'], healthy)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('`doctor` changes no file of the pack or around it', () => {
    const cache = join(world, 'cache');
    const before = filesOf(world);
    run(['doctor'], { ...healthy, TOOLWRIGHT_CACHE: cache });
    run(['doctor', pack], { ...healthy, TOOLWRIGHT_CACHE: cache, TOOLWRIGHT_SETTINGS: '{"tools": {}}' });
    expect(filesOf(world)).toEqual(before);
  });

  it('`doctor` finds the pack from inside, by its path and by `--cwd`', () => {
    const found = 'acme/p 1.0.0';
    expect(run(['doctor'], healthy, join(pack, 'src')).stdout).toContain(found);
    expect(run(['doctor', pack], healthy, world).stdout).toContain(found);
    expect(run(['doctor', join(pack, 'mcp/tools/t.yaml')], healthy, world).stdout).toContain(found);
    expect(run(['doctor', '--cwd', pack], healthy, world).stdout).toContain(found);
  });
});

describe('`toolwright doctor` outside of a pack', () => {
  it('`doctor` examines the machine when there is no pack', () => {
    write({ '.cursor/mcp.json': '{}' }, world);
    const { status, stdout } = run(['doctor', '--format', 'json'], { TOOLWRIGHT_CACHE: 'off' }, world);
    expect(status).toBe(0);
    const checks: readonly Check[] = JSON.parse(stdout).checks;
    expect(checks.map(({ id }) => id)).toEqual(['node', 'toolwright', 'variables', 'cache', 'pack', 'clients']);
    expect(checks.at(-1)).toMatchObject({ status: 'info', message: expect.stringContaining('Cursor') });
  });

  it('`doctor` exits with 2 for a path that is not a pack, a missing folder and an unknown flag', () => {
    for (const args of [['nowhere'], [world], ['--cwd', 'nowhere'], ['--nonsense'], ['--format', 'sarif']])
      expect({ args, ...run(['doctor', ...args]) }).toMatchObject({ args, status: 2, stdout: '' });
  });
});

describe('checks of the pack', () => {
  it('`doctor` counts the mistakes of a pack once and leaves out what depends on them', () => {
    write({ 'mcp/tools/t.yaml': 'descripton: T.\n' });
    const { code, checks } = doctor(healthy);
    expect(code).toBe(1);
    expect(checks.filter(({ status }) => status === 'error')).toEqual([
      { id: 'check', status: 'error', message: expect.stringMatching(/has 1 error/), hint: 'run toolwright check' },
    ]);
    expect(checks.some(({ id }) => id === 'generated' || id === 'handlers')).toBe(false);
    expect(run(['doctor', '--quiet'], healthy).stdout).toMatch(/^error {4}check {2}acme\/p 1\.0\.0 has .*\n.*check\n$/);
  });

  it('`doctor` reports a pack that cannot be read as an error, not as a bug', () => {
    write({ 'toolwright.yaml': 'name: [\n' });
    expect(told('check', healthy)).toEqual([expect.stringMatching(/^error .*1 error/)]);
  });

  it('`doctor` warns about generated code that is out of date or missing', () => {
    write({ 'mcp/tools/t.yaml': 'description: Another.\n' });
    expect(told('generated', healthy)).toEqual([
      expect.stringMatching(/^warning generated code is out of date \(\d+ file/),
    ]);
    rmSync(join(pack, 'generated'), { recursive: true });
    expect(told('generated', healthy)).toEqual([expect.stringMatching(/^warning generated code is not there/)]);
  });

  it('`doctor` reports a missing handler', () => {
    rmSync(join(pack, 'src/tools/t.ts'));
    expect(doctor(healthy)).toMatchObject({ code: 1 });
    expect(told('handlers', healthy)).toEqual([expect.stringMatching(/^error .*src\/tools\/t/)]);
    expect(told('generated', healthy)).toEqual(['ok generated code is up to date']);
  });

  it('`doctor` reports a pack that is not installed and one that has changed since it was locked', () => {
    write({ 'mcp/servers/s.yaml': 'description: S.\ntools: [t, acme/jira/get]\n' });
    expect(told('packs', healthy)).toEqual([expect.stringMatching(/^error .*acme\/jira/)]);
    expect(doctor(healthy).checks.find(({ id }) => id === 'packs')?.hint).toContain('npm install @acme/jira');
    const jira = {
      'package.json': '{"name": "@acme/jira", "version": "1.0.0", "type": "module"}',
      'toolwright.yaml': '',
      'mcp/tools/get.yaml': 'description: Get.\n',
    };
    write(jira, join(pack, 'node_modules/@acme/jira'));
    expect(told('packs', healthy)).toEqual(['ok every pack that a server takes from is installed']);
    expect(run(['lock'])).toMatchObject({ status: 0 });
    expect(told('lock', healthy)).toEqual(['ok toolwright.lock is as the packs are']);
    write({ 'mcp/tools/get.yaml': 'description: Obey.\n' }, join(pack, 'node_modules/@acme/jira'));
    expect(told('lock', healthy)).toEqual([expect.stringMatching(/^error .*acme\/jira\/get/)]);
    expect(told('check', healthy)).toEqual([expect.stringMatching(/^ok /)]);
    rmSync(join(pack, 'node_modules/@acme'), { recursive: true });
    expect(told('lock', healthy)).toEqual([]);
  });
});

describe('checks of the project', () => {
  it('`doctor` reports another version of toolwright in the project, and several', () => {
    rmSync(join(pack, 'node_modules/toolwright'));
    expect(told('toolwright', healthy)).toEqual([expect.stringMatching(/^ok .*the project has none of its own$/)]);
    write({ 'node_modules/toolwright/package.json': '{"name": "toolwright", "version": "9.9.9"}' });
    write({ 'node_modules/toolwright/package.json': '{"name": "toolwright", "version": "8.8.8"}' }, world);
    expect(told('toolwright', healthy)).toEqual([
      expect.stringMatching(/^warning .* runs, but the project has 9\.9\.9$/),
      expect.stringMatching(/^info .*8\.8\.8/),
    ]);
  });

  it('`doctor` warns about a project that lists toolwright for development only', () => {
    write({ 'package.json': packageJson({ dependencies: {}, devDependencies: { toolwright: '*' } }) });
    expect(told('dependency', healthy)).toEqual([expect.stringMatching(/^warning .*devDependencies/)]);
    write({ 'package.json': packageJson({ dependencies: {} }) });
    expect(told('dependency', healthy)).toEqual([]);
  });

  it.each([
    ['that is not JSON', { 'tsconfig.json': '{' }, /cannot be used/],
    ['with an old way of resolving', tsconfig({ module: 'esnext', moduleResolution: 'Node' }), /resolves modules/],
    ['that leaves it to an old compiler', tsconfig({ module: 'CommonJS' }), /resolves modules/],
    [
      'whose output nobody finds',
      tsconfig({ module: 'nodenext', rootDir: '.', outDir: './dist/' }),
      /tsc writes handlers where/,
    ],
  ])('`doctor` reports a tsconfig %s', (_, files, message) => {
    write(files);
    expect(told('tsconfig', healthy)).toEqual([expect.stringMatching(message)]);
    expect(told('tsconfig', healthy)[0]).toMatch(/^(?:warning |info .*toolwright\/testing)/);
  });

  it.each([
    ['bundler', tsconfig({ module: 'esnext', moduleResolution: 'bundler' })],
    ['a base that is not known', tsconfig({ module: 'commonjs' }, { extends: '@acme/tsconfig' })],
    ['no output', tsconfig({ module: 'nodenext', rootDir: '.', outDir: 'dist', noEmit: true })],
    ['a root that the compiler fills in', tsconfig({ module: 'nodenext', rootDir: '${configDir}', outDir: 'dist' })],
  ])('`doctor` accepts a tsconfig that may be right: %s', (_, files) => {
    write(files);
    expect(told('tsconfig', healthy)).toEqual(['ok tsconfig.json works for the handlers']);
  });

  it('`doctor` mentions an old TypeScript, or none', () => {
    rmSync(join(pack, 'node_modules/typescript'));
    expect(told('typescript', healthy)).toEqual([expect.stringMatching(/^info no TypeScript/)]);
    write({ 'node_modules/typescript/package.json': '{"name": "typescript", "version": "4.9.5"}' });
    expect(told('typescript', healthy)).toEqual([expect.stringMatching(/^info TypeScript 4\.9\.5 is older/)]);
  });
});

describe('checks of configuration', () => {
  it('`doctor` warns about configuration that a tool requires and nobody sets', () => {
    expect(doctor().code).toBe(0);
    expect(told('config')).toEqual(['warning TOKEN (needed by t) is not set']);
    write({ '.env': `TOKEN=${secret}\n` });
    expect(told('config')).toEqual([expect.stringMatching(/^info TOKEN \(needed by t\) is in \.env only/)]);
  });

  it('`doctor` covers configuration of packs that servers take from, and tokens of servers over HTTP', () => {
    const jira = {
      'package.json': '{"name": "@acme/jira", "version": "1.0.0"}',
      'toolwright.yaml': 'config: { JIRA: { type: string }, SIZE: { type: integer }, OTHER: { type: string } }\n',
      'mcp/tools/get.yaml': 'description: Get.\nrequires: { JIRA: required }\n',
      'mcp/tools/put.yaml': 'description: Put.\nrequires: { OTHER: required }\n',
    };
    write(jira, join(pack, 'node_modules/@acme/jira'));
    const auth = 'transport: http\nauth: { type: bearer, env: MCP_TOKEN }\n';
    write({ 'mcp/servers/s.yaml': `description: S.\ntools: [t, acme/jira/get]\n${auth}` });
    expect(told('config', { ...healthy, SIZE: 'large' })).toEqual([
      'warning JIRA (needed by get) is not set',
      'error SIZE in the environment has a value that is not of type integer',
      'warning MCP_TOKEN (needed by the server s over HTTP) is not set',
    ]);
    expect(told('config', { ...healthy, JIRA: secret, MCP_TOKEN: secret })).toEqual([
      'ok nothing is missing or wrong in TOKEN, LIMIT, JIRA, SIZE, OTHER',
    ]);
    // As configuration in the same file.
    write({ '.env': `MCP_TOKEN=${secret}\n` });
    const { checks } = doctor({ ...healthy, JIRA: secret });
    expect(checks.filter(({ id }) => id === 'config')).toEqual([
      {
        id: 'config',
        status: 'info',
        message:
          'MCP_TOKEN (needed by the server s over HTTP) is in .env only: dev, call and test read it, start only with --env-file .env',
      },
    ]);
    expect(told('config', { ...healthy, JIRA: secret, MCP_TOKEN: '' })).toEqual([
      'warning MCP_TOKEN (needed by the server s over HTTP) is not set',
    ]);
  });

  it('`doctor` reports configuration of the wrong type in the environment or in .env, without its value', () => {
    for (const env of [{ ...healthy, LIMIT: secret }, healthy]) {
      if (env === healthy) write({ '.env': `LIMIT=${secret}\n` });
      const { stdout, status } = run(['doctor'], env);
      expect(status).toBe(1);
      expect(stdout).toMatch(/error +config +LIMIT in .* has a value that is not of type integer/);
      expect(stdout).not.toContain(secret);
    }
  });
});

describe('checks of the machine', () => {
  it('`doctor` names each variable of ours and what is wrong with it', () => {
    const env = {
      TOOLWRIGHT_CACHE: 'off',
      TOOLWRIGHT_NO_INSTALL: '1',
      TOOLWRIGHT_OPTION: secret,
      TOOLWRIGHT_OPTIONS: `{"${secret}`,
      TOOLWRIGHT_OVERLAY: join(world, secret),
      TOOLWRIGHT_SETTINGS: `{"tools": "${secret}`,
      TOOLWRIGHT_STATE_KEY: 'short',
      TOOLWRIGHT_ROOTS: world,
    };
    const { stdout, status } = run(['doctor', '--format', 'json'], env, world);
    expect(status).toBe(1);
    expect(stdout).not.toContain(secret);
    const checks: readonly Check[] = JSON.parse(stdout).checks;
    const found = checks
      .filter(({ id }) => id === 'variables')
      .map(one => `${one.status} ${one.message.split(' ')[0]}`);
    expect(found).toEqual([
      'info TOOLWRIGHT_CACHE',
      'info TOOLWRIGHT_NO_INSTALL',
      'info TOOLWRIGHT_OPTION',
      'warning TOOLWRIGHT_OPTIONS',
      'error TOOLWRIGHT_OVERLAY',
      'info TOOLWRIGHT_ROOTS',
      'error TOOLWRIGHT_SETTINGS',
      'error TOOLWRIGHT_STATE_KEY',
    ]);
    expect(run(['doctor'], env).stdout).not.toContain(secret);
  });

  it('`doctor` reports a version of Node that is too old', async () => {
    const situation = { cwd: world, env: {}, dotEnv: {}, node: '20.18.3', pack: undefined };
    const [node] = await examine(machineRules, situation);
    expect(node).toEqual({ id: 'node', status: 'error', message: 'Node 20.18.3 is too old', hint: expect.any(String) });
    expect((await examine(machineRules, { ...situation, node: '24.0.0' }))[0]).toMatchObject({ status: 'ok' });
  });

  it('`doctor` reports settings of an install that do not fit the pack, without their values', () => {
    const values = { description: [secret], enabled: secret, [secret]: 1 };
    const wrong = [`{"tools": "${secret}`, `{"tools": "${secret}"}`, `"${secret}"`, { tools: { t: values } }];
    for (const one of wrong) {
      const text = typeof one === 'string' ? one : JSON.stringify(one);
      const { status, stdout } = run(['doctor'], { ...healthy, TOOLWRIGHT_SETTINGS: text });
      expect({ status, isTold: stdout.includes(secret) }).toEqual({ status: 1, isTold: false });
    }
    const env = { ...healthy, TOOLWRIGHT_SETTINGS: '{"tools": {"tt": {"enabled": false}}}' };
    expect(told('settings', env)).toEqual([expect.stringMatching(/^warning TOOLWRIGHT_SETTINGS has 1 warning/)]);
    expect(told('settings', { ...env, TOOLWRIGHT_SETTINGS: '{"tools": {"t": {"enabled": false}}}' })).toEqual([]);
  });

  it('`doctor` names the flags in NODE_OPTIONS that change what Node does, but not their values', () => {
    const hook = join(world, `${secret}.cjs`);
    writeFileSync(hook, '');
    const NODE_OPTIONS = `--disallow-code-generation-from-strings --require="${hook}"`;
    const env = { PATH: process.env['PATH'], HOME: world, ...healthy, NODE_OPTIONS };
    const alone = () => spawnSync(process.execPath, [command, 'doctor'], { cwd: pack, env, encoding: 'utf8' });
    const { stdout, stderr, status } = alone();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/info +node-options +NODE_OPTIONS has --disallow-code-generation-from-strings, which/);
    expect(stdout).toMatch(/NODE_OPTIONS has --require, which/);
    expect(stdout).not.toContain(secret);
    const schema = 'inputSchema: { type: object, $defs: { a: { $anchor: b, type: string } } }';
    write({ 'mcp/tools/t.yaml': `description: T.\n${schema}\n` });
    expect(alone().stdout).toMatch(/error +generated +no code can be generated: .*input schema/);
  });

  it('`doctor` says whether the cache is on, off or impossible', () => {
    expect(told('cache', { TOOLWRIGHT_CACHE: 'off' })).toEqual([expect.stringMatching(/^info the cache is off/)]);
    expect(told('cache', { TOOLWRIGHT_CACHE: join(world, 'new/cache') })).toEqual([expect.stringMatching(/^ok .*new/)]);
    writeFileSync(join(world, 'file'), '');
    expect(told('cache', { TOOLWRIGHT_CACHE: join(world, 'file') })).toEqual([expect.stringMatching(/^warning /)]);
  });

  it('`doctor` warns about a cache that cannot be written', () => {
    const closed = join(world, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    handOver(world);
    const env = { PATH: process.env['PATH'], HOME: world, TOOLWRIGHT_CACHE: closed };
    const { stdout, stderr } = runUnprivileged(['doctor', '--format', 'json'], { cwd: pack, env });
    expect(stderr).toBe('');
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
    expect(checks.filter(({ id }) => id === 'cache')).toEqual([
      expect.objectContaining({ status: 'warning', message: expect.stringContaining(closed) }),
    ]);
  });
});

describe('checks of clients', () => {
  const file = (): string => join(world, '.cursor/mcp.json');
  const entries = (env: Env = healthy): readonly string[] => told('client-entries', env);

  it('`doctor` checks whether what the entry of a client runs exists', () => {
    expect(run(['install', 'cursor', 's', '--yes', '--env', `TOKEN=${secret}`])).toMatchObject({ status: 0 });
    expect(entries()).toEqual(['ok Cursor has "s", and its command exists']);
    expect(run(['install', 'cursor', 's', '--yes', '--project'])).toMatchObject({ status: 0 });
    expect(entries()).toEqual([
      'ok Cursor has "s", and its command exists',
      'info Cursor (for this project) has "s", and its command exists; its entry does not set TOKEN (needed by t)',
    ]);
    const gone = join(world, 'gone/main.js');
    const entry = { command: process.execPath, args: [gone, 'start', 's', '--cwd', pack], env: { TOKEN: secret } };
    writeFileSync(file(), JSON.stringify({ mcpServers: { s: entry } }));
    const { stdout, status } = run(['doctor', '--format', 'json'], healthy);
    expect(status).toBe(1);
    expect(stdout).not.toContain(secret);
    expect(entries()[0]).toBe(`error Cursor has "s", which leads to what is not there: ${gone}`);
  });

  const hints = (): readonly (string | undefined)[] =>
    doctor(healthy).checks.flatMap(one => (one.id === 'client-entries' ? [one.hint] : []));

  it('fix-A30 `doctor` hints at the words that set what an entry lacks, for a secret in a project as a reference', () => {
    run(['install', 'cursor', 's', '--yes', '--project']);
    run(['install', 'codex', 's', '--yes', '--project']);
    run(['install', 'cursor', 's', '--yes']);
    expect(hints()).toEqual([
      'toolwright install cursor s --env TOKEN=...',
      "toolwright install cursor s --project --env 'TOKEN=${env:TOKEN}'",
      'set TOKEN in the environment that Codex is started from',
    ]);
    expect(run(['install', 'cursor', 's', '--yes', '--project', '--env', 'TOKEN=${env:TOKEN}']).status).toBe(0);
    expect(entries()[1]).toBe('ok Cursor (for this project) has "s", and its command exists');
  });

  it('`doctor` accepts a reference in place of a number', () => {
    run(['install', 'cursor', 's', '--yes', '--project', '--env', 'TOKEN=${env:TOKEN}', '--env', 'LIMIT=${env:LIMIT}']);
    expect(entries()).toEqual(['ok Cursor (for this project) has "s", and its command exists']);
  });

  it('fix-A5 `doctor` reports an entry that would serve HTTP, and `install` fixes it', () => {
    const args = [command, 'start', 's', '--cwd', pack];
    const put = (words: readonly string[]): void => {
      const entry = { command: process.execPath, args: words, env: { TOKEN: secret } };
      write({ '.cursor/mcp.json': JSON.stringify({ mcpServers: { s: entry } }) }, world);
    };
    put(args);
    expect(entries()).toEqual(['ok Cursor has "s", and its command exists']);
    put([...args, '--http', '8080']);
    expect(entries()).toEqual(['error Cursor has "s", which would serve HTTP, and the client expects stdio']);
    put(args);
    write({ 'mcp/servers/s.yaml': 'description: S.\ntransport: http\n' });
    expect(entries()).toEqual(['error Cursor has "s", which would serve HTTP, and the client expects stdio']);
    expect(hints()).toEqual(['toolwright install cursor s writes it with --stdio']);
    expect(run(['install', 'cursor', 's', '--yes']).status).toBe(0);
    expect(entries()).toEqual(['ok Cursor has "s", and its command exists']);
  });

  it('`doctor` reports the entry of a client with values of the wrong type', () => {
    const args = [command, 'start', 's', '--cwd', pack];
    const entry = { command: process.execPath, args, env: { TOKEN: secret, LIMIT: 'many' } };
    write({ '.cursor/mcp.json': JSON.stringify({ mcpServers: { s: entry } }) }, world);
    expect(entries()).toEqual(['error Cursor starts "s" with values of the wrong type: LIMIT']);
  });

  it('`doctor` follows paths that the client fills in', () => {
    const built = { command: 'node', args: ['${workspaceFolder}/dist/s.cjs'], env: { TOKEN: secret } };
    write({ '.cursor/mcp.json': JSON.stringify({ mcpServers: { s: built } }) });
    expect(entries()).toEqual(['ok Cursor (for this project) has "s", and its command exists']);
    const gone = { ...built, args: ['./dist/s.cjs'] };
    write({ '.cursor/mcp.json': JSON.stringify({ mcpServers: { s: gone } }) });
    expect(entries()).toEqual([expect.stringMatching(/^error Cursor \(for this project\) has .*s\.cjs$/)]);
  });

  it('`doctor` ignores entries of others and warns about a broken file', () => {
    write({ '.cursor/mcp.json': '{"mcpServers": {"s": {"command": "/gone/x", "args": ["y"]}}}' }, world);
    expect(entries()).toEqual([]);
    write({ '.cursor/mcp.json': `{"mcpServers": ${secret}` }, world);
    expect(entries()).toEqual([expect.stringMatching(/^warning Cursor's settings cannot be read/)]);
    expect(run(['doctor']).stdout).not.toContain(secret);
  });

  it.skipIf(process.platform === 'win32')(
    '`doctor` does not wait for a pipe in the place of a file of the project',
    () => {
      for (const name of ['.env', '.mcp.json', '.cursor/mcp.json']) {
        mkdirSync(dirname(join(pack, name)), { recursive: true });
        expect(spawnSync('mkfifo', [join(pack, name)]).status).toBe(0);
      }
      symlinkSync('/dev/zero', join(pack, '.env.local'));
      expect(doctor(healthy).code).toBe(0);
    },
  );
});

describe('`toolwright doctor` in help and completion', () => {
  it('help and completion know `doctor` and its options', () => {
    expect(run(['__complete', '--', 'doc']).stdout).toMatch(/^doctor\b/m);
    expect(run(['__complete', '--', 'doctor', '--for']).stdout).toContain('--format');
    expect(run(['help']).stdout).toMatch(/^ {2}doctor \[options\] \[path\]/m);
    expect(run(['help', 'doctor']).stdout).toContain('--quiet');
  });
});
