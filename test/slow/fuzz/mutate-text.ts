// In: a text of a pack and others to borrow from. Out: the text, damaged the way hands, merges and tools damage texts.
import type { Random } from '../../harness/random.js';

type Mutation = (text: string, random: Random, others: readonly string[]) => string;

const scraps = [
  ...' \t\n\r\\:#-?[]{},&*!|>\'"%@`~<=.0aé',
  '\r\n',
  '---\n',
  '...\n',
  ': ',
  ' #',
  '- ',
  '&x ',
  '*x',
  '<<: *x\n',
  '{{tool:x}}',
  '{{#if a}}',
  '__proto__: {polluted: 1}\n',
  '"__proto__": {"polluted": 1},',
  'constructor: {prototype: {polluted: 1}}\n',
  'toString: 1\n',
  'null',
  'true',
  '1e999',
  '.nan',
  '\u0000',
  '\u001b[31m',
  '\u007f',
  '\u009b',
  '\ufeff',
  '\u2028',
  '\u202e',
  '😀',
  '\ud83d',
  '//',
] as const;

const mutations: readonly [Mutation, ...Mutation[]] = [
  onLines((lines, random) => lines.splice(random.below(lines.length), 1 + random.below(3))),
  onLines((lines, random) => {
    const at = random.below(lines.length);
    lines.splice(random.below(lines.length), 0, ...lines.slice(at, at + 1 + random.below(3)));
  }),
  onLines((lines, random) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  }),
  onLines((lines, random) => {
    const at = random.below(lines.length);
    lines[at] = `${random.pick([' ', '  ', '    ', '\t'])}${lines[at] ?? ''}`;
  }),
  onLines((lines, random) => {
    const at = random.below(lines.length);
    lines[at] = (lines[at] ?? '').slice(1 + random.below(3));
  }),
  (text, random) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(scraps) + text.slice(at + random.below(3));
  },
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => text.slice(random.below(text.length + 1)),
  (text, random, others) => {
    const other = random.pick(others) ?? '';
    return text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1));
  },
  text => text.replaceAll('\n', '\r\n'),
  text => text.replaceAll('\n', '\r'),
  text => `\ufeff${text}`,
];

function onLines(change: (lines: string[], random: Random) => void): Mutation {
  return (text, random) => {
    const lines = text.split('\n');
    change(lines, random);
    return lines.join('\n');
  };
}

export function mutateText(text: string, random: Random, others: readonly string[]): string {
  let mutated = text;
  for (let count = random.below(3); count >= 0; count -= 1) mutated = random.pick(mutations)(mutated, random, others);
  return mutated;
}
