// YAML that is printed reads back as it was meant, and edits leave every byte that they do not mean.
import { describe, expect, it } from 'vitest';
import { changeJson } from '../../../generator/edit/change-json.js';
import { changeYaml } from '../../../generator/edit/change-yaml.js';
import { printYaml } from '../../../generator/edit/print-yaml.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { makeLines } from '../../../schema/parse/lines.js';
import { collect } from '../../../schema/parse/report.js';
import { readYaml } from '../../../schema/parse/yaml.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom, type Random } from '../../harness/random.js';

type Values = Readonly<Record<string, unknown>>;

function byLibrary(text: string): unknown {
  const lines = makeLines('a.yaml', text);
  const diagnostics: Diagnostic[] = [];
  const documents = readYaml(text, lines, collect(lines, diagnostics), 'own');
  return diagnostics.length > 0 || documents.length !== 1 ? diagnostics : documents[0]?.value;
}

const cases: readonly (readonly [title: string, text: string, next: Values, expected: string | undefined])[] = [
  [
    'a value keeps the comment behind it',
    'a: 1 # one\nb: "x"  # two\n',
    { a: 2, b: 'y: z' },
    'a: 2 # one\nb: "y: z"  # two\n',
  ],
  ['a value keeps its quotes', "a: 'it''s'\nb: \"x\"\n", { a: "it's not", b: 'y' }, "a: 'it''s not'\nb: \"y\"\n"],
  [
    'a new key comes after the one before it',
    'a: 1\n\n# about c\nc: 3\n',
    { a: 1, b: 2, c: 3 },
    'a: 1\nb: 2\n\n# about c\nc: 3\n',
  ],
  ['a new key comes first', '# head\nb: 2\n', { a: 1, b: 2 }, '# head\na: 1\nb: 2\n'],
  [
    'a key goes with its lines, and comments around it stay',
    'a:\n  b: 1\n\n  # next\n  c: 2\n',
    { a: { c: 2 } },
    'a:\n\n  # next\n  c: 2\n',
  ],
  [
    'line ends of Windows stay',
    'a: 1\r\nb: x\r\n',
    { a: 'one\ntwo\n', b: { c: 1 } },
    'a: |\r\n  one\r\n  two\r\nb:\r\n  c: 1\r\n',
  ],
  ['a file without a line break at its end stays so', 'a: 1\nb: x', { a: 1, b: 'x', c: 2 }, 'a: 1\nb: x\nc: 2'],
  ['a file without a line break at its end loses its last key', 'a: 1\nb: x', { a: 1 }, 'a: 1'],
  [
    'a map in brackets stays in brackets',
    'a: { b: 1, c: 2 } # k\n',
    { a: { b: 3, d: 'x, y' } },
    'a: { b: 3, d: "x, y" } # k\n',
  ],
  [
    'a list in brackets stays in brackets',
    'a: [x, "y", z] # k\n',
    { a: ['x', 'w', 'z', 'q'] },
    'a: [x, w, z, q] # k\n',
  ],
  [
    'a list on lines keeps its comments',
    'a:\n  - x # ex\n  - y\n  # end\nb: 1\n',
    { a: ['x', 'z'], b: 1 },
    'a:\n  - x # ex\n  - z\n  # end\nb: 1\n',
  ],
  [
    'a list as deep as its key stays as deep',
    'a:\n- x\n- y\nb: 2\n',
    { a: ['x', 'y', 'z'], b: 2 },
    'a:\n- x\n- y\n- z\nb: 2\n',
  ],
  [
    'a list of several lines in brackets stays open',
    'a: [\n  x, # one\n  y,\n]\n',
    { a: ['x', 'y', 'z'] },
    'a: [\n  x, # one\n  y, z,\n]\n',
  ],
  [
    'a text below a bar becomes another',
    'a: | # why\n  one\n  two\n\n# c\nb: 1\n',
    { a: 'three\nfour', b: 1 },
    'a: |-  # why\n  three\n  four\n\n# c\nb: 1\n',
  ],
  [
    'a text becomes a map, and its comment stays',
    'a: x # note\nb: 1\n',
    { a: { c: 1 }, b: 1 },
    'a: # note\n  c: 1\nb: 1\n',
  ],
  [
    'a map becomes a text, and its comment stays',
    'a: # note\n  c: 1\nb: 1\n',
    { a: 'x', b: 1 },
    'a: x  # note\nb: 1\n',
  ],
  ['a key without a value gets one', 'a: # note\nb: 1\n', { a: { c: 1 }, b: 1 }, 'a: # note\n  c: 1\nb: 1\n'],
  [
    'a merged key gets a value of its own',
    'x: &b { k: 1 }\ny:\n  <<: *b\n',
    { x: { k: 1 }, y: { k: 2 } },
    'x: &b { k: 1 }\ny:\n  <<: *b\n  k: 2\n',
  ],
  ['an alias becomes a value', 'a: &x one\nb: *x\n', { a: 'one', b: 'two' }, 'a: &x one\nb: two\n'],
  ['an anchor whose alias should stay is not edited', 'a: &x one\nb: *x\n', { a: 'two', b: 'one' }, undefined],
  ['an anchor that is needed is not removed', 'a: &x one\nb: *x\n', { b: 'one' }, undefined],
  ['a merged key is not removed', 'x: &b { k: 1 }\ny:\n  <<: *b\n  l: 1\n', { x: { k: 1 }, y: { l: 1 } }, undefined],
  ['a text that is broken is not edited', 'a: "x\n', { a: 'y' }, undefined],
  ['an empty file gets its first key', '', { a: 1 }, 'a: 1\n'],
  ['a file of comments gets its first key', '# mine', { a: 1 }, '# mine\na: 1\n'],
  ['an empty map gets its first key', '{}\n', { a: 1 }, 'a: 1\n'],
  ['the last key leaves an empty map', 'a: 1 # x\n', {}, '{} # x\n'],
  ['a long key in two lines keeps them', '? long key\n: 1\nb: 2\n', { 'long key': 2, b: 2 }, '? long key\n: 2\nb: 2\n'],
  ['marks of a document stay', '---\na: 1\n...\n', { a: 1, b: 2 }, '---\na: 1\nb: 2\n...\n'],
];

describe('`changeYaml`', () => {
  it.each(cases)('I4 in `changeYaml` %s', (_, text, next, expected) => {
    expect(changeYaml(text, 0, next)).toBe(expected);
  });

  it('I4 `changeYaml` changes one document of several', () => {
    expect(changeYaml('a: 1\n---\nb: 2 # two\n', 1, { b: 3 })).toBe('a: 1\n---\nb: 3 # two\n');
    expect(changeYaml('a: 1\n---\nb: 2\n', 2, { b: 3 })).toBeUndefined();
  });

  it('I4 `changeJson` edits, adds and removes members and leaves everything else', () => {
    const text = '{\n    // mine\n    "a": 1,\n    "b": { "c": [1], "d": 2 }\n}\n';
    expect(changeJson(text, { a: 2, b: { c: [1, 2] }, e: 'x' })).toBe(
      '{\n    // mine\n    "a": 2,\n    "b": { "c": [1,2] },\n    "e": "x"\n}\n',
    );
  });

  it('I4 `changeYaml` says what was meant, or nothing, for thousands of random texts and values', () => {
    const random = makeRandom(seedOr(20_261_122));
    let done = 0;
    const rounds = amount(1500);
    for (let round = 0; round < rounds; round++) {
      const old = { ...makeMap(random, 0), first: 1 };
      const next = { ...change(old, random), first: 1 };
      const comment = `# c${round}`;
      const text = `${comment}\n${printYaml(old)}`;
      const edited = changeYaml(text, 0, next);
      if (edited === undefined) continue;
      done++;
      expect({ text, value: byLibrary(edited) }).toEqual({ text, value: next });
      expect(edited).toContain(comment);
    }
    expect(done).toBeGreaterThan(rounds * 0.95);
  });
});

const bits = [
  'a',
  'b c',
  ' ',
  '\n',
  '\n\n',
  ': ',
  ':',
  '#',
  ' #',
  '- ',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  '{{',
  '&',
  '*',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '?',
  '~',
  'null',
  'true',
  '1',
  '0x1',
  '1e3',
  '.inf',
  '<<',
  '\t',
  '\r',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\u00a0',
  'é',
  '😀',
  '\ud800',
  '\u0000',
  '\u007f',
  '---',
  '...',
  'yes',
  '“x”',
  '$',
  '(',
  'http://x#y',
] as const;
const keys = [
  '',
  'null',
  '123',
  'constructor',
  '<<',
  'a',
  'b',
  'y',
  'a b',
  '-',
  '- x',
  'k'.repeat(1100),
  '"',
  '#',
  '1.10',
  'toString',
  '?',
  ': ',
] as const;

function makeText(random: Random): string {
  return Array.from({ length: random.below(7) }, () => random.pick(bits)).join('');
}

function makeMap(random: Random, depth: number): Record<string, unknown> {
  const names = Array.from({ length: random.below(5) }, () =>
    random.chance(0.3) ? makeText(random) : random.pick(keys),
  );
  return Object.fromEntries(names.map(name => [name, makeValue(random, depth + 1)]));
}

function makeValue(random: Random, depth: number): unknown {
  const sort = random.below(depth > 4 ? 6 : 9);
  if (sort < 3) return makeText(random);
  if (sort === 3) return random.pick([null, true, false, 0, -1, 1.5, 1e21, 1e-7, 2 ** 60, 0.1] as const);
  if (sort === 4) return random.pick([{}, []] as const);
  if (sort === 5) return random.chance(0.3) ? makeText(random).repeat(20) : 'word';
  if (sort === 6) return Array.from({ length: random.below(4) }, () => makeValue(random, depth + 1));
  return makeMap(random, depth);
}

/** Some of its members go, others change, new ones come. */
function change(map: Values, random: Random): Record<string, unknown> {
  const kept = Object.entries(map).flatMap(([key, value]) => {
    if (random.chance(0.15)) return [];
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (random.chance(0.6)) return [[key, isMap ? change(value as Values, random) : value] as const];
    return [[key, makeValue(random, 3)] as const];
  });
  return Object.fromEntries(random.chance(0.4) ? [...kept, [makeText(random), makeValue(random, 3)]] : kept);
}

describe('`printYaml`', () => {
  it('I4 `printYaml` prints thousands of odd values so that the library reads the same, without anything to report', () => {
    const random = makeRandom(seedOr(20_261_123));
    for (let round = 0; round < amount(4000); round++) {
      const value = { x: makeValue(random, 0), ...makeMap(random, 0) };
      expect(byLibrary(printYaml(value))).toEqual(value);
    }
  });

  it('I4 `printYaml` writes as an author would', () => {
    const value = {
      title: 'Get an issue',
      description: 'One line: two\n\n- a list\n',
      pattern: '^\\d+"$',
      tags: ['a', 'b, c'],
      list: [{ a: 1, b: [] }, 'x', ['z']],
      $ref: 'schema:issue',
      'odd key': { null: null, deep: { empty: {} } },
    };
    expect(printYaml(value)).toBe(
      [
        'title: Get an issue',
        'description: |',
        '  One line: two',
        '',
        '  - a list',
        "pattern: '^\\d+\"$'",
        'tags: [a, "b, c"]',
        'list:',
        '  - a: 1',
        '    b: []',
        '  - x',
        '  - [z]',
        '$ref: schema:issue',
        '"odd key":',
        '  "null": null',
        '  deep:',
        '    empty: {}',
        '',
      ].join('\n'),
    );
  });
});
