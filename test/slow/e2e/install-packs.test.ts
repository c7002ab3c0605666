// F3, F5: `install <client>` writes no entry that cannot start, and `install` and `uninstall` of a pack lead to what was wanted.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RegistryServer, startRegistry } from '../../harness/registry-server.js';
import { makeUser, type ProcessRun, type RegistryUser } from '../../harness/registry-user.js';
import { makePack } from '../../runtime/packs/packs-kit.js';

let registry: RegistryServer;
let user: RegistryUser;

beforeAll(async () => {
  registry = await startRegistry();
  user = makeUser(registry);
  await user.put(makePack('wpk', { tools: { a: '' }, servers: { srv: 'tools: [a]\n' } }));
});
afterAll(async () => {
  await registry.close();
  user.remove();
});

let count = 0;
interface Project {
  readonly cwd: string;
  readonly file: string;
  run(...args: readonly string[]): Promise<ProcessRun>;
}
function project(tools: string, dependencies: object = {}, files: Readonly<Record<string, string>> = {}): Project {
  count += 1;
  const cwd = user.write(`install-${count}`, {
    ...makePack('desk', { tools: { a: '' }, servers: { desk: `tools: ${tools}\n` } }),
    'package.json': JSON.stringify({ name: 'desk', version: '1.0.0', type: 'module', dependencies }),
    '.git/HEAD': '',
    ...files,
  });
  const HOME = join(user.folder, `home-${count}`);
  mkdirSync(HOME);
  const env = { HOME, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', npm_config_cache: join(user.folder, 'npm-cache') };
  return { cwd, file: join(HOME, '.cursor/mcp.json'), run: (...args) => user.toolwright(args, { cwd, env }) };
}

describe('`toolwright install <client>`', () => {
  it('fix-F3 `install <client>` installs the missing pack of a listed server, then writes the entry', async () => {
    const { cwd, file, run } = project('[a]', { wpk: '^1.0.0' });
    const ran = await run('install', 'cursor', 'wpk/srv', '--yes');
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain('installing wpk with npm');
    expect(existsSync(join(cwd, 'node_modules/wpk/toolwright.yaml'))).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('wpk/srv');
  });

  it('fix-F3 `install <client>` installs the missing pack of a listed item', async () => {
    const { cwd, file, run } = project('[a, wpk/a]', { wpk: '^1.0.0' });
    const ran = await run('install', 'cursor', '--yes');
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    expect(existsSync(join(cwd, 'node_modules/wpk/toolwright.yaml'))).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  it('fix-F3 `install <client>` writes no entry for a pack that nobody lists, and gives the reason and the command', async () => {
    const { file, run } = project('[a, never/x]');
    const ran = await run('install', 'cursor', '--yes');
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/mcp\/servers\/desk\.yaml:1:12 error .*\[pack\/dependency-missing\]/);
    expect(ran.stderr).toContain('hint: npm install never');
    expect(ran.stderr).toContain('was not changed');
    expect(existsSync(file)).toBe(false);
    const json = await run('install', 'cursor', '--yes', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ op: 'refuse', server: 'desk', hint: 'npm install never' });
  });

  it('fix-F3 `install <client>` writes no entry for an item that an installed pack does not have', async () => {
    const wpk = Object.entries(makePack('wpk', { tools: { a: '' } }));
    const files = Object.fromEntries(wpk.map(([path, text]) => [`node_modules/wpk/${path}`, text]));
    const { file, run } = project('[a, wpk/nothing]', { wpk: '^1.0.0' }, files);
    const ran = await run('install', 'cursor', '--yes');
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('[pack/unknown-item]');
    expect(existsSync(file)).toBe(false);
  });

  it('fix-F3 `--no-install`, `--dry-run` and `--print` install nothing', async () => {
    const { cwd, file, run } = project('[a, wpk/a]', { wpk: '^1.0.0' });
    const before = registry.requests.length;
    for (const flag of ['--no-install', '--dry-run', '--print']) {
      const own = await run('install', 'cursor', '--yes', flag);
      expect(own).toMatchObject({ status: 1, stdout: '' });
      expect(own.stderr).toContain('[pack/dependency-missing]');
      expect(own.stderr).toContain('hint: npm install\n');
      const other = await run('install', 'cursor', 'wpk/srv', '--yes', flag);
      expect(other).toMatchObject({ status: 2, stdout: '' });
      expect(other.stderr).toContain('[pack/not-installed]\n  hint: npm install\n');
    }
    expect([existsSync(join(cwd, 'node_modules')), existsSync(file)]).toEqual([false, false]);
    expect(registry.requests.length).toBe(before);
  });

  it('fix-F3 `uninstall` installs nothing', async () => {
    const { cwd, run } = project('[a, wpk/a]', { wpk: '^1.0.0' });
    expect((await run('uninstall', 'cursor', 'wpk/srv')).status).toBe(0);
    expect((await run('uninstall', 'cursor')).status).toBe(0);
    expect(existsSync(join(cwd, 'node_modules'))).toBe(false);
  });

  it('fix-F3 `install <client>` of a built server installs nothing, because its packs are inside', async () => {
    const { cwd, file, run } = project('[a, wpk/a]', { wpk: '^1.0.0' }, { 'dist/desk.cjs': '' });
    expect(await run('install', 'cursor', '--yes')).toMatchObject({ status: 0 });
    expect(readFileSync(file, 'utf8')).toContain('desk.cjs');
    expect(existsSync(join(cwd, 'node_modules'))).toBe(false);
  });
});

describe('`toolwright install` and `uninstall` of a pack', () => {
  const packs = ['wiki', '@acme/jira'].flatMap(name =>
    Object.entries(makePack(name, { tools: { a: '' }, servers: { wsrv: 'tools: [a]\n' } })).map(
      ([path, text]) => [`node_modules/${name}/${path}`, text] as const,
    ),
  );
  const installed = Object.fromEntries(packs);
  const dependencies = { wiki: '1.0.0', '@acme/jira': '1.0.0' };
  const managers = [
    ['npm', 'npm uninstall', {}],
    ['pnpm', 'pnpm remove', { 'pnpm-lock.yaml': '' }],
    ['yarn', 'yarn remove', { 'yarn.lock': '' }],
    ['bun', 'bun remove', { 'bun.lock': '' }],
  ] as const;

  it.each(managers)(
    'fix-F5 W55 `uninstall` of a pack names the command of %s, for the right package',
    async (_, command, lock) => {
      const { run } = project('[a]', dependencies, { ...installed, ...lock });
      for (const [typed, removed, wanted] of [
        ['wiki/wsrv', 'wiki', 'wiki/wsrv'],
        ['@acme/jira', '@acme/jira', 'acme/jira/<server>'],
        ['acme/jira', '@acme/jira', 'acme/jira/<server>'],
        ['acme/jira/wsrv', '@acme/jira', 'acme/jira/wsrv'],
        ['wiki', 'wiki', 'wiki/<server>'],
      ] as const) {
        const ran = await run('uninstall', typed);
        expect(ran).toMatchObject({ status: 2, stdout: '' });
        expect(ran.stderr).toContain(`"${typed}" is not a client. The pack is removed with ${command} ${removed}. `);
        expect(ran.stderr).toContain(`toolwright uninstall claude-code ${wanted}`);
      }
    },
  );

  it('fix-F5 W55 `install` of a pack says how its server gets into a client, and nothing about uninstalling', async () => {
    const { run } = project('[a]', dependencies, { ...installed, 'pnpm-lock.yaml': '' });
    for (const [typed, wanted] of [
      ['wiki/wsrv', 'wiki/wsrv'],
      ['wiki', 'wiki/<server>'],
      ['@acme/jira', 'acme/jira/<server>'],
      ['desk', 'desk'],
    ] as const) {
      const ran = await run('install', typed);
      expect(ran).toMatchObject({ status: 2, stdout: '' });
      expect(ran.stderr).toContain(`the client first: toolwright install claude-code ${wanted}\n`);
      expect(ran.stderr).not.toMatch(/uninstall|remove|pnpm/);
    }
    const missing = await run('install', 'acme/other/srv');
    expect(missing.stderr).toContain('The pack is installed with pnpm add @acme/other. ');
    expect(missing.stderr).toContain('toolwright install claude-code acme/other/srv');
  });

  it('fix-F5 W55 `install` and `uninstall` list the clients when the name is neither a pack nor a client', async () => {
    const { run } = project('[a]');
    for (const command of ['install', 'uninstall'])
      expect((await run(command, 'wiki')).stderr).toContain('there is no client "wiki" (there are ');
  });
});
