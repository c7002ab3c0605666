// Parsing YAML and JSON: values, messages and positions.
import { describe, expect, it } from 'vitest';
import { parse as parseWithLibrary } from 'yaml';
import type { Diagnostic, Site } from '../../../schema/diagnostics.js';
import type { Document, Format } from '../../../schema/document.js';
import { type Parsed, parse } from '../../../schema/parse/parse.js';

function read(text: string, format: Format = 'yaml', known?: readonly unknown[]): Parsed {
  return parse({ path: `mcp/tools/a.${format}`, format, text, hash: '' }, known);
}

function only(text: string, format: Format = 'yaml'): Document {
  const { documents, diagnostics } = read(text, format);
  expect(diagnostics).toEqual([]);
  expect(documents).toHaveLength(1);
  return documents[0] as Document;
}

/** `2:5-2:9`. */
function at({ line, column, endLine, endColumn }: Site): string {
  return `${line}:${column}-${endLine}:${endColumn}`;
}

function summary(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(diagnostic => `${at(diagnostic)} ${diagnostic.code}`);
}

/** The text of a site on one or more lines. */
function textAt(text: string, site: Site): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return text.slice(offset(site.line, site.column), offset(site.endLine, site.endColumn));
}

describe('values of YAML and JSON', () => {
  it('P3 YAML is read as 1.2 core, so that yes and no are strings, even under a %YAML 1.1 directive', () => {
    expect(only('a: yes\nb: no\nc: on\nd: 012\ne: 0o14\nf: 0x1F\ng: ~\nh: 1e3\n').value).toEqual({
      a: 'yes',
      b: 'no',
      c: 'on',
      d: 12,
      e: 12,
      f: 31,
      g: null,
      h: 1000,
    });
    expect(only('%YAML 1.1\n---\na: yes\n').value).toEqual({ a: 'yes' });
  });

  it('P3 keys are read as they were typed', () => {
    expect(only('1.10: a\ntrue: b\nnull: c\n404: d\n"<<": e\n? f\n: g\n').value).toEqual({
      '1.10': 'a',
      true: 'b',
      null: 'c',
      '404': 'd',
      '<<': 'e',
      f: 'g',
    });
  });

  it('P3 keys that every object inherits are plain data', () => {
    const { value } = only('constructor: 1\ntoString: 2\nhasOwnProperty: 3\nvalueOf: {prototype: 4}\n');
    expect(Object.entries(value as object)).toEqual([
      ['constructor', 1],
      ['toString', 2],
      ['hasOwnProperty', 3],
      ['valueOf', { prototype: 4 }],
    ]);
    const json = only('{"constructor": 1, "toString": 2}', 'json').value;
    expect(Object.keys(json as object)).toEqual(['constructor', 'toString']);
  });

  it('P3 own keys win over merge keys, the first of several maps wins, and the order is that of the library', () => {
    const text = `
base: &base {type: string, description: base}
more: &more {description: more, enum: [a]}
one: {<<: *base, description: own}
two: {description: own, <<: *base}
three: {<<: [*more, *base]}
four: &four {<<: *base, x: 1}
five: {<<: *four, <<x: 2}
six: {<<: {a: 1}, b: 2}
`;
    const { value } = only(text);
    const expected: unknown = parseWithLibrary(text, { merge: true });
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
  });

  it('P3 an anchor may be used many times', () => {
    const { value } = only(`a: &a {x: 1}\nb:\n${'  - *a\n'.repeat(200)}`);
    expect((value as { b: unknown[] }).b).toHaveLength(200);
    expect((value as { b: unknown[] }).b[199]).toEqual({ x: 1 });
  });

  it('P3 an anchor can be given again, and an alias can be a key', () => {
    expect(only('a: &x 1\nb: *x\nc: &x 2\nd: *x\n&k e: 3\nf: {*k : 4}\n').value).toEqual({
      a: 1,
      b: 1,
      c: 2,
      d: 2,
      e: 3,
      f: { e: 4 },
    });
  });

  it('J73 a file may have several documents, and those without any text do not count', () => {
    const { documents, diagnostics } = read('# start\n---\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\n');
    expect(diagnostics).toEqual([]);
    expect(documents.map(document => document.value)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(at((documents[1] as Document).site(['b'], 'key'))).toBe('8:1-8:2');
  });

  it('J71 a broken document is left out, and the others of the file stay', () => {
    const { documents, diagnostics } = read('a: 1\n---\nb: x: y\n---\nc: *no\n---\nd: 4\n');
    expect(documents.map(document => document.value)).toEqual([{ a: 1 }, { d: 4 }]);
    expect(summary(diagnostics)).toEqual(['3:4-3:8 parse/yaml', '5:4-5:7 parse/unknown-alias']);
    expect(at((documents[1] as Document).site(['d']))).toBe('7:4-7:5');
  });

  it.each(['', '\n\n', '# only a comment\n', '---\n', '---\n# nothing\n...\n', '%YAML 1.2\n---\n'])(
    'W10 a file without data is exactly parse/empty: %j',
    text => {
      const { documents, diagnostics } = read(text);
      expect(documents).toEqual([]);
      expect(summary(diagnostics)).toEqual(['1:1-1:1 parse/empty']);
    },
  );

  it('W10 an empty JSON file is parse/empty, and an empty map is data', () => {
    expect(summary(read(' \n', 'json').diagnostics)).toEqual(['1:1-1:1 parse/empty']);
    expect(only('{}', 'json').value).toEqual({});
    expect(only('{}').value).toEqual({});
    expect(only('null').value).toBeNull();
  });

  it('W21 a kept tree gives the positions of a second reading, also beside a broken document', () => {
    const text = 'a: &x {b: [1, 2]}\nc: *x\n---\na: [\n---\nd:\n  <<: {e: 5}\n  f: |\n    text\n';
    const source = { path: 'mcp/tools.yaml', format: 'yaml', text, hash: '' } as const;
    const [again, kept] = [parse(source), parse(source, undefined, true)];
    const ways = [[], ['a'], ['a', 'b', 1], ['c', 'b', 0], ['d', 'e'], ['d', 'f'], ['nothing']];
    const sites = ({ documents }: Parsed): readonly string[] =>
      documents.flatMap(document => ways.map(way => at(document.site(way))));
    expect(kept.documents.map(({ value }) => value)).toEqual([
      { a: { b: [1, 2] }, c: { b: [1, 2] } },
      { d: { e: 5, f: 'text\n' } },
    ]);
    expect(sites(kept)).toEqual(sites(again));
    expect(summary(kept.diagnostics)).toEqual(summary(again.diagnostics));
  });

  it('W21 known values are taken as they are, and positions still work', () => {
    const known = [{ from: 'cache' }];
    const { documents, diagnostics } = read('from: file\n', 'yaml', known);
    expect(diagnostics).toEqual([]);
    expect(documents[0]?.value).toBe(known[0]);
    expect(at((documents[0] as Document).site(['from']))).toBe('1:7-1:11');
    expect(read('not: [json', 'json', []).documents).toEqual([]);
  });
});

describe('mistakes in YAML', () => {
  const cases: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
    ['duplicate key', 'a: 1\nb: 2\na: 3\n', ['3:1-3:2 parse/duplicate-key']],
    ['duplicate key in braces', 'a: {b: 1, "b": 2}\n', ['1:11-1:14 parse/duplicate-key']],
    ['duplicate by text', '1: a\n"1": b\n', ['2:1-2:4 parse/duplicate-key']],
    ['two merge keys', 'a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\n', ['4:3-4:5 parse/duplicate-key']],
    ['tab', 'a:\n\tb: 1\n', ['2:1-2:2 parse/tab']],
    ['duplicate key and tab', 'a: 1\na: 2\nb:\n\tc: 1\n', ['2:1-2:2 parse/duplicate-key', '4:1-4:2 parse/tab']],
    ['unknown alias', 'a: *foo\n', ['1:4-1:8 parse/unknown-alias']],
    ['alias before its anchor', 'a: *x\nb: &x 1\n', ['1:4-1:6 parse/unknown-alias']],
    ['alias of another document', 'a: &x 1\n---\nb: *x\n', ['3:4-3:6 parse/unknown-alias']],
    ['unknown alias in a merge', 'a: {<<: [*x]}\n', ['1:10-1:12 parse/unknown-alias']],
    ['alias in itself', 'a: &a\n  b: [*a]\n', ['2:7-2:9 parse/alias-cycle']],
    ['merge of itself', 'a: &a\n  <<: *a\n', ['2:7-2:9 parse/alias-cycle']],
    ['merge of a text', 'a: {<<: text}\n', ['1:9-1:13 parse/yaml']],
    ['custom tags', 'a: !secret x\nb: !!binary aGk=\n', ['1:4-1:11 parse/tag', '2:4-2:12 parse/tag']],
    ['tag that objects inherit', 'a: !<constructor> x\n', ['1:4-1:18 parse/tag']],
    ['map as key', 'a: {{name}}\n', ['1:5-1:11 parse/complex-key']],
    ['list as key', '? [x]\n: 1\n', ['1:3-1:6 parse/complex-key']],
    ['nothing as key', ': x\n', ['1:1-1:2 parse/complex-key']],
    [
      'not json',
      'a: .inf\nb: -.INF\nc: .nan\nd: 1e999\n',
      [1, 2, 3, 4].map(line => `${line}:4-${line}:${[8, 9, 8, 9][line - 1]} parse/not-json`),
    ],
    ['forbidden key', 'a:\n  __proto__: {x: 1}\n', ['2:3-2:12 parse/forbidden-key']],
    ['forbidden key by escape', '"__proto\\x5f_": 1\n', ['1:1-1:15 parse/forbidden-key']],
    ['forbidden key by merge', 'a: &a {__proto__: {x: 1}}\nb: {<<: *a}\n', ['1:8-1:17 parse/forbidden-key']],
    ['control character', 'a: 1\nb: x\u0007y\n', ['2:5-2:6 parse/control-character']],
    ['unquoted colon', 'a: Note: x\n', ['1:4-1:11 parse/yaml']],
    ['two unquoted colons', 'a: Note: x\nb: 1\nc: Also: y\n', ['1:4-1:11 parse/yaml', '3:4-3:11 parse/yaml']],
    ['open double quote', 'a: "foo\nb: bar\nc: baz\n', ['1:4-1:8 parse/yaml']],
    ['open single quote', "a: 'foo\nb: bar\n", ['1:4-1:8 parse/yaml']],
    ['quote closed by the next one', 'a: "foo\nb: "bar"\nc: 1\n', ['1:4-1:8 parse/yaml']],
    ['apostrophe in quotes', "a: 'it's fine'\nb: 1\n", ['1:8-1:15 parse/yaml']],
    ['too much indentation', 'a:\n  b: 1\n   c: 2\nd: 3\n', ['3:4-3:8 parse/yaml']],
    ['too little indentation', 'a:\n    b: 1\n  c: 2\nd: 3\n', ['3:3-3:7 parse/yaml']],
    ['first line indented', '  a: 1\nb: 2\n', ['2:1-2:5 parse/yaml']],
    ['list item in the wrong column', 'a:\n  - x\n - y\nb: 1\n', ['3:2-3:5 parse/yaml']],
    ['open bracket', 'a: [1, 2\nb: 3\n', ['1:4-1:5 parse/yaml']],
    ['two open brackets', 'a: [1\nb: {c: 2\nd: 3\n', ['1:4-1:5 parse/yaml', '2:4-2:5 parse/yaml']],
    ['wrong bracket', 'a: [1, 2}\nb: 3\n', ['1:4-1:5 parse/yaml']],
    ['one brace too many', 'a: {x: 1}}\nb: 3\n', ['1:10-1:11 parse/yaml']],
    ['text behind braces', 'a: {{name}} is here\nb: 1\n', ['1:13-1:20 parse/yaml']],
    [
      'reserved characters',
      'a: @foo\nb: `x`\nc: %d\n',
      ['1:4-1:8 parse/yaml', '2:4-2:7 parse/yaml', '3:4-3:6 parse/yaml'],
    ],
    ['bold text', 'a: **bold** text\n', ['1:4-1:17 parse/yaml']],
    ['directive', '%foo: 1\nb: 2\n', ['1:1-1:8 parse/yaml']],
    ['loose line', 'a: 1\nfoo\nb: 2\n', ['2:1-2:4 parse/yaml']],
    ['no space after the colon', 'a: 1\nb:2\nc: 3\n', ['2:1-2:4 parse/yaml']],
    ['escape in double quotes', 'a: "\\d+"\n', ['1:5-1:7 parse/yaml']],
    ['text after |', 'a: |foo\n  bar\n', ['1:5-1:6 parse/yaml']],
    ['list on the line of its key', 'a: - b\n', ['1:4-1:5 parse/yaml']],
    ['merge conflict', 'x: 1\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n', ['2:1-2:13 parse/yaml']],
  ];

  it.each(cases)('P3 one mistake in YAML is one diagnostic: %s', (_name, text, expected) => {
    const { documents, diagnostics } = read(text);
    expect(summary(diagnostics)).toEqual(expected);
    expect(documents).toHaveLength(text.includes('---') ? 1 : 0);
    const positions = read(text.replaceAll('\n', '\r\n')).diagnostics;
    expect(summary(positions)).toEqual(expected);
  });

  it.each([
    ['a: Note: this\n', 'text with ": " needs quotes', 'write "Note: this"'],
    ['a: "x\n', 'the quote that opens here is never closed', 'add " at its end'],
    ["a: 'it's'\n", 'there is text after the closing quote', "inside single quotes, ' is written ''"],
    ['a: [x\nb: 1\n', 'the "[" here is never closed', 'add "]"; text that starts with a bracket needs quotes'],
    ['a: @x\n', 'text cannot start with @', 'put the text in quotes'],
    ['a: 1\nb:2\nc: 3\n', 'a space is missing after the colon', 'write b: 2'],
    ['a: {{x}}\n', 'a key must be plain text', 'text that starts with {{ needs quotes'],
    [
      'a: 1\n>>>>>>> b\n',
      'the file has an unresolved merge conflict',
      'keep one of the two sides and remove the lines of <, = and >',
    ],
  ])('P3 the message says in plain words what is wrong: %j', (text, message, hint) => {
    const [diagnostic] = read(text).diagnostics;
    expect(diagnostic?.message).toBe(message);
    expect(diagnostic?.hint).toBe(hint);
  });

  it('P3 a duplicate key names the first one', () => {
    const [yaml] = read('name: a\ntitle: b\nname: c\n').diagnostics;
    expect(yaml?.message).toBe('the key "name" is given twice');
    expect(yaml?.related?.map(one => `${at(one)} ${one.file}`)).toEqual(['1:1-1:5 mcp/tools/a.yaml']);
    const [json] = read('{"a": {"n": 1, "\\u006e": 2, "n": 3}}', 'json').diagnostics;
    expect(json?.related?.map(at)).toEqual(['1:8-1:11']);
  });

  it('P3 a merged key can be given once more, but not twice', () => {
    expect(only('a: &a {x: 1}\nb: {<<: *a, x: 2}\n').value).toEqual({ a: { x: 1 }, b: { x: 2 } });
    expect(summary(read('a: &a {x: 1}\nb: {<<: *a, x: 2, x: 3}\n').diagnostics)).toEqual([
      '2:19-2:20 parse/duplicate-key',
    ]);
  });

  it('P3 a control character spoils only its own document', () => {
    const { documents, diagnostics } = read('a: 1\n---\nb: \u0000\n---\nc: 3\n');
    expect(documents.map(document => document.value)).toEqual([{ a: 1 }, { c: 3 }]);
    expect(diagnostics.map(one => one.message)).toEqual(['the text has the control character U+0000 (NUL)']);
    expect(only('a: "\\0\\x07"\n').value).toEqual({ a: '\0\x07' });
  });
});

describe('mistakes in JSON', () => {
  it.each([
    ['{"a": 1,}', '1:8-1:9', 'JSON allows no comma after the last item'],
    ['[1,\n 2,\n]', '2:3-2:4', 'JSON allows no comma after the last item'],
    ['{\n  // c\n  "a": 1}', '2:3-2:7', 'JSON allows no comments'],
    ['{"a": 1 /* c\n */}', '1:9-1:13', 'JSON allows no comments'],
    ["{'a': 1}", '1:2-1:5', 'JSON keys have double quotes'],
    ['{"a": \'x\'}', '1:7-1:10', 'JSON strings have double quotes'],
    ['{a: 1}', '1:2-1:3', 'JSON keys have double quotes'],
    ['{"a": 1 "b": 2}', '1:9-1:10', 'a comma is missing before this'],
    ['[1 2]', '1:4-1:5', 'a comma is missing before this'],
    ['{"a" 1}', '1:2-1:5', 'a colon is missing after this key'],
    ['{"a": NaN}', '1:7-1:10', 'JSON has no NaN'],
    ['[-Infinity]', '1:2-1:11', 'JSON has no -Infinity'],
    ['{"a": True}', '1:7-1:11', 'JSON strings have double quotes'],
    ['{"a": [1}', '1:9-1:10', 'the "[" is closed by "}"'],
    ['{"a": [1\n', '1:8-1:9', 'the text ends before the "[" is closed'],
    ['{} {}', '1:4-1:5', 'there is text after the end of the data'],
    ['{"a": "x\n"}', '1:7-1:9', 'the quote that opens here is not closed on its line'],
    ['["\\d"]', '1:3-1:5', '\\d is not a valid JSON escape'],
    ['["\\u12"]', '1:3-1:7', '\\u12 is not a valid escape: \\u takes four hexadecimal digits'],
    ['["\t"]', '1:3-1:4', 'a JSON string cannot contain a tab'],
    ['[01]', '1:2-1:4', 'JSON numbers have no leading zeros'],
    ['[1.]', '1:2-1:4', 'JSON numbers have a digit after the point'],
    ['[+1]', '1:2-1:4', 'JSON numbers have no plus sign'],
    ['["😀", x]', '1:8-1:9', 'JSON strings have double quotes'],
  ])('P3 one mistake in JSON is one diagnostic with position and reason: %j', (text, position, message) => {
    const { documents, diagnostics } = read(text, 'json');
    expect(documents).toEqual([]);
    expect(diagnostics.map(one => [at(one), one.code, one.message])).toEqual([[position, 'parse/json', message]]);
  });

  it('P3 valid JSON that is not wanted is reported completely', () => {
    const { documents, diagnostics } = read('{"a": 1, "a": 2,\n"__proto__": 3,\n"b": 1e999}', 'json');
    expect(documents).toEqual([]);
    expect(summary(diagnostics)).toEqual([
      '1:10-1:13 parse/duplicate-key',
      '2:1-2:12 parse/forbidden-key',
      '3:6-3:11 parse/not-json',
    ]);
  });
});

describe('positions in YAML and JSON', () => {
  const text = `# comment
name: get_issue   # trailing
description: |
  First line {{a}}.
  Second {{a}} line.

parameters:
  key: &key
    type: string   # why
    enum: [a, b]
  other: *key
  third:
    <<: *key
    default: 1.10
  empty:
list:
  - one
  -
  - name: x

last: "quoted \\u0041 {{x}}"   # end
`;
  const document = only(text);
  const shown = (path: readonly (string | number)[], side?: 'key' | 'value'): string =>
    textAt(text, document.site(path, side));

  it.each([
    [['name'], 'key', 'name'],
    [['name'], 'value', 'get_issue'],
    [['description'], 'value', '|\n  First line {{a}}.\n  Second {{a}} line.'],
    [['parameters', 'key'], 'value', 'type: string   # why\n    enum: [a, b]'],
    [['parameters', 'key', 'enum'], 'value', '[a, b]'],
    [['parameters', 'key', 'enum', 1], 'value', 'b'],
    [['parameters', 'key', 'enum', 1], 'key', 'b'],
    [['parameters', 'empty'], 'value', 'empty'],
    [['list', 0], 'value', 'one'],
    [['list', 1], 'value', '-'],
    [['list', 2], 'value', 'name: x'],
    [['list'], 'value', '- one\n  -\n  - name: x'],
    [['last'], 'value', '"quoted \\u0041 {{x}}"'],
  ] as const)('P3 the position of %j, %s, is exact', (path, side, expected) => {
    expect(shown(path, side)).toBe(expected);
  });

  it('P3 aliases and merge keys lead to the text an author edits', () => {
    expect(at(document.site(['parameters', 'other', 'type'], 'value'))).toBe('9:11-9:17');
    expect(at(document.site(['parameters', 'third', 'type'], 'key'))).toBe('9:5-9:9');
    expect(at(document.site(['parameters', 'third', 'enum', 0]))).toBe('10:12-10:13');
    expect(at(document.site(['parameters', 'other'], 'key'))).toBe('11:3-11:8');
    expect(at(document.site(['parameters', 'other'], 'value'))).toBe('9:5-10:17');
    expect(shown(['parameters', 'third', 'default'])).toBe('1.10');
  });

  it('P3 a path that does not exist gives the key of its nearest ancestor', () => {
    expect(shown(['parameters', 'key', 'nope', 'deeper'])).toBe('key');
    expect(shown(['parameters', 'other', 'nope'])).toBe('other');
    expect(shown(['nope'])).toBe('name');
    expect(shown(['list', 2, 'nope'])).toBe('name');
    expect(shown(['list', 9])).toBe('list');
    expect(shown(['name', 'length'])).toBe('name');
    expect(shown(['list', 'length'])).toBe('list');
    expect(shown([], 'key')).toBe('name');
    expect(at(document.site([]))).toBe('2:1-21:28');
  });

  it('P3 a path of names that every object inherits does not exist', () => {
    expect(shown(['constructor'])).toBe('name');
    expect(shown(['parameters', '__proto__'])).toBe('parameters');
  });

  it('P3 `find` locates text inside a scalar', () => {
    expect(at(document.find(['description'], '{{a}}'))).toBe('4:14-4:19');
    expect(at(document.find(['description'], '{{a}}', 1))).toBe('5:10-5:15');
    expect(shown(['description'])).toBe(textAt(text, document.find(['description'], '{{a}}', 2)));
    expect(textAt(text, document.find(['last'], '{{x}}'))).toBe('{{x}}');
    expect(textAt(text, document.find(['last'], '0041'))).toBe('"quoted \\u0041 {{x}}"');
    expect(textAt(text, document.find(['name'], ''))).toBe('get_issue');
    expect(textAt(text, document.find(['list'], 'one'))).toBe(shown(['list']));
  });

  it('P3 `source` returns a scalar as it was typed', () => {
    expect(document.source(['parameters', 'third', 'default'])).toBe('1.10');
    expect(document.source(['parameters', 'third', 'type'])).toBe('string');
    expect(document.source(['last'])).toBe('"quoted \\u0041 {{x}}"');
    expect(document.source(['parameters', 'empty'])).toBe('');
    expect(document.source(['list'])).toBeUndefined();
    expect(document.source(['nope'])).toBeUndefined();
    expect(only('a: yes\n').source(['a'])).toBe('yes');
  });

  it('P3 positions are right with CRLF and characters of two UTF-16 units', () => {
    const crlf = only('a: 1\r\nb: |\r\n  x\r\n  y\r\n"😀": {c: "😀😀", d: 2}\r\n');
    expect(at(crlf.site(['a']))).toBe('1:4-1:5');
    expect(at(crlf.site(['b']))).toBe('2:4-4:4');
    expect(at(crlf.site(['😀'], 'key'))).toBe('5:1-5:5');
    expect(at(crlf.site(['😀', 'd'], 'key'))).toBe('5:19-5:20');
    expect(crlf.value).toEqual({ a: 1, b: 'x\ny\n', '😀': { c: '😀😀', d: 2 } });
  });

  it('P3 positions in JSON are as exact as in YAML', () => {
    const json = only('{\r\n  "a": [1, {"b": "x {{y}} \\n {{y}}"}],\r\n  "c\\u0064": null, "e": 1.10\r\n}\r\n', 'json');
    expect(at(json.site([]))).toBe('1:1-4:2');
    expect(at(json.site([], 'key'))).toBe('2:3-2:6');
    expect(at(json.site(['a', 1, 'b'], 'key'))).toBe('2:13-2:16');
    expect(at(json.site(['a', 1, 'b']))).toBe('2:18-2:36');
    expect(at(json.site(['a', 1, 'nope']))).toBe('2:13-2:16');
    expect(at(json.site(['a', 7]))).toBe('2:3-2:6');
    expect(at(json.site(['cd'], 'key'))).toBe('3:3-3:12');
    expect(at(json.find(['a', 1, 'b'], '{{y}}', 1))).toBe('2:30-2:35');
    expect(json.source(['e'])).toBe('1.10');
    expect(json.source(['cd'])).toBe('null');
    expect(json.source(['a'])).toBeUndefined();
    expect(json.site(['constructor'])).toEqual(json.site([], 'key'));
  });
});
