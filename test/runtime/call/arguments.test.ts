// Arguments as models send them: checked, completed, repaired, and every mistake explained.
import { describe, expect, it } from 'vitest';
import type { Mistake } from '../../../runtime/call/explain-violations.js';
import { type Kit, makeKit } from './call-kit.js';

const echo = (definition: string, strictArguments = false): Kit =>
  makeKit(`description: d\n${definition}`, { handler: args => args, services: { strictArguments } });

/** What the handler got. */
async function got(kit: Kit, args: unknown): Promise<unknown> {
  const result = await kit.call(args);
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return result.structuredContent;
}

async function mistakes(kit: Kit, args: unknown): Promise<readonly Mistake[]> {
  const { code, status, meta } = await kit.fail(args);
  expect([code, status]).toEqual(['BAD_ARGUMENTS', 400]);
  return (meta as { violations: readonly Mistake[] }).violations;
}

const issue = `
parameters:
  key: { type: string, description: The key of the issue }
  limit: { type: integer, default: 5, minimum: 1 }
  state: { type: string, enum: [open, closed], required: false }
  tags: { type: array, items: integer, required: false }
  filter:
    type: object
    required: false
    properties:
      done: { type: boolean, default: false }
      since: { type: string, format: date, required: false }
`;

describe('defaults of arguments', () => {
  const kit = echo(issue);

  it('J52 defaults are filled in where nothing was sent, including nested ones', async () => {
    expect(await got(kit, { key: 'A' })).toEqual({ key: 'A', limit: 5 });
    expect(await got(kit, { key: 'A', filter: {} })).toEqual({ key: 'A', limit: 5, filter: { done: false } });
  });

  it('J52 a default never replaces null', async () => {
    expect(await mistakes(kit, { key: 'A', limit: null })).toEqual([
      { pointer: '/limit', message: 'limit must be an integer, not null' },
    ]);
  });

  it('J53 defaults never change what the client sent, whether it fits or not', async () => {
    const deepFreeze = (value: object): object => {
      for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
      return Object.freeze(value);
    };
    for (const sent of [
      { key: 'A', filter: {} },
      { key: 7, filter: {} },
      { key: 'A', limit: '7', filter: '{}' },
    ]) {
      const before = JSON.stringify(sent);
      await kit.call(deepFreeze(sent));
      expect(JSON.stringify(sent)).toBe(before);
    }
  });

  it('J53 a handler that changes its arguments does not change what the client sent', async () => {
    const changing = makeKit(`description: d\n${issue}`, {
      handler: args => {
        (args['filter'] as Record<string, unknown>)['done'] = 'changed';
        return args;
      },
    });
    const sent = { key: 'A', filter: {} };
    await changing.call(sent);
    await changing.call(sent);
    expect(sent).toEqual({ key: 'A', filter: {} });
  });

  it('M19 absent arguments count as an empty object', async () => {
    expect(await got(echo(''), undefined)).toEqual({});
    expect(await got(echo('parameters: {limit: {type: integer, default: 3}}'), undefined)).toEqual({ limit: 3 });
    expect(await mistakes(kit, undefined)).toEqual([
      { pointer: '/key', message: 'key is missing', hint: 'it is a string: The key of the issue' },
    ]);
  });
});

describe('mistakes in arguments', () => {
  const kit = echo(issue);

  it('M12 an unknown argument is refused with what was probably meant', async () => {
    expect(await mistakes(kit, { key: 'A', limt: 3 })).toEqual([
      { pointer: '/limt', message: 'limt is not a known argument', hint: 'did you mean "limit"?' },
    ]);
    expect(await mistakes(kit, { key: 'A', zzz: 3 })).toEqual([
      { pointer: '/zzz', message: 'zzz is not a known argument', hint: 'known: key, limit, state, tags, filter' },
    ]);
    expect(await mistakes(echo(''), { a: 1 })).toEqual([
      { pointer: '/a', message: 'a is not a known argument', hint: 'there are none' },
    ]);
    expect(await mistakes(kit, { key: 'A', filter: { sinc: 'x' } })).toEqual([
      { pointer: '/filter/sinc', message: 'filter.sinc is not a known property', hint: 'did you mean "since"?' },
    ]);
  });

  it('M12 unknown arguments pass when the tool accepts them', async () => {
    expect(await got(echo('additionalParameters: true\nparameters: {a: string}'), { a: 'x', b: 1 })).toEqual({
      a: 'x',
      b: 1,
    });
  });

  it('M12 all mistakes are reported at once, with pointer and hint', async () => {
    const sent = { limit: 0, state: 'opne', tags: [1, 'x', 2.5], filter: { since: 'yesterday', done: 'maybe' } };
    expect(await mistakes(kit, sent)).toEqual([
      { pointer: '/key', message: 'key is missing', hint: 'it is a string: The key of the issue' },
      { pointer: '/limit', message: 'limit must be at least 1, not 0' },
      {
        pointer: '/state',
        message: 'state must be one of the allowed values, not the string "opne"',
        hint: 'did you mean "open"? allowed: "open", "closed"',
      },
      { pointer: '/tags/1', message: 'tags[1] must be an integer, not the string "x"' },
      { pointer: '/tags/2', message: 'tags[2] must be an integer, not 2.5' },
      { pointer: '/filter/done', message: 'filter.done must be a boolean, not the string "maybe"' },
      { pointer: '/filter/since', message: 'filter.since must be a valid date, not the string "yesterday"' },
    ]);
  });

  it('M12 the message names the first mistakes and how many there are', async () => {
    const { message, suggested_fix } = await kit.fail({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 });
    expect(message).toMatch(
      /^t got bad arguments: key is missing \(it is a string: The key of the issue\); a is not a known/,
    );
    expect(message).toMatch(/; and 2 more$/);
    expect(suggested_fix).toBe('Correct the arguments and call again.');
  });

  it('M12 the error lists fifty mistakes and counts the rest', async () => {
    const { meta, message } = await kit.fail({ key: 'A', tags: Array.from({ length: 5_000 }, () => 'x') });
    expect(meta).toMatchObject({ more: 4_950 });
    expect(meta).not.toHaveProperty('incomplete');
    expect((meta as { violations: unknown[] }).violations).toHaveLength(50);
    expect(message).toMatch(/; and 4995 more$/);
  });

  it('M12 pointers in errors escape odd names', async () => {
    const odd = echo('inputSchema: {type: object, properties: {"a/b~c": {type: integer}}, required: ["x/y"]}');
    expect((await mistakes(odd, { 'a/b~c': 'q' })).map(({ pointer }) => pointer)).toEqual(['/x~1y', '/a~1b~0c']);
  });

  it('M12 an error shows only a little of what was sent', async () => {
    const [mistake] = await mistakes(kit, { key: 'A', limit: 'y'.repeat(10_000) });
    expect(mistake?.message.length).toBeLessThan(200);
    const [unknown] = await mistakes(kit, { key: 'A', ['n'.repeat(10_000)]: 1 });
    expect(unknown?.message.length).toBeLessThan(200);
  });

  it.each([
    ['a text', 'hello'],
    ['null', null],
    ['a number', 5],
    ['a list', []],
    ['true', true],
  ])('M12 arguments that are %s are refused', async (_name, sent) => {
    const [mistake, ...others] = await mistakes(kit, sent);
    expect(others).toEqual([]);
    expect(mistake).toMatchObject({ pointer: '', message: expect.stringContaining('the arguments must be an object') });
  });

  it('M12 errors explain the other rules in words', async () => {
    const rules = echo(`
inputSchema:
  type: object
  properties:
    a: { type: string, pattern: '^[A-Z]+$', maxLength: 3 }
    b: { type: array, uniqueItems: true, maxItems: 3 }
    c: { const: yes }
    d: { type: object, propertyNames: { maxLength: 2 } }
    e: { not: { type: string } }
    f: false
    g: { type: [integer, 'null'] }
  dependentRequired: { a: [z] }
`);
    const sent = { a: 'abcd', b: [1, 2, 1], c: 'no', d: { long: 1 }, e: 'x', f: 1, g: 'x' };
    expect((await mistakes(rules, sent)).map(({ message }) => message)).toEqual([
      'a must have at most 3 characters',
      'a must match the pattern ^[A-Z]+$, not the string "abcd"',
      'b must not have the same item twice (at 0 and 2)',
      'c must be "yes", not the string "no"',
      'd has a property with the name "long", which is not allowed',
      'e must not have this form',
      'f is not allowed',
      'g must be an integer or null, not the string "x"',
      'z is missing, which "a" needs',
    ]);
  });
});

describe('alternatives in arguments', () => {
  const shapes = echo(`
inputSchema:
  type: object
  properties:
    shape:
      anyOf:
        - $ref: '#/$defs/Circle'
        - $ref: '#/$defs/Square'
        - { type: integer }
    id: { anyOf: [{ type: integer }, { type: array, items: { type: integer } }] }
  anyOf: [{ required: [shape] }, { required: [id] }]
  $defs:
    Circle:
      type: object
      properties: { kind: { const: circle }, radius: { type: number } }
      required: [kind, radius]
      additionalProperties: false
    Square:
      type: object
      properties: { kind: { const: square }, side: { type: number } }
      required: [kind, side]
      additionalProperties: false
`);

  it('M12 the error has the mistakes of the alternative that was meant', async () => {
    expect(await mistakes(shapes, { shape: { kind: 'circle', radius: 'big' } })).toEqual([
      { pointer: '/shape/radius', message: 'shape.radius must be a number, not the string "big"' },
    ]);
    expect(await mistakes(shapes, { shape: { kind: 'square', sid: 1 } })).toEqual([
      { pointer: '/shape/side', message: 'shape.side is missing', hint: 'it is a number' },
      { pointer: '/shape/sid', message: 'shape.sid is not a known property', hint: 'did you mean "side"?' },
    ]);
  });

  it('M12 the error names the tags or the types when no alternative was meant', async () => {
    expect(await mistakes(shapes, { shape: { kind: 'circel', radius: 1 } })).toEqual([
      {
        pointer: '/shape/kind',
        message: 'shape.kind must be one of the allowed values, not the string "circel"',
        hint: 'did you mean "circle"? allowed: "circle", "square"',
      },
    ]);
    expect(await mistakes(shapes, { shape: { radius: 1 } })).toEqual([
      { pointer: '/shape/kind', message: 'shape.kind is missing', hint: 'allowed: "circle", "square"' },
    ]);
    expect(await mistakes(shapes, { id: 'x' })).toEqual([
      { pointer: '/id', message: 'id must be an integer or an array, not the string "x"' },
    ]);
  });

  it('M12 the error names all alternatives when several could have been meant', async () => {
    expect(await mistakes(shapes, {})).toEqual([
      {
        pointer: '',
        message: 'the arguments must match one of the allowed forms',
        hint: 'shape is missing; or id is missing',
      },
    ]);
  });

  it('M12 the error says that several alternatives of oneOf fit', async () => {
    const one = echo('inputSchema: {type: object, properties: {a: {oneOf: [{type: number}, {type: integer}]}}}');
    expect(await mistakes(one, { a: 5 })).toEqual([
      { pointer: '/a', message: 'a must match only one of the allowed forms' },
    ]);
  });
});

describe('JSON in strings', () => {
  const kit = echo(issue);
  const wide = echo(`
inputSchema:
  type: object
  properties:
    n: { type: number }
    i: { type: integer }
    b: { type: boolean }
    l: { type: array }
    o: { type: object, properties: { deep: { type: array, items: { type: object, properties: { x: { type: integer } } } } } }
    s: { type: string }
    t: { type: [string, integer] }
    u: { anyOf: [{ type: integer }, { type: array }] }
    w: { anyOf: [{ type: integer }, { type: string, maxLength: 2 }] }
    e: { enum: [1, 2, [3]] }
    c: { const: true }
    z: { type: [integer, 'null'] }
    m: { enum: [1, '2'] }
`);

  it('M16 JSON in strings is parsed where no string is wanted, all at once', async () => {
    expect(await got(kit, { key: 'A', limit: '7', tags: '[1, 2]', filter: '{"done": true}' })).toEqual({
      key: 'A',
      limit: 7,
      tags: [1, 2],
      filter: { done: true },
    });
  });

  it.each([
    [{ n: '2.5' }, { n: 2.5 }],
    [{ i: ' 3 ' }, { i: 3 }],
    [{ b: 'false' }, { b: false }],
    [{ l: '[]' }, { l: [] }],
    [{ o: '{"deep": "[{\\"x\\": \\"1\\"}]"}' }, { o: { deep: [{ x: 1 }] } }],
    [{ u: '[1]' }, { u: [1] }],
    [{ u: '1' }, { u: 1 }],
    [{ e: '2' }, { e: 2 }],
    [{ e: '[3]' }, { e: [3] }],
    [{ c: 'true' }, { c: true }],
    [{ z: 'null' }, { z: null }],
    ['{"n": "1"}', { n: 1 }],
    [{ o: '{"__proto__": {"a": 1}}' }, { o: JSON.parse('{"__proto__": {"a": 1}}') }],
  ])('M16 arguments with JSON in strings are repaired: %j becomes %j', async (sent, expected) => {
    const args = await got(wide, sent);
    expect(JSON.stringify(args)).toBe(JSON.stringify(expected));
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it('M16 defaults are filled in after arguments were repaired', async () => {
    expect(await got(kit, { key: 'A', filter: '{}' })).toEqual({ key: 'A', limit: 5, filter: { done: false } });
    expect(await got(kit, '{"key": "A"}')).toEqual({ key: 'A', limit: 5 });
  });

  it.each([['strings where a string is wanted', { s: '5', t: '6' }, { s: '5', t: '6' }]])(
    'M16 the repair leaves %s',
    async (_name, sent, expected) => {
      expect(await got(wide, sent)).toEqual(expected);
    },
  );

  it.each([
    ['a text that is not JSON', { n: 'abc' }],
    ['JSON of another type', { l: '{}' }],
    ['a number with a fraction for an integer', { i: '1.5' }],
    ['a number that would not stay the same', { i: '9007199254740993' }],
    ['a number that is none', { n: '1e999' }],
    ['an empty text', { n: '' }],
    ['a text that some alternative takes as such', { w: '12345' }],
    ['a text for an enum that has texts', { m: '1' }],
    ['JSON of JSON of a string', { n: '"\\"1\\""' }],
    ['JSON that is nested too deeply', { l: `${'['.repeat(600)}${']'.repeat(600)}` }],
    ['JSON with a mistake in it', { o: '{"deep": 5}' }],
  ])('M16 the repair does not touch %s, and the error says what was sent', async (_name, sent) => {
    const [[key, value] = ['', '']] = Object.entries(sent);
    const [mistake] = await mistakes(wide, sent);
    expect(mistake?.pointer).toBe(`/${key}`);
    expect(mistake?.message).toMatch(new RegExp(`^${key} must`));
    if (mistake?.message.includes('string')) expect(mistake.message).toContain(JSON.stringify(value).slice(0, 20));
  });

  it('M16 the error has all original mistakes when one cannot be repaired', async () => {
    expect((await mistakes(kit, { key: 'A', limit: '7', tags: 'x' })).map(({ message }) => message)).toEqual([
      'limit must be an integer, not the string "7"',
      'tags must be an array, not the string "x"',
    ]);
  });

  it('M16 strict arguments are not repaired', async () => {
    const strict = echo(issue, true);
    expect(await mistakes(strict, { key: 'A', limit: '7' })).toEqual([
      { pointer: '/limit', message: 'limit must be an integer, not the string "7"' },
    ]);
    expect(await got(strict, { key: 'A', limit: 7 })).toEqual({ key: 'A', limit: 7 });
    expect(await mistakes(strict, '{"key": "A"}')).toHaveLength(1);
  });

  it('M16 the repair handles thousands of strings', async () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => String(index));
    expect(await got(kit, { key: 'A', tags })).toMatchObject({ tags: tags.map(Number) });
  });
});

describe('hostile arguments', () => {
  it('M12 a key named __proto__ is an own key and changes no prototype', async () => {
    const sent = JSON.parse('{"a": "x", "__proto__": {"polluted": true}}');
    expect(await mistakes(echo('parameters: {a: string}'), sent)).toMatchObject([{ pointer: '/__proto__' }]);
    let seen: Record<string, unknown> = {};
    const open = makeKit('{description: d, additionalParameters: true}', {
      handler: args => {
        seen = args;
      },
    });
    await open.call(sent);
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype);
    expect(seen['polluted']).toBeUndefined();
    expect(Object.hasOwn(seen, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('M12 names that every object inherits are missing like others', async () => {
    const odd = echo('inputSchema: {type: object, required: [constructor, toString], properties: {}}');
    expect((await mistakes(odd, {})).map(({ pointer }) => pointer)).toEqual(['/constructor', '/toString']);
  });

  it('M12 JSON that is nested a hundred thousand deep is refused', async () => {
    const open = echo('additionalParameters: true');
    for (const text of [
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    ]) {
      expect(await open.fail({ deep: JSON.parse(text) })).toMatchObject({
        code: 'BAD_ARGUMENTS',
        message: 't got arguments that are nested too deeply',
      });
    }
    const recursive = echo(`
inputSchema:
  type: object
  properties: { tree: { $ref: '#/$defs/tree' } }
  $defs: { tree: { type: array, items: { $ref: '#/$defs/tree' } } }
`);
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await recursive.fail({ tree: text })).code).toBe('BAD_ARGUMENTS');
    expect((await recursive.fail({ tree: JSON.parse(text) })).code).toBe('BAD_ARGUMENTS');
    expect(await got(recursive, { tree: '[[[]]]' })).toEqual({ tree: [[[]]] });
  });

  it('M12 arguments from code that contain themselves are refused, and dates count as strings', async () => {
    const open = echo('additionalParameters: true\nparameters: {at: {type: string, format: date-time}}');
    const circular: Record<string, unknown> = { at: new Date(0) };
    expect(await got(open, { ...circular, gone: undefined, f: () => 1 })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    circular['self'] = [circular, circular];
    expect((await open.fail(circular)).code).toBe('BAD_ARGUMENTS');
  });
});
