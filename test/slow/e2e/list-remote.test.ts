// `toolwright list --remote` with a real npm client and a registry on loopback.
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmRegistry } from '../../../cli/programs/npm-client.js';
import { listServers } from '../../../runtime/index.js';
import type { ListedServer } from '../../../runtime/packs/list-servers.js';
import { remotePack } from '../../../runtime/packs/remote-packs.js';
import { type RegistryServer, startRegistry } from '../../harness/registry-server.js';
import { makeUser, nodeWithoutNpm, type ProcessRun, type RegistryUser } from '../../harness/registry-user.js';
import { below } from '../../runtime/packs/code-packs.js';
import { brief, command, deskPack } from '../../runtime/packs/list-packs.js';

let registry: RegistryServer;
let user: RegistryUser;
let app: string;

const summary = {
  servers: [{ name: 'desk', description: 'Desk', transport: 'http', tools: 2, prompts: 1, resources: 0 }],
  tools: [
    { name: 'get', description: 'Get it', parameters: ['key'] },
    { name: 'put', description: 'Put it', parameters: ['key', 'value'] },
  ],
  prompts: [{ name: 'ask', description: 'Ask', arguments: ['what'] }],
  resources: [],
};
const keywords = ['toolwright-pack'];

beforeAll(async () => {
  registry = await startRegistry({ token: 'mine' });
  user = makeUser(registry, 'mine');
  await user.put(deskPack('@acme/jira', '1.0.0', { keywords, toolwright: summary }));
  await user.put(deskPack('@acme/here', '1.0.0', { keywords, toolwright: summary }));
  await user.put(deskPack('bare', '1.0.0', { keywords }));
  await user.put(deskPack('no-keyword', '1.0.0', { toolwright: summary }));
  app = user.write('app', {
    'package.json': JSON.stringify({ name: 'app', dependencies: { '@acme/here': '*' } }),
    ...below('node_modules/@acme/here', deskPack('@acme/here', '0.9.0')),
  });
});
afterAll(async () => {
  await registry.close();
  user.remove();
});

function run(...args: readonly string[]): Promise<ProcessRun> {
  return user.toolwright(['list', ...args], { cwd: app });
}

async function listed(...args: readonly string[]): Promise<readonly ListedServer[]> {
  const { status, stdout, stderr } = await run(...args, '--format', 'json');
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { servers: readonly ListedServer[] }).servers;
}

const missing = 'bare remote broken: it was published without a summary';

describe('`toolwright list --remote`', () => {
  it('W48 W50 W52 `list --remote` shows packs of the registry by keyword and summary, but none that is installed', async () => {
    const before = registry.requests.length;
    expect(await listed()).toHaveLength(1);
    expect(registry.requests.slice(before)).toEqual([]);
    const servers = await listed('--remote');
    expect(brief(servers)).toEqual([
      'acme/here/desk 0.9.0 installed',
      'acme/jira/desk 1.0.0 remote',
      expect.stringContaining(missing),
    ]);
    expect(servers[1]).toEqual({
      name: 'acme/jira/desk',
      description: 'Desk',
      version: '1.0.0',
      transport: 'http',
      source: 'remote',
      tools: 2,
      prompts: 1,
      resources: 0,
    });
    expect(registry.requests.some(request => request.endsWith('.tgz'))).toBe(false);
  });

  it('fix-F16 W48 W52 `listServers` from code returns the same and asks again only with `refresh`', async () => {
    const { env } = user;
    const told: string[] = [];
    const report = (text: string): void => void told.push(text);
    const options = { remote: true, env, report };
    expect(await listServers(app, options)).toEqual(await listed('--remote'));
    const before = registry.requests.length;
    expect(brief(await listServers(app, { ...options, pattern: 'acme/*' }))).toEqual([
      'acme/here/desk 0.9.0 installed',
      'acme/jira/desk 1.0.0 remote',
    ]);
    expect(registry.requests.length).toBe(before);
    await listServers(app, { ...options, refresh: true, builtin: true, all: true });
    expect(registry.requests.length).toBeGreaterThan(before);
    await expect(listServers(app, { refresh: true })).rejects.toThrow(/it needs `remote`/);
    await expect(listServers(join(app, 'nowhere'), options)).rejects.toThrow();
    // As on the command line: that npm is asked, and nothing else.
    expect(new Set(told)).toEqual(new Set(['asking the registry through npm ...']));
    const nobody = { ...env, npm_config_registry: 'http://127.0.0.1:9/', TOOLWRIGHT_CACHE: 'off' };
    expect(brief(await listServers(app, { ...options, env: nobody }))).toEqual(['acme/here/desk 0.9.0 installed']);
    expect(told.join()).toMatch(/the registry could not be searched/);
  });

  it('W52 `list --remote` asks the registry again only with `--refresh`', async () => {
    await listed('--remote');
    const before = registry.requests.length;
    await user.put(deskPack('@acme/jira', '1.1.0', { keywords, toolwright: summary }));
    const published = registry.requests.length;
    expect(brief(await listed('--remote', 'acme/jira/*'))).toEqual(['acme/jira/desk 1.0.0 remote']);
    expect(registry.requests.length).toBe(published);
    expect(published).toBeGreaterThan(before);
    expect(brief(await listed('--remote', '--refresh', 'acme/jira/*'))).toEqual(['acme/jira/desk 1.1.0 remote']);
    expect(brief(await listed('--remote', 'acme/jira/*'))).toEqual(['acme/jira/desk 1.1.0 remote']);
  });

  it('W52 `list --remote` warns when the registry fails, shows what was known and lists the rest', async () => {
    await listed('--remote');
    registry.failWith(503);
    const known = await run('--remote', '--refresh', '--format', 'json');
    expect(known.status).toBe(0);
    expect(known.stderr).toMatch(
      /^toolwright: warning: the registry could not be searched \(npm says .*: showing what was known on /m,
    );
    expect(brief(JSON.parse(known.stdout).servers)).toHaveLength(3);
    rmSync(user.env['TOOLWRIGHT_CACHE'] ?? '', { recursive: true });
    const unknown = await run('--remote');
    registry.failWith(undefined);
    expect(unknown.status).toBe(0);
    expect(unknown.stderr).toMatch(/warning: the registry could not be searched: npm says /);
    expect(unknown.stdout).toContain('acme/here/desk');
  });

  it('W52 `list --remote` warns when there is no npm or the user has no access', async () => {
    rmSync(user.env['TOOLWRIGHT_CACHE'] ?? '', { recursive: true, force: true });
    const noNpm = await user.run(nodeWithoutNpm(user), [command, 'list', '--remote'], {
      cwd: app,
      env: { PATH: '/nowhere' },
    });
    expect(noNpm.status).toBe(0);
    expect(noNpm.stderr).toContain('npm was not found');
    const stranger = makeUser(registry, 'wrong');
    const refused = await stranger.toolwright(['list', '--remote'], { cwd: app });
    stranger.remove();
    expect(refused.status).toBe(0);
    expect(refused.stderr).toMatch(/npm says E401/);
    expect(refused.stdout).toContain('acme/here/desk');
  });

  it('fix-F14 W52 a registry that refuses is asked once, and the user sees that it is asked', async () => {
    rmSync(user.env['TOOLWRIGHT_CACHE'] ?? '', { recursive: true, force: true });
    let connections = 0;
    const refusing = createServer(socket => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>(done => refusing.listen(0, '127.0.0.1', done));
    const { port } = refusing.address() as AddressInfo;
    // What the user has set for installs must not decide here.
    const env = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '2' };
    const ran = await user.toolwright(['list', '--remote'], { cwd: app, env });
    expect(ran.status).toBe(0);
    expect(ran.stderr).toMatch(/^toolwright: asking the registry through npm \.\.\.\n/);
    expect(ran.stderr).toMatch(/warning: the registry could not be searched: npm says /);
    expect(ran.stdout).toContain('acme/here/desk');
    expect(connections).toBe(1);
    const quiet = await user.toolwright(['list', '--remote', '--quiet'], { cwd: app, env });
    expect(quiet.stderr).not.toContain('asking');
    refusing.close();
  });

  it('W53 `remotePack` reads names, version and declared tools of a pack that is not installed', async () => {
    const before = { ...process.env };
    Object.assign(process.env, user.env);
    try {
      const client = npmRegistry(app);
      expect(await remotePack(client, '@acme/jira', '1.0.0')).toEqual({ name: 'acme/jira', version: '1.0.0', summary });
      expect(await remotePack(client, 'bare')).toMatchObject({ version: '1.0.0', summary: undefined });
      expect(await remotePack(client, 'nothing-of-this-name')).toBeUndefined();
      await expect(remotePack(client, '--registry=x')).rejects.toThrow('this is not a valid package name');
    } finally {
      for (const key of Object.keys(process.env)) if (!Object.hasOwn(before, key)) delete process.env[key];
      Object.assign(process.env, before);
    }
  });

  it('W53 a harmful summary does no harm', async () => {
    const nasty = {
      servers: [
        { name: 'ok', description: 1, tools: -1, prompts: 1e99, transport: '\u001b[2J' },
        { name: '../../x' },
        { name: '\u001b]0;owned\u0007' },
        null,
        'text',
      ],
      tools: { length: 1e9 },
    };
    const pack = { name: '@evil/pack', version: '1.0.0\u001b[31m', keywords, toolwright: nasty };
    const text = JSON.stringify(pack).replace('"servers"', '"__proto__": {"broken": "polluted"}, "servers"');
    await user.put({ 'package.json': text.replace('1.0.0\\u001b[31m', '1.0.0'), 'toolwright.yaml': '' });
    expect(await listed('--remote', '--refresh', 'evil/*')).toEqual([
      {
        name: 'evil/pack/ok',
        description: '',
        version: '1.0.0',
        transport: 'stdio',
        source: 'remote',
        tools: 0,
        prompts: 0,
        resources: 0,
      },
    ]);
    const { stdout } = await run('--remote', join('evil', '*'));
    expect(stdout).not.toContain('\u001b');
  });

  it('W53 W54 texts of a pack that is not installed cannot steer the terminal of `inspect`', async () => {
    const steer = 'a\u001b[2J\u009b31m\u0007\u202eb';
    const item = { name: 'x', description: steer, parameters: [steer], arguments: [steer], uri: steer };
    const toolwright = { servers: [item], tools: [item], prompts: [item], resources: [item] };
    await user.put(deskPack('@evil/texts', '1.0.0', { keywords, toolwright }));
    for (const format of ['text', 'json', 'mermaid']) {
      const args = ['inspect', 'evil/texts', '--remote', '--format', format];
      const { stdout, stderr } = await user.toolwright(args, { cwd: app });
      expect(stdout).toContain('x');
      expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u009b\u0007\u202e]| $/mu);
    }
  });
});
