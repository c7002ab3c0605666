// Composed servers as real processes: one host for each pack, the order of starting, packs that vanish, change or break.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { below, type PackFiles, writeFolder } from '../../runtime/packs/code-packs.js';
import { makePack, type Session, startSession, toolwright } from '../../runtime/packs/packs-kit.js';

const sessions: Session[] = [];
afterEach(async () => {
  for (const { client } of sessions.splice(0)) await client.close();
});

async function start(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const session = await startSession(args, { cwd, env });
  sessions.push(session);
  return session;
}

const wiki = makePack('wiki', { tools: { search: '', page: '', late: '' }, servers: { reading: 'tools: [page]\n' } });

function desk(server: string, more: PackFiles = {}): string {
  return writeFolder({
    ...makePack('desk', { tools: { ping: '', search: '' }, servers: { desk: server } }),
    ...below('node_modules/wiki', wiki),
    ...more,
  });
}

const log = (text: string): string =>
  `import { appendFileSync } from 'node:fs';\nexport default () => appendFileSync(process.env.LOG, '${text}\\n');\n`;

describe('serving several packs', () => {
  it('W58 calls reach the item behind each name, of every pack', async () => {
    const { names, call, client } = await start(desk('tools: [ping, search, wiki/search, wiki/page]\n'));
    expect(await names()).toEqual(['ping', 'search1', 'search2', 'page']);
    expect(await call('search1')).toBe('desk/search 1.0.0');
    expect(await call('search2')).toBe('wiki/search 1.0.0');
    expect(await call('page')).toBe('wiki/page 1.0.0');
    await expect(client.callTool({ name: 'search', arguments: {} })).rejects.toThrow(/unknown/i);
  });

  it('W45 W46 `start` opens a server of an installed pack, a server by folder, and the built-in server', async () => {
    const folder = desk('tools: [ping]\n');
    expect(await (await start(folder, ['wiki/reading'])).names()).toEqual(['page']);
    expect(await (await start(folder, ['./node_modules/wiki/reading'])).names()).toEqual(['page']);
    expect(await (await start(folder, ['pack-development'])).names()).toContain('check_pack');
    // Also where there is no pack at all.
    const nowhere = await start(writeFolder({}), ['pack-development']);
    expect(await nowhere.names()).toContain('check_pack');
  });

  it('W45 a workspace that is not linked yet is found by its name, and never looked for elsewhere', async () => {
    const cwd = writeFolder({
      'package.json': '{"name": "all", "private": true, "workspaces": ["packs/*"]}',
      ...below('packs/desk', makePack('@acme/desk', { tools: { ping: '' }, servers: { main: 'tools: [ping]\n' } })),
    });
    expect((await toolwright(['list', '--format', 'json'], { cwd })).stdout).toContain('"acme/desk/main"');
    expect((await toolwright(['call', 'acme/desk/main', 'ping'], { cwd })).stdout).toBe('acme/desk/ping 1.0.0\n');
    expect((await toolwright(['inspect', 'acme/desk/main'], { cwd })).stdout).toContain(
      'packs/desk/mcp/servers/main.yaml',
    );
    expect((await toolwright(['explain', 'acme/desk/ping'], { cwd })).stdout).toContain(
      'packs/desk/mcp/tools/ping.yaml',
    );
  });

  it('W45 nobody is advised to install a misspelt name, or one that a workspace has', async () => {
    const cwd = writeFolder({
      'package.json':
        '{"name": "all", "private": true, "workspaces": ["packs/*"], "dependencies": {"@acme/jira": "1"}}',
      ...below('packs/desk', makePack('@acme/desk', { tools: { ping: '' }, servers: { main: 'tools: [ping]\n' } })),
      ...below('node_modules/@acme/jira', makePack('@acme/jira', { servers: { board: 'tools: []\n' } })),
    });
    for (const [words, meant] of [
      [['start', 'main'], 'acme/desk/main'],
      [['inspect', 'main'], 'acme/desk/main'],
      [['start', 'acme/jria/board'], 'acme/jira/board'],
      [['inspect', 'acme/jria/board'], 'acme/jira/board'],
    ] as const) {
      const { status, stderr } = await toolwright(words, { cwd });
      expect(status).toBe(2);
      expect(stderr).toMatch(new RegExp(`did you mean "${meant}"\\?(\\n| Else npm)`));
    }
    const app = desk('tools: [wikki/page]\n', {
      'package.json': '{"name": "desk", "version": "1.0.0", "type": "module", "dependencies": {"wiki": "1"}}',
    });
    for (const word of ['check', 'start']) {
      const { stdout, stderr } = await toolwright([word], { cwd: app });
      expect(stdout + stderr).toContain('did you mean "wiki"? Else npm install wikki');
    }
  });

  it('W45 a pack in place of a server or an item is reported as such', async () => {
    const cwd = desk(
      'tools: [ping]\n',
      below('node_modules/@acme/jira', makePack('@acme/jira', { tools: { get: '' } })),
    );
    for (const word of ['start', 'explain']) {
      const { status, stderr } = await toolwright([word, 'acme/jira'], { cwd });
      expect(status).toBe(2);
      expect(stderr).toContain('"acme/jira" is a pack: write acme/jira/ and the name of the item you mean');
      expect(stderr).not.toContain('install');
    }
  });

  it('W45 a folder without a pack is reported without advice to install', async () => {
    const { status, stderr } = await toolwright(['start', '../gone/main'], { cwd: desk('tools: [ping]\n') });
    expect(status).toBe(2);
    expect(stderr).toMatch(/there is no toolwright\.yaml in ".*gone"/);
    expect(stderr).not.toContain('install');
  });

  it('W32 built-in items can be served beside own ones', async () => {
    const { names, call } = await start(desk('tools: [ping, describe_schema]\n'));
    expect(await names()).toEqual(['ping', 'describe_schema']);
    expect(await call('describe_schema', { kind: 'tool' })).toContain('description');
  });

  it('W45 `call` accepts qualified names of servers and tools', async () => {
    const cwd = desk('tools: [ping, search, wiki/search]\n');
    const out = async (...words: string[]) => (await toolwright(['call', ...words], { cwd })).stdout.trim();
    expect(await out('wiki/reading', 'page')).toBe('wiki/page 1.0.0');
    expect(await out('desk', 'wiki/search', '{}')).toBe('wiki/search 1.0.0');
    expect(await out('search', '{}')).toBe('desk/search 1.0.0');
    expect(await out('pack-development', 'describe_schema', '{"kind": "tool"}')).toContain('description');
  });

  it('each pack has its own configuration, context and errors', async () => {
    const files = {
      'toolwright.yaml':
        'handlers: lib\ncontext: lib/context.js#create\nconfig:\n  WHO: { type: string, default: nobody }\n',
      'lib/context.js': "export const create = ({ config }) => ({ who: 'context of NAME for ' + config.WHO });\n",
      'lib/tools/page.js': 'export default (args, ctx) => ctx.app.who;\n',
    };
    const named = (name: string): PackFiles =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace('NAME', name)]));
    const folder = desk('tools: [page, wiki/page]\n', {
      ...named('desk'),
      'mcp/tools/page.yaml': 'description: P.\n',
      ...below('node_modules/wiki', named('wiki')),
    });
    const { call } = await start(folder, [], { WHO: 'me' });
    expect([await call('page1'), await call('page2')]).toEqual(['context of desk for me', 'context of wiki for me']);
    const broken = await toolwright(['start'], {
      cwd: desk('tools: [wiki/page]\n', {
        'node_modules/wiki/toolwright.yaml': 'handlers: lib\nconfig:\n  N: { type: integer }\n',
      }),
      env: { N: 'x' },
    });
    expect(broken).toMatchObject({ status: 1, stdout: '' });
    expect(broken.stderr).toContain('node_modules/wiki/toolwright.yaml:3:3 error N must be an integer');
  });
});

describe('the order of starting', () => {
  it('W60 `start` initializes the server first, then resolves names, then starts the tools', async () => {
    const folder = desk('tools: [ping, wiki/page]\ninitialize: lib/start.js\n', {
      // What the server prepares is there when names are resolved.
      'lib/start.js':
        "import { appendFileSync, writeFileSync } from 'node:fs';\nexport default () => {\n  appendFileSync(process.env.LOG, 'server\\n');\n  writeFileSync(process.env.PAGE, 'description: Prepared.\\ninitialize: { handler: lib/init.js, when: start }\\n');\n};\n",
      'mcp/tools/ping.yaml': 'description: P.\ninitialize: { handler: lib/init.js, when: start }\n',
      'lib/init.js': log('ping'),
      'node_modules/wiki/lib/init.js': log('page'),
    });
    const env = { LOG: join(folder, 'log'), PAGE: join(folder, 'node_modules/wiki/mcp/tools/page.yaml') };
    const { client } = await start(folder, [], env);
    const { tools } = await client.listTools();
    expect(tools.map(({ description }) => description)).toEqual(['P.', 'Prepared.']);
    expect(readFileSync(env.LOG, 'utf8')).toBe('server\nping\npage\n');
  });

  it('W62 first calls at the same time share one initialize, also in another pack, and a failure is retried', async () => {
    const folder = desk('tools: [wiki/page]\n', {
      'node_modules/wiki/mcp/tools/page.yaml': 'description: P.\ninitialize: lib/init.js\n',
      'node_modules/wiki/lib/init.js':
        "import { appendFileSync, readFileSync } from 'node:fs';\nexport default async () => {\n  appendFileSync(process.env.LOG, 'x');\n  await new Promise(done => setTimeout(done, 50));\n  if (readFileSync(process.env.LOG, 'utf8').length === 1) throw new Error('not yet');\n};\n",
    });
    const env = { LOG: join(folder, 'log') };
    const { call } = await start(folder, [], env);
    const [first, second] = await Promise.all([call('page'), call('page')]);
    expect([first, second].map(text => text?.split(':')[0])).toEqual(['UNEXPECTED_ERROR', 'UNEXPECTED_ERROR']);
    expect(readFileSync(env.LOG, 'utf8')).toBe('x');
    expect(await Promise.all([call('page'), call('page')])).toEqual(['wiki/page 1.0.0', 'wiki/page 1.0.0']);
    expect(readFileSync(env.LOG, 'utf8')).toBe('xx');
  });

  it('W63 a server whose initialize fails exits with the reason and writes nothing', async () => {
    const cwd = desk('tools: [wiki/page]\ninitialize: lib/start.js\n', {
      'lib/start.js': "export default () => { throw new Error('the desk is closed'); };\n",
    });
    const ran = await toolwright(['start'], { cwd });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain('initialize for the server desk failed: the desk is closed');
  });

  it('W66 an unresolved reference stops the start, with the names of server, item and pack', async () => {
    const ran = await toolwright(['start'], { cwd: desk('tools: [ping, gone/pack/a]\n') });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain('the server "desk" needs "a" from the pack "gone/pack", which is not installed');
    expect(ran.stderr).toContain('npm install @gone/pack');
    const unknown = await toolwright(['start'], { cwd: desk('tools: [wiki/pag]\n') });
    expect(unknown).toMatchObject({ status: 1, stdout: '' });
    expect(unknown.stderr).toContain('did you mean "page"?');
  });

  it('J71 a broken item of another pack is left out and reported, and `--strict` refuses', async () => {
    const folder = desk('tools: ["wiki/*"]\n', { 'node_modules/wiki/mcp/tools/page.yaml': 'descripton: x\n' });
    const session = await start(folder);
    expect(await session.names()).toEqual(['late', 'search']);
    expect(session.stderr()).toContain('pack/broken-item');
    expect(await toolwright(['start', '--strict'], { cwd: folder })).toMatchObject({ status: 1, stdout: '' });
  });

  it('W46 an upgraded pack is picked up at the next start', async () => {
    const folder = desk('tools: ["wiki/*"]\n');
    const before = await start(folder);
    expect(await before.call('page')).toBe('wiki/page 1.0.0');
    await before.client.close();
    const upgraded = makePack('wiki', { version: '2.0.0', tools: { page: '', more: '' } });
    rmSync(join(folder, 'node_modules/wiki'), { recursive: true });
    cpSync(writeFolder(upgraded), join(folder, 'node_modules/wiki'), { recursive: true });
    const after = await start(folder);
    expect(await after.names()).toEqual(['more', 'page']);
    expect(await after.call('page')).toBe('wiki/page 2.0.0');
  });
});

describe('packs that change while a server runs', () => {
  const server = 'tools: [ping, wiki/page, wiki/late]\n';
  const place = (folder: string): string => join(folder, 'node_modules/wiki');

  it('W66 calls to a pack that disappears say so, and others continue', async () => {
    const folder = desk(server);
    const { call } = await start(folder);
    expect(await call('page')).toBe('wiki/page 1.0.0');
    rmSync(place(folder), { recursive: true });
    expect(await call('late')).toBe('PACK_MISSING: The pack wiki is not installed any more');
    expect(await call('ping')).toBe('desk/ping 1.0.0');
    // What was loaded while it was there still runs.
    expect(await call('page')).toBe('wiki/page 1.0.0');
  });

  it('W66 resources and prompts of a pack that disappears or changes are not read and say so', async () => {
    const files = below('node_modules/wiki', {
      'page.txt': 'Page',
      'page.png': 'png',
      'mcp/resources/page.yaml': 'uri: wiki://page\nfile: page.txt\n',
      'mcp/prompts/show.yaml': 'description: Show.\nmessages: [{ role: user, image: page.png }]\n',
    });
    const folder = desk('tools: [ping]\nprompts: [wiki/show]\nresources: [wiki/page]\n', files);
    const { client, call } = await start(folder);
    const read = () => client.readResource({ uri: 'wiki://page' });
    const show = () => client.getPrompt({ name: 'show' });
    await read();
    await show();
    const manifest = join(folder, 'node_modules/wiki/package.json');
    const before = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, before.replace('1.0.0', '2.0.0'));
    for (const ask of [read, show]) await expect(ask()).rejects.toThrow('The pack wiki was changed');
    rmSync(join(folder, 'node_modules/wiki'), { recursive: true });
    for (const ask of [read, show]) await expect(ask()).rejects.toThrow('The pack wiki is not installed any more');
    expect(await call('ping')).toBe('desk/ping 1.0.0');
  });

  it('W66 code of another version is not mixed in when a pack changes', async () => {
    const folder = desk(server);
    const { call } = await start(folder);
    rmSync(place(folder), { recursive: true });
    cpSync(writeFolder(makePack('wiki', { version: '2.0.0', tools: { late: '' } })), place(folder), {
      recursive: true,
    });
    expect(await call('late')).toBe('PACK_CHANGED: The pack wiki was changed while the server was running');
    expect(await call('ping')).toBe('desk/ping 1.0.0');
  });

  it('W66 the server of an installed pack serves neither missing nor upgraded code', async () => {
    const folder = desk('tools: [ping]\n', {
      'node_modules/wiki/mcp/servers/reading.yaml': 'tools: [page, late, jira/get]\n',
      ...below('node_modules/jira', makePack('jira', { tools: { get: '' } })),
    });
    const { call } = await start(folder, ['wiki/reading']);
    expect(await call('page')).toBe('wiki/page 1.0.0');
    const upgraded = writeFolder(makePack('wiki', { version: '2.0.0', tools: { page: '', late: '' } }));
    cpSync(upgraded, place(folder), { recursive: true });
    expect(await call('late')).toBe('PACK_CHANGED: The pack wiki was changed while the server was running');
    rmSync(place(folder), { recursive: true });
    expect(await call('late')).toBe('PACK_MISSING: The pack wiki is not installed any more');
    expect(await call('page')).toBe('wiki/page 1.0.0');
    expect(await call('get')).toBe('jira/get 1.0.0');
  });

  it('W66 a pack that breaks is named to the client, with the reason to the operator, and the next try may work', async () => {
    const folder = desk(server);
    const file = join(place(folder), 'lib/tools/late.js');
    const good = readFileSync(file, 'utf8');
    const { call, stderr } = await start(folder);
    rmSync(file);
    expect(await call('late')).toBe('PACK_BROKEN: The code in the pack wiki cannot be loaded');
    expect(stderr()).toContain('generate/missing-handler');
    expect(await call('ping')).toBe('desk/ping 1.0.0');
    writeFileSync(file, good);
    expect(await call('late')).toBe('wiki/late 1.0.0');
    writeFileSync(join(place(folder), 'lib/tools/page.js'), 'this is no code');
    expect(await call('page')).toContain('PACK_BROKEN');
  });
});

describe('handlers of installed packs', () => {
  /** A published pack: sources in TypeScript, a build beside them. */
  const built = (where: string): string =>
    writeFolder({
      ...makePack('desk', { servers: { desk: 'tools: [built/a, built/b, built/c]\n' } }),
      ...below(where, {
        'package.json': '{"name": "built", "version": "1.0.0", "type": "module"}',
        'toolwright.yaml': '',
        'mcp/tools.yaml': 'a: { description: A. }\nb: { description: B. }\nc: { description: C. }\n',
        'src/tools/a.ts': "export default (): string => 'source of a';\n",
        'dist/tools/a.js': "export default () => 'build of a';\n",
        'src/tools/b.js': "export default () => 'source of b';\n",
        'src/tools/c.ts': "export default (): string => 'source of c';\n",
      }),
    });

  it('W46 an installed pack runs its build, else plain JavaScript, never TypeScript', async () => {
    const session = await start(built('node_modules/built'));
    expect(await session.call('a')).toBe('build of a');
    expect(await session.call('b')).toBe('source of b');
    expect(session.stderr()).toContain('an installed pack is not compiled, and it has no dist/tools/c.js');
    expect(await session.call('c')).toContain('PACK_BROKEN');
  });

  it('W46 a pack that was published without its build says so instead of advising stubs', async () => {
    const folder = built('node_modules/built');
    rmSync(join(folder, 'node_modules/built/src/tools/c.ts'));
    const { stderr } = await toolwright(['start'], { cwd: folder });
    expect(stderr).toContain('hint: the pack was published without dist/tools/c.js');
    expect(stderr).not.toContain('writes a stub');
  });

  it('W46 a linked pack runs its sources', async () => {
    const folder = built('packages/built');
    mkdirSync(join(folder, 'node_modules'));
    const { symlinkSync } = await import('node:fs');
    symlinkSync(join(folder, 'packages/built'), join(folder, 'node_modules/built'), 'dir');
    const { call } = await start(folder);
    expect([await call('a'), await call('c')]).toEqual(['source of a', 'source of c']);
  });
});
