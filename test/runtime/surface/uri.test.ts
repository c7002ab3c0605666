import { describe, expect, it } from 'vitest';
import { makeUriMatcher } from '../../../schema/uri-template-match.js';

describe('`makeUriMatcher`', () => {
  it.each([
    // Level 1 and 2
    ['test://template/{id}/data', 'test://template/42/data', { id: '42' }],
    ['issue://{key}', 'issue://PROJ-1', { key: 'PROJ-1' }],
    ['file:///{+path}', 'file:///a/b%20c/d.txt', { path: 'a/b c/d.txt' }],
    ['{+base}index', 'http://example.com/home/index', { base: 'http://example.com/home/' }],
    ['x://a{#part}', 'x://a#b/c?d', { part: 'b/c?d' }],
    // Level 3
    ['map://{x,y}', 'map://1024,768', { x: '1024', y: '768' }],
    ['x://{+x,y}/here', 'x://a/b,c/d/here', { x: 'a/b', y: 'c/d' }],
    ['x://f{.ext}', 'x://f.tar.gz', { ext: 'tar.gz' }],
    ['x://f{.a,b}', 'x://f.tar.gz', { a: 'tar', b: 'gz' }],
    ['x:{/a,b}/here', 'x:/1/2/here', { a: '1', b: '2' }],
    ['x:path{;x,y,empty}', 'x:path;x=1;y=2;empty', { x: '1', y: '2', empty: '' }],
    ['x:path{;x,y}/z', 'x:path;y=2/z', { y: '2' }],
    ['x:p{?x,y}', 'x:p?x=1&y=2', { x: '1', y: '2' }],
    ['x:p?fixed=yes{&x}', 'x:p?fixed=yes&x=1', { x: '1' }],
    // Level 4
    ['x:{/path*}', 'x:/a/b%2Fc/d', { path: 'a/b/c/d' }],
    ['x:{/path*}{?q}', 'x:/a/b?q=1', { path: 'a/b', q: '1' }],
    ['x:p{?fields*}', 'x:p?fields=a&fields=b', { fields: 'a,b' }],
    ['x:{name:3}/{name}', 'x:war/warden', { name: 'warden' }],
    ['x:{name}/{name:3}', 'x:warden/war', { name: 'warden' }],
  ])('J81 the template %s reads %s', (template, uri, variables) => {
    expect(makeUriMatcher(template)(uri)).toEqual(variables);
  });

  it.each([
    ['x:{a}', 'x:', 'a path variable is never empty'],
    ['x:{a}', 'x:b/c', 'a plain variable ends at a slash'],
    ['x:{a}', 'x:b?c', 'and at a query'],
    ['x:{a}', 'x:b#c', 'and at a fragment'],
    ['x:{a}', 'y:b', 'another scheme'],
    ['x:{a}/end', 'x:b/end/more', 'something follows'],
    ['x:{a}', 'x:%zz', 'broken encoding'],
    ['x:{a}', 'x:%ff', 'encoded bytes that are no UTF-8'],
    ['x:{a}', 'x:100%', 'a percent sign alone'],
    ['x:p{?q}', 'x:p?other=1', 'a parameter that the template does not have'],
    ['x:p{?q}', 'x:p?q=1&q=2', 'one parameter with two values'],
    ['x:{name:3}/{name}', 'x:war/peace', 'a start that is not the start'],
    ['x:{name:3}', 'x:warden', 'more characters than the prefix allows'],
  ])('J81 the template %s does not read %s: %s', (template, uri) => {
    expect(makeUriMatcher(template)(uri)).toBeUndefined();
  });

  it('J81 values are percent-decoded as UTF-8, in any case of the digits', () => {
    expect(makeUriMatcher('x:{a}')('x:caf%c3%a9%2F%F0%9F%91%8D')).toEqual({ a: 'café/👍' });
  });

  it('J81 fixed parts may be encoded or not', () => {
    const match = makeUriMatcher('x:größe/{a}');
    expect(match('x:größe/1')).toEqual({ a: '1' });
    expect(match('x:gr%C3%B6%c3%9fe/1')).toEqual({ a: '1' });
    expect(makeUriMatcher('x:a%2fb/{a}')('x:a%2Fb/1')).toEqual({ a: '1' });
  });

  it('J81 a variable that is named twice must have one value', () => {
    const match = makeUriMatcher('x:{a}/{b}/{a}');
    expect(match('x:1/2/1')).toEqual({ a: '1', b: '2' });
    expect(match('x:1/2/3')).toBeUndefined();
    // Encoded differently, it is the same value all the same.
    expect(match('x:%41/2/A')).toEqual({ a: 'A', b: '2' });
    // The first reading that comes to mind, a = 1-2-1, leaves no 1-2-1 for the second.
    expect(makeUriMatcher('x:{a}-{a}')('x:1-2-1-2')).toEqual({ a: '1-2' });
    expect(makeUriMatcher('x:{a}{?a}')('x:1?a=1')).toEqual({ a: '1' });
    expect(makeUriMatcher('x:{a}{?a}')('x:1?a=2')).toBeUndefined();
  });

  it('J81 parameters come in any order and may be left out', () => {
    const match = makeUriMatcher('x:p{?a,b}{&c}');
    expect(match('x:p')).toEqual({});
    expect(match('x:p?c=3&b=2&a=1')).toEqual({ a: '1', b: '2', c: '3' });
    expect(match('x:p?b=%26')).toEqual({ b: '&' });
    expect(match('x:p?b')).toEqual({ b: '' });
    expect(match('x:p?b=a=b')).toEqual({ b: 'a=b' });
  });

  it('J81 a variable inside a written query ends at &', () => {
    expect(makeUriMatcher('x://?q={query}&n={count}')('x://?q=a/b&n=2')).toEqual({ query: 'a/b', count: '2' });
  });

  it('J81 {+path} leaves the query to the template that has one', () => {
    expect(makeUriMatcher('x:{+path}{?q}')('x:a/b?q=1')).toEqual({ path: 'a/b', q: '1' });
    expect(makeUriMatcher('x:{+path}')('x:a/b?q=1#c')).toEqual({ path: 'a/b?q=1#c' });
  });

  it('J81 names that objects have by themselves are only names', () => {
    const found = makeUriMatcher('x:{__proto__}/{constructor}')('x:a/b') ?? {};
    expect(Object.entries(found)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });

  it('J81 URIs made to be slow are refused as fast as others', () => {
    const hostile = `x:${'a-'.repeat(8000)}!`;
    for (const template of ['x:{a}-{b}-{c}-{d}-{e}z', 'x:{a}-{a}-{a}-{a}z', 'x:{+a}{+b}{+c}{+d}#', 'x:{a}{b}{a}{b}']) {
      expect(makeUriMatcher(template)(hostile)).toBeUndefined();
    }
    expect(makeUriMatcher('x:{a}-{a}-{a}')(`x:${'-'.repeat(16_000)}b`)).toBeUndefined();
    expect(makeUriMatcher('x:{a}')(`x:${'%'.repeat(16_000)}`)).toBeUndefined();
    expect(makeUriMatcher('x:{a}')(`x:${'a'.repeat(100_000)}`)).toBeUndefined();
  });
});
