// What an import must not do, however odd the pack, the record or the choices are: lose a text of the author, miss a change of the source,
// or write what no pack can have.
import { describe, expect, it } from 'vitest';
import { apply, importInto, plan, schema, source, type Texts, tell, tool } from './merge-world.js';

const record = 'toolwright.import.json';
const backends = { shop: { type: 'http', url: 'https://api.example' } } as const;
const http = (path: string): object => ({ backend: 'shop', method: 'GET', path });
const listed = (more: object = {}): ReturnType<typeof tool> =>
  tool('list', { title: 'List', description: 'Lists', ...more, http: http('/list') });
const show = tool('show', { title: 'Show', description: 'Shows', http: http('/show') });
const api = (more: object = {}): ReturnType<typeof source> => source([listed(more), show], { backends });
const start = (): Texts => importInto({ 'toolwright.yaml': '' }, api());

function edit(texts: Texts, path: string, from: string, to: string): Texts {
  const next = (texts[path] ?? '').replace(from, to);
  expect(next).not.toBe(texts[path]);
  return { ...texts, [path]: next };
}

describe('choices', () => {
  const mine = edit(
    edit(start(), 'mcp/tools/list.yaml', 'title: List', 'title: Mine'),
    'mcp/tools/list.yaml',
    'Lists',
    'My list',
  );
  const theirs = api({ title: 'Theirs', description: 'Their list' });
  const texts = (options: object): readonly unknown[] => {
    const planned = plan(mine, theirs, { options });
    expect(planned.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return (apply(mine, planned)['mcp/tools/list.yaml'] ?? '').match(/^(?:title|description): .*$/gm) ?? [];
  };

  it('I4: of --ours and --theirs the one counts that names more of the field', () => {
    expect(texts({ theirs: 'all', ours: ['list'] })).toEqual(['title: Mine', 'description: My list']);
    expect(texts({ ours: 'all', theirs: ['list:/title'] })).toEqual(['title: Theirs', 'description: My list']);
    expect(texts({ theirs: ['list'], ours: ['list:/title'] })).toEqual(['title: Mine', 'description: Their list']);
    expect(texts({ ours: ['list'], theirs: ['list:/title'] })).toEqual(['title: Theirs', 'description: My list']);
  });

  it('I4: a field that both name stays a conflict', () => {
    const planned = plan(mine, theirs, { options: { ours: ['list'], theirs: ['list'] } });
    expect(planned.diagnostics.map(({ code }) => code)).toEqual(['import/conflict', 'import/conflict']);
    expect(planned.changes).toEqual([]);
  });

  it('I4: a word of --restore that names nothing is reported', () => {
    const planned = plan(start(), api(), { options: { restore: ['lst'] } });
    expect(planned.diagnostics).toMatchObject([{ code: 'import/unknown-choice', severity: 'warning' }]);
    expect(planned.diagnostics[0]?.message).toContain('--restore lst');
  });

  it('I4: a field with signs that shells know is shown in quotes', () => {
    const odd = (description: string): ReturnType<typeof source> =>
      api({ inputSchema: { type: 'object', properties: { $filter: { type: 'string', description } } } });
    const first = importInto({ 'toolwright.yaml': '' }, odd('One'));
    const planned = plan(edit(first, 'mcp/tools/list.yaml', 'One', 'Mine'), odd('Two'));
    expect(planned.diagnostics[0]?.hint).toContain("--ours 'list:/inputSchema/properties/$filter/description'");
  });
});

describe('lists', () => {
  const states = (...all: string[]): object => ({
    inputSchema: { type: 'object', properties: { state: { type: 'string', enum: all } } },
  });

  it('I4: an enum of which both sides together leave nothing is a conflict', () => {
    const first = importInto({ 'toolwright.yaml': '' }, api(states('a', 'b')));
    const mine = edit(first, 'mcp/tools/list.yaml', 'enum: [a, b]', 'enum: [a]');
    const planned = plan(mine, api(states('b')));
    expect(tell(planned)).toContain('  conflict list:/inputSchema/properties/state/enum');
    const after = apply(mine, plan(mine, api(states('b')), { options: { theirs: 'all' } }));
    expect(after['mcp/tools/list.yaml']).toContain('enum: [b]');
  });

  it('I4: a zero with a sign in the source is the zero of the pack', () => {
    const least = (minimum: number): object => ({
      inputSchema: { type: 'object', properties: { count: { type: 'integer', minimum } } },
    });
    const first = importInto({ 'toolwright.yaml': '' }, api(least(-0)));
    const mine = edit(first, 'mcp/tools/list.yaml', 'title: List', 'title: Mine # mine');
    expect(plan(mine, api(least(-0))).changes).toEqual([]);
    expect(tell(plan(mine, api(least(-0)))).filter(line => line.includes('took'))).toEqual([]);
    expect(importInto(mine, api({ ...least(-0), description: 'New' }))['mcp/tools/list.yaml']).toContain('New');
  });
});

describe('what cannot be read', () => {
  const combined = (): Texts => {
    const { 'mcp/tools/list.yaml': list = '', 'mcp/tools/show.yaml': shown = '', ...rest } = start();
    const inner = (text: string): string => text.replaceAll(/^#.*\n/gm, '').replaceAll(/^(?=.)/gm, '  ');
    return { ...rest, 'mcp/tools.yaml': `list:\n${inner(list)}show:\n${inner(shown)}` };
  };

  it('I4: a combined file with a mistake stops the import: its items are not deleted', () => {
    const whole = combined();
    expect(plan(whole, api()).changes).toEqual([]);
    const broken = { ...whole, 'mcp/tools.yaml': `${whole['mcp/tools.yaml']}broken: [\n` };
    const planned = plan(broken, api({ title: 'New' }));
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([{ severity: 'error', file: 'mcp/tools.yaml' }]);
    expect(tell(planned)).toEqual([]);
  });

  it('I4: an item that was away during an import gets what the source changed meanwhile', () => {
    const { 'mcp/tools/list.yaml': list = '', ...away } = start();
    const between = importInto(away, api({ title: 'New' }));
    expect(tell(plan(between, api({ title: 'New' })))).toContain('deleted tool list');
    const back = { ...between, 'mcp/tools/list.yaml': list.replace('Lists', 'Mine') };
    expect(importInto(back, api({ title: 'New' }))['mcp/tools/list.yaml']).toMatch(/title: New\ndescription: Mine/);
  });

  it.each([
    ['a path', '"tool ../../../evil"'],
    ['no name of an item', '"tool a b"'],
  ])('I4: a record in which an item has %s for a name is refused', (_, key) => {
    const { 'mcp/tools/list.yaml': _list, ...texts } = start();
    const spoiled = edit(texts, record, '"tool list"', key);
    const planned = plan(spoiled, api(), { options: { restore: ['list'] } });
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([{ code: 'import/record', file: record }]);
  });
});

describe('names', () => {
  it('I4: the name of a source never becomes a path', () => {
    const other = importInto(start(), api(), { source: { address: 'https://other.example', name: '../../Evil One' } });
    expect(Object.keys(other).filter(path => /evil/i.test(path))).toEqual([
      'mcp/tools/list-evil-one.yaml',
      'mcp/tools/show-evil-one.yaml',
    ]);
  });

  it('I4: conditions and commands follow settings that get another name', () => {
    const server = (name: string): ReturnType<typeof source> =>
      source([tool(name, { description: 'X', when: { MODE: true }, mcp: { backend: name, name } })], {
        name,
        backends: {
          [name]: { type: 'mcp', command: ['x', { if: 'MODE', args: ['--mode={config.MODE}'] }] },
        } as never,
        config: { MODE: { type: 'boolean', default: false } },
      });
    const first = importInto({ 'toolwright.yaml': '' }, server('one'), { source: { address: 'one' } });
    const both = importInto(first, server('two'), { source: { address: 'two' } });
    expect(both['mcp/tools/two.yaml']).toContain('when:\n  MODE_TWO: true');
    expect(both['toolwright.yaml']).toContain('- if: MODE_TWO\n        args: ["--mode={config.MODE_TWO}"]');
    expect(plan(both, server('two'), { source: { address: 'two' } }).changes).toEqual([]);
  });

  it('I4: what comes back under a name that is taken twice gets a name that files can have', () => {
    const { 'mcp/tools/list.yaml': _, ...without } = start();
    const moved = tool('list', { title: 'Other', description: 'Other', http: http('/other') }, { place: 'GET /other' });
    const deleted = importInto(without, source([show, listed()], { backends }));
    const items = [{ ...moved, from: { id: 'other', place: 'GET /other' } }, show, listed()];
    const both = importInto(deleted, source(items, { backends }));
    expect(both[record]).toContain('"tool list~2"');
    const back = importInto(both, source(items, { backends }), { options: { restore: ['list'] } });
    expect(Object.keys(back).filter(path => path.startsWith('mcp/tools/'))).toEqual([
      'mcp/tools/show.yaml',
      'mcp/tools/list.yaml',
      'mcp/tools/list-shop.yaml',
    ]);
  });
});

describe('what the source does not have any more', () => {
  it('I4: what is gone is noted once, so that a check sees it, and forgotten when it is back', () => {
    const texts = start();
    const less = source([listed()], { backends });
    const noted = apply(texts, plan(texts, less));
    expect(noted).not.toEqual(texts);
    expect(Object.keys(noted)).toEqual(Object.keys(texts));
    expect(plan(noted, less).changes).toEqual([]);
    expect(apply(noted, plan(noted, api()))).toEqual(texts);
  });

  it('I4: a setting that conditions use is not pruned', () => {
    const conditional = (config: object): ReturnType<typeof source> =>
      source([tool('list', { description: 'L', when: { MODE: true }, http: http('/list') })], {
        backends,
        config: config as never,
      });
    const texts = importInto({ 'toolwright.yaml': '' }, conditional({ MODE: { type: 'boolean', default: false } }));
    const mine = edit(texts, 'mcp/tools/list.yaml', 'description: L', 'description: Mine');
    const planned = plan(mine, source([], { backends }), { options: { prune: true } });
    expect(planned.diagnostics.map(({ code }) => code)).toEqual(['import/not-pruned', 'import/not-pruned']);
    expect(apply(mine, planned)['toolwright.yaml']).toContain('MODE:');
  });

  it('I4: a new note does not stop the import of an item that its author has moved into a server', () => {
    const noted = (note: string): ReturnType<typeof source> =>
      source([{ ...listed(), notes: [note] }, show, schema('x', { type: 'object' })], { backends });
    const { 'mcp/tools/list.yaml': list = '', ...rest } = importInto({ 'toolwright.yaml': '' }, noted('One'));
    const inner = list.replaceAll(/^#.*\n/gm, '').replaceAll(/^(?=.)/gm, '    ');
    const mine = { ...rest, 'mcp/servers/main.yaml': `tools:\n  - name: list\n${inner}` };
    expect(tell(plan(mine, noted('One')))).toContain('unchanged tool list');
    expect(importInto(mine, noted('Two'))['mcp/servers/main.yaml']).toBe(mine['mcp/servers/main.yaml']);
  });
});
