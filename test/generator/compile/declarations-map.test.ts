// Declaration maps, decoded: every name leads to the same name in a manifest, at both of its ends.
import { describe, expect, it } from 'vitest';
import { joinBlocks, makeBlock } from '../../../generator/compile/declarations/block.js';
import { declarationsOf, programOf, type Texts } from './declarations-pack.js';

interface Segment {
  readonly line: number;
  readonly column: number;
  readonly source?: { readonly file: string; readonly line: number; readonly column: number };
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A decoder of its own, so that an error in the encoder cannot hide in it. 0-based. */
function decode(map: string): readonly Segment[] {
  const { sources, mappings } = JSON.parse(map) as { sources: readonly string[]; mappings: string };
  const state = [0, 0, 0, 0];
  return mappings.split(';').flatMap((group, line) => {
    state[0] = 0;
    return group
      .split(',')
      .filter(text => text !== '')
      .map((text): Segment => {
        const numbers = decodeNumbers(text);
        for (const [index, number] of numbers.entries()) state[index] = (state[index] ?? 0) + number;
        const [column = 0, file = 0, sourceLine = 0, sourceColumn = 0] = state;
        if (numbers.length === 1) return { line, column };
        return { line, column, source: { file: sources[file] ?? '', line: sourceLine, column: sourceColumn } };
      });
  });
}

function decodeNumbers(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of text) {
    const bits = digits.indexOf(digit);
    value += (bits & 31) * 2 ** shift;
    shift += 5;
    if ((bits & 32) !== 0) continue;
    numbers.push(value % 2 === 1 ? -((value - 1) / 2) : value / 2);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** Pairs of what stands in a declaration file and what stands at the place it leads to. */
function pairs(files: Texts, path: string): readonly (readonly [string, string])[] {
  const generated = declarationsOf(programOf(files));
  const text = generated[path];
  const map = generated[`${path}.map`];
  if (text === undefined || map === undefined) throw new Error(`${path} is not generated`);
  const base = new URL(path, 'file:///');
  const found: (readonly [string, string])[] = [];
  const segments = decode(map);
  for (let index = 0; index < segments.length; index += 1) {
    const start = segments[index];
    const end = segments[index + 1];
    if (start?.source === undefined) continue;
    // Names come as two segments, one for each end.
    expect([end?.line, end?.source?.file, end?.source?.line]).toEqual([
      start.line,
      start.source.file,
      start.source.line,
    ]);
    const manifest = decodeURI(new URL(start.source.file, base).pathname.slice(1));
    const source = files[manifest]?.split('\n')[start.source.line];
    if (source === undefined) throw new Error(`${manifest} has no line ${start.source.line + 1}`);
    found.push([
      (text.split('\n')[start.line] ?? '').slice(start.column, end?.column),
      source.slice(start.source.column, end?.source?.column),
    ]);
    index += 1;
  }
  return found;
}

describe('declaration maps', () => {
  it('P13 the map leads every name of a tool to where it was written', () => {
    const files = {
      'toolwright.yaml': 'config:\n  KEY: { type: string }\n',
      'mcp/tools/get-issue.yaml': `description: x
parameters:
  key: string
  filter: { type: object, properties: { "a b": string, tags: { type: array, items: string, default: [] } } }
output:
  title: string
errors:
  GONE: { message: x }
options:
  size: { type: integer }
requires: { KEY: required }
`,
    };
    expect(pairs(files, 'generated/tools.d.ts')).toEqual([
      ['GetIssueArgs', 'description'],
      ['key', 'key'],
      ['filter', 'filter'],
      ['"a b"', '"a b"'],
      ['tags', 'tags'],
      ['GetIssueInput', 'description'],
      ['key', 'key'],
      ['filter', 'filter'],
      ['"a b"', '"a b"'],
      ['tags', 'tags'],
      ['GetIssueOutput', 'description'],
      ['title', 'title'],
      ['GetIssueErrors', 'errors'],
      ['GONE', 'GONE'],
      ['GetIssueOptions', 'options'],
      ['size', 'size'],
      ['GetIssueConfig', 'requires'],
      ['KEY', 'KEY'],
      ['GetIssueContext', 'description'],
      ['errors', 'errors'],
      ['options', 'options'],
      ['GetIssueHandler', 'description'],
      ['getIssue', 'description'],
    ]);
    expect(pairs(files, 'generated/config.d.ts')).toEqual([
      ['Config', 'config'],
      ['KEY', 'KEY'],
    ]);
  });

  it('P13 the map leads aliases and merge keys to what the author can edit', () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools.yaml': `a:
  description: x
  parameters: &shared
    page: string
b:
  description: x
  parameters:
    <<: *shared
    own: string
`,
    };
    expect(pairs(files, 'generated/tools.d.ts').slice(5, 8)).toEqual([
      ['BArgs', 'b'],
      ['page', 'page'],
      ['own', 'own'],
    ]);
  });

  it('P13 the map leads helper types and their members to their definitions', () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools/tree.yaml': `description: x
inputSchema:
  type: object
  properties: { root: { $ref: '#/$defs/node' } }
  $defs:
    node: { type: object, properties: { children: { type: array, items: { $ref: '#/$defs/node' } } } }
`,
    };
    expect(pairs(files, 'generated/tools.d.ts').slice(0, 4)).toEqual([
      ['TreeArgs', 'description'],
      ['root', 'root'],
      ['TreeArgs_Node', 'node'],
      ['children', 'children'],
    ]);
  });

  it('P13 the map covers prompts, resources and the functions of items', () => {
    const files = {
      'toolwright.yaml': 'root: my mcp\n',
      'my mcp/tools.yaml': 'two: {description: x}\none: {description: x}\n',
      'my mcp/prompts/p.yaml': 'description: x\narguments: { a: How, b: null }\n',
      'my mcp/resources/r.yaml': 'description: x\nuriTemplate: id://id/{ids}/{id}{?q}\n',
    };
    expect(pairs(files, 'generated/prompts.d.ts').slice(1, 3)).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(pairs(files, 'generated/resources.d.ts').slice(1, 4)).toEqual([
      ['ids', 'ids'],
      ['id', 'id'],
      ['q', 'q'],
    ]);
    const functions = ['tools', 'prompts', 'resources'].flatMap(kind =>
      pairs(files, `generated/${kind}.d.ts`).filter(([name]) => ['one', 'two', 'p', 'r'].includes(name)),
    );
    expect(functions).toEqual([
      ['one', 'one'],
      ['two', 'two'],
      ['p', 'description'],
      ['r', 'description'],
    ]);
  });

  it('P13 the map encodes numbers of any size and sign and counts lines as TypeScript does', () => {
    const site = (line: number, column: number) => ({
      file: 'a.yaml',
      line,
      column,
      endLine: line,
      endColumn: column + 1,
    });
    const text = 'one two\r\nthree\u2028four\rfive\n';
    const marks = [
      { offset: text.indexOf('five'), length: 1, site: site(1, 1) },
      { offset: 0, length: 1, site: site(100_000, 70_000) },
      { offset: 4, length: 3, site: undefined },
      { offset: text.indexOf('four'), length: 1, site: site(17, 16) },
    ];
    expect(decode(joinBlocks('generated/x.d.ts', [makeBlock(text, marks)]).map)).toEqual([
      { line: 0, column: 0, source: { file: '../a.yaml', line: 99_999, column: 69_999 } },
      { line: 0, column: 1, source: { file: '../a.yaml', line: 99_999, column: 70_000 } },
      { line: 0, column: 4 },
      { line: 2, column: 0, source: { file: '../a.yaml', line: 16, column: 15 } },
      { line: 2, column: 1, source: { file: '../a.yaml', line: 16, column: 16 } },
      { line: 3, column: 0, source: { file: '../a.yaml', line: 0, column: 0 } },
      { line: 3, column: 1, source: { file: '../a.yaml', line: 0, column: 1 } },
    ]);
  });

  it('P13 the map never contains an absolute path', () => {
    const site = { file: '/overlay/tools.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const { map } = joinBlocks('x.d.ts', [makeBlock('x\n', [{ offset: 0, length: 1, site }])]);
    expect(map).toBe('{"version":3,"file":"x.d.ts","sources":[],"names":[],"mappings":"A"}\n');
  });

  it('P13 a block of a map means the same wherever it is placed, even if it comes from several files', () => {
    const at = (file: string, line: number) => ({ file, line, column: 3, endLine: line, endColumn: 4 });
    const piece = (...sites: readonly ReturnType<typeof at>[]) =>
      makeBlock(`${sites.map(() => 'x').join('\n')}\n`, [
        ...sites.map((site, index) => ({ offset: 2 * index, length: 1, site })),
      ]);
    const [one, two, three] = [piece(at('a.yaml', 5)), piece(at('b.yaml', 2), at('c.json', 9)), piece()];
    const starts = (order: readonly ReturnType<typeof piece>[]) =>
      decode(joinBlocks('x.d.ts', ['// no\u2028map\n', ...order]).map)
        .filter((_, index) => index % 2 === 0)
        .map(({ line, source }) => [line, source?.file, source?.line]);
    expect(starts([one, three, two, one])).toEqual([
      [2, 'a.yaml', 4],
      [4, 'b.yaml', 1],
      [5, 'c.json', 8],
      [6, 'a.yaml', 4],
    ]);
    expect(starts([two, two, one])).toEqual([
      [2, 'b.yaml', 1],
      [3, 'c.json', 8],
      [4, 'b.yaml', 1],
      [5, 'c.json', 8],
      [6, 'a.yaml', 4],
    ]);
  });
});
