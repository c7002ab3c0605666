import { describe, expect, it } from 'vitest';
import type { ParseCache } from '../../../runtime/index.js';
import { load } from '../../../runtime/load/load.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { check, checkPlaces, explained, loadFiles } from '../../harness/pack.js';

const text = (description: string): string => `description: ${description}\n`;
const descriptionOf = (files: Readonly<Record<string, string>>, item = 'x'): string | undefined =>
  loadFiles(files).program?.tools.find(tool => tool.item === item)?.description;

describe('precedence of definitions', () => {
  it('W11 W12 a file per item may be JSON, YAML or YML, and they win in this order', async () => {
    const yml = { 'toolwright.yaml': '', 'mcp/tools/x.yml': text('yml') };
    const yaml = { ...yml, 'mcp/tools/x.yaml': text('yaml') };
    const json = { ...yaml, 'mcp/tools/x.json': '{"description": "json"}' };
    expect([yml, yaml, json].map(files => descriptionOf(files))).toEqual(['yml', 'yaml', 'json']);
    const [found, ...others] = await check(json);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'resolve/duplicate-format', severity: 'warning', file: 'mcp/tools/x.yaml' });
    expect(found?.message).toContain('"mcp/tools/x.yaml" and "mcp/tools/x.yml" are ignored');
  });

  it('W13 J73 a combined file may have several documents', () => {
    const files = { 'toolwright.yaml': '', 'mcp/tools.yaml': `a: {description: A}\n---\nb: {description: B}\n` };
    expect(loadFiles(files).program?.tools.map(({ item }) => item)).toEqual(['a', 'b']);
  });

  it('J73 a name twice in a combined file is an error with both positions, within and across documents', async () => {
    const [found, ...others] = await check({
      'toolwright.yaml': '',
      'mcp/tools.yaml': 'a: {description: A}\n---\na: {description: B}\n',
    });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'resolve/duplicate-item', line: 3, column: 1, related: [{ line: 1 }] });
    const inside = await checkPlaces({
      'toolwright.yaml': '',
      'mcp/tools.yaml': 'a: {description: A}\na: {description: B}\n',
    });
    expect(inside).toEqual(['parse/duplicate-key mcp/tools.yaml:2:1']);
  });

  it('W14 P18 a file per item beats the combined file for the whole item, and `explain` shows what it shadows', () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools/x.yaml': text('own'),
      'mcp/tools.yaml': 'w: {description: W}\nx:\n  description: combined\n  title: lost\n',
    };
    expect(descriptionOf(files)).toBe('own');
    const { winner, shadowed, definition } = explained(files, 'x');
    expect(winner).toEqual({ file: 'mcp/tools/x.yaml', line: 1 });
    expect(shadowed).toMatchObject([{ file: 'mcp/tools.yaml', line: 2 }]);
    expect(definition).toEqual({ description: 'own' });
  });

  it('W15 files per item and combined files mix in one pack', async () => {
    const files = { 'toolwright.yaml': '', 'mcp/tools/a.yaml': text('A'), 'mcp/tools.yaml': 'b: {description: B}\n' };
    expect(await check(files)).toEqual([]);
    expect(loadFiles(files).program?.tools.map(({ item }) => item)).toEqual(['a', 'b']);
  });

  it('W16 a broken file per item is an error and never falls back', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools/x.json': '{"description": }',
      'mcp/tools/x.yaml': text('yaml'),
      'mcp/tools.yaml': 'x: {description: combined}\n',
    };
    const codes = (await check(files)).map(({ code }) => code);
    expect(codes).toEqual(['parse/json', 'resolve/duplicate-format']);
    expect(loadFiles(files).program?.tools).toEqual([]);
  });

  it('W17 only the first combined format is read', async () => {
    const files = {
      'toolwright.yaml': 'tools: [a, b]\n',
      'mcp/tools.json': '{"a": {"description": "A"}}',
      'mcp/tools.yaml': 'b: {description: B}\n',
    };
    expect(await checkPlaces(files)).toEqual([
      'resolve/duplicate-format mcp/tools.yaml:1:1',
      'resolve/missing-definition toolwright.yaml:1:12',
    ]);
  });

  it('W18 a missing definition is one diagnostic with the expected path', async () => {
    const [found, ...others] = await check({
      'toolwright.yaml': 'servers: [s]\ntools: [get-isue]\n',
      'mcp/servers/s.yaml': 'tools: [get-isue]\n',
      'mcp/tools/get-issue.yaml': text('x'),
    });
    expect(found?.message).toContain('mcp/tools/get-isue.yaml');
    expect(found?.hint).toBe('did you mean "get-issue"?');
    expect(others.map(({ code }) => code)).toEqual([]);
  });

  it('W18 a broken combined file does not also make its items missing', async () => {
    const found = await checkPlaces({ 'toolwright.yaml': 'tools: [a]\n', 'mcp/tools.yaml': 'a: {description: "A}\n' });
    expect(found.map(place => place.split(' ')[0])).toEqual(['parse/yaml']);
  });

  it('W19 a file that nobody declared is unreachable, which is a warning', async () => {
    const found = await check({
      'toolwright.yaml': 'tools: [a]\n',
      'mcp/tools/a.yaml': text('A'),
      'mcp/tools/b.yaml': text('B'),
      'mcp/tools.yaml': '\nc: {description: C}\n',
    });
    expect(found.map(one => [one.code, one.severity, one.file, one.line])).toEqual([
      ['resolve/unreachable', 'warning', 'mcp/tools.yaml', 2],
      ['resolve/unreachable', 'warning', 'mcp/tools/b.yaml', 1],
    ]);
  });

  it('W20 the wire name may differ from the item name, which references use', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/servers/s.yaml': 'tools: [get-issue]\n',
      'mcp/tools/get-issue.yaml': `name: jira.getIssue\n${text('x')}`,
    };
    expect(await check(files)).toEqual([]);
    expect(loadFiles(files).program?.servers[0]?.tools).toEqual([
      { from: 'own', item: 'get-issue', name: 'jira.getIssue' },
    ]);
  });

  it('W21 each file is read once, a fixed file is read again, and equal content is parsed once', () => {
    const folder = memoryFolder({
      'toolwright.yaml': '',
      'docs/a.md': 'Shared text',
      'mcp/tools/a.yaml': 'description: {file: docs/a.md}\n',
      'mcp/tools/b.yaml': 'description: {file: docs/a.md}\n',
    });
    const stored = new Map<string, readonly unknown[]>();
    const cache: ParseCache = { get: hash => stored.get(hash), set: (hash, values) => stored.set(hash, values) };
    load(folder, { cache });
    expect([...folder.reads.values()].every(count => count === 1)).toBe(true);
    expect(stored.size).toBe(1);
    folder.write('mcp/tools/a.yaml', 'description: "Fixed"\nlimits: { timeoutMs: 5 }\n');
    expect(load(folder, { cache }).program?.tools[0]?.description).toBe('Fixed');
    expect(stored.size).toBe(2);
  });

  it('W21 a cached value gives the same diagnostics, with positions', async () => {
    const files = { 'toolwright.yaml': '', 'mcp/tools/a.yaml': `# c\n${text('A')}parameters:\n  x: strng\n` };
    const stored = new Map<string, readonly unknown[]>();
    const cache: ParseCache = { get: hash => stored.get(hash), set: (hash, values) => stored.set(hash, values) };
    const first = await check(files, { cache });
    expect(stored.size).toBe(1);
    expect(first).toMatchObject([{ code: 'validate/value', line: 4, column: 6 }]);
    expect(await check(files, { cache })).toEqual(first);
  });

  it('J70 an absent key discovers every file and combined key, sorted, not recursive, without hidden files', () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools/b.yaml': text('b'),
      'mcp/tools/.hidden.yaml': 'broken: [',
      'mcp/tools/deeper/c.yaml': text('c'),
      'mcp/tools/readme.md': 'no definition',
      'mcp/tools.yaml': 'd: {description: d}\na: {description: a}\n',
    };
    const { program, diagnostics } = loadFiles(files);
    expect(diagnostics).toEqual([]);
    expect(program?.tools.map(({ item }) => item)).toEqual(['a', 'b', 'd']);
  });

  it('J71 one broken file is reported and the others are served', () => {
    const { program, diagnostics } = loadFiles({
      'toolwright.yaml': '',
      'mcp/tools/bad.yaml': 'description: [unclosed\n',
      'mcp/tools/good.yaml': text('Good'),
    });
    expect(program?.tools.map(({ item }) => item)).toEqual(['good']);
    expect(diagnostics.map(({ file }) => file)).toEqual(['mcp/tools/bad.yaml']);
  });

  it('J72 a definition of another kind names the expected and the actual kind, once', async () => {
    const [found, ...others] = await check({
      'toolwright.yaml': '',
      'mcp/tools/p.yaml': 'description: d\nmessages:\n  - {role: user, text: hi}\narguments: {}\n',
    });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'validate/wrong-kind', line: 2 });
    expect(found?.message).toMatch(/a tool is expected here.*is a prompt/);
  });

  it('item names clash without regard to case and after camelCase', async () => {
    const found = await checkPlaces({
      'toolwright.yaml': '',
      'mcp/tools.yaml': 'get-issue: {description: a}\ngetIssue: {description: b}\n',
    });
    expect(found).toEqual(['resolve/name-clash mcp/tools.yaml:2:1']);
  });

  it('files that are almost where definitions are read get a warning with the right name', async () => {
    const found = await check({
      'toolwright.yaml': '',
      'mcp/tool/a.yaml': text('a'),
      'mcp/toolz.yaml': 'b: {}\n',
      'mcp/tools/c.YAML': text('c'),
      'mcp/texts/d.md': 'mine',
      'mcp/schemas/e.json': '{}',
    });
    expect(found.map(one => [one.code, one.file, /"([^"]*)" would/.exec(one.message)?.[1]])).toEqual([
      ['resolve/stray', 'mcp/tool', 'mcp/tools/'],
      ['resolve/stray', 'mcp/tools/c.YAML', 'mcp/tools/c.yaml'],
      ['resolve/stray', 'mcp/toolz.yaml', 'mcp/tools.yaml'],
    ]);
  });

  it('YAML that nothing reads gets a warning, beside the kinds and in folders below them', async () => {
    const found = await check({
      'toolwright.yaml': '',
      'mcp/y.yaml': text('y'),
      'mcp/data.json': '{}',
      'mcp/shape.yaml': 'type: object\n',
      'mcp/tools/jira/get-issue.yaml': text('a'),
      'mcp/tools/a.yaml': 'description: { file: mcp/tools/texts/a.yaml }\ninputSchema: { file: mcp/shape.yaml }\n',
      'mcp/tools/texts/a.yaml': 'a text of its own',
      'mcp/tools/.hidden/x.yaml': 'x',
    });
    expect(found.map(one => [one.code, one.file, /"([^"]*)" would/.exec(one.message)?.[1]])).toEqual([
      ['resolve/stray', 'mcp/tools/jira/get-issue.yaml', 'mcp/tools/get-issue.yaml'],
      ['resolve/stray', 'mcp/y.yaml', undefined],
    ]);
    expect(found[1]?.hint).toContain('mcp/tools/');
    const own = { 'toolwright.yaml': 'root: .\n', 'compose.yaml': 'a: 1\n', 'tools/a.yaml': text('a') };
    expect(await check(own)).toEqual([]);
  });

  it.each([
    ['mcp/tools/x.ymal', 'mcp/tools/x.yaml'],
    ['mcp/tools/x.yaaml', 'mcp/tools/x.yaml'],
    ['mcp/tools/x.yam', 'mcp/tools/x.yaml'],
    ['mcp/tools/x.ylm', 'mcp/tools/x.yaml'],
    ['mcp/tools/x.yaml.txt', 'mcp/tools/x.yaml'],
    ['mcp/prompts/x.jsn', 'mcp/prompts/x.json'],
    ['mcp/tools/x.jsonc', 'mcp/tools/x.json'],
    ['mcp/tools.ymal', 'mcp/tools.yaml'],
  ])('a file with a slip in its ending gets a warning: %s', async (path, meant) => {
    const found = await check({ 'toolwright.yaml': '', [path]: text('x') });
    expect(found.map(one => [one.code, one.file, /"([^"]*)" would/.exec(one.message)?.[1]])).toEqual([
      ['resolve/stray', path, meant],
    ]);
  });

  it('files of other programs beside definitions are nobody’s mistake', async () => {
    const names = ['README.md', '.gitkeep', 'x.ts', 'x.js', 'x.mjs', 'x.xml', 'x.jsonl', 'x.html', 'x.txt', 'x.sql'];
    const backups = [
      'x.yaml~',
      '#x.yaml#',
      '.x.yaml.swp',
      'x.yaml.bak',
      'x.yaml.orig',
      'x.yaml.txt',
      'x.ymal',
      'Makefile',
    ];
    const all = [...names, ...backups].map(name => [`mcp/tools/${name}`, 'x']);
    const files = { 'toolwright.yaml': '', 'mcp/tools/x.yaml': text('x'), 'mcp/notes.txt': '', 'mcp/tools.md': '' };
    expect(await check({ ...files, ...Object.fromEntries(all) })).toEqual([]);
  });

  it('a file of an overlay that is never read gets a warning', async () => {
    const pack = {
      'toolwright.yaml': '',
      'mcp/tools/show.yaml': text('x'),
      'mcp/prompts/p.yaml': 'description: d\ntext: t\n',
    };
    const office = memoryFolder(
      {
        'show.yaml': 'enabled: false\n',
        'p.yaml': 'enabled: false\n',
        'other.yaml': 'enabled: false\n',
        'texts.yaml': 'Words',
        'tools/show.yaml': 'description: { file: texts.yaml }\n',
        'tools/deep/show.yaml': 'enabled: false\n',
        'tools/show.ymal': 'enabled: false\n',
        'prompts/p.ymal': 'enabled: false\n',
        'README.md': '# Office',
      },
      '/pack/overlays/office',
    );
    const found = await check(pack, { overlays: [office] });
    expect(found.map(one => [one.severity, one.file, /"([^"]*)" would/.exec(one.message)?.[1]])).toEqual([
      ['warning', 'overlays/office/other.yaml', undefined],
      ['warning', 'overlays/office/p.yaml', 'overlays/office/prompts/p.yaml'],
      ['warning', 'overlays/office/prompts/p.ymal', 'prompts/p.yaml'],
      ['warning', 'overlays/office/show.yaml', 'overlays/office/tools/show.yaml'],
      ['warning', 'overlays/office/tools/deep/show.yaml', 'overlays/office/tools/show.yaml'],
    ]);
    expect(found[0]?.hint).toContain('overlays/office/tools/');
  });

  it('a file whose name cannot be an item name is reported', async () => {
    expect(await checkPlaces({ 'toolwright.yaml': '', 'mcp/tools/get issue.yaml': text('x') })).toEqual([
      'resolve/item-name mcp/tools/get issue.yaml:1:1',
    ]);
  });
});
