// No value of n bytes costs more than a constant times n: trees, long lists, and schemas that multiply. Steps are counted.
import { describe, expect, it } from 'vitest';
import { loadValidatorPrinter } from '../../../generator/compile/validators/print.js';
import { compileValidators } from '../../../runtime/call/compile-validators.js';
import type { JsonSchema } from '../../../schema/definitions.js';
import type { Validator } from '../../../schema/support/validator.js';
import { findSame, makeValidator } from '../../../schema/support.js';
import { evaluate, toolOf } from '../../generator/compile/validators-module.js';
import { makeKit } from '../../runtime/call/call-kit.js';
import { type Json, makeChain, makeTree, sizeOfSchema } from './tree-schemas.js';

const print = await loadValidatorPrinter();

/** Not common, and fits every value. */
const unusual = { dependentSchemas: { 'not there': false } };

const limitOf = (schema: unknown, value: unknown): number =>
  1_000 * (JSON.stringify(value).length + sizeOfSchema(schema));

/** The three ways in which a schema becomes a validator. */
const ways: Readonly<Record<string, { more: Json; make: (schema: Json) => Promise<Validator> | Validator }>> = {
  'our own': { more: {}, make: schema => makeValidator(() => schema, 'input') },
  "ajv's at run time": {
    more: unusual,
    make: async schema => (await compileValidators(toolOf(schema))).input as Validator,
  },
  "ajv's as generated": {
    more: unusual,
    make: schema => evaluate(print(toolOf(schema))).validateInput as unknown as Validator,
  },
};

const depths = [3, 4, 5, 6, 7, 12, 20, 50, 100, 200, 245];

describe.each(Object.entries(ways))('fix-A1 validation of a tree, by %s', (_name, { more, make }) => {
  it.each(['oneOf', 'anyOf'] as const)(
    'a typo in a leaf of %s, however far down, gives a few violations',
    async union => {
      const schema = makeTree({ union, more });
      const validate = await make(schema);
      for (const depth of depths) {
        const wrong = makeChain(depth, { type: 'txt', text: 'a' });
        expect(validate(makeChain(depth, { type: 'text', text: 'a' })), `${depth}`).toBe(true);
        expect(validate(wrong), `${depth}`).toBe(false);
        expect(validate.steps(), `${depth}`).toBeLessThan(limitOf(schema, wrong) / 10);
        expect(validate.errors?.[0]?.keyword).not.toBe('steps');
        expect(validate.errors?.length).toBeLessThan(10_000);
      }
    },
  );

  it('a typo is found fast even if the tag comes last in the schema and in the value', async () => {
    for (const [tag, order] of [
      ['last', 'first'],
      ['first', 'last'],
      ['last', 'last'],
    ] as const) {
      const validate = await make(makeTree({ tag, more }));
      for (const depth of depths) {
        expect(validate(makeChain(depth, { type: 'text' }, order)), `${tag} ${order} ${depth}`).toBe(true);
        expect(validate(makeChain(depth, { type: 'txt' }, order)), `${tag} ${order} ${depth}`).toBe(false);
        expect(validate.errors?.[0]?.keyword).not.toBe('steps');
      }
    }
  });

  it('a tree with three kinds of nodes without a tag ends soon, with or without a verdict', async () => {
    const schema = makeTree({ kinds: ['a', 'b', 'c'], tag: 'none', more, union: 'anyOf' });
    const validate = await make(schema);
    for (const depth of [5, 10, 20, 40]) {
      const chain = (leaf: Json): Json =>
        JSON.parse(JSON.stringify(makeChain(depth, leaf)).replaceAll('"type":"paragraph",', ''));
      for (const leaf of [{ text: 'x' }, { text: 5 }]) {
        const isValid = validate(chain(leaf));
        expect(validate.steps()).toBeLessThan(limitOf(schema, chain(leaf)));
        if (validate.errors?.[0]?.keyword !== 'steps') expect(isValid).toBe(leaf.text === 'x');
      }
    }
  });

  it('fix-A4 300,000 wrong items are not all collected', async () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } }, ...more };
    const validate = await make(schema);
    const value = { list: Array.from({ length: 300_000 }, () => 'x') };
    expect(validate(value)).toBe(false);
    expect(validate.errors?.length).toBeLessThanOrEqual(10_001);
    expect(validate.errors?.at(-1)?.keyword).toBe('more');
    expect(validate.steps()).toBeLessThan(limitOf(schema, value) / 1_000);
    expect(validate({ list: Array.from({ length: 300_000 }, () => 1) })).toBe(true);
  });
});

describe('fix-A1 verdicts of our engine', () => {
  const own = (schema: Json): Validator => makeValidator(() => schema, 'input');

  it('a tree with three kinds of nodes without a tag gets the right verdict at every depth', () => {
    for (const union of ['oneOf', 'anyOf'] as const) {
      // Of oneOf, every level without a name of its own fits all three forms.
      const validate = own(makeTree({ kinds: ['a', 'b', 'c'], tag: 'none', union }));
      for (const depth of [1, 5, 20, 100, 200]) {
        const chain = (leaf: Json): Json => {
          let node = leaf;
          for (let level = 1; level < depth; level += 1) node = { content: [node], b: 1 };
          return { doc: node };
        };
        expect(validate(chain({ text: 'x', a: 1 })), `${union} ${depth}`).toBe(true);
        expect(validate(chain({ text: 5, a: 1 })), `${union} ${depth}`).toBe(false);
        expect(validate.errors?.[0]?.keyword).not.toBe('steps');
      }
    }
  });

  it.each([
    [
      'if and then',
      (kind: string) => ({
        if: { properties: { type: { const: kind } } },
        then: { properties: { content: { items: { $ref: '#/$defs/node' } } } },
      }),
    ],
    [
      'not',
      (kind: string) => ({
        not: {
          properties: { type: { const: kind }, content: { contains: false, items: { not: { $ref: '#/$defs/node' } } } },
        },
      }),
    ],
    ['allOf', () => ({ properties: { content: { items: { $ref: '#/$defs/node' } } } })],
  ])('nodes whose rules come eight times get the right verdict, by %s', (_name, rules) => {
    const node = {
      type: 'object',
      properties: { type: { enum: ['paragraph', 'text'] } },
      required: ['type'],
      allOf: Array.from({ length: 8 }, (_, index) =>
        JSON.parse(JSON.stringify(rules(index === 0 ? 'text' : 'paragraph')).replace('"contains":false,', '')),
      ),
    };
    const schema = { type: 'object', properties: { doc: { $ref: '#/$defs/node' } }, $defs: { node } };
    const validate = own(schema);
    for (const depth of [3, 10, 50, 200]) {
      validate(makeChain(depth, { type: 'text' }));
      expect(validate.errors?.[0]?.keyword).not.toBe('steps');
      const wrong = makeChain(depth, { type: 'txt' });
      expect(validate(wrong)).toBe(false);
      expect(validate.errors?.[0]?.keyword).not.toBe('steps');
      expect(validate.steps()).toBeLessThan(limitOf(schema, wrong));
    }
  });

  it('a value is tried only on the form whose tag it has, out of hundreds', () => {
    const form = (index: number): Json => ({
      type: 'object',
      properties: { text: { type: 'string' }, kind: { enum: [`k${index}`, index] } },
      required: ['kind'],
    });
    const forms = Array.from({ length: 300 }, (_, index) => form(index));
    const $defs = Object.fromEntries(forms.map((one, index) => [`f${index}`, one]));
    for (const union of ['anyOf', 'oneOf']) {
      const items = { [union]: [...Object.keys($defs).map(name => ({ $ref: `#/$defs/${name}` })), { type: 'null' }] };
      const validate = own({ type: 'object', properties: { list: { type: 'array', items } }, $defs });
      const list = (kind: (index: number) => unknown) =>
        Array.from({ length: 10_000 }, (_, index) => ({ text: 't', kind: kind(index % 300) }));
      expect(validate({ list: [...list(index => `k${index}`), null, ...list(index => index)] })).toBe(true);
      expect(validate.steps()).toBeLessThan(500_000);
      for (const wrong of ['k300', 300, ['k1'], { k: 1 }, null, undefined, true]) {
        expect(validate({ list: [{ text: 't', kind: wrong }] }), String(wrong)).toBe(false);
        expect(validate({ list: [{ text: 5, kind: 'k7' }] })).toBe(false);
      }
    }
  });

  it('references that double with every step are resolved, and defaults are filled in on the way', () => {
    const $defs: Json = { d30: { type: 'object', properties: { n: { type: 'integer', default: 1 } } } };
    for (let index = 0; index < 30; index += 1)
      $defs[`d${index}`] = { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] };
    const validate = own({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs });
    const value = { a: {} };
    expect(validate(value)).toBe(true);
    expect(value).toEqual({ a: { n: 1 } });
    expect(validate({ a: { n: 'x' } })).toBe(false);
    expect(validate.errors).toMatchObject([{ instancePath: '/a/n', keyword: 'type' }]);
  });

  it('a default that is filled in late is seen by rules that are asked again', () => {
    const closed = { type: 'object', maxProperties: 1 };
    const schema = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            allOf: [
              { anyOf: [{ $ref: '#/$defs/closed' }] },
              { properties: { b: { default: 1 } } },
              { not: { $ref: '#/$defs/closed' } },
            ],
          },
        },
      },
      $defs: { closed },
    };
    const validate = own(schema);
    expect(validate({ list: Array.from({ length: 50_000 }, () => ({ a: 1 })) })).toBe(true);
  });
});

describe('fix-A1 functions of ajv that stop at the first violation', () => {
  it.each([
    [{ prefixItems: [{ type: 'string' }], contains: { type: 'string' } }, [], false],
    [{ prefixItems: [{ type: 'string' }, {}], contains: { const: 'b' } }, ['a'], false],
    [{ prefixItems: [{ type: 'string' }, {}], contains: { const: 'a' } }, ['a'], true],
    [{ prefixItems: [{}, {}], unevaluatedItems: false, minContains: 2, contains: { const: 1 } }, [1], false],
  ])(
    'a function of ajv that stops at the first violation skips nothing after a short tuple: %j %j',
    async (list, value, isValid) => {
      const tool = toolOf({ type: 'object', properties: { list } });
      const { input } = await compileValidators(tool);
      expect(input({ list: value })).toBe(isValid);
      expect(evaluate(print(tool)).validateInput({ list: value })).toBe(isValid);
    },
  );
});

describe('fix-A1 answers to calls with wrong trees', () => {
  const kit = (schema: Json, strictArguments = false) =>
    makeKit(`{description: d, inputSchema: ${JSON.stringify(schema)}}`, {
      handler: args => args,
      services: { strictArguments },
    });

  it.each([
    ['our own', {}],
    ["ajv's", unusual],
  ])('the answer says which values the tag may have, at every depth, by %s', async (_name, more) => {
    const tree = kit(makeTree({ more }));
    for (const depth of depths) {
      const { code, message, meta } = await tree.fail(makeChain(depth, { type: 'txt', text: 'a' }));
      expect(code).toBe('BAD_ARGUMENTS');
      expect(message, `${depth}`).toContain('type must be one of the allowed values, not the string "txt"');
      expect(message).toContain(
        '(did you mean "text"? allowed: "paragraph", "heading", "list", "item", "quote", "panel", "column", "text")',
      );
      const { violations } = meta as { violations: readonly { pointer: string }[] };
      expect(violations).toHaveLength(1);
      expect(violations[0]?.pointer).toBe(`/doc${'/content/0'.repeat(depth - 1)}/type`);
    }
    const { message } = await tree.fail(makeChain(3, { text: 'a' }));
    expect(message).toMatch(
      /^t got bad arguments: doc\.content\[0\]\.content\[0\]\.type is missing \(allowed: "paragraph", /,
    );
    expect((await tree.fail(makeChain(9, { type: 'text', text: 5 }))).message).toMatch(
      /text must be a string, not 5(; there may be more)?$/,
    );
  });

  it('fix-A4 the answer says that there are more mistakes than were counted', async () => {
    const list = kit({ type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } } });
    const { message, meta } = await list.fail({ list: Array.from({ length: 300_000 }, () => 'x') });
    expect(message).toMatch(/; and at least 9995 more$/);
    expect(meta).toMatchObject({ more: 9_950, incomplete: true });
    expect(JSON.stringify(meta).length).toBeLessThan(10_000);
  });

  /** Every one of so many forms reads the whole list. */
  const costly = {
    type: 'object',
    properties: {
      list: {
        type: 'array',
        anyOf: Array.from({ length: 3_000 }, (_, index) => ({ items: { enum: [0, index + 1] } })),
      },
    },
  };
  const value = { list: [...Array.from({ length: 3_000 }, () => 0), -1] };

  it('arguments that would take too many steps are refused, and the server continues', async () => {
    for (const strict of [false, true]) {
      const tool = kit(costly, strict);
      expect(await tool.fail(value)).toMatchObject({
        code: 'BAD_ARGUMENTS',
        message:
          't got bad arguments: checking the arguments would take too many steps (send less data at once, or nest it less deeply)',
      });
      expect((await tool.call({ list: [0, 7] })).isError).not.toBe(true);
    }
  });

  it('a result that would take too many steps is refused', async () => {
    const tool = makeKit(`{description: d, outputSchema: ${JSON.stringify(costly)}}`, { handler: () => value });
    expect(await tool.fail({})).toMatchObject({
      code: 'BAD_OUTPUT',
      message: expect.stringContaining(
        't returned a result that cannot be checked against its output schema: checking the result would take too many steps',
      ),
    });
  });

  it('a wrong result in a deep tree is explained as well', async () => {
    const schema = makeTree() as unknown as JsonSchema;
    const tool = makeKit(`{description: d, outputSchema: ${JSON.stringify(schema)}}`, {
      handler: () => makeChain(100, { type: 'txt' }),
    });
    expect((await tool.fail({})).message).toContain('type must be one of the allowed values');
  });
});

describe.each(Object.entries(ways))('fix-A3 uniqueItems, by %s', (_name, { more, make }) => {
  const makers: Readonly<Record<string, (index: number) => unknown>> = {
    integers: index => index,
    texts: index => `t${index}`,
    lists: index => [index % 1_000, index],
    objects: index => (index % 2 === 0 ? { a: index, b: 1 } : { b: 1, a: index }),
    'all sorts': index => [index, `${index}`, [index], { i: index }, [[index]]][index % 5],
  };
  it.each(Object.entries(makers))('uniqueItems takes linear time for a long list: %s', async (_kind, makeItem) => {
    const schema = { type: 'object', properties: { list: { type: 'array', uniqueItems: true } }, ...more };
    const validate = await make(schema);
    const list = Array.from({ length: 100_000 }, (_, index) => makeItem(index));
    expect(validate({ list })).toBe(true);
    expect(validate.steps()).toBeLessThan(1_000_000);
    const again = [...list, structuredClone(list[70_003])];
    expect(validate({ list: again })).toBe(false);
    expect(validate.errors?.[0]).toMatchObject({ keyword: 'uniqueItems', params: { i: 100_000, j: 70_003 } });
  });
});

describe('fix-A3 uniqueItems of lists in lists', () => {
  it.each(Object.entries(ways))(
    'lists in lists are not read again on every level, by %s',
    async (_name, { more, make }) => {
      const list = {
        type: 'array',
        uniqueItems: true,
        items: { anyOf: [{ $ref: '#/$defs/list' }, { type: 'integer' }] },
      };
      const schema = { type: 'object', properties: { list: { $ref: '#/$defs/list' } }, $defs: { list }, ...more };
      const validate = await make(schema);
      let value: unknown = Array.from({ length: 20_000 }, (_, index) => index);
      for (let level = 0; level < 200; level += 1) value = [value, level, [level]];
      expect(validate({ list: value })).toBe(true);
      expect(validate.steps()).toBeLessThan(200_000);
    },
  );
});

describe('fix-A3 `findSame`', () => {
  const filler = Array.from({ length: 20 }, (_, index) => [`filler ${index}`]);
  const same: readonly (readonly [unknown, unknown])[] = [
    [1, JSON.parse('1.0')],
    [0, -0],
    [[0], [-0]],
    [Number.NaN, Number.NaN],
    [[Number.NaN], [Number.NaN]],
    [JSON.parse('1e2'), 100],
    [
      { a: 1, b: { c: [1], d: 2 } },
      { b: { d: 2, c: [1] }, a: 1 },
    ],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
    ['__proto__', '__proto__'],
    [{ toString: 1 }, { toString: 1 }],
    [[], []],
    [{}, {}],
    [null, null],
  ];
  const different: readonly (readonly [unknown, unknown])[] = [
    [1, '1'],
    [[1], ['1']],
    [[1], '[1]'],
    [[1, 2], [12]],
    [['a', 'b'], ['a,b']],
    [['a"1:b'], ['a', 'b']],
    [{ a: 1 }, ['a', 1]],
    [{ a: 'b', c: 'd' }, { a: 'b"1:c"1:d' }],
    [[], {}],
    [null, 'null'],
    [[null], ['null']],
    [[null], [undefined]],
    [true, 'true'],
    [[true], [1]],
    [{ a: undefined }, {}],
    [JSON.parse('{"__proto__":1}'), {}],
    [{ constructor: 1 }, {}],
    [[() => 1], [() => 1]],
    ['e\u0301', '\u00e9'],
    ['\ud83d', '\ud83d\ude00'],
  ];
  it.each(same)('`findSame` finds that %j and %j are the same', (one, other) => {
    expect(findSame([one, other])).toEqual({ i: 1, j: 0 });
    expect(findSame([one, ...filler, other])).toEqual({ i: 21, j: 0 });
  });
  it.each(different)('`findSame` finds that %j and %j are different', (one, other) => {
    expect(findSame([one, other])).toBeUndefined();
    expect(findSame([one, ...filler, other])).toBeUndefined();
  });

  it('`findSame` compares values 400 levels deep, and long strings', () => {
    const deep = (end: unknown): unknown =>
      JSON.parse(`${'[{"a":'.repeat(200)}${JSON.stringify(end)}${'}]'.repeat(200)}`);
    expect(findSame([deep(1), deep(2), ...filler])).toBeUndefined();
    expect(findSame([deep(1), deep(2), ...filler, deep(1)])).toEqual({ i: 22, j: 0 });
    expect(findSame(['a'.repeat(1e6), 'a'.repeat(1e6 - 1), ...filler])).toBeUndefined();
  });

  it('`findSame` names the positions that ajv names', () => {
    expect(findSame([1, [2], 1, [2], [2], 3, 4, 5, 6, 7])).toEqual({ i: 4, j: 3 });
    expect(findSame(['a', 'b', 'a', 'b'], 'string')).toEqual({ i: 1, j: 3 });
    expect(findSame([1, 'a', 1], 'string')).toBeUndefined();
    expect(findSame([1, '1', null, 'null'], ['integer', 'string', 'null'])).toBeUndefined();
  });
});
