// X12: tags pick items for servers, group docs, and filter lists and inspections.
import { describe, expect, it } from 'vitest';
import { vocabularyOf } from '../../../generator/compile/pack-schemas.js';
import { createServer } from '../../../runtime/index.js';
import { load } from '../../../runtime/load/load.js';
import { check, checkPlaces, loadFiles } from '../../harness/pack.js';
import { below, type PackFiles, writeFolder } from '../packs/code-packs.js';
import { makePack, startSession, toolwright } from '../packs/packs-kit.js';

const tagged = (name: string, tags: string) => ({
  [`mcp/tools/${name}.yaml`]: `description: ${name} it.\ntags: ${tags}\n`,
  [`lib/tools/${name}.js`]: `export default () => '${name}';\n`,
});

const desk: PackFiles = {
  ...makePack('desk', { tools: { plain: '' } }),
  ...tagged('boards', '[boards]'),
  ...tagged('find', '[issues, search]'),
  ...tagged('get', '[issues]'),
  'mcp/prompts/ask.yaml': 'description: Ask.\ntags: [issues]\ntext: Ask\n',
  'mcp/resources/guide.yaml': 'uri: a://guide\ntext: x\ntags: [issues]\n',
  'mcp/servers/main.yaml':
    'tools:\n  - get\n  - tag: issues\n  - "pl*"\nprompts: [{ tag: issues }]\nresources:\n  - tag: issues\n',
  'mcp/servers/other.yaml': 'tools: [boards]\nprompts: []\nresources: []\n',
};

function serverTools(list: string): readonly string[] {
  const files = { ...desk, 'mcp/servers/main.yaml': `tools: ${list}\n` };
  const server = loadFiles(files).program?.servers.find(({ item }) => item === 'main');
  return server?.tools.map(one => (one.from === 'own' ? one.item : '?')) ?? [];
}

describe('tags in servers', () => {
  it('fix-F6 X12 a server mixes tags with references and patterns, in the order of the list, each item once', () => {
    expect(serverTools('[{ tag: issues }]')).toEqual(['find', 'get']);
    expect(serverTools('[get, { tag: issues }]')).toEqual(['get', 'find']);
    expect(serverTools('["b*", { tag: issues }, { tag: search }, plain]')).toEqual(['boards', 'find', 'get', 'plain']);
    expect(serverTools('[{ tag: search }, { name: own, description: d, tags: [search] }]')).toEqual(['find', 'own']);
  });

  it('fix-F6 X12 an unknown tag is an error at its position, with what was probably meant', async () => {
    const wrong = async (list: string) =>
      (await check({ ...desk, 'mcp/servers/main.yaml': list })).map(
        ({ code, line, column, hint }) => `${code} ${line}:${column} ${hint}`,
      );
    expect(await wrong('tools:\n  - tag: isues\n')).toEqual(['link/no-such-tag 2:10 did you mean "issues"?']);
    expect(await wrong('prompts: [{ tag: search }]\n')).toEqual([
      'link/no-such-tag 1:18 tools have it: list it under `tools`',
    ]);
  });

  it.each([
    ['[{ tag: [issues] }]', 'validate/type 1:16'],
    ['[{ tag: "" }]', 'validate/pattern 1:16'],
    ['[{ tag: issues, name: x }]', 'validate/unknown-key 1:24'],
    ['[{ tag: issues, packs: x }]', 'validate/unknown-key 1:24'],
    ['[{ tg: issues }]', 'validate/unknown-key 1:11'],
    ['[{ tags: [issues] }]', 'validate/unknown-key 1:11'],
    ['[{}]', 'validate/missing-key 1:9'],
    ['[{ description: d }]', 'validate/missing-key 1:9'],
  ])('fix-F6 X12 a wrong selector has one diagnostic: %s', async (list, expected) => {
    const files = { ...desk, 'mcp/servers/main.yaml': `tools: ${list}\n` };
    expect(await checkPlaces(files)).toEqual([expected.replace(' ', ' mcp/servers/main.yaml:')]);
  });

  it('fix-F6 X12 `start`, `call`, `inspect`, `explain`, `list` and `createServer` agree on tags', async () => {
    const cwd = writeFolder(desk);
    const session = await startSession(['main'], { cwd });
    expect(await session.names()).toEqual(['get', 'find', 'plain']);
    expect(await session.call('find')).toBe('find');
    const { prompts } = await session.client.listPrompts();
    const { resources } = await session.client.listResources();
    expect([prompts.map(({ name }) => name), resources.map(({ uri }) => uri)]).toEqual([['ask'], ['a://guide']]);
    await session.client.close();
    expect((await toolwright(['call', 'main', 'find'], { cwd })).stdout).toBe('find\n');
    const { tools } = JSON.parse((await toolwright(['inspect', 'main', '--format', 'json'], { cwd })).stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['get', 'find', 'plain']);
    expect((await toolwright(['explain', 'server:main'], { cwd })).status).toBe(0);
    const { servers } = JSON.parse((await toolwright(['list', '--format', 'json'], { cwd })).stdout);
    expect(
      servers.map((one: Record<string, unknown>) => [one['name'], one['tools'], one['prompts'], one['resources']]),
    ).toEqual([
      ['desk/main', 3, 1, 1],
      ['desk/other', 1, 0, 0],
    ]);
    await using server = await createServer({
      name: 'code',
      packs: [cwd],
      tools: [{ name: 'ping', description: 'd', handler: () => 'pong' }, { tag: 'issues' }, { tag: 'search' }],
      prompts: [{ tag: 'issues' }],
      resources: [],
    });
    expect(server.tools.map(({ name }) => name)).toEqual(['ping', 'find', 'get']);
  });

  it('fix-F6 X12 a wrong selector in code is a DefinitionError', async () => {
    const packs = [writeFolder(desk)];
    await expect(createServer({ name: 'c', packs, tools: [{ tag: 'isues' }] })).rejects.toThrow(
      /did you mean "issues"/,
    );
    await expect(createServer({ name: 'c', tools: [{ tag: 'issues' }] })).rejects.toThrow(/`packs`, which is empty/);
    await expect(createServer({ name: 'c', packs, tools: [{ tag: 7 as never }] })).rejects.toThrow(
      /not a number|number/,
    );
    await expect(createServer({ name: 'c', packs, tools: [{ tag: 'issues', name: 'x' } as never] })).rejects.toThrow(
      /unknown key "name"/,
    );
  });
});

describe('`--tag`', () => {
  it('fix-F6 X12 `list --tag` keeps the servers that serve something with a tag, also of other packs', async () => {
    const cwd = writeFolder({
      ...makePack('app', {
        files: {
          'package.json': '{"name": "app", "version": "1.0.0", "type": "module", "dependencies": {"desk": "1"}}',
          'mcp/servers/whole.yaml': 'tools: [desk/*]\n',
          'mcp/servers/one.yaml': 'tools: [desk/boards]\n',
        },
      }),
      ...below('node_modules/desk', desk),
    });
    const names = async (tag: string) =>
      JSON.parse((await toolwright(['list', '--tag', tag, '--format', 'json'], { cwd })).stdout).servers.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('issues')).toEqual(['app/whole', 'desk/main']);
    expect(await names('boards')).toEqual(['app/one', 'app/whole', 'desk/other']);
    expect((await toolwright(['list', '--tag', 'issues'], { cwd })).stdout).not.toContain('app/one');
    const none = await toolwright(['list', '--tag', '__proto__'], { cwd });
    expect([none.status, none.stdout, none.stderr]).toEqual([0, '', expect.stringContaining('the tag "__proto__"')]);
  });

  it('fix-F6 X12 `inspect --tag` shows the items with a tag, of a server and of a pack', async () => {
    const cwd = writeFolder(desk);
    const text = await toolwright(['inspect', 'main', '--tag', 'search'], { cwd });
    expect(text.stdout).toContain('find');
    expect(text.stdout).not.toContain('guide');
    const pack = JSON.parse(
      (await toolwright(['inspect', 'pack:desk', '--tag', 'boards', '--format', 'json'], { cwd })).stdout,
    );
    expect([pack.tools.length, pack.prompts.length, pack.servers.map(({ item }: { item: string }) => item)]).toEqual([
      1,
      0,
      ['other'],
    ]);
    const none = await toolwright(['inspect', 'main', '--tag', 'serch'], { cwd });
    expect([none.status, none.stderr]).toEqual([0, expect.stringContaining('did you mean "search"?')]);
  });

  it('fix-F6 X12 the shell completes `--tag`', async () => {
    const cwd = writeFolder(desk);
    const { stdout } = await toolwright(['__complete', '--', 'list', '--tag', ''], { cwd });
    expect(stdout.split('\n').map(line => line.split('\t')[0])).toEqual(
      expect.arrayContaining(['boards', 'issues', 'search']),
    );
  });
});

describe('tags in `docs`', () => {
  it('fix-F6 X12 `docs` groups by the first tag, items without one last, and does not change without tags', async () => {
    const cwd = writeFolder(desk);
    const { stdout } = await toolwright(['docs', '--stdout'], { cwd });
    const headings = stdout.split('\n').filter(line => line.startsWith('###'));
    expect(headings).toEqual([
      '### boards',
      '#### `boards`',
      '### issues',
      '#### `find`',
      '#### `get`',
      '### Other',
      '#### `plain`',
      '### issues',
      '### issues',
    ]);
    await toolwright(['docs', '--html', 'page.html'], { cwd });
    const page = await (await import('node:fs/promises')).readFile(`${cwd}/page.html`, 'utf8');
    expect([...page.matchAll(/<h3 class="tag">(\w+)/g)].map(([, tag]) => tag)).toEqual([
      'boards',
      'issues',
      'Other',
      'issues',
      'issues',
    ]);
    const plain = writeFolder(makePack('plain', { tools: { a: '', b: '' } }));
    expect((await toolwright(['docs', '--stdout'], { cwd: plain })).stdout).toContain('\n### `a`\n');
  });
});

describe('tags in the editor', () => {
  it('fix-F6 X12 the vocabulary for the editor has the tags of a pack', () => {
    const { program } = load(writeFolder(desk));
    expect(program && vocabularyOf(program).tags).toEqual(['boards', 'issues', 'search']);
  });
});
