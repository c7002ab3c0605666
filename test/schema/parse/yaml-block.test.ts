// What is read without the YAML library must be what the library would have read, without anything to report.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { reportCutTexts } from '../../../schema/parse/cut-text.js';
import { makeLines } from '../../../schema/parse/lines.js';
import { parse } from '../../../schema/parse/parse.js';
import { collect } from '../../../schema/parse/report.js';
import { readYaml } from '../../../schema/parse/yaml.js';
import { readBlocks } from '../../../schema/parse/yaml-block.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';

function byLibrary(text: string): unknown {
  const lines = makeLines('a.yaml', text);
  const diagnostics: Diagnostic[] = [];
  const report = collect(lines, diagnostics);
  const documents = readYaml(text, lines, report, 'own');
  reportCutTexts(text, documents, report);
  return diagnostics.length > 0 || documents.length !== 1 ? diagnostics : documents[0]?.value;
}

const parts = [
  ...['a:', 'b:', 'title:', 'description:', '"k":', "'q':", '- ', '-', ' -', ' - - a', ' - a: b', '? ', '?', '<<: x'],
  ...[
    '  ',
    '    ',
    ' ',
    '   ',
    '\n',
    '\n',
    '\n',
    '\n  ',
    '\n    ',
    '\n- ',
    '\n  - ',
    '\n  b: ',
    '\nb: x',
    '\t',
    '\r\n',
  ],
  ...[' x', ' 1', ' 1.5', ' -0', ' 01', ' 1 2', ' 1x', ' null', ' true', ' yes', ' ~', ' .5', ' 1e3', ' 0x1F', ' +1'],
  ...[' [a, b]', ' [a, 1, null, "x"]', ' [ ]', ' []', ' {}', ' { a: 1, b: x }', ' { a: [x], "b": {} }', ' {a: 1}'],
  ...[
    ' [a b, c]',
    ' [a,b]',
    ' [a:b]',
    ' [a: b]',
    ' { a }',
    ' [1 , 2 ]',
    ' [1 2]',
    ' "x"',
    " 'it''s'",
    ' "a\\n"',
    ' "a\\x"',
  ],
  ...[' "a" b', ' # c', '  # c', ' #c', '#c', ' | ', ' |', ' |-', ' |+', ' |2', ' |2-', ' |-2', ' |1', ' >', ' >-'],
  ...[' a b: c', ' http://x', ' a#b', ' a #b', ' a  # b', ' <<: *x', ' &a x', ' *a', ' !t x', '---', '...', '%YAML'],
  ...[
    '“x”',
    ' “x”',
    ' x:',
    ': ',
    ':',
    ',',
    ']',
    '}',
    '__proto__: ',
    'null: 1',
    '1: 2',
    '1.10: x',
    ' 12345678901234567',
  ],
  ...[' a\n  b', '  text here', '    more text', '=', ' @x', ' $x', ' (x)', ' <x>', '`', '\u0085', '\u2028', 'é', '😀'],
] as const;

const root = join(import.meta.dirname, '../../..');
const written = execFileSync('git', ['ls-files', '*.yaml', '*.yml'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map(file => readFileSync(join(root, file), 'utf8'));

describe('`readBlocks`', () => {
  it('I1 W21: `readBlocks` reads what definitions have: maps, lists, words, numbers, texts below a bar and short brackets', () => {
    const text = [
      '# $schema: x',
      'title: Get an issue  # of Jira',
      'description: |-',
      '  First line: # no comment',
      '',
      '    indented',
      'tags: [a, "b, c", null]',
      'http: { method: GET, path: "/issue/{issueKey}" }',
      'inputSchema:',
      '  properties:',
      "    'a b': { type: [string, 'null'], maximum: 1.5 }",
      '  required:',
      '  - a b',
      '  - c',
      'examples:',
      '  - input:',
      '      a: -1',
      '    output: true',
      '  -',
      '    input: {}',
      'empty:',
      '',
    ].join('\n');
    expect(readBlocks(text)).toEqual(byLibrary(text));
    expect(readBlocks(text)).toMatchObject({ description: 'First line: # no comment\n\n  indented', empty: null });
  });

  it('I1 W21: `readBlocks` leaves everything that could mean something else to the library', () => {
    const odd = [
      'a: &x 1\n',
      'a: b # cut\n',
      'a: “b”\n',
      'a: b\n  c\n',
      'a: 1\na: 2\n',
      'a: 0x1F\n',
      'a: b: c\n',
      '---\na: 1\n',
    ];
    expect(odd.map(readBlocks)).toEqual(odd.map(() => undefined));
  });

  it('I1 W21: `readBlocks` reads every file of this repository as the library does, or not at all', () => {
    const wrong = written.filter(text => {
      const value = readBlocks(text);
      return value !== undefined && JSON.stringify(value) !== JSON.stringify(byLibrary(text));
    });
    expect(wrong).toEqual([]);
    expect(written.filter(text => readBlocks(text) !== undefined).length).toBeGreaterThan(200);
  });

  it('I1 W21: `readBlocks` reads thousands of broken texts as the library does, or not at all', () => {
    const random = makeRandom(seedOr(20_261_119));
    const small = written.filter(text => text.length < 3000);
    let read = 0;
    for (let count = 0; count < amount(60_000); count++) {
      const text = random.chance(0.5) ? `${makeParts(1 + random.below(14))}\n` : spoil(random.pick(small) ?? '');
      const value = readBlocks(text);
      if (value === undefined) continue;
      read++;
      expect({ text, value }).toEqual({ text, value: byLibrary(text) });
    }
    expect(read).toBeGreaterThan(amount(3000));

    function makeParts(length: number): string {
      return Array.from({ length }, () => random.pick(parts)).join('');
    }

    function spoil(text: string): string {
      const at = random.below(text.length + 1);
      const end = at + (random.chance(0.5) ? random.below(6) : 0);
      const next = text.slice(0, at) + (random.chance(0.7) ? random.pick(parts) : '') + text.slice(end);
      return random.chance(0.4) ? spoil(next) : next;
    }
  }, 120_000);

  it('I1 W21: positions of a file that was read without the library are found when they are asked for', () => {
    const text = 'title: A\nhttp:\n  path: /x\n';
    const [document] = parse({ path: 'a.yaml', format: 'yaml', text, hash: '' }).documents;
    expect(readBlocks(text)).toBeDefined();
    expect(document?.site(['http', 'path'])).toMatchObject({ line: 3, column: 9 });
  });
});
