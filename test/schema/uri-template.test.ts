import { describe, expect, it } from 'vitest';
import { parseUriTemplate } from '../../schema/uri-template.js';

describe('`parseUriTemplate`', () => {
  it.each([
    ['', []],
    ['file:///static/path', []],
    ['issue://{key}', ['key']],
    ['test://template/{id}/data', ['id']],
    ['{+path}/here', ['path']],
    ['X{#var}', ['var']],
    ['X{.x,y}', ['x', 'y']],
    ['{/var,x}/here', ['var', 'x']],
    ['{;x,y,empty}', ['x', 'y', 'empty']],
    ['{?x,y*}', ['x', 'y']],
    ['?fixed=yes{&x:30}', ['x']],
    ['{var:1}{var:9999}', ['var']],
    ['{/list*}', ['list']],
    ['{a.b.c}{_x}{%41b}{9}', ['a.b.c', '_x', '%41b', '9']],
    ['a/{x}/b/{y}/c/{x}', ['x', 'y']],
    ["it's/%20/ok?[]@:!$&()*+,;=#~", []],
    ['größe/名前/👍/{x}', ['x']],
    ['{constructor}{__proto__}', ['constructor', '__proto__']],
  ])('J81 the template %j has the variables %j', (text, variables) => {
    expect(parseUriTemplate(text)).toEqual({ variables });
  });

  it.each([
    ['a/{x', 'not closed', 2],
    ['a/x}', 'closes nothing', 3],
    ['a/{}', 'names no variable', 2],
    ['{+}', 'variable name is missing', 2],
    ['{x,}', 'variable name is missing', 3],
    ['{,x}', 'reserved', 1],
    ['{=x}', 'reserved', 1],
    ['{!x}', 'reserved', 1],
    ['{@x}', 'reserved', 1],
    ['{|x}', 'reserved', 1],
    ['{a{b}}', 'nested', 2],
    ['{a b}', '"a b" is not a valid variable name', 1],
    ['{ a }', '" a " is not a valid variable name', 1],
    ['{a-b}', '"a-b" is not a valid variable name', 1],
    ['{x,issue-key}', '"issue-key" is not a valid variable name', 3],
    ['{.a..b}', 'is not a valid variable name', 2],
    ['{a.}', 'is not a valid variable name', 1],
    ['{%4}', 'is not a valid variable name', 1],
    ['{x:0}', '1 to 9999', 2],
    ['{x:10000}', '1 to 9999', 2],
    ['{x:}', '1 to 9999', 2],
    ['{x:3*}', '1 to 9999', 2],
    ['{x**}', 'is not a valid variable name', 1],
    ['{*x}', 'is not a valid variable name', 1],
    ['{größe}', 'is not a valid variable name', 1],
    ['a b', '(space)', 1],
    ['a%zz', 'hexadecimal', 1],
    ['100%', 'hexadecimal', 3],
    ['a"b', 'must be percent-encoded', 1],
    ['👍<', '"<" must be percent-encoded', 2],
    ['a\\b', 'must be percent-encoded', 1],
    ['a^b', 'must be percent-encoded', 1],
    ['a`b', 'must be percent-encoded', 1],
    ['a|b', 'must be percent-encoded', 1],
    ['a\nb', 'U+000A', 1],
    ['a\u009bb', 'U+009B', 1],
    ['a\ud800b', 'U+D800', 1],
    ['a\uffffb', 'U+FFFF', 1],
  ])('J81 the template %j is refused: %s', (text, part, offset) => {
    const parsed = parseUriTemplate(text);
    expect(parsed).toMatchObject({ offset });
    expect('problem' in parsed ? parsed.problem : '').toContain(part);
  });

  it('J81 long templates are read once', () => {
    expect(parseUriTemplate('{x}/'.repeat(100_000))).toEqual({ variables: ['x'] });
    expect(parseUriTemplate('{'.repeat(500_000))).toMatchObject({ offset: 0 });
    expect(parseUriTemplate(`{${'a.'.repeat(100_000)}}`)).toMatchObject({ offset: 1 });
    expect(parseUriTemplate(`{${'a'.repeat(500_000)}-}`)).toMatchObject({ offset: 1 });
  });
});
