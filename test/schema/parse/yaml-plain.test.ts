// What is read without the YAML library must be what the library would have read.
import { describe, expect, it } from 'vitest';
import { parse } from '../../../schema/parse/parse.js';
import { readPlainMap } from '../../../schema/parse/yaml-plain.js';
import { makeRandom } from '../../harness/random.js';

const byLibrary = (text: string): unknown => {
  const { documents, diagnostics } = parse({ path: 'a.yaml', format: 'yaml', text, hash: '' });
  return diagnostics.length > 0 || documents.length !== 1 ? undefined : documents[0]?.value;
};

const parts = [
  ...['name: ', 'version: ', 'a_1: ', 'true: ', 'N: ', '- ', '  x: ', '? ', '--- ', '%YAML 1.2', '# note', '#', 'key:'],
  ...[
    'acme/jira',
    '1.0.0',
    '1.10',
    '1',
    '0x1F',
    '1e3',
    'yes',
    'Null',
    'No',
    'false',
    'a b',
    'a-b,c',
    'x.',
    'a/',
    '.inf',
  ],
  ...[' ', '  ', '\n', '\n', '\n', '\r\n', '\t', ': ', ':', ' #', '#', '"', "'", '|', '>', '&a', '*a', '!t', '{', '['],
  ...[
    '[',
    '[]',
    '[a]',
    '[a, b]',
    '[a,b]',
    '[ a ]',
    '["a, b"]',
    "['x*']",
    '[get-*, "b"]',
    '[a, ]',
    '[a: b]',
    '[yes]',
    '[[a]]',
  ],
  ...[
    'tools:\n  - a\n',
    'tools:\n  - [a, Some text]\n  - "b"\n',
    'tools:\n- a\n',
    '  - a\n',
    '  - a: b\n',
    '  -a\n',
    ']',
    ', ',
  ],
  ...[
    '"a"',
    "'a'",
    '"a b, c"',
    '"a\\n"',
    "'it''s'",
    '"#a"',
    "'a: b'",
    'a "b" c',
    "don't",
    'a & b',
    'a [b] {c}',
    'a | b',
    'x?',
  ],
  ...['<<: ', 'constructor: ', '__proto__: ', 'é', '\u0085', '\u2028', '-', '...', '~'],
] as const;

describe('`readPlainMap`', () => {
  it('W21 `readPlainMap` reads what most packs say about themselves', () => {
    const text = '# $schema: x\n\nname: acme/jira\nversion: 1.2.0\ndescription: Reads, and writes issues\n';
    const value = { name: 'acme/jira', version: '1.2.0', description: 'Reads, and writes issues' };
    expect([readPlainMap(text), byLibrary(text)]).toEqual([value, value]);
  });

  it('W21 `readPlainMap` reads lists, as manifests and servers have them', () => {
    const text =
      'servers:\n  - [desk, The desk (all of it)]\n  - main\ntools: [a, "b*", acme/jira/get-*]\nprompts: []\ndescription: Don\'t panic, it\'s fine!\nroot: "mcp"\n';
    const value = {
      servers: [['desk', 'The desk (all of it)'], 'main'],
      tools: ['a', 'b*', 'acme/jira/get-*'],
      prompts: [],
      description: "Don't panic, it's fine!",
      root: 'mcp',
    };
    expect([readPlainMap(text), byLibrary(text)]).toEqual([value, value]);
  });

  it.each([
    'tools:\n',
    'tools:\n- a\n',
    'tools: a\n  - b\n',
    'tools:\n  - a\n\n  - b\n',
    'tools:\n  - a\n    - b\n',
    'tools:\n  - a: b\n',
    'tools: [a, ]\n',
    'tools: [yes]\n',
    'tools: [[a]]\n',
    'tools: [a\n',
    'name: "a\\n"\n',
    "name: 'it''s'\n",
    '',
    '\n',
    '# only a comment\n',
    'name: a',
    'name: a\nname: b\n',
    'name: a: b\n',
    'name: a #b\n',
    'name: yes\n',
    'No: a\n',
    'version: 1.0\n',
    'name: a \n',
    'name:  a\n',
    'name: a\r\n',
    'name: a\n b\n',
    'constructor: a\n',
    `name: ${'a'.repeat(3000)}\n`,
  ])('W21 `readPlainMap` leaves everything else to the library: %j', text => {
    expect(readPlainMap(text)).toBeUndefined();
  });

  it('P3 `readPlainMap` agrees with the library on thousands of texts', () => {
    const random = makeRandom(7);
    let read = 0;
    for (let count = 0; count < 40_000; count += 1) {
      let text = '';
      for (let lines = random.below(4); lines >= 0; lines -= 1) {
        const isPlain = random.below(4) > 0;
        const more = Array.from({ length: random.below(5) }, () => random.pick(parts)).join('');
        text += isPlain
          ? `${random.pick(['a', 'b', 'name'])}: ${random.pick(parts)}${random.below(3) > 0 ? '' : more}\n`
          : `${more}\n`;
      }
      const plain = readPlainMap(text);
      if (plain === undefined) continue;
      read += 1;
      expect([text, plain]).toEqual([text, byLibrary(text)]);
    }
    expect(read).toBeGreaterThan(200);
  });

  it('P3 `readPlainMap` agrees with the library on every character in words, quotes and lists', () => {
    const random = makeRandom(11);
    const count = 10_000;
    const places = [
      'k: a@\n',
      'k: "@"\n',
      "k: '@'\n",
      'k: [a@]\n',
      'k: [a@, b@]\n',
      'k: ["@", a@]\n',
      'k:\n  - a@\n  - b@\n',
    ] as const;
    let read = 0;
    for (let round = 0; round < count; round += 1) {
      const text = random.pick(places).replaceAll('@', () => {
        const codes = Array.from({ length: random.below(4) }, () => 32 + random.below(95));
        return String.fromCharCode(...codes);
      });
      const plain = readPlainMap(text);
      if (plain === undefined) continue;
      read += 1;
      expect([text, plain]).toEqual([text, byLibrary(text)]);
    }
    expect(read).toBeGreaterThan(count / 3);
  });
});
