// X5: a result whose only fault is members that its schema does not allow is sent without them; any other fault is an error.
import { describe, expect, it } from 'vitest';
import { stripMembers } from '../../../runtime/call/correct-output.js';
import { isCommon } from '../../../schema/json-schema/engine.js';
import { type Kit, makeKit } from './call-kit.js';

const tool = (schema: object, value: unknown): Kit =>
  makeKit(`description: d\noutputSchema: ${JSON.stringify(schema)}`, { handler: () => value });
const closed = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const integer = { type: 'integer' };
const string = { type: 'string' };
const node = closed({ name: string, children: { type: 'array', items: { $ref: '#/$defs/node' } } });

/** Each with a value, what is left of it, and the places of what is removed. */
const cases: readonly (readonly [name: string, schema: object, value: unknown, left: unknown, removed: string[]])[] = [
  ['at the root', closed({ a: integer }), { a: 1, b: 2 }, { a: 1 }, ['/b']],
  ['in an object', closed({ a: closed({ x: integer }) }), { a: { x: 1, y: 2 } }, { a: { x: 1 } }, ['/a/y']],
  [
    'in a list',
    closed({ rows: { type: 'array', items: closed({ id: integer }) } }),
    { rows: [{ id: 1 }, { id: 2, x: 1, y: 2 }] },
    { rows: [{ id: 1 }, { id: 2 }] },
    ['/rows/1/x', '/rows/1/y'],
  ],
  [
    'in a tuple',
    closed({ pair: { type: 'array', prefixItems: [closed({}), closed({ a: {} })] } }),
    { pair: [{ a: 1 }, { a: 1 }] },
    { pair: [{}, { a: 1 }] },
    ['/pair/0/a'],
  ],
  [
    'in a map',
    { type: 'object', additionalProperties: closed({ a: {} }) },
    { one: { a: 1, b: 1 }, two: {} },
    { one: { a: 1 }, two: {} },
    ['/one/b'],
  ],
  [
    'by a pattern',
    { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false },
    { 'x-a': 1, y: 2 },
    { 'x-a': 1 },
    ['/y'],
  ],
  [
    'behind a reference',
    { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: closed({ x: {} }) } },
    { a: { x: 1, y: 1 } },
    { a: { x: 1 } },
    ['/a/y'],
  ],
  [
    'in a tree',
    { type: 'object', $ref: '#/$defs/node', $defs: { node } },
    { name: 'a', children: [{ name: 'b', z: 1, children: [{ z: 2 }] }] },
    { name: 'a', children: [{ name: 'b', children: [{}] }] },
    ['/children/0/z', '/children/0/children/0/z'],
  ],
  [
    'in the alternative that fits',
    {
      type: 'object',
      anyOf: [closed({ type: { const: 'a' }, x: integer }), closed({ type: { const: 'b' }, y: integer })],
    },
    { type: 'b', x: 1, y: 2, extra: 3 },
    { type: 'b', y: 2 },
    ['/x', '/extra'],
  ],
  [
    'in an alternative behind a reference, in lists',
    {
      type: 'object',
      properties: { list: { type: 'array', items: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] } } },
      $defs: {
        a: closed({ kind: { const: 'a' }, x: integer }, { required: ['kind'] }),
        b: closed({ kind: { const: 'b' }, x: string }, { required: ['kind'] }),
      },
    },
    {
      list: [
        { kind: 'b', x: 's', z: 1 },
        { kind: 'a', x: 1 },
        { kind: 'a', z: 2 },
      ],
    },
    { list: [{ kind: 'b', x: 's' }, { kind: 'a', x: 1 }, { kind: 'a' }] },
    ['/list/0/z', '/list/2/z'],
  ],
  [
    'in the alternative that needs the fewest removed',
    { type: 'object', anyOf: [closed({ a: {} }), closed({ a: {}, b: {} })] },
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 2 },
    ['/c'],
  ],
  [
    'or null',
    closed({ a: { anyOf: [{ type: 'null' }, closed({ x: {} })] } }),
    { a: { x: 1, y: 1 } },
    { a: { x: 1 } },
    ['/a/y'],
  ],
  [
    'by all of several',
    { type: 'object', allOf: [{ properties: { a: integer } }, closed({ a: {}, b: {} })] },
    { a: 1, b: 1, c: 1 },
    { a: 1, b: 1 },
    ['/c'],
  ],
  [
    'by a condition',
    { type: 'object', if: { required: ['a'] }, then: closed({ a: {} }), else: closed({ b: {} }) },
    { a: 1, b: 1 },
    { a: 1 },
    ['/b'],
  ],
  [
    'names that need escapes, and __proto__',
    closed({ a: closed({}) }),
    JSON.parse('{"a":{"x/y~z":1,"__proto__":2}}'),
    { a: {} },
    ['/a/x~1y~0z', '/a/__proto__'],
  ],
  [
    'unevaluated ones',
    {
      type: 'object',
      allOf: [{ properties: { a: integer } }],
      anyOf: [{ properties: { b: integer }, required: ['b'] }, { properties: { c: integer } }],
      unevaluatedProperties: false,
    },
    { a: 1, b: 2, z: 3 },
    { a: 1, b: 2 },
    ['/z'],
  ],
  [
    'unevaluated ones behind a reference, in a list',
    {
      type: 'object',
      properties: { rows: { type: 'array', items: { $ref: '#/$defs/row', unevaluatedProperties: false } } },
      $defs: { row: { type: 'object', properties: { id: integer } } },
    },
    { rows: [{ id: 1, x: 2 }] },
    { rows: [{ id: 1 }] },
    ['/rows/0/x'],
  ],
  [
    'beside keywords that only ajv knows',
    closed({ a: { type: 'array', contains: integer, items: closed({ x: {} }) }, b: { $anchor: 'b', type: 'integer' } }),
    { a: [{ x: 1, y: 2 }], b: 1, c: 1 },
    undefined,
    [],
  ],
  [
    'behind an anchor',
    {
      type: 'object',
      properties: { a: { $ref: '#deep' } },
      $defs: { d: { $anchor: 'deep', ...closed({ x: {} }) } },
    },
    { a: { x: 1, y: 1 } },
    { a: { x: 1 } },
    ['/a/y'],
  ],
];

describe('fix-P4 X5 members that are not allowed', () => {
  it.each(cases)(
    'members that are not allowed are removed and reported, or the result fails: %s',
    async (_name, schema, value, left, removed) => {
      const before = JSON.stringify(value);
      const kit = tool(schema, value);
      if (left === undefined) {
        expect((await kit.fail()).code).toBe('BAD_OUTPUT');
        return;
      }
      const got = await kit.call();
      expect(got).toEqual({ content: [{ type: 'text', text: JSON.stringify(left) }], structuredContent: left });
      expect(kit.reports).toHaveLength(1);
      expect(kit.reports[0]).toBe(
        `t returned members that its output schema does not allow; they were removed: ${removed.join(', ')} (reported once)`,
      );
      // What the handler keeps is not changed.
      expect(JSON.stringify(value)).toBe(before);
      await kit.call();
      expect(kit.reports).toHaveLength(1);
    },
  );

  it('the cases cover our own engine and ajv', () => {
    const kinds = cases.map(([, schema]) => isCommon(schema));
    expect(new Set(kinds)).toEqual(new Set([true, false]));
  });

  it.each([
    ['another fault beside', closed({ a: integer }), { a: 'x', b: 1 }],
    ['a member that is missing', closed({ a: integer }, { required: ['a'] }), { b: 1 }],
    ['a member that one part requires and another forbids', { ...closed({ a: {} }), required: ['b'] }, { a: 1, b: 1 }],
    ['a member that may never be', closed({ a: false }), { a: 1 }],
    [
      'no alternative that fits',
      { type: 'object', anyOf: [closed({ a: integer }), closed({ b: integer })] },
      { a: 'x', b: 'y' },
    ],
    [
      'two alternatives of which one is allowed',
      { type: 'object', oneOf: [closed({ a: {} }), closed({ a: {}, b: {} })] },
      { a: 1, c: 1 },
    ],
    ['too few members without it', closed({ a: {} }, { minProperties: 2 }), { a: 1, b: 1 }],
    ['another type', closed({ a: {} }), 'x'],
  ])('a result with %s is still an error', async (_name, schema, value) => {
    const kit = tool(schema, value);
    expect((await kit.fail()).code).toBe('BAD_OUTPUT');
    expect(kit.reports[0]).not.toContain('removed');
  });

  it('the data of a whole result loses members, too, and its text stays', async () => {
    const content = [{ type: 'text' as const, text: 'mine' }];
    const kit = tool(closed({ a: integer }), { content, structuredContent: { a: 1, b: 2 } });
    expect(await kit.call()).toEqual({ content, structuredContent: { a: 1 } });
    expect(kit.reports).toHaveLength(1);
  });

  it('resultText is made of what is left', async () => {
    const schema = JSON.stringify(closed({ a: integer, b: string }));
    const kit = makeKit(`description: d\noutputSchema: ${schema}\nresultText: "a={{a}}"`, {
      handler: () => ({ a: 1, z: 2 }),
    });
    expect(await kit.call()).toEqual({ content: [{ type: 'text', text: 'a=1' }], structuredContent: { a: 1 } });
  });

  it('a long list of removed members is cut', async () => {
    const value = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, 1]));
    const kit = tool(closed({}), value);
    await kit.call();
    expect(kit.reports[0]).toContain('/m9 and 20 more');
  });

  it('`stripMembers` gives up on data that is too deep and on references in a circle', () => {
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { children: [deep] };
    expect(stripMembers({ $ref: '#/$defs/node', $defs: { node } } as never, deep)).toBeUndefined();
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
    expect(stripMembers(circle, { x: 1 })).toBeUndefined();
  });

  it('`stripMembers` removes a member in a leaf of a deep tree of alternatives', () => {
    const kinds = ['a', 'b', 'c', 'd', 'e', 'f'].map(kind =>
      closed({ kind: { const: kind }, content: { type: 'array', items: { $ref: '#/$defs/any' } } }),
    );
    const schema = { type: 'object', $ref: '#/$defs/any', $defs: { any: { oneOf: kinds } } };
    let tree: object = { kind: 'f', extra: 1 };
    for (let level = 0; level < 60; level += 1) tree = { kind: 'f', content: [tree] };
    expect(stripMembers(schema, tree)?.removed).toHaveLength(1);
  });
});
