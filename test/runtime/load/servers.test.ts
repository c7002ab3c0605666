import { describe, expect, it } from 'vitest';
import { memoryFolder } from '../../harness/memory-folder.js';
import { check, checkPlaces, explained, loadFiles } from '../../harness/pack.js';

const tools = {
  'mcp/tools.yaml': 'get-issue: {description: a}\nget-user: {description: b}\ndelete: {description: c}\n',
};
const server = (text: string) => ({ 'toolwright.yaml': 'name: acme/jira\n', 'mcp/servers/s.yaml': text, ...tools });

describe('items of servers', () => {
  it('W70 references, patterns and qualified names resolve, and unknown ones get a suggestion', async () => {
    const files = server(
      "tools: [delete, 'get-*', acme/jira/delete, get-isue, 'put-*', other/pack/x, a//b, a/b/c/d]\n",
    );
    const found = await check(files);
    expect(found.map(one => [one.code, one.severity, one.hint])).toEqual([
      ['link/duplicate-reference', 'warning', 'remove one of them'],
      ['link/unknown-reference', 'error', 'did you mean "get-issue"?'],
      ['link/empty-pattern', 'warning', 'correct or remove it'],
      ['pack/not-installed', 'error', 'npm install @other/pack'],
      ['link/invalid-name', 'error', 'correct the reference'],
      ['link/invalid-name', 'error', 'correct the reference'],
    ]);
  });

  it('W18 W70 only what is defined is suggested, never a misspelt declaration', async () => {
    const found = await check({
      'toolwright.yaml': 'tools: [gret, farewell]\nprompts: [ak]\n',
      'mcp/tools/greet.yaml': 'description: A\n',
      'mcp/tools/farewell.yaml': 'description: [\n',
      'mcp/prompts.yaml': 'ask: {description: "{{tool:gree}}", text: x}\n',
      'mcp/servers/s.yaml': 'instructions: "{{tool:gre}} {{tool:farewel}}"\ntools: [gre]\nprompts: [ask]\n',
    });
    const hints = found.map(({ code, hint }) => [code, hint]);
    expect(hints.filter(([code]) => code?.startsWith('link/'))).toEqual([
      ['link/unknown-tool', 'correct the name'],
      ['link/unknown-tool', 'did you mean "farewell"?'],
      ['link/unknown-reference', 'correct the name, declare and define the item, or write pack/item'],
      ['link/unknown-reference', 'correct the name, declare and define the item, or write pack/item'],
    ]);
    expect(hints).toContainEqual(['resolve/missing-definition', 'did you mean "greet"?']);
  });

  it('a server without a list serves all items, and one with an empty list none', () => {
    const all = loadFiles(server('title: S\n')).program?.servers[0]?.tools;
    expect(all?.map(one => (one.from === 'own' ? one.item : ''))).toEqual(['delete', 'get-issue', 'get-user']);
    expect(loadFiles(server('tools: []\n')).program?.servers[0]?.tools).toEqual([]);
  });

  it('W22 an inline definition may stand wherever a reference may stand', async () => {
    const files = server(
      'tools:\n  - get-issue\n  - name: ping\n    description: Answers\n    parameters: {n: integer}\nprompts:\n  - {name: hello, description: h, text: hi}\n',
    );
    expect(await check(files)).toEqual([]);
    const { program } = loadFiles(files);
    expect(program?.servers[0]?.tools.map(one => (one.from === 'own' ? one.item : ''))).toEqual(['get-issue', 'ping']);
    expect(program?.tools.find(({ item }) => item === 'ping')?.inputSchema['required']).toEqual(['n']);
  });

  it('W22 mistakes of inline definitions have their own positions', async () => {
    const found = await checkPlaces(
      server(
        'tools:\n  - name: ping\n    description: d\n    parameters: {n: {type: string, pattern: "("}}\n  - {name: get-user, description: d}\n  - {description: no name}\n',
      ),
    );
    expect(found).toEqual([
      'schema/regex mcp/servers/s.yaml:4:45',
      'resolve/duplicate-item mcp/servers/s.yaml:5:12',
      'validate/missing-key mcp/servers/s.yaml:6:5',
    ]);
  });

  it('fix-N24 W56 W57 W58 W59 a collision of wire names numbers every member and is reported', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/servers/s.yaml': 'tools: [a, b, c]\nprompts: [p, q]\n',
      'mcp/tools.yaml': `${['a', 'b'].map(item => `${item}: {name: S, description: d}\n`).join('')}c: {name: S1, description: d}\n`,
      'mcp/prompts.yaml': ['p', 'q'].map(item => `${item}: {name: P, description: d, text: t}\n`).join(''),
    };
    const found = await check(files);
    expect(found.map(one => [one.code, one.file, one.line, one.column])).toEqual([
      ['link/wire-name-collision', 'mcp/prompts.yaml', 2, 11],
      ['link/wire-name-collision', 'mcp/tools.yaml', 2, 11],
    ]);
    expect(found[1]?.message).toBe(
      '2 tools in the server "s" are called "S", so clients see "a" as "S2" and "b" as "S3"',
    );
    expect(found[1]?.related).toMatchObject([
      { file: 'mcp/tools.yaml', line: 1, column: 11, message: 'another one with this name' },
    ]);
    const [linked] = loadFiles(files).program?.servers ?? [];
    expect(linked?.tools.map(one => (one.from === 'own' ? one.name : ''))).toEqual(['S2', 'S3', 'S1']);
    expect(linked?.prompts.map(one => (one.from === 'own' ? one.name : ''))).toEqual(['P1', 'P2']);
  });

  it('fix-N24 W20 W56 a collision is reported at a name that is written, else at the last item', async () => {
    const named = await check({
      'toolwright.yaml': '',
      'mcp/servers/project.yaml': '# s\ntitle: P\n',
      'mcp/tools/get-weather.yaml': 'description: d\nname: greet\n',
      'mcp/tools/greet.yaml': 'description: d\n',
    });
    expect(named).toMatchObject([
      {
        ...{ code: 'link/wire-name-collision', file: 'mcp/tools/get-weather.yaml', line: 2, column: 7, endColumn: 12 },
        related: [{ file: 'mcp/tools/greet.yaml', line: 1, column: 1 }],
        message:
          '2 tools in the server "project" are called "greet", so clients see "get-weather" as "greet1" and "greet" as "greet2"',
        hint: 'give the other one another `name`, or "greet" changes for clients that use it, with the permissions that users gave it',
      },
    ]);
    const inline = await check({
      'toolwright.yaml': '',
      'mcp/servers/s.yaml': 'tools:\n  - greet\n  - { name: hello, description: d }\n',
      'mcp/tools/greet.yaml': 'description: d\nname: hello\n',
    });
    expect(inline).toMatchObject([
      { file: 'mcp/servers/s.yaml', line: 3, column: 13, related: [{ file: 'mcp/tools/greet.yaml', line: 2 }] },
    ]);
  });

  it('a broken tool keeps its place and is not called unknown', async () => {
    const files = { ...server('tools: [broken]\n'), 'mcp/tools/broken.yaml': 'descripton: d\n' };
    expect((await check(files)).map(({ code }) => code)).toEqual(['validate/unknown-key']);
  });

  it('instructions may be text, a list or a file, and their mentions are checked', async () => {
    const files = { ...server('instructions: [one, "two {{tool:nope}}"]\n') };
    expect(await checkPlaces(files)).toEqual(['link/unknown-tool mcp/servers/s.yaml:1:26']);
    const fromFile = { ...server('instructions: {file: docs/i.md}\n'), 'docs/i.md': 'Be kind.\n' };
    expect(loadFiles(fromFile).program?.servers[0]?.instructions).toBe('Be kind.\n');
  });
});

describe('overlays', () => {
  const pack = {
    'toolwright.yaml': 'name: acme/jira\n',
    'mcp/tools/t.yaml':
      'title: T\ndescription: long\nguidelines:\n  whenToUse: often\n  avoidIf: never\noptions:\n  limit: {type: integer, default: 5}\nlimits: {timeoutMs: 10}\n',
  };
  const overlay = (files: Record<string, string>) => ({ overlays: [memoryFolder(files, '/overlay')] });

  it('P2 overlays merge maps one level deep, replace texts, remove with null, and later folders win', () => {
    const first = memoryFolder(
      { 'tools/t.yaml': 'title: null\ndescription: short\nguidelines: {avoidIf: null, sideEffects: some}\n' },
      '/one',
    );
    const second = memoryFolder(
      {
        'tools.yaml': 'acme/jira/t:\n  description: {file: d.md}\n  options: {limit: 9}\nother/t: {title: ignored}\n',
        'd.md': 'from file',
      },
      '/two',
    );
    const { program, diagnostics } = loadFiles(pack, { overlays: [first, second] });
    expect(diagnostics).toEqual([]);
    expect(program?.tools[0]).toMatchObject({ description: 'from file' });
    expect(program?.tools[0]?.definition).toEqual({
      description: 'from file',
      guidelines: { whenToUse: 'often', sideEffects: 'some' },
      options: { limit: { type: 'integer', default: 9 } },
      limits: { timeoutMs: 10 },
    });
  });

  it('P2 P18 `explain` gives file and line for every field of an overlay', () => {
    const { fields } = explained(
      pack,
      't',
      overlay({ 'tools/t.yaml': '\ndescription: short\nlimits:\n  resultChars: 7\n' }),
    );
    expect(fields).toMatchObject({
      title: { file: 'mcp/tools/t.yaml', line: 1 },
      description: { file: '../overlay/tools/t.yaml', line: 2 },
      'limits.timeoutMs': { file: 'mcp/tools/t.yaml', line: 8 },
      'limits.resultChars': { file: '../overlay/tools/t.yaml', line: 4 },
      'options.limit': { file: 'mcp/tools/t.yaml', line: 7 },
    });
  });

  it('P2 an overlay that patches a schema, a handler or a name is refused', async () => {
    const found = await checkPlaces(
      pack,
      overlay({ 'tools/t.yaml': 'name: x\nhandler: y.ts\nparameters: {}\ntitel: z\n' }),
    );
    expect(found).toEqual([
      'overlay/refused ../overlay/tools/t.yaml:1:1',
      'overlay/refused ../overlay/tools/t.yaml:2:1',
      'overlay/refused ../overlay/tools/t.yaml:3:1',
      'validate/unknown-key ../overlay/tools/t.yaml:4:1',
    ]);
  });

  it('P2 an overlay with unknown items or options or wrong option types is reported', async () => {
    const found = await check(pack, overlay({ 'tools.yaml': 'u: {title: x}\nt: {options: {limt: 3, limit: many}}\n' }));
    expect(found.map(one => [one.code, one.severity, one.line])).toEqual([
      ['overlay/unknown-item', 'warning', 1],
      ['overlay/unknown-option', 'warning', 2],
      ['overlay/option-type', 'error', 2],
    ]);
  });
});
