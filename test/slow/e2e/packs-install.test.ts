// W64: missing packs are installed at execution by the project's own package manager: real npm, a registry on loopback.
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchWords } from '../../../cli/fetch/fetch-words.js';
import { findProject, installCommand } from '../../../runtime/packs/package-manager.js';
import { type RegistryServer, startRegistry } from '../../harness/registry-server.js';
import { makeUser, type ProcessRun, type RegistryUser } from '../../harness/registry-user.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { command, makePack } from '../../runtime/packs/packs-kit.js';

let registry: RegistryServer;
let user: RegistryUser;

beforeAll(async () => {
  registry = await startRegistry();
  user = makeUser(registry);
  for (const version of ['1.0.0', '1.1.0']) {
    const files = makePack('@acme/jira', { version, tools: { issue: '' }, servers: { jira: 'tools: [issue]\n' } });
    const manifest = {
      ...(JSON.parse(files['package.json'] ?? '') as object),
      keywords: ['toolwright-pack'],
      scripts: { postinstall: `node -e "require('fs').writeFileSync('../../../MARK', '')"` },
      toolwright: {
        servers: [{ name: 'jira', description: 'J', transport: 'stdio', tools: 1, prompts: 0, resources: 0 }],
        tools: [{ name: 'issue', description: 'An issue', parameters: ['key'] }],
      },
    };
    await user.put({ ...files, 'package.json': JSON.stringify(manifest) });
  }
});
afterAll(async () => {
  await registry.close();
  user.remove();
});

let projects = 0;
function project(dependencies: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}): string {
  projects += 1;
  return user.write(`project-${projects}`, {
    ...makePack('desk', { tools: { ping: '' }, servers: { desk: 'tools: [ping, acme/jira/issue]\n' } }),
    'package.json': JSON.stringify({ name: 'desk', version: '1.0.0', type: 'module', dependencies }),
    ...files,
  });
}

const listing = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';

function run(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessRun> {
  return user.run(process.execPath, [command, ...args], { cwd, env, input: listing });
}

const isInstalled = (cwd: string): boolean => existsSync(join(cwd, 'node_modules/@acme/jira'));

describe('missing packs', () => {
  it('W64 a missing pack that package.json lists is installed without scripts, with only the protocol on stdout', async () => {
    const cwd = project({ '@acme/jira': '^1.0.0' });
    const { status, stdout, stderr } = await run(cwd, ['start']);
    expect(status).toBe(0);
    expect(stderr).toContain('installing @acme/jira with npm, without scripts');
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '').result.tools).toHaveLength(2);
    expect(existsSync(join(cwd, 'MARK'))).toBe(false);
    // Neither a lockfile nor package.json is written.
    expect(existsSync(join(cwd, 'package-lock.json'))).toBe(false);
    // Nothing is missing any more.
    expect((await run(cwd, ['call', 'issue', '{}'])).stderr).not.toContain('installing');
  });

  it('W64 an install respects the lockfile and leaves it alone', async () => {
    const cwd = project({ '@acme/jira': '1.0.0' });
    await user.npm(['install', '--ignore-scripts'], cwd);
    const lock = readFileSync(join(cwd, 'package-lock.json'), 'utf8');
    rmSync(join(cwd, 'node_modules'), { recursive: true });
    // The range would allow a newer one.
    const manifest = readFileSync(join(cwd, 'package.json'), 'utf8');
    const wider = manifest.replace('"1.0.0"}}', '"^1.0.0"}}');
    const widerLock = lock.replace('"@acme/jira": "1.0.0"', '"@acme/jira": "^1.0.0"');
    writeFileSync(join(cwd, 'package.json'), wider);
    writeFileSync(join(cwd, 'package-lock.json'), widerLock);
    expect((await run(cwd, ['call', 'issue', '{}'])).stdout).toContain('acme/jira/issue 1.0.0');
    expect(readFileSync(join(cwd, 'package-lock.json'), 'utf8')).toBe(widerLock);
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe(wider);
  });

  it('W64 `--no-install` and TOOLWRIGHT_NO_INSTALL install nothing and print the command', async () => {
    const cwd = project({ '@acme/jira': '^1.0.0' });
    const before = registry.requests.length;
    for (const [args, env] of [
      [['start', '--no-install'], {}],
      [['start'], { TOOLWRIGHT_NO_INSTALL: '1' }],
      [['call', 'ping', '{}', '--no-install'], {}],
    ] as const) {
      const ran = await run(cwd, args, env);
      expect(ran).toMatchObject({ status: 1, stdout: '' });
      expect(ran.stderr).toContain('[pack/dependency-missing]');
      expect(ran.stderr).toContain('hint: npm install\n');
    }
    expect(isInstalled(cwd)).toBe(false);
    expect(registry.requests.length).toBe(before);
  });

  it('W64 a pack that package.json does not list is never installed', async () => {
    const cwd = project({});
    const before = registry.requests.length;
    const ran = await run(cwd, ['start']);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain('the server "desk" needs "issue" from the pack "acme/jira", which is not installed');
    expect(ran.stderr).toContain('hint: npm install @acme/jira');
    expect(isInstalled(cwd)).toBe(false);
    expect(registry.requests.length).toBe(before);
  });

  it('W66 a listed pack that cannot be installed stops the start', async () => {
    const cwd = project({ '@acme/jira': '^9.0.0' });
    const ran = await run(cwd, ['start']);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain('npm ended with exit code');
    expect(ran.stderr).toContain('[pack/dependency-missing]');
  });

  it('W45 W64 a server of a listed pack is installed when it is started by name', async () => {
    const cwd = project({ '@acme/jira': '^1.0.0' });
    expect((await run(cwd, ['start', 'acme/jira/jira'])).stdout).toContain('"issue"');
    const other = project({});
    const ran = await run(other, ['start', 'acme/jira/jira']);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain('npm install @acme/jira');
  });

  it('W46 an upgrade is picked up at the next start', async () => {
    const cwd = project({ '@acme/jira': '1.0.0' });
    expect((await run(cwd, ['call', 'issue', '{}'])).stdout).toContain('issue 1.0.0');
    await user.npm(['install', '--ignore-scripts', '@acme/jira@1.1.0'], cwd);
    expect((await run(cwd, ['call', 'issue', '{}'])).stdout).toContain('issue 1.1.0');
  });

  it('W64 the example installs what it lists, from a fresh copy, and serves three packs', async () => {
    const copy = user.write('examples', {});
    for (const name of ['desk', 'weather']) {
      const from = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
      cpSync(from, join(copy, name), { recursive: true, filter: path => !path.includes('node_modules') });
    }
    const cwd = join(copy, 'desk');
    const { stdout } = await run(cwd, ['start']);
    const { tools } = JSON.parse(stdout).result as { tools: { name: string; description: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['what-time', 'get-weather', 'list-cities', 'describe_schema']);
    expect((await run(cwd, ['check', '--strict'])).status).toBe(0);
  });

  it('W34 `check` and `inspect` install nothing', async () => {
    const cwd = project({ '@acme/jira': '^1.0.0' });
    const before = registry.requests.length;
    const check = await run(cwd, ['check', '--format', 'json']);
    expect(JSON.parse(check.stdout).diagnostics).toMatchObject([{ code: 'pack/not-installed', hint: 'npm install' }]);
    const inspect = await run(cwd, ['inspect', '--format', 'json']);
    expect(JSON.parse(inspect.stdout).missing).toEqual([{ pack: 'acme/jira', command: 'npm install' }]);
    expect(isInstalled(cwd)).toBe(false);
    expect(registry.requests.length).toBe(before);
  });

  it('fix-F13 W53 a listed pack of one word that nobody has installed is reported by every command', async () => {
    const cwd = project({ gone: '^1.0.0', '@acme/gone': '^1.0.0' });
    for (const args of [
      ['inspect', 'gone'],
      ['inspect', 'pack:gone'],
      ['check', 'gone'],
      ['check', '@acme/gone'],
      ['docs', 'gone', '--stdout'],
    ]) {
      const ran = await run(cwd, args);
      expect(ran).toMatchObject({ status: 2, stdout: '' });
      expect(ran.stderr).toMatch(
        /the pack "(?:acme\/)?gone" is not installed \[pack\/not-installed\]\n {2}hint: npm install\n/,
      );
    }
    expect((await run(cwd, ['inspect', 'nobody'])).stderr).toContain('there is no server or pack "nobody"');
    expect((await run(cwd, ['inspect', 'server:gone'])).stderr).toContain('there is no server "gone"');
    expect((await run(cwd, ['check', 'nobody'])).stderr).toContain('there is no folder, file or installed package');
  });

  it('W53 `inspect` reads the names of a pack that is not installed from what the registry said', async () => {
    const cwd = project({});
    expect(await run(cwd, ['inspect', 'acme/jira'])).toMatchObject({ status: 2, stdout: '' });
    const asked = await run(cwd, ['inspect', 'acme/jira', '--remote', '--format', 'json']);
    const known = JSON.parse(asked.stdout);
    expect(known).toMatchObject({ name: 'acme/jira', version: '1.1.0', installed: false });
    expect(known.tools).toEqual([{ name: 'issue', description: 'An issue', parameters: ['key'] }]);
    expect(known.missing).toEqual([{ pack: 'acme/jira', command: 'npm install @acme/jira' }]);
    expect(known.diagnostics).toMatchObject([{ code: 'pack/not-installed' }]);
    await run(cwd, ['list', '--remote']);
    const before = registry.requests.length;
    const kept = await run(cwd, ['inspect', 'acme/jira/jira']);
    expect(kept.stdout).toContain('issue');
    expect(kept).toMatchObject({ status: 1 });
    expect(registry.requests.length).toBe(before);
  });
});

describe('package managers', () => {
  const found = (files: Readonly<Record<string, string>>, at = ''): readonly string[] => {
    const start = findProject(join(writeFolder({ '.git/HEAD': '', ...files }), at));
    if (start === undefined) return [];
    const words = fetchWords(start);
    const line = 'reason' in words ? words.reason : `${start.manager} ${words.args.join(' ')}`;
    return [line, installCommand('acme/jira', start), installCommand('listed', start)];
  };
  const manifest = (packageManager?: string): string =>
    JSON.stringify({ name: 'x', devDependencies: { listed: '1' }, ...(packageManager ? { packageManager } : {}) });

  it('W64 the package manager is chosen by lockfile or by the field packageManager, here or at the root of the workspace', () => {
    const [npm, ...commands] = found({ 'package.json': manifest() });
    expect(npm).toMatch(/^npm install --ignore-scripts --legacy-peer-deps /);
    expect(commands).toEqual(['npm install @acme/jira', 'npm install']);
    const [pnpm, ...ofPnpm] = found({ 'package.json': manifest(), 'pnpm-lock.yaml': '' });
    expect(pnpm).toMatch(/^pnpm install --ignore-scripts .*--frozen-lockfile/);
    expect(ofPnpm).toEqual(['pnpm add @acme/jira', 'pnpm install']);
    expect(found({ 'package.json': manifest(), 'yarn.lock': '' })[0]).toMatch(
      /^yarn install --ignore-scripts .*--frozen-lockfile$/,
    );
    const modern = { 'package.json': manifest('yarn@4.1.0'), 'yarn.lock': '' };
    expect(found(modern)[0]).toContain('outside node_modules');
    expect(found({ ...modern, '.yarnrc.yml': 'nodeLinker: node-modules\n' })[0]).toBe('yarn install --mode=skip-build');
    const [bun, ...ofBun] = found({ 'package.json': manifest(), 'bun.lock': '' });
    expect(bun).toMatch(/^bun install --ignore-scripts /);
    expect(ofBun).toEqual(['bun add @acme/jira', 'bun install']);
    expect(found({ 'package.json': manifest('pnpm@9.0.0'), 'package-lock.json': '{}' })[0]).toContain('--no-lockfile');
    const workspace = {
      'package.json': '{"name": "root"}',
      'pnpm-lock.yaml': '',
      'packages/a/package.json': manifest(),
    };
    expect(found(workspace, 'packages/a')[0]).toContain('pnpm install');
  });

  it('W64 a package manager that fails is reported, and nothing is half done', async () => {
    const cwd = project({ '@acme/jira': '^1.0.0' }, { '.git/HEAD': '' });
    const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as object;
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ ...manifest, packageManager: 'pnpm@9.0.0' }));
    const bin = user.write('bin', { pnpm: '#!/bin/sh\necho "on stdout: $@"\nexit 3\n' });
    chmodSync(join(bin, 'pnpm'), 0o755);
    const ran = await run(cwd, ['start'], { PATH: [bin, user.env['PATH'] ?? ''].join(delimiter) });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain('on stdout: install --ignore-scripts');
    expect(ran.stderr).toContain('pnpm ended with exit code 3');
    expect(ran.stderr).toContain('[pack/dependency-missing]');
  });
});
