// Imports and packs: new ones, several sources, names that are taken, records that are lost, values that are odd.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InitSettings } from '../../../generator/author/init-settings.js';
import { planImport } from '../../../generator/import/plan-import.js';
import { planRemove } from '../../../generator/remove/plan-remove.js';
import { planRename } from '../../../generator/rename/plan-rename.js';
import { applyEdits } from '../../../generator/rename/text-edits.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { parse } from '../../../schema/parse/parse.js';
import { writeFiles } from '../../harness/files.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { check } from '../../harness/pack.js';
import { apply, importInto, plan, schema, source, type Texts, tell, tool } from './merge-world.js';

const backends = { shop: { type: 'http', url: 'https://api.example' } } as const;
const http = (path: string): object => ({ backend: 'shop', method: 'GET', path });
const list = tool('list', {
  title: 'List',
  description: 'Lists',
  inputSchema: { type: 'object' },
  http: http('/list'),
});
const show = tool('show', {
  title: 'Show',
  description: 'Shows',
  inputSchema: { type: 'object' },
  http: http('/show'),
});
const api = source([list, show], { backends });
const record = 'toolwright.import.json';

const settings: InitSettings = {
  name: 'shop',
  description: 'A shop',
  language: 'js',
  transport: 'stdio',
  isEmpty: true,
  toolwright: '*',
  manager: { name: 'npm', version: undefined } as never,
  editors: [],
  isRepository: false,
};

describe('an import into a pack', () => {
  it('I1: a pack with imported items has no mistakes, and the record is not one of its definitions', async () => {
    const texts = importInto({ 'toolwright.yaml': '' }, api);
    expect((await check(texts)).filter(({ severity }) => severity !== 'info')).toEqual([]);
    const here = importInto({ 'toolwright.yaml': 'root: .\n' }, api);
    expect(Object.keys(here)).toContain('tools/list.yaml');
    expect((await check(here)).filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('I1: a new pack gets its manifest, its package and a server with what the source says of it', async () => {
    const folder = memoryFolder({ 'README.txt': 'mine' });
    const imported = { ...api, instructions: 'Shop wisely.\nAlways.', server: { title: 'The shop' } };
    const planned = planImport({
      folder,
      loaded: undefined,
      newPack: settings,
      imported,
      source: { address: 'x.json' },
    });
    expect(planned.diagnostics).toEqual([]);
    const texts = apply({ 'README.txt': 'mine' }, planned);
    expect(Object.keys(texts)).toEqual(
      expect.arrayContaining(['toolwright.yaml', 'package.json', 'mcp/tools/list.yaml', record]),
    );
    expect(planned.changes.at(-1)?.path).toBe(record);
    const server = Object.entries(texts).find(([path]) => path.startsWith('mcp/servers/'))?.[1];
    expect(server).toContain('title: The shop\n');
    expect(server).toContain('instructions: |-\n  Shop wisely.\n  Always.\n');
    expect((await check(texts)).filter(({ severity }) => severity === 'error')).toEqual([]);
    const again = planImport({
      folder: memoryFolder(texts),
      loaded: load(memoryFolder(texts)),
      imported,
      source: { address: 'x.json' },
    });
    expect(again.changes).toEqual([]);
    const edited = {
      ...texts,
      ...Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replace('The shop', 'My shop')])),
    };
    expect(tell(plan(edited, { ...imported, instructions: 'Shop.' }, { source: { address: 'x.json' } }))).toEqual(
      expect.arrayContaining(['updated server shop', '  took shop:/instructions', '  kept shop:/title']),
    );
  });

  it('I1: notes are comments at the head that no text breaks out of, and they follow the source', () => {
    const noted = (notes: readonly string[]): ReturnType<typeof source> => source([{ ...list, notes }], { backends });
    const texts = importInto(
      { 'toolwright.yaml': '' },
      noted(['Pruned: see\nhttp: evil', 'a\r\u2028b: c', '\u001b[31m']),
    );
    const file = 'mcp/tools/list.yaml';
    expect(texts[file]).toContain('# Pruned: see\n# http: evil\n# a\n#\n# b: c\n#  [31m\ntitle: List\n');
    const next = importInto(texts, noted(['Other']));
    expect(next[file]).toContain('schema.json\n# Other\ntitle: List\n');
    const mine = { ...texts, [file]: (texts[file] ?? '').replace('# Pruned: see\n', '# Mine\n') };
    expect(importInto(mine, noted(['Other']))[file]).toContain('# Mine\n# http: evil\n');
  });

  it('I1: texts, keys and depths of every kind survive', () => {
    const odd = [
      '',
      ' ',
      'a ',
      ' a',
      '#',
      'a #b',
      'a: b',
      '- x',
      '{{x}}',
      '\t',
      'a\tb',
      'a\rb',
      'a\r\nb\n',
      'a\n',
      '\na',
      'a\n\n',
      '\u2028',
      '\u0085',
      '\ufeff',
      'null',
      '1',
      '~',
      '😀',
      '\ud800',
      '"',
      "'",
      '\\',
      '%',
      '@',
      '`',
      '|',
      '>',
      '*a',
      '&a',
      '!a',
      '? a',
      'x'.repeat(5000),
      '  two\n one',
      'a\n  \nb',
      '<<',
      '---',
      '...',
      '%YAML',
    ];
    const keys = [
      'null',
      '123',
      'constructor',
      '',
      '<<',
      'toString',
      'a b',
      '-',
      '?',
      'k'.repeat(2000),
      '#x',
      'y',
      '1.10',
      'true',
    ];
    let deep: Record<string, unknown> = { end: true };
    for (let depth = 0; depth < 100; depth++) deep = { inner: deep };
    const definition = {
      description: 'D',
      odd,
      map: Object.fromEntries(keys.map((key, index) => [key, odd[index] ?? {}])),
      each: odd.map(text => ({ text })),
      deep,
      empty: [{}, [], null],
      long: odd.concat(odd),
    };
    const texts = importInto({ 'toolwright.yaml': '' }, source([schema('odd', definition)]));
    const text = texts['mcp/schemas/odd.yaml'] ?? '';
    expect(parse({ path: 'a.yaml', format: 'yaml', text, hash: '' })).toMatchObject({ diagnostics: [] });
    expect(parse({ path: 'a.yaml', format: 'yaml', text, hash: '' }).documents[0]?.value).toEqual(definition);
    expect(plan(texts, source([schema('odd', definition)])).changes).toEqual([]);
    // Each of them is changed, added and removed by edits of a file that has comments.
    const mine = { ...texts, 'mcp/schemas/odd.yaml': text.replace('description: D', 'description: D # mine') };
    const turned = {
      ...definition,
      map: Object.fromEntries(keys.map((key, index) => [key, odd[index + 20] ?? {}])),
      each: [],
      extra: odd,
    };
    const next = importInto(mine, source([schema('odd', turned)]))['mcp/schemas/odd.yaml'] ?? '';
    expect(next).toContain('description: D # mine\n');
    expect(parse({ path: 'a.yaml', format: 'yaml', text: next, hash: '' }).documents[0]?.value).toEqual(turned);
  });

  it('I1: what no file can say is left out, and everything else is imported', () => {
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 5000; depth++) deep = { inner: deep };
    const bad = [
      schema(
        'proto',
        JSON.parse('{"properties": {"__proto__": {"type": "string"}}}') as object as Record<string, unknown>,
      ),
      schema('deep', deep),
      schema('infinite', { maximum: Number.POSITIVE_INFINITY }),
    ];
    const planned = plan({ 'toolwright.yaml': '' }, source([...bad, list], { backends }));
    expect(planned.diagnostics.map(({ code }) => code)).toEqual([
      'import/left-out',
      'import/left-out',
      'import/left-out',
    ]);
    expect(tell(planned)).toEqual(['created backend shop', 'created tool list']);
  });

  it('I1: a source that was not read, or not whole, removes nothing', () => {
    const texts = importInto({ 'toolwright.yaml': '' }, api);
    const failed = { ...api, items: [], diagnostics: [{ ...failure, severity: 'error' as const }] };
    expect(plan(texts, failed, { options: { prune: true } }).changes).toEqual([]);
    const half = { ...api, items: [list], isPartial: true };
    expect(tell(plan(texts, half, { options: { prune: true } }))).toContain('left-out tool show');
  });
});

const failure = {
  code: 'import/server-failed',
  message: 'no',
  file: 'x',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
} as const;

describe('names that are taken', () => {
  it('I1: two sources with the same names live side by side, and refer to what is theirs', () => {
    const issue = (type: string): ReturnType<typeof schema> =>
      schema('issue', { type: 'object', properties: { id: { type }, a: {}, b: { type: 'null' } } });
    const one = source(
      [tool('list', { title: 'One', output: { $ref: 'schema:issue' }, http: http('/a') }), issue('string')],
      {
        backends,
        config: { TOKEN: { type: 'string', secret: true } },
      },
    );
    const two = source(
      [tool('list', { title: 'Two', output: { $ref: 'schema:issue' }, http: http('/b') }), issue('integer')],
      {
        name: 'other',
        backends: { shop: { type: 'http', url: 'https://other.example/{config.TOKEN}', auth: { bearer: 'TOKEN' } } },
        config: { TOKEN: { type: 'string', secret: true } },
      },
    );
    const texts = importInto(importInto({ 'toolwright.yaml': '' }, one), two, { source: { address: 'other.json' } });
    expect(texts['mcp/tools/list.yaml']).toContain(
      'title: One\noutput:\n  $ref: schema:issue\nhttp:\n  backend: shop\n',
    );
    expect(texts['mcp/tools/list-other.yaml']).toContain(
      'title: Two\noutput:\n  $ref: schema:issue-other\nhttp:\n  backend: shop-other\n',
    );
    expect(texts['toolwright.yaml']).toContain(
      '  shop-other:\n    type: http\n    url: https://other.example/{config.TOKEN_OTHER}\n    auth:\n      bearer: TOKEN_OTHER\n',
    );
    expect(plan(texts, one).changes).toEqual([]);
    expect(plan(texts, two, { source: { address: 'other.json' } }).changes).toEqual([]);
    // A document at another address is the same source as long as it has some of its items.
    expect(plan(texts, two, { source: { address: 'moved.json' } }).source).toBe('other');
    expect(plan(texts, source([], { name: 'other' }), { source: { address: 'moved.json' } }).source).toBe('other-2');
  });

  it('I1: names that differ in case alone are taken', () => {
    const texts = { 'toolwright.yaml': '', 'mcp/tools/LIST.yaml': 'description: Mine\n' };
    expect(tell(plan(texts, api))).toContain('created tool list-shop');
  });

  it('I1: a file that no import has written, or a folder, stops an import', () => {
    const texts = {
      'toolwright.yaml': 'tools: [other]\n',
      'mcp/tools/other.yaml': 'description: O\n',
      'mcp/tools/list.yaml': 'description: Mine\n',
    };
    const planned = plan(texts, api);
    expect(planned.diagnostics.map(({ code, file }) => `${code} ${file}`)).toContain(
      'import/in-the-way mcp/tools/list.yaml',
    );
    expect(planned.changes).toEqual([]);
  });

  it('I1: a toolwright.yaml or an item with mistakes stops an import, and nothing in it is written over', () => {
    const codes = (texts: Texts, imported = api): readonly string[] => {
      const planned = plan(texts, imported);
      expect(planned.changes).toEqual([]);
      return planned.diagnostics.map(({ code, file }) => `${code} ${file}`);
    };
    expect(codes({ 'toolwright.yaml': 'config: [a]\n' })).toEqual(['validate/type toolwright.yaml']);
    expect(codes({ 'toolwright.yaml': 'tools: x\n' })).toEqual(['validate/type toolwright.yaml']);
    const texts = importInto({ 'toolwright.yaml': '' }, api);
    expect(codes({ ...texts, 'mcp/tools/list.yaml': 'title: "x\n' })).toEqual([
      'import/in-the-way mcp/tools/list.yaml',
    ]);
  });

  it('I1: a tool that another one mentions is not pruned', () => {
    const texts = importInto({ 'toolwright.yaml': '' }, api);
    const mine = { ...texts, 'mcp/tools/mine.yaml': 'description: See {{tool:show}}.\n' };
    const planned = plan(mine, source([list], { backends }), { options: { prune: true } });
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([
      { code: 'link/unknown-tool', file: 'mcp/tools/mine.yaml', line: 1, column: 18 },
    ]);
    const listed = { ...texts, 'mcp/servers/a.yaml': 'tools: [list, show] # both\n' };
    const pruned = importInto(listed, source([list], { backends }), { options: { prune: true } });
    expect(pruned['mcp/servers/a.yaml']).toBe('tools: [list] # both\n');
  });

  it('I1: an item that its author deleted and wrote again in another way stays the own one', () => {
    const texts = importInto({ 'toolwright.yaml': '' }, api);
    const { 'mcp/tools/list.yaml': _, ...gone } = texts;
    const noted = importInto(gone, api);
    const mine = { ...noted, 'mcp/tools/list.yaml': 'description: My own way to list\n' };
    const planned = plan(mine, source([tool('list', { ...list.definition, title: 'New' }), show], { backends }));
    expect(tell(planned)).toContain('deleted tool list');
    expect(apply(mine, planned)['mcp/tools/list.yaml']).toBe('description: My own way to list\n');
    expect(planned.diagnostics).toEqual([]);
  });
});

describe('the record of imports', () => {
  const texts = importInto({ 'toolwright.yaml': '' }, api);

  it('I1: a record that was lost is made again of what equals the source, and everything else is a conflict', () => {
    const { [record]: _, ...lost } = texts;
    const planned = plan(lost, api);
    expect(tell(planned)).toEqual(['adopted backend shop', 'adopted tool list', 'adopted tool show']);
    expect(apply(lost, planned)).toEqual(texts);
    const mine = {
      ...lost,
      'mcp/tools/list.yaml': (texts['mcp/tools/list.yaml'] ?? '').replace('title: List', 'title: Mine'),
    };
    expect(
      plan(mine, api).diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`),
    ).toEqual(['import/conflict mcp/tools/list.yaml:2:8']);
    const kept = importInto(mine, api, { options: { ours: 'all' } });
    expect(kept['mcp/tools/list.yaml']).toContain('title: Mine\n');
    expect(plan(kept, api).changes).toEqual([]);
  });

  it('I1: after --ours the same conflict is not raised again, and the next change of the source is', () => {
    const mine = {
      ...texts,
      'mcp/tools/list.yaml': (texts['mcp/tools/list.yaml'] ?? '').replace('title: List', 'title: Mine'),
    };
    const titled = (title: string): ReturnType<typeof source> =>
      source([tool('list', { ...list.definition, title }), show], { backends });
    const resolved = importInto(mine, titled('Second'), { options: { ours: ['list'] } });
    expect(plan(resolved, titled('Second')).changes).toEqual([]);
    expect(tell(plan(resolved, titled('Third')))).toContain('  conflict list:/title');
    const edited = {
      ...mine,
      'mcp/tools/list.yaml': (mine['mcp/tools/list.yaml'] ?? '').replace('title: Mine', 'title: Second'),
    };
    expect(plan(edited, titled('Second')).diagnostics).toEqual([]);
  });

  it('I1: a conflict names both texts, its place in the pack and its place in the source', () => {
    const mine = {
      ...texts,
      'mcp/tools/list.yaml': (texts['mcp/tools/list.yaml'] ?? '').replace('title: List', 'title: "Mine"'),
    };
    const site = (): { file: string; line: number; column: number; endLine: number; endColumn: number } => ({
      file: 'api.json',
      line: 7,
      column: 3,
      endLine: 7,
      endColumn: 9,
    });
    const [found, ...others] = plan(
      mine,
      source([tool('list', { ...list.definition, title: 'Theirs' }, { site }), show], { backends }),
    ).diagnostics;
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'import/conflict',
      file: 'mcp/tools/list.yaml',
      line: 2,
      column: 8,
      message: '"list:/title" was changed here and in the source: "Mine" here, "Theirs" there',
      related: [{ file: 'api.json', line: 7 }],
    });
    expect(found?.hint).toContain('--ours list:/title');
    expect(found?.hint).toContain('GET /list');
  });

  it('I1: a choice that names no conflict is reported', () => {
    const planned = plan(texts, api, { options: { ours: ['lst'], theirs: ['list:/title'] } });
    expect(planned.diagnostics.map(({ message }) => message)).toEqual([
      '--ours lst chooses nothing: there is no such conflict',
      '--theirs list:/title chooses nothing: there is no such conflict',
    ]);
  });

  it.each([
    [
      'has the marks of a merge',
      (text: string) =>
        text.replace(/^ {8}"tool list.*$/m, line => `<<<<<<< ours\n${line}\n=======\n${line}\n>>>>>>> theirs`),
      9,
      'conflict markers of git',
    ],
    ['is not JSON', (text: string) => text.replace('"sources"', 'sources'), 3, 'double quotes'],
    ['is of a newer version', (text: string) => text.replace('"version": 1', '"version": 2'), 2, 'newer version'],
    [
      'has an item that is none',
      (text: string) => text.replace('"place":"GET /list"', '"place":7'),
      9,
      'not as an import writes it',
    ],
    ['has no address', (text: string) => text.replace(/"address": .*,/, '"address": 1,'), 4, 'no address'],
  ])('I1: a record that %s stops the import with its line', (_, spoil, line, words) => {
    const spoiled = { ...texts, [record]: spoil(texts[record] ?? '') };
    expect(spoiled[record]).not.toBe(texts[record]);
    const { changes, diagnostics } = plan(spoiled, api);
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'import/record', file: record, line }]);
    expect(diagnostics[0]?.message).toContain(words);
  });

  it('I1: two branches that import different items merge line by line', () => {
    const lines = (imported: ReturnType<typeof source>): readonly string[] =>
      (importInto({ 'toolwright.yaml': '' }, imported)[record] ?? '').split('\n');
    const both = lines(api);
    for (const line of lines(source([list], { backends })))
      expect(both.map(one => one.replace(/,$/, ''))).toContain(line.replace(/,$/, ''));
    expect(both.filter(line => line.includes('"tool ')).length).toBe(2);
  });

  it('I1: `rename` and `remove` keep the record right', async () => {
    const issue = schema('issue', { type: 'object', properties: { id: { type: 'string' } } });
    const using = source([tool('list', { ...list.definition, outputSchema: { $ref: 'schema:issue' } }), show, issue], {
      backends,
    });
    const before = importInto({ 'toolwright.yaml': '' }, using);
    let after: Texts = before;
    for (const request of [
      { kind: 'tool', from: 'list', to: 'list-all' },
      { kind: 'schema', from: 'issue', to: 'ticket' },
    ] as const) {
      const folder = memoryFolder(after);
      const { edits, moves, diagnostics } = await planRename(load(folder), folder, request);
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const next: Record<string, string> = { ...after };
      for (const one of edits) next[one.path] = applyEdits(one);
      for (const { from, to } of moves) {
        next[to] = next[from] ?? '';
        delete next[from];
      }
      after = next;
    }
    expect(Object.keys(after)).toEqual(expect.arrayContaining(['mcp/tools/list-all.yaml', 'mcp/schemas/ticket.yaml']));
    expect(plan(after, using).changes).toEqual([]);
    expect(tell(plan(after, using))).toEqual([
      'unchanged backend shop',
      'unchanged schema ticket',
      'unchanged tool list-all',
      'unchanged tool show',
    ]);
    const disk = mkdtempSync(join(tmpdir(), 'toolwright-record-'));
    const folder = nodeFolder(writeFiles(disk, after));
    const removed = await planRemove(load(folder), folder, { kind: 'tool', item: 'show' });
    rmSync(disk, { recursive: true });
    const without = apply(after, removed);
    expect(without[record]).toContain('"isDeleted":true');
    expect(tell(plan(without, using))).toContain('deleted tool show');
    expect(plan(without, using).changes).toEqual([]);
    const own = { ...without, 'mcp/tools/show.yaml': 'description: Mine\n' };
    expect(apply(own, plan(own, using))['mcp/tools/show.yaml']).toBe('description: Mine\n');
  });
});
