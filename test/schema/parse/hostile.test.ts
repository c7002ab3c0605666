// Texts that mean harm, and texts that nobody wrote: limits hold, nothing throws, nothing is polluted.
import { describe, expect, it } from 'vitest';
import { isAlias, parseAllDocuments, visit } from 'yaml';
import type { Site } from '../../../schema/diagnostics.js';
import type { Format } from '../../../schema/document.js';
import { type Parsed, parse } from '../../../schema/parse/parse.js';

function read(text: string, format: Format = 'yaml'): Parsed {
  return parse({ path: `a.${format}`, format, text, hash: '' });
}

function codes(parsed: Parsed): readonly string[] {
  return parsed.diagnostics.map(diagnostic => diagnostic.code);
}

/** Small, seeded, good enough to shuffle texts. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What must hold for every text; returns what does not. */
function violations(text: string, format: Format): readonly string[] {
  const { documents, diagnostics } = read(text, format);
  const lines = text.split('\n');
  const isInside = (line: number, column: number): boolean =>
    line >= 1 && line <= lines.length && column >= 1 && column <= (lines[line - 1] ?? '').length + 1;
  const isRange = ({ line, column, endLine, endColumn }: Site): boolean =>
    isInside(line, column) && isInside(endLine, endColumn) && (endLine > line || endColumn >= column);
  const broken: string[] = [];
  if (documents.length + diagnostics.length === 0) broken.push('nothing came out');
  for (const diagnostic of diagnostics) {
    if (!isRange(diagnostic)) broken.push(`${diagnostic.code} lies outside`);
    if (diagnostic.message === '') broken.push(`${diagnostic.code} says nothing`);
  }
  for (const document of documents) {
    const json = JSON.stringify(document.value);
    if (JSON.stringify(JSON.parse(json)) !== json) broken.push('the value is not JSON');
    for (const path of pathsOf(document.value)) {
      if (!isRange(document.site(path, 'value'))) broken.push(`value of ${path.join('/')} lies outside`);
      if (!isRange(document.site(path, 'key'))) broken.push(`key of ${path.join('/')} lies outside`);
    }
  }
  if (Object.hasOwn(Object.prototype, 'polluted')) broken.push('Object.prototype is polluted');
  return broken;
}

function pathsOf(value: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null || path.length > 6) return [path];
  const entries = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

const seeds: Readonly<Record<Format, readonly string[]>> = {
  yaml: [
    'name: get_issue\ndescription: |\n  Get an issue.\n  Second: line\nparameters:\n  key: {type: string, enum: [a, "b", \'c\']}\n',
    'base: &base\n  type: string\n  default: 1.10\none:\n  <<: *base\n  x: [*base, *base]\ntwo: {<<: [*base], "q": "\\u0041"}\n',
    '%YAML 1.2\n---\na: !!str 1\n...\n---\n- x\n- - y\n  - z: >-\n      folded\n      text\n-\n---\n? k\n: v\n',
    'a: "x"\r\nb: \'y\'\r\nc:\r\n  - 😀\r\n  - .5\r\n  - ~\r\n# end\r\n',
  ],
  json: [
    '{"name": "get", "list": [1, -2.5e3, true, false, null, "\\u0041\\n", {}], "deep": {"a": {"b": []}}}',
    '[\n  {"a": "x {{y}}"},\r\n  "😀", 0, -0, 1E+2\n]\n',
  ],
};
const scraps: readonly string[] = [
  ...' \t\n\r\\:#-?[]{},&*!|>\'"%@`~<=.0aé',
  '\n  ',
  '---\n',
  '...\n',
  ': ',
  ' #',
  '<<: *base',
  '&x ',
  '*x',
  '__proto__: {polluted: 1}\n',
  '"__proto__": {"polluted": 1},',
  'constructor: {prototype: {polluted: 1}}\n',
  '.inf',
  '1e999',
  '\u0000',
  '\u001b',
  '\u007f',
  '\ufeff',
  '\u2028',
  '😀',
  '\ud83d',
  '//',
  '/*',
];

function mutate(text: string, random: (below: number) => number): string {
  let result = text;
  for (let step = random(3); step >= 0; step -= 1) {
    const at = random(result.length + 1);
    const length = random(4) === 0 ? random(12) : random(2);
    const scrap =
      random(3) === 0 ? result.slice(random(result.length), random(result.length)) : scraps[random(scraps.length)];
    result = result.slice(0, at) + (scrap ?? '') + result.slice(at + length);
  }
  return result;
}

describe('parsing any text', () => {
  for (const format of ['yaml', 'json'] as const) {
    it(`P3 mutated ${format} never throws, and every position lies in the text`, () => {
      const random = makeRandom(format === 'yaml' ? 11 : 12);
      for (let round = 0; round < 400; round += 1) {
        const text = mutate(seeds[format][round % seeds[format].length] ?? '', random);
        expect(violations(text, format), text).toEqual([]);
      }
    });
  }

  it('P3 YAML without mistakes has the values of the library', () => {
    const random = makeRandom(13);
    let compared = 0;
    for (let round = 0; round < 400; round += 1) {
      const text = mutate(seeds.yaml[round % seeds.yaml.length] ?? '', random);
      const { documents, diagnostics } = read(text);
      // The library drops no empty documents, reads keys as numbers and empty keys as texts: compare the rest.
      if (diagnostics.length > 0 || documents.length !== 1) continue;
      const [library, ...more] = parseAllDocuments(text, { merge: true, schema: 'core', stringKeys: true });
      if (library === undefined || more.length > 0 || library.errors.length > 0 || hasAlias(library.contents)) continue;
      expect(JSON.stringify(documents[0]?.value), text).toBe(JSON.stringify(library.toJS()));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('P3 JSON is read as JSON.parse reads it, and refused when JSON.parse refuses it', () => {
    const random = makeRandom(14);
    let valid = 0;
    for (let round = 0; round < 600; round += 1) {
      const text =
        round % 2 === 0
          ? JSON.stringify(makeValue(random, 4), null, random(3))
          : mutate(seeds.json[round % seeds.json.length] ?? '', random);
      const { documents, diagnostics } = read(text, 'json');
      let expected: { readonly value: unknown } | undefined;
      try {
        expected = { value: JSON.parse(text) };
      } catch {
        expect(documents, text).toEqual([]);
        expect(['parse/json', 'parse/empty', 'parse/control-character'], text).toContain(diagnostics[0]?.code);
        if (diagnostics[0]?.code === 'parse/json') expect(diagnostics, text).toHaveLength(1);
        continue;
      }
      if (diagnostics.length > 0) {
        for (const code of codes({ documents, diagnostics })) {
          expect(['parse/duplicate-key', 'parse/forbidden-key', 'parse/not-json'], text).toContain(code);
        }
        continue;
      }
      expect(documents[0]?.value, text).toStrictEqual(expected.value);
      valid += 1;
    }
    expect(valid).toBeGreaterThan(250);
  });
});

function hasAlias(root: unknown): boolean {
  let found = false;
  visit(root as never, {
    Node: (_key, node) => {
      if (isAlias(node)) found = true;
    },
  });
  return found;
}

function makeValue(random: (below: number) => number, depth: number): unknown {
  const strings = [
    '',
    'a',
    '"',
    '\\',
    '\n\t\r\b\f',
    '\u0000\u001f',
    '\u007f',
    'é😀',
    '\ud800',
    '\u2028',
    '</script>',
    '\\u0041',
  ];
  switch (random(depth > 0 ? 8 : 5)) {
    case 0:
      return [0, -0, 1, -1.5, 1e21, 1e-7, 123456789012345680000, Number.MAX_VALUE, 5e-324][random(9)];
    case 1:
      return random(2) === 0;
    case 2:
      return null;
    case 3:
    case 4:
      return (strings[random(strings.length)] ?? '') + (strings[random(strings.length)] ?? '');
    case 5:
    case 6:
      return Array.from({ length: random(5) }, () => makeValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(5) }, (_, index) => [
          `${strings[random(strings.length)]}${index}`,
          makeValue(random, depth - 1),
        ]),
      );
  }
}

describe('depth of text', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const indented = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('');

  it('P3 200 levels are read, and the 201st is refused where it starts', () => {
    for (const format of ['yaml', 'json'] as const) {
      expect(codes(read(nested(200), format))).toEqual([]);
      const { documents, diagnostics } = read(nested(201), format);
      expect(documents).toEqual([]);
      expect(diagnostics.map(one => [one.code, one.line, one.column])).toEqual([['parse/too-deep', 1, 201]]);
    }
    expect(codes(read(indented(200)))).toEqual([]);
    expect(read(indented(201)).diagnostics.map(one => [one.code, one.line, one.column])).toEqual([
      ['parse/too-deep', 201, 201],
    ]);
  });

  it.each([
    ['brackets', '['.repeat(10_000)],
    ['closed brackets', nested(10_000)],
    ['braces', '{a: '.repeat(10_000)],
    ['dashes', `${'- '.repeat(10_000)}x`],
    ['explicit keys', `${'? '.repeat(10_000)}x`],
    ['indentation', indented(3000)],
    ['pairs in brackets', `${'[a: '.repeat(150)}x${']'.repeat(150)}`],
    ['a million brackets', '['.repeat(1_000_000)],
  ])('P3 deep nesting by %s is one diagnostic', (_name, text) => {
    const parsed = read(text);
    expect(codes(parsed)).toEqual(['parse/too-deep']);
    expect(parsed.documents).toEqual([]);
  });

  it('P3 a document that is too deep leaves the others of its file', () => {
    const { documents, diagnostics } = read(`a: 1\n---\n${nested(300)}\n---\nb: 2\n---\n${nested(300)}\n---\nc: 3\n`);
    expect(documents.map(document => document.value)).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
    expect(diagnostics.map(one => one.line)).toEqual([3, 7]);
    expect(documents.map(document => document.site([], 'key').line)).toEqual([1, 5, 9]);
  });

  it('P3 aliases cannot nest deeper than text can', () => {
    const texts = Array.from({ length: 20 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} ${'['.repeat(50)}${inner}${']'.repeat(50)}\n`;
    });
    const parsed = read(texts.join(''));
    expect(parsed.diagnostics.map(one => [one.code, one.line])).toEqual([['parse/too-deep', 4]]);
    expect(codes(read(texts.slice(0, 3).join('')))).toEqual([]);
  });

  it('P3 merge keys do not count as nesting', () => {
    const texts = Array.from({ length: 300 }, (_, level) =>
      level === 0 ? 'a0: &a0 {k0: 1}\n' : `a${level}: &a${level}\n  <<: *a${level - 1}\n  k${level}: 1\n`,
    );
    const { documents, diagnostics } = read(texts.join(''));
    expect(diagnostics).toEqual([]);
    const value = documents[0]?.value as Record<string, object>;
    expect(Object.keys(value['a299'] ?? {})).toHaveLength(300);
    expect(documents[0]?.site(['a299', 'k0']).line).toBe(1);
  });
});

describe('aliases in YAML', () => {
  const laughs = (levels: number): string =>
    Array.from({ length: levels }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n'
        : `a${level}: &a${level} [${Array(9)
            .fill(`*a${level - 1}`)
            .join(', ')}]\n`,
    ).join('');

  it('P3 a billion laughs are one diagnostic at the alias that goes too far', () => {
    const { documents, diagnostics } = read(laughs(10));
    expect(documents).toEqual([]);
    expect(diagnostics.map(one => one.code)).toEqual(['parse/alias-bomb']);
    expect(diagnostics[0]?.line).toBe(6);
    expect(codes(read(laughs(4)))).toEqual([]);
  });

  it('P3 merge keys cannot multiply either, and are not reported twice', () => {
    const texts = Array.from({ length: 30 }, (_, level) =>
      level === 0
        ? 'a0: &a0 {k0: 1}\n'
        : `a${level}: &a${level}\n  <<: [*a${level - 1}, *a${level - 1}]\n  k${level}: *a${level - 1}\n`,
    );
    expect(codes(read(texts.join('')))).toEqual(['parse/alias-bomb']);
  });

  it('P3 the limit counts what aliases add', () => {
    const list = `[${Array(99).fill(1).join(', ')}]`;
    const uses = (count: number): string => `a: &a ${list}\nb: [${Array(count).fill('*a').join(', ')}]\n`;
    expect(codes(read(uses(1000)))).toEqual([]);
    expect(codes(read(uses(1001)))).toEqual(['parse/alias-bomb']);
  });

  it('P3 long strings behind aliases count as well', () => {
    const text = `a: &a ${'x'.repeat(1_000_000)}\nb: [${Array(1000).fill('*a').join(', ')}]\n`;
    expect(codes(read(text))).toEqual(['parse/alias-bomb']);
  });
});

describe('numbers of keys and diagnostics', () => {
  it('P3 maps with many keys, also equal ones, are read in one pass', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `k${index}: 1\n`).join('');
    expect(Object.keys(read(many).documents[0]?.value as object)).toHaveLength(5000);
    expect(codes(read('a: 1\n'.repeat(1001)))).toHaveLength(1000);
    expect(codes(read(`{"a":1${',"a":2'.repeat(5000)}}`, 'json'))).toHaveLength(5000);
  });

  it('P3 a file that is not a manifest at all gives a limited number of diagnostics', () => {
    expect(read('\u0000\n'.repeat(500)).diagnostics).toHaveLength(10);
    expect(read('- @x\n'.repeat(500)).diagnostics).toHaveLength(100);
    expect(codes(read('"" '.repeat(500)))).toEqual(['parse/yaml']);
    expect(read('%\n'.repeat(150_000)).diagnostics).toHaveLength(100);
  });

  it('P3 long JSON strings do not exhaust the stack', () => {
    const long = 'x\\n'.repeat(500_000);
    const { documents, diagnostics } = read(`{"a": "${long}", "b": 1}`, 'json');
    expect(diagnostics).toEqual([]);
    expect(documents[0]?.site(['b']).column).toBe(long.length + 16);
  });
});

describe('JSON that JSON.parse accepts', () => {
  it.each([
    '{"a": 1, "a": 2}',
    '{"a": {"b": "", "b": ""}}',
    '{"a\\"": 1, "a\\"": 2}',
    '{"a\\\\": "\\"", "a\\\\": 1}',
    '[{"\\u0061": "\\\\", "a": "\\""}]',
  ])('P3 duplicate JSON keys are found however they are written: %s', text => {
    expect(codes(read(text, 'json'))).toEqual(['parse/duplicate-key']);
  });

  it.each([
    '{"a\\\\": "\\"", "a\\"": "\\\\\\\\"}',
    '"\\\\"',
    '["\\"", "\\\\\\""]',
    '{"constructor": {"toString": ""}}',
  ])('P3 escapes in JSON are not mistakes: %s', text => {
    const { documents, diagnostics } = read(text, 'json');
    expect([documents[0]?.value, diagnostics]).toEqual([JSON.parse(text), []]);
  });
});
