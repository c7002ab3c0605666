// `toolwright inspect` and `explain` over several packs: every property as data, names by context, pictures that cannot lie.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { below, type PackFiles, writeFolder } from '../runtime/packs/code-packs.js';
import { makePack, toolwright } from '../runtime/packs/packs-kit.js';

const mark = "import { writeFileSync } from 'node:fs';\nwriteFileSync('MARK', '');\n";

const server = `title: The desk
version: 2.1.0
instructions: Start with {{tool:ask}} or {{tool:acme/jira/search}}.
tools: [ask, acme/jira/search, search, gone/pack/x]
prompts: [hello]
resources: [home]
transport: http
http: { port: 8080 }
auth: { type: bearer, env: DESK_TOKEN }
configName: front-desk
strictArguments: true
initialize: lib/mark.js
`;

function desk(more: PackFiles = {}): string {
  return writeFolder({
    ...makePack('desk', { tools: { search: '' }, servers: { desk: server, other: 'tools: []\n' } }),
    'mcp/tools/ask.yaml':
      'description: Ask.\neffect: read\nparameters: { what: { type: string, description: The question } }\nlimits: { timeoutMs: 5 }\nhandler: lib/mark.js\n',
    'mcp/prompts/hello.yaml': 'description: H.\narguments: { who: { required: true } }\ntext: Hello {{who}}\n',
    'mcp/resources/home.yaml': 'uri: desk://home\ntext: Home\n',
    'lib/mark.js': `${mark}export default () => {};\n`,
    ...below(
      'node_modules/@acme/jira',
      makePack('@acme/jira', { tools: { search: '' }, servers: { s: 'tools: []\n' } }),
    ),
    ...below('node_modules/acme', makePack('acme', { servers: { jira: 'tools: []\n', only: 'tools: []\n' } })),
    ...more,
  });
}

async function json(cwd: string, ...args: readonly string[]) {
  const { stdout, status } = await toolwright(['inspect', ...args, '--format', 'json'], { cwd });
  return { status, ...(JSON.parse(stdout) as Record<string, unknown>) } as Record<string, unknown>;
}

describe('`toolwright inspect`', () => {
  it('W54 `inspect` shows every property of a server, its items, collisions and missing packs, and runs nothing', async () => {
    const cwd = desk();
    const found = await json(cwd, 'desk');
    expect(found).toMatchObject({
      name: 'desk',
      item: 'desk',
      pack: 'desk',
      version: '2.1.0',
      title: 'The desk',
      transport: 'http',
      instructions: 'Start with ask or search1.',
      enabled: true,
      configName: 'front-desk',
      strictArguments: true,
      properties: { http: { port: 8080 }, auth: { type: 'bearer', env: 'DESK_TOKEN' }, initialize: 'lib/mark.js' },
      file: 'mcp/servers/desk.yaml',
      tools: [
        {
          name: 'ask',
          item: 'ask',
          pack: 'desk',
          description: 'Ask.',
          inputSchema: { properties: { what: { type: 'string' } }, required: ['what'] },
          annotations: { readOnlyHint: true },
          effect: 'read',
          limits: { timeoutMs: 5 },
          handler: 'lib/mark.js#default',
          file: 'mcp/tools/ask.yaml',
          line: 1,
        },
        { name: 'search1', item: 'search', pack: 'acme/jira', file: 'node_modules/@acme/jira/mcp/tools/search.yaml' },
        { name: 'search2', item: 'search', pack: 'desk' },
      ],
      prompts: [{ name: 'hello', type: 'text', arguments: [{ name: 'who', required: true }], pack: 'desk' }],
      resources: [{ name: 'home', uri: 'desk://home', pack: 'desk' }],
      collisions: [
        {
          kind: 'tool',
          name: 'search',
          members: [
            { name: 'search1', item: 'search', pack: 'acme/jira' },
            { name: 'search2', item: 'search', pack: 'desk' },
          ],
        },
      ],
      packs: [{ name: 'desk', folder: '.' }, { name: 'acme/jira' }],
      missing: [{ pack: 'gone/pack', command: 'npm install @gone/pack' }],
      status: 1,
    });
    expect((found as unknown as { diagnostics: { code: string; line: number }[] }).diagnostics).toMatchObject([
      { code: 'link/wire-name-collision', line: 4 },
      { code: 'pack/not-installed', line: 4, hint: 'npm install @gone/pack' },
    ]);
    expect(existsSync(join(cwd, 'MARK'))).toBe(false);
  });

  it('W54 `inspect` reports a broken item for the servers that list it', async () => {
    const cwd = desk({
      'mcp/tools/ask.yaml': 'description: Ask.\nefect: read\n',
      'mcp/prompts/hello.yaml': 'text: [\n',
    });
    const found = await json(cwd, 'desk');
    expect([found['status'], found['tools'], found['prompts']]).toMatchObject([1, [{ item: 'search' }, {}], []]);
    expect(found['diagnostics']).toMatchObject([
      { code: 'parse/yaml', file: 'mcp/prompts/hello.yaml' },
      { code: 'link/wire-name-collision' },
      { code: 'pack/not-installed' },
      { code: 'validate/unknown-key', file: 'mcp/tools/ask.yaml', hint: 'did you mean "effect"?' },
    ]);
    const { diagnostics, status } = await json(cwd, 'other');
    expect([status, diagnostics]).toMatchObject([1, [{ code: 'parse/yaml', file: 'mcp/prompts/hello.yaml' }]]);
  });

  it('W54 `inspect` shows the items of a pack and each of its servers', async () => {
    const found = await json(desk(), 'pack:desk');
    expect(found).toMatchObject({
      name: 'desk',
      version: '1.0.0',
      folder: '.',
      servers: [{ name: 'desk' }, { name: 'other' }],
      tools: [{ name: 'ask' }, { name: 'search' }],
      missing: [{ pack: 'gone/pack' }],
    });
  });

  it('W45 `inspect` accepts a server, a pack, a server of a pack and a built-in server, and exits with 2 for ambiguous names', async () => {
    const cwd = desk();
    expect(await json(cwd, 'other')).toMatchObject({ name: 'other', status: 0 });
    expect(await json(cwd, 'acme')).toMatchObject({ name: 'acme', servers: [{ name: 'jira' }, { name: 'only' }] });
    expect(await json(cwd, 'acme/only')).toMatchObject({ name: 'only', pack: 'acme' });
    expect(await json(cwd, 'acme/jira/s')).toMatchObject({ name: 's', pack: 'acme/jira' });
    expect(await json(cwd, 'pack-development')).toMatchObject({ name: 'pack-development' });
    const both = await toolwright(['inspect', 'acme/jira'], { cwd });
    expect(both).toMatchObject({ status: 2, stdout: '' });
    expect(both.stderr).toContain('write pack:acme/jira or server:acme/jira');
    const told = async (name: string) => (await toolwright(['inspect', name], { cwd })).stderr;
    expect(await told('server:acme')).toBe('toolwright: there is no server "acme" (desk has desk, other)\n');
    expect(await told('pack:acme/jia')).toContain('the pack "acme/jia" is not installed');
    expect(await told('acme/onyl')).toContain('did you mean "only"? (acme has jira, only)');
    expect(await json(cwd, 'pack:acme/jira')).toMatchObject({ name: 'acme/jira', tools: [{ name: 'search' }] });
    expect(await json(cwd, 'server:acme/jira')).toMatchObject({ name: 'jira', pack: 'acme' });
    // Without a name: the one server, else the pack.
    expect(await json(cwd)).toMatchObject({ name: 'desk', folder: '.' });
    expect(await json(join(cwd, 'node_modules/@acme/jira'))).toMatchObject({ name: 's' });
  });

  it('W45 `inspect` says what to do about a name that it cannot find', async () => {
    const cwd = desk();
    for (const [name, reason] of [
      ['othr', 'did you mean "other"?'],
      ['acme/onl', 'did you mean "only"?'],
      ['gone/pack', 'npm install @gone/pack'],
      ['gone/pack/server', 'npm install @gone/pack'],
      ['a/b/c/d', 'more than three segments'],
      ['../desk', 'names are not paths'],
      ['', 'it is empty'],
    ] as const) {
      const ran = await toolwright(['inspect', name], { cwd });
      expect([name, ran.status, ran.stdout]).toEqual([name, 2, '']);
      expect(ran.stderr).toContain(reason);
    }
  });

  it('X1 `inspect` shows the type of a parameter that refers to a shared schema', async () => {
    const cwd = desk({
      'mcp/tools/ask.yaml': 'description: Ask.\nparameters: { box: { $ref: schema:box, description: The box } }\n',
      'mcp/schemas/box.yaml': '$ref: schema:thing\n',
      'mcp/schemas/thing.yaml': 'type: object\n',
    });
    expect((await toolwright(['inspect', 'desk'], { cwd })).stdout).toContain('- box: object  The box\n');
  });

  it('W54 `inspect` prints a server as text without control characters', async () => {
    const cwd = desk({ 'mcp/tools/search.yaml': 'description: "a\\e[31mred"\n' });
    const { stdout } = await toolwright(['inspect', 'desk'], { cwd });
    expect(stdout).toContain('search1  acme/jira/search');
    expect(stdout).toContain('- what: string  The question');
    expect(stdout).toContain('npm install @gone/pack');
    expect(stdout).not.toContain('\u001b');
  });

  it('W54 `inspect` prints a pack as text: its items first, then each server with its own', async () => {
    const { stdout } = await toolwright(['inspect', 'pack:acme/jira'], { cwd: desk() });
    const heads = stdout.split('\n').filter(line => /^\S/.test(line));
    expect(heads).toEqual(['acme/jira 1.0.0  pack', 'tools (1)', 's 1.0.0  server s of acme/jira, stdio']);
  });

  it('W54 `inspect --format mermaid` prints a diagram whose labels cannot become anything else', async () => {
    const cwd = desk({
      'mcp/servers/desk.yaml':
        'name: \'a"]; click n0 "javascript:x" <b>\'\ntools: [ask, acme/jira/search, search, gone/pack/x]\n',
    });
    const { stdout } = await toolwright(['inspect', 'desk', '--format', 'mermaid'], { cwd });
    expect(stdout).toMatch(/^flowchart LR\n {2}subgraph p0\["desk"\]\n/);
    expect(stdout).toContain('n0(["a#34;#93;#59; click n0 #34;javascript:x#34; #60;b#62;"])');
    expect(stdout).toContain('subgraph p2["gone/pack not installed"]');
    expect(stdout).toContain('n0 -- "search1" --> n2');
  });
});

describe('`toolwright explain` over several packs', () => {
  it('W45 `explain` accepts names of other packs, of the own pack and of the built-in one', async () => {
    const cwd = desk();
    const at = async (name: string): Promise<unknown> => {
      const { stdout } = await toolwright(['explain', name, '--format', 'json'], { cwd });
      return (JSON.parse(stdout) as { winner: { file: string } }).winner.file;
    };
    expect(await at('acme/jira/search')).toBe('node_modules/@acme/jira/mcp/tools/search.yaml');
    expect(await at('tool:acme/jira/search')).toBe('node_modules/@acme/jira/mcp/tools/search.yaml');
    expect(await at('desk/search')).toBe('mcp/tools/search.yaml');
    expect(await at('server:acme/only')).toBe('node_modules/acme/mcp/servers/only.yaml');
    expect(await at('check_pack')).toMatch(/builtin\/mcp\/tools\/check_pack\.yaml$/);
    const missing = await toolwright(['explain', 'gone/pack/x'], { cwd });
    expect(missing).toMatchObject({ status: 2, stdout: '' });
    expect(missing.stderr).toContain('npm install @gone/pack');
  });

  it('W45 `explain` suggests names of the same pack for an item of another pack', async () => {
    const cwd = desk({ 'node_modules/@acme/jira/mcp/prompts/search.yaml': 'description: S.\ntext: Search.\n' });
    const both = await toolwright(['explain', 'acme/jira/search'], { cwd });
    expect(both.stderr).toContain('write tool:acme/jira/search or prompt:acme/jira/search');
    const none = await toolwright(['explain', 'tool:acme/jira/find'], { cwd });
    expect(none.stderr).toBe('toolwright: the pack acme/jira has no tool "find"\n');
  });
});
