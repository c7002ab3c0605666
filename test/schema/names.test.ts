import { describe, expect, it } from 'vitest';
import {
  assignWireNames,
  camelCase,
  isItemName,
  matchesPattern,
  packNameOfPackage,
  parseName,
} from '../../schema/names.js';

describe('`parseName`', () => {
  it('W42 `parseName` reads one, two and three segments', () => {
    expect(parseName('get-issue')).toEqual({ name: { item: 'get-issue' } });
    expect(parseName('jira/get-issue')).toEqual({ name: { pack: 'jira', item: 'get-issue' } });
    expect(parseName('acme/jira/get-issue')).toEqual({
      name: { publisher: 'acme', pack: 'jira', item: 'get-issue' },
    });
  });

  it.each([
    ['', 'empty'],
    ['a/b/c/d', 'three segments'],
    ['a/b/c/d/e/f/g', 'three segments'],
    ['/', 'empty'],
    ['/a', 'empty'],
    ['a/', 'empty'],
    ['a//b', 'empty'],
    ['..', 'paths'],
    ['../a', 'paths'],
    ['a/../b', 'paths'],
    ['./a', 'paths'],
    ['a\u0000b', 'control'],
    ['a\nb', 'control'],
    ['a\u001b[31m', 'control'],
    ['a\u009b31m', 'control'],
    ['@acme/jira/get-issue', 'without the @'],
    ['acme\\jira', 'separated'],
    ['get issue', 'not a valid item name'],
    ['.hidden', 'not a valid item name'],
    ['-x', 'not a valid item name'],
    ['get-*', 'not a valid item name'],
    ['größe', 'not a valid item name'],
    ['-g/get', 'not a valid pack name'],
    ['a b/get', 'not a valid pack name'],
  ])('W42 `parseName` refuses %j: %s', (text, reason) => {
    const parsed = parseName(text);
    expect('problem' in parsed ? parsed.problem : parsed).toContain(reason);
  });

  it('W42 `parseName` accepts names that every object has', () => {
    expect(parseName('constructor/toString')).toEqual({ name: { pack: 'constructor', item: 'toString' } });
  });

  it('W42 `parseName` refuses a million slashes without taking them apart', () => {
    expect(parseName('a/'.repeat(500_000))).toHaveProperty('problem');
  });

  it('W42 `isItemName` accepts letters, digits, dots, dashes and underscores, and no other names', () => {
    expect(['a', '9', 'get-issue', 'a.b_c-d', 'A1'].map(isItemName)).toEqual([true, true, true, true, true]);
    expect(['', '-a', '.a', '_a', 'a/b', 'a b', 'a\n', 'é'].map(isItemName)).toEqual(new Array(8).fill(false));
  });
});

describe('forms of a name', () => {
  it.each([
    ['get-issue', 'getIssue'],
    ['get_issue', 'getIssue'],
    ['get.issue', 'getIssue'],
    ['get--issue-', 'getIssue'],
    ['getIssue', 'getIssue'],
    ['GetIssue', 'getIssue'],
    ['URL', 'url'],
    ['HTTPServer', 'httpServer'],
    ['HTTP2', 'http2'],
    ['get-URL', 'getURL'],
    ['2fa-login', '2faLogin'],
    ['a-1-b', 'a1B'],
    ['X', 'x'],
    ['constructor', 'constructor'],
  ])('W42 `camelCase` of %s is %s', (item, expected) => {
    expect(camelCase(item)).toBe(expected);
  });

  it('W42 a scoped package is a pack with a publisher', () => {
    expect(packNameOfPackage('@acme/jira')).toBe('acme/jira');
    expect(packNameOfPackage('jira')).toBe('jira');
  });
});

describe('`matchesPattern`', () => {
  it.each([
    ['*', ''],
    ['*', 'acme/jira/x'],
    ['get-*', 'get-issue'],
    ['get-*', 'get-'],
    ['*-issue', 'get-issue'],
    ['a*b*c', 'aXbXc'],
    ['a*b*c', 'abbc'],
    ['a**c', 'ac'],
    ['acme/*', 'acme/jira/server'],
    ['*aab*', 'aaaab'],
    ['*abab*abac*', 'abababacabac'],
    ['get.issue', 'get.issue'],
  ])('W49 the pattern %s matches %s', (pattern, name) => {
    expect(matchesPattern(pattern, name)).toBe(true);
  });

  it.each([
    ['', 'a'],
    ['get-*', 'forget-x'],
    ['*-issue', 'get-issues'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'acb'],
    ['*aab*', 'ababab'],
    ['get.issue', 'getXissue'],
    ['get', 'get-issue'],
    ['GET-*', 'get-issue'],
    ['*x*x*', 'x'],
  ])('W49 the pattern %s does not match %s', (pattern, name) => {
    expect(matchesPattern(pattern, name)).toBe(false);
  });

  it('W49 `matchesPattern` agrees with a regular expression on random patterns', () => {
    const random = makeRandom(3);
    let matched = 0;
    for (let round = 0; round < 2_000; round++) {
      const pattern = Array.from({ length: random(7) }, () => 'ab*'[random(3)]).join('');
      const name = Array.from({ length: random(8) }, () => 'ab'[random(2)]).join('');
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
      expect([pattern, name, matchesPattern(pattern, name)]).toEqual([pattern, name, expected]);
      if (expected) matched++;
    }
    expect(matched).toBeGreaterThan(100);
  });

  it('W49 `matchesPattern` is fast for patterns made to be slow', () => {
    expect(matchesPattern(`${'*a'.repeat(20_000)}*b`, 'a'.repeat(40_000))).toBe(false);
    expect(matchesPattern(`*${'a'.repeat(100_000)}b*`, 'a'.repeat(200_000))).toBe(false);
  });
});

describe('`assignWireNames`', () => {
  it.each([
    ['W56', ['S', 'S'], ['S1', 'S2']],
    ['W57', ['S1', 'S', 'S'], ['S1', 'S2', 'S3']],
    ['W57', ['S', 'S', 'S1'], ['S2', 'S3', 'S1']],
    ['W57', ['A', 'A', 'A1', 'A1'], ['A2', 'A3', 'A11', 'A12']],
    ['W58', ['a', 'S', 'b', 'S'], ['a', 'S1', 'b', 'S2']],
    ['W59', [], []],
    ['W59', ['x', 'X'], ['x', 'X']],
    ['W59', ['constructor', '__proto__', '__proto__'], ['constructor', '__proto__1', '__proto__2']],
  ])('`assignWireNames` numbers names (%s): %j become %j', (_, names, expected) => {
    expect(assignWireNames(names)).toEqual(expected);
  });

  it('W57 `assignWireNames` returns unique names, keeps those without a collision and numbers every member of a group', () => {
    const random = makeRandom(11);
    for (let round = 0; round < 500; round++) {
      const pool = ['S', 'S1', 'S2', 'S11', 'T', 'S12', 'T1'];
      const names = Array.from({ length: random(12) }, () => pool[random(pool.length)] ?? 'S');
      const given = assignWireNames(names);
      expect(new Set(given).size).toBe(names.length);
      names.forEach((name, index) => {
        const alone = names.filter(other => other === name).length === 1;
        if (alone) expect(given[index]).toBe(name);
        else {
          expect(given[index]).toMatch(new RegExp(`^${name}[1-9][0-9]*$`));
          expect(names).not.toContain(given[index]);
        }
      });
      expect(assignWireNames(names)).toEqual(given);
    }
  });

  it('W57 `assignWireNames` numbers a group of ten thousand in one pass', () => {
    const given = assignWireNames(new Array(10_000).fill('S'));
    expect([given[0], given.at(-1)]).toEqual(['S1', 'S10000']);
  });
});

function makeRandom(start: number): (below: number) => number {
  let seed = start;
  return below => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
}
