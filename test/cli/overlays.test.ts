// Overlays and settings of installs for servers of several packs: what an operator switches off is off, or the server does
// not start, whichever pack it is of and whoever composes the server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createRegistry, createServer } from '../../runtime/index.js';
import { below, type PackFiles, writeFolder } from '../runtime/packs/code-packs.js';
import { makePack, type Session, startSession, toolwright } from '../runtime/packs/packs-kit.js';

const sessions: Session[] = [];
afterEach(async () => {
  for (const { client } of sessions.splice(0)) await client.close();
});

const wiki = makePack('wiki', { tools: { search: '', page: '' }, servers: { reading: 'tools: [search, page]\n' } });

function desk(more: PackFiles = {}, server = 'tools: [ping, search, wiki/*, check_pack]\n'): string {
  return writeFolder({
    ...makePack('desk', { tools: { ping: '', search: '' }, servers: { desk: server } }),
    ...below('node_modules/wiki', wiki),
    ...more,
  });
}

const broken = 'wiki/search: { enabled: false\n';

async function listed(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const session = await startSession(args, { cwd, env });
  sessions.push(session);
  return { names: await session.names(), stderr: session.stderr() };
}

describe('overlays over several packs', () => {
  it('J71 `start` refuses a broken or missing overlay for a server of an installed pack and for the built-in one', async () => {
    const cwd = desk({ 'broken/tools.yaml': broken });
    for (const server of ['wiki/reading', 'pack-development']) {
      for (const [overlay, says] of [
        ['broken', 'broken/tools.yaml:1:14'],
        ['nowhere', '[overlay/not-found]'],
      ] as const) {
        const { status, stdout, stderr } = await toolwright(['start', server, '--overlay', overlay], { cwd });
        expect([server, overlay, status, stdout]).toEqual([server, overlay, 1, '']);
        expect(stderr).toContain(says);
      }
    }
  });

  it('P2 `start` warns when a name without a slash does not mean the item of the server that starts', async () => {
    const cwd = desk({ 'quiet/tools.yaml': 'search: { enabled: false }\nping: { enabled: false }\n' });
    const { names, stderr } = await listed(cwd, ['wiki/reading', '--overlay', 'quiet']);
    expect(names).toEqual(['search', 'page']);
    expect(stderr).toContain('quiet/tools.yaml:1:1 warning');
    expect(stderr).toContain('[overlay/unqualified]');
    expect(stderr).not.toContain('"ping"');
  });

  it('P2 `check` and `start` warn about an unknown pack in an overlay and suggest the name that was meant', async () => {
    const cwd = desk({ 'quiet/tools.yaml': 'wikki/search: { enabled: false }\nwiki/serch: { enabled: false }\n' });
    const checked = await toolwright(['check', '--overlay', 'quiet'], { cwd });
    const started = await listed(cwd, ['desk', '--overlay', 'quiet']);
    for (const text of [checked.stdout, started.stderr]) {
      expect(text).toMatch(/quiet\/tools\.yaml:1:1 warning .*"wikki".*\[overlay\/unknown-pack\]/);
      expect(text).toContain('did you mean "wiki"?');
      expect(text).toMatch(/quiet\/tools\.yaml:2:1 warning .*"serch".*\[overlay\/unknown-item\]/);
    }
    expect(checked.status).toBe(0);
    // A pack that is there, but of no use for this server, is nobody's mistake.
    mkdirSync(join(cwd, 'node_modules/idle'), { recursive: true });
    writeFileSync(join(cwd, 'node_modules/idle/toolwright.yaml'), 'name: idle\ntools: []\n');
    writeFileSync(join(cwd, 'quiet/tools.yaml'), 'idle/x: { enabled: false }\n');
    expect((await toolwright(['check', '--overlay', 'quiet'], { cwd })).stdout).not.toContain('quiet/');
  });

  it('P2 an overlay for an own item does not hide the patch for an item of another pack with the same name', async () => {
    const cwd = desk({
      'quiet/tools/search.yaml': 'title: Own\n',
      'quiet/tools.yaml': 'wiki/search: { enabled: false }\n',
    });
    expect((await listed(cwd, ['desk', '--overlay', 'quiet'])).names).toEqual([
      'ping',
      'search1',
      'page',
      'check_pack',
    ]);
  });

  it.each([
    ['a broken file', broken, /tools\.yaml:1:14.*never closed/],
    ['a field that cannot be patched', 'wiki/search: { handler: x }\n', /\[overlay\/refused\]/],
    ['a folder that is not there', undefined, /\[overlay\/not-found\]/],
  ])('J71 `createServer` and `createRegistry` refuse an overlay with %s', async (_, text, says) => {
    const cwd = desk(text === undefined ? {} : { 'overlay/tools.yaml': text });
    const overlays = [join(cwd, 'overlay')];
    await expect(createServer({ name: 'x', cwd, overlays, tools: ['wiki/search'], report: () => {} })).rejects.toThrow(
      says,
    );
    await expect(createRegistry(cwd, { overlays, report: () => {} })).rejects.toThrow(says);
  });

  it('P2 `createRegistry` reads relative overlays as the same folders for every pack', async () => {
    const cwd = desk({ 'overlay/tools.yaml': 'wiki/page: { enabled: false }\nping: { enabled: false }\n' });
    const registry = await createRegistry(cwd, { overlays: [relative('.', join(cwd, 'overlay'))], report: () => {} });
    expect(registry.list().map(({ name }) => name)).toEqual(['search1', 'search2', 'check_pack']);
    await registry.close();
  });
});

describe('settings of an install', () => {
  it('P21 settings of an install reach the items of other packs and rename nothing', async () => {
    const settings = { tools: { 'wiki/search': { enabled: false }, ping: { enabled: false } } };
    const { names, stderr } = await listed(desk(), [], { TOOLWRIGHT_SETTINGS: JSON.stringify(settings) });
    expect(names).toEqual(['search1', 'page', 'check_pack']);
    expect(stderr).toBe('');
  });

  it('P21 `start` warns about a misspelt item of another pack in the settings of an install', async () => {
    const settings = { tools: { 'wiki/serch': { enabled: false }, 'wikki/page': { enabled: false } } };
    const { names, stderr } = await listed(desk(), [], { TOOLWRIGHT_SETTINGS: JSON.stringify(settings) });
    expect(names).toHaveLength(5);
    expect(stderr).toMatch(/TOOLWRIGHT_SETTINGS.*"serch"/);
    expect(stderr).toMatch(/TOOLWRIGHT_SETTINGS.*"wikki"/);
  });

  const install = async (cwd: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = await toolwright(['install', 'claude-code', 'desk', '--print', ...args], {
      cwd,
    });
    const env = status === 0 ? JSON.parse(stdout).mcpServers.desk.env : undefined;
    return { status, stderr, settings: env?.TOOLWRIGHT_SETTINGS as string | undefined };
  };

  it('P25 `install --enable` leaves on what it names and nothing else, in any pack', async () => {
    const cwd = desk();
    const { settings = '' } = await install(cwd, '--enable', 'ping');
    expect((await listed(cwd, [], { TOOLWRIGHT_SETTINGS: settings })).names).toEqual(['ping']);
    const some = await install(cwd, '--enable', 'wiki/*,search', '--disable', 'wiki/page');
    expect((await listed(cwd, [], { TOOLWRIGHT_SETTINGS: some.settings ?? '' })).names).toEqual(['search1', 'search2']);
  });

  it('P25 `install --disable` accepts qualified names and refuses unknown ones with a list', async () => {
    const cwd = desk();
    const { settings } = await install(cwd, '--disable', 'wiki/search,check_pack');
    expect(JSON.parse(settings ?? '')).toEqual({
      tools: { 'wiki/search': { enabled: false }, check_pack: { enabled: false } },
    });
    const wrong = await install(cwd, '--disable', 'wiki/serch');
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('it has ping, search, wiki/page, wiki/search, check_pack');
  });

  it('P25 `install` looks at other packs with the settings that hold, as `start` does: what could not start is not put in', async () => {
    const cwd = desk();
    const env = { TOOLWRIGHT_SETTINGS: JSON.stringify({ tools: { 'wiki/search': { name: 'look_up' } } }) };
    const { status, stderr } = await toolwright(['install', 'claude-code', 'desk', '--print'], { cwd, env });
    expect(stderr).toContain('[overlay/refused]');
    expect(stderr).toContain('desk could not start');
    expect(status).toBe(1);
    const started = await toolwright(['start'], { cwd, env });
    expect(started.stderr).toContain('[overlay/refused]');
    expect(started.status).toBe(1);
  });

  it('P25 `install` refuses to choose among tools of a pack that is not installed', async () => {
    const cwd = desk({}, 'tools: [ping, jira/*]\n');
    const { status, stderr } = await install(cwd, '--enable', 'ping');
    expect(status).toBe(1);
    expect(stderr).toContain('[pack/dependency-missing]');
  });
});
