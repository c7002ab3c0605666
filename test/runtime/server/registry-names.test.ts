// The names that model providers take: valid, unique, the same in every run, and back again.
import { describe, expect, it } from 'vitest';
import { providerNames } from '../../../runtime/server/registry/provider-names.js';

const valid = /^[A-Za-z0-9_-]{1,64}$/;

describe('names for providers', () => {
  it('M35 a name that fits stays as it is', () => {
    expect([...providerNames(['get-issue', 'A_1', 'x'.repeat(64)])]).toEqual([
      ['get-issue', 'get-issue'],
      ['A_1', 'A_1'],
      ['x'.repeat(64), 'x'.repeat(64)],
    ]);
  });

  it('M35 dots and slashes become underscores', () => {
    expect(providerNames(['jira.get/issue']).get('jira.get/issue')).toBe('jira_get_issue');
  });

  it('M35 two names that would become one stay two', () => {
    const names = providerNames(['a.b', 'a/b', 'a-b']);
    expect(names.get('a-b')).toBe('a-b');
    expect(new Set(names.values()).size).toBe(3);
    for (const name of names.values()) expect(name).toMatch(valid);
  });

  it('M35 a changed name never takes that of a tool that already fits', () => {
    const names = providerNames(['a.b', 'a_b']);
    expect(names.get('a_b')).toBe('a_b');
    expect(names.get('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  it('M35 names over 64 characters are cut and stay different', () => {
    const long = (end: string): string => `${'l'.repeat(100)}${end}`;
    const names = providerNames([long('1'), long('2')]);
    expect(new Set(names.values()).size).toBe(2);
    for (const name of names.values()) expect(name).toMatch(/^l{55}_[0-9a-f]{8}$/);
  });

  it('M35 a name does not depend on the order of the tools', () => {
    const all = ['a.b', 'a/b', 'a_b', 'jira.search', 'y'.repeat(90), 'get'];
    const forwards = providerNames(all);
    const backwards = providerNames([...all].reverse());
    for (const name of all) expect(backwards.get(name)).toBe(forwards.get(name));
  });

  it('M35 a tool may already have the name that a hash would give', () => {
    const taken = providerNames(['a.b', 'a/b']).get('a.b') ?? '';
    const names = providerNames(['a.b', 'a/b', taken]);
    expect(names.get(taken)).toBe(taken);
    expect(new Set(names.values()).size).toBe(3);
  });
});
