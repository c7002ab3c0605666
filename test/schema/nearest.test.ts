import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../schema/nearest.js';

const toolKeys = ['name', 'title', 'description', 'parameters', 'inputSchema', 'outputSchema', 'output', 'handler'];
const moreKeys = [...toolKeys, 'effect', 'guidelines', 'examples', 'limits', 'scopes', 'tags', 'enabled', 'arguments'];

describe('`nearest`', () => {
  it.each([
    ['nmae', 'name'],
    ['tilte', 'title'],
    ['descripton', 'description'],
    ['Description', 'description'],
    ['input_schema', 'inputSchema'],
    ['INPUT-SCHEMA', 'inputSchema'],
    ['handlers', 'handler'],
    ['exmaples', 'examples'],
    ['limit', 'limits'],
    ['tag', 'tags'],
  ])('W5 `nearest` takes the typo %s for %s', (word, expected) => {
    expect(nearest(word, moreKeys)).toBe(expected);
  });

  it.each([
    ['desc', 'description'],
    ['params', 'parameters'],
    ['args', 'arguments'],
    ['guide', 'guidelines'],
    ['schema', 'inputSchema'],
    ['toolDescription', 'description'],
  ])('W5 `nearest` takes the abbreviation or part %s for %s', (word, expected) => {
    expect(nearest(word, moreKeys)).toBe(expected);
  });

  it.each(['x', 'id', 'color', 'qqqqqq', '', '--', 'de', 'ti', 'an entirely other text'])(
    'W5 `nearest` suggests nothing absurd for "%s"',
    word => {
      expect(nearest(word, moreKeys)).toBeUndefined();
    },
  );

  it('W5 `nearest` does not guess from two letters, unless only a third is missing', () => {
    expect(nearest('ab', ['cb', 'ax'])).toBeUndefined();
    expect(nearest('ur', ['uri'])).toBe('uri');
    expect(nearest('tol', ['server', 'tool', 'prompt'])).toBe('tool');
  });

  it('W5 `nearest` prefers fewer edits, then the order of the list', () => {
    expect(nearest('get-isue', ['get-issues', 'get-issue'])).toBe('get-issue');
    expect(nearest('bat', ['cat', 'hat'])).toBe('cat');
    expect(nearest('outp', ['outputSchema', 'output'])).toBe('output');
    expect(nearest('desc', ['describe-everything', 'description'])).toBe('description');
  });

  it('W5 `nearest` counts a swap of two letters as one edit, also as the last of several', () => {
    expect(nearest('abdc', ['abcd'])).toBe('abcd');
    expect(nearest('xabdc', ['xbcd', 'xabcd'])).toBe('xabcd');
    expect(nearest('retreive-documnet', ['retrieve-document'])).toBe('retrieve-document');
  });

  it('W5 `nearest` does not suggest the word itself, but another spelling of it', () => {
    expect(nearest('name', ['name'])).toBeUndefined();
    expect(nearest('getIssue', ['getIssue', 'get-issue'])).toBe('get-issue');
  });

  it('W5 `nearest` agrees with a plain distance on random words', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const word = (): string => Array.from({ length: 6 + random(3) }, () => 'abc'[random(3)]).join('');
    let found = 0;
    for (let round = 0; round < 400; round++) {
      const [a, b] = [word(), word()];
      if (a === b || a.includes(b) || b.includes(a)) continue;
      const expected = plainDistance(a, b) <= Math.floor(Math.max(a.length, b.length) / 3);
      const prefix = [...a].findIndex((letter, index) => letter !== b[index]);
      if (!expected && prefix >= 3) continue;
      expect([a, b, nearest(a, [b])]).toEqual([a, b, expected ? b : undefined]);
      if (expected) found++;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('W5 `nearest` ends quickly and without a guess for long words and long lists', () => {
    const long = 'a'.repeat(10_000);
    const many = Array.from({ length: 10_000 }, (_, index) => `${'b'.repeat(100)}${index}`);
    expect(nearest(long, [...many, `${long}b`])).toBeUndefined();
    expect(nearest('c'.repeat(104), [...many, long])).toBeUndefined();
    expect(nearest(`${'b'.repeat(100)}47x11`, many)).toBe(`${'b'.repeat(100)}4711`);
  });

  it('W5 `nearest` accepts any iterable and keys of every object', () => {
    expect(nearest('constuctor', new Set(['constructor', '__proto__']))).toBe('constructor');
  });
});

describe('`didYouMean`', () => {
  it('W5 `didYouMean` is a question with the suggestion in quotes', () => {
    expect(didYouMean('nmae', toolKeys)).toBe('did you mean "name"?');
    expect(didYouMean('a"c', ['a"b'])).toBe('did you mean "a\\"b"?');
    expect(didYouMean('zzz', toolKeys)).toBeUndefined();
  });
});

function plainDistance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, cell(i - 2, j - 2) + 1);
      const row = rows[i];
      if (row !== undefined) row[j] = cost;
    }
  }
  return cell(a.length, b.length);
}
