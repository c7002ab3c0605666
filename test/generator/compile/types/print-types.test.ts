// The exact text of representative schemas, what is reported as widened, and what no schema may do to the printer.
import { describe, expect, it } from 'vitest';
import { type PrintTypesOptions, printTypes } from '../../../../generator/compile/types/print-types.js';
import { draft07 } from '../../../schema/json-schema/samples.js';

type Schema = Readonly<Record<string, unknown>>;

function print(schema: Schema, options: Partial<PrintTypesOptions> = {}): string {
  return printTypes(schema, { name: 'GetArgs', mode: 'args', ...options }).text;
}

function widened(schema: Schema): [string, string][] {
  return printTypes(schema, { name: 'GetArgs', mode: 'args' }).widened.map(({ path, reason }) => [
    path.join('/'),
    reason,
  ]);
}

const text = { type: 'string' };
const whole = { type: 'integer' };
const issue = {
  type: 'object',
  properties: {
    issueKey: { type: 'string', description: 'The key, e.g. PROJ-1', pattern: '^[A-Z]+-\\d+$', examples: ['PROJ-1'] },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    since: { type: 'string', format: 'date-time', deprecated: true },
    fields: { type: 'array', items: { enum: ['summary', 'status'] }, uniqueItems: true },
  },
  required: ['issueKey'],
  additionalProperties: false,
};

describe('W25 text of types', () => {
  it('W25 W26 `printTypes` prints arguments as the handler gets them', () => {
    expect(print(issue)).toMatchInlineSnapshot(`
      "export interface GetArgs {
        /**
         * The key, e.g. PROJ-1
         *
         * Pattern \`^[A-Z]+-\\d+$\`
         * @example "PROJ-1"
         */
        readonly issueKey: string;
        /**
         * Integer; at least 1; at most 100
         * @default 10
         */
        readonly limit: number;
        /**
         * Format \`date-time\`
         * @deprecated
         */
        readonly since?: string | undefined;
        /** No item twice */
        readonly fields?: readonly ("summary" | "status")[] | undefined;
      }
      "
    `);
  });
  it('W26 W31 `printTypes` prints arguments as callers send them', () => {
    expect(print(issue, { name: 'GetInput', mode: 'input' })).toMatchInlineSnapshot(`
      "export interface GetInput {
        /**
         * The key, e.g. PROJ-1
         *
         * Pattern \`^[A-Z]+-\\d+$\`
         * @example "PROJ-1"
         */
        readonly issueKey: string;
        /**
         * Integer; at least 1; at most 100
         * @default 10
         */
        readonly limit?: number | undefined;
        /**
         * Format \`date-time\`
         * @deprecated
         */
        readonly since?: string | undefined;
        /** No item twice */
        readonly fields?: readonly ("summary" | "status")[] | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` prints results', () => {
    expect(
      print(
        { type: 'object', properties: { a: { ...text, default: 'x' }, meta: { type: 'object' } }, required: ['a'] },
        { mode: 'output' },
      ),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        /** @default "x" */
        readonly a: string;
        readonly meta?: object | undefined;
      }
      "
    `);
  });
  it('W29 `printTypes` prints a tool without arguments', () => {
    const none = { type: 'object', properties: {}, additionalProperties: false };
    expect(print(none)).toMatchInlineSnapshot(`
      "export interface GetArgs {}
      "
    `);
    expect(print(none, { mode: 'input' })).toMatchInlineSnapshot(`
      "export interface GetArgs { readonly [key: string]: never }
      "
    `);
  });
  it('W25 `printTypes` prints nested objects and lists', () => {
    expect(
      print({
        type: 'object',
        properties: {
          rows: {
            type: 'array',
            items: {
              type: 'object',
              properties: { id: whole, tags: { type: 'array', items: { type: ['string', 'null'] } } },
            },
          },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly rows?: readonly {
          /** Integer */
          readonly id?: number | undefined;
          readonly tags?: readonly (string | null)[] | undefined;
        }[] | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` prints definitions and recursion as helper types', () => {
    expect(
      print({
        type: 'object',
        properties: { tree: { $ref: '#/$defs/tree-node' }, id: { $ref: '#/$defs/id' } },
        $defs: {
          id: { type: 'string', description: 'An id' },
          'tree-node': {
            type: 'object',
            description: 'A node',
            properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree-node' } } },
          },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        /** A node */
        readonly tree?: GetArgs_TreeNode | undefined;
        /** An id */
        readonly id?: string | undefined;
      }

      /** A node */
      export interface GetArgs_TreeNode {
        readonly kids?: readonly GetArgs_TreeNode[] | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` prints choices with a tag as a union', () => {
    expect(
      print({
        type: 'object',
        properties: {
          target: {
            oneOf: [
              { type: 'object', properties: { kind: { const: 'user' }, name: text }, required: ['kind', 'name'] },
              { type: 'object', properties: { kind: { const: 'group' }, size: whole }, required: ['kind'] },
            ],
          },
        },
        required: ['target'],
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly target: {
          readonly kind: "user";
          readonly name: string;
        } | {
          readonly kind: "group";
          /** Integer */
          readonly size?: number | undefined;
        };
      }
      "
    `);
  });
  it('W25 `printTypes` prints choices beside properties', () => {
    expect(
      print({ type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ).toMatchInlineSnapshot(`
      "export type GetArgs = {
        readonly a?: string | undefined;
        readonly b?: string | undefined;
      } & ({
        readonly a: unknown;
      } | {
        readonly b: unknown;
      });
      "
    `);
  });
  it('W25 `printTypes` prints allOf as one flat interface', () => {
    expect(
      print({
        allOf: [
          { $ref: '#/$defs/base' },
          { type: 'object', properties: { b: whole, a: { enum: ['x', 'y'] } }, required: ['b'] },
        ],
        $defs: {
          base: { type: 'object', properties: { a: { ...text, description: 'Of the base' } }, required: ['a'] },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        /** Of the base */
        readonly a: "x" | "y";
        /** Integer */
        readonly b: number;
      }
      "
    `);
  });
  it('W25 `printTypes` prints tuples of every dialect', () => {
    expect(
      print({
        type: 'object',
        properties: {
          pair: { type: 'array', prefixItems: [text, { type: ['integer', 'null'] }], items: false, minItems: 1 },
          rest: { type: 'array', prefixItems: [text], items: { type: ['string', 'boolean'] } },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        /** At least 1 item */
        readonly pair?: readonly [string, (number | null)?] | undefined;
        readonly rest?: readonly [string?, ...(string | boolean)[]] | undefined;
      }
      "
    `);
    expect(
      print({
        $schema: draft07,
        type: 'object',
        properties: { pair: { items: [text, whole], additionalItems: false, type: 'array' } },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly pair?: readonly [string?, number?] | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` prints maps as index signatures', () => {
    expect(
      print({
        type: 'object',
        properties: {
          counts: { type: 'object', additionalProperties: whole },
          mixed: { type: 'object', properties: { id: text }, additionalProperties: whole },
          headers: { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly counts?: { readonly [key: string]: number } | undefined;
        readonly mixed?: {
          readonly id?: string | undefined;
          readonly [key: string]: string | number | undefined;
        } | undefined;
        readonly headers?: { readonly [key: \`x-\${string}\`]: string } | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` prints literals of every kind', () => {
    expect(
      print({
        type: 'object',
        properties: { a: { const: { k: [1, null, {}], 'l m': true } }, b: { enum: ['x', -1, null, false] } },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly a?: {
          readonly k: readonly [1, null, { readonly [key: string]: never }];
          readonly "l m": true;
        } | undefined;
        readonly b?: "x" | -1 | null | false | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` prints a long union with a line for each member', () => {
    const member = { enum: Array.from({ length: 12 }, (_, index) => `value_${index}`) };
    expect(
      print({ type: 'object', properties: { one: member, many: { type: 'array', items: member } }, required: ['one'] }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly one:
          | "value_0"
          | "value_1"
          | "value_2"
          | "value_3"
          | "value_4"
          | "value_5"
          | "value_6"
          | "value_7"
          | "value_8"
          | "value_9"
          | "value_10"
          | "value_11";
        readonly many?: readonly (
          | "value_0"
          | "value_1"
          | "value_2"
          | "value_3"
          | "value_4"
          | "value_5"
          | "value_6"
          | "value_7"
          | "value_8"
          | "value_9"
          | "value_10"
          | "value_11"
        )[] | undefined;
      }
      "
    `);
  });
  it('W25 `printTypes` quotes odd names', () => {
    expect(
      print(
        JSON.parse(
          '{"type":"object","properties":{"a-b":{"type":"string"},"class":{"type":"string"},"__proto__":{"type":"string"},"toString":{"type":"string"},"ü":{"type":"string"}},"required":["class"]}',
        ),
      ),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly "a-b"?: string | undefined;
        readonly class: string;
        readonly __proto__?: unknown;
        readonly toString?: unknown;
        readonly ü?: string | undefined;
      }
      "
    `);
  });
  it('P17 `printTypes` prints text of several lines as comments', () => {
    expect(
      print({
        type: 'object',
        description: 'One.\r\n\r\n@param x is */ not the end',
        properties: { a: { ...text, title: 'A title', default: '*/' } },
      }),
    ).toMatchInlineSnapshot(`
      "/**
       * One.
       *
       * \\@param x is *\\/ not the end
       */
      export interface GetArgs {
        /**
         * A title
         * @default "*\\/"
         */
        readonly a: string;
      }
      "
    `);
  });
  it('W25 `printTypes` prints conditions as optional properties', () => {
    expect(
      print({
        type: 'object',
        properties: { kind: text },
        if: { required: ['kind'] },
        then: { properties: { more: { ...text, description: 'With a kind' } } },
      }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly kind?: string | undefined;
        /** With a kind */
        readonly more?: unknown;
      }
      "
    `);
  });
});

describe('W25 names of helper types', () => {
  const schema = { type: 'object', properties: { a: { $ref: '#/$defs/user' } }, $defs: { user: { enum: ['x', 'y'] } } };
  it('W25 a helper type has an underscore, so that no other item has its name', () => {
    expect(print(schema)).toContain('export type GetArgs_User = ');
  });

  it('W25 helper types whose names would be equal get a number', () => {
    const twice = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/user_name' }, b: { $ref: '#/$defs/user-name' } },
      $defs: { 'user-name': { enum: [1, 2] }, user_name: { enum: [3, 4] } },
    };
    expect(print(twice)).toContain('export type GetArgs_UserName = 3 | 4;');
    expect(print(twice)).toContain('export type GetArgs_UserName2 = 1 | 2;');
  });
});

describe('W25 what types cannot express', () => {
  const one = (schema: unknown): Schema => ({ type: 'object', properties: { a: schema } });
  it.each<[string, Schema, string, RegExp]>([
    ['not', one({ not: text }), 'properties/a/not', /excludes/],
    ['then', one({ type: 'object', if: {}, then: { required: ['x'] } }), 'properties/a/then', /conditions/],
    ['else', one({ type: 'object', if: {}, else: { required: ['x'] } }), 'properties/a/else', /conditions/],
    [
      'dependentSchemas',
      one({ type: 'object', dependentSchemas: { x: { required: ['y'] } } }),
      'properties/a/dependentSchemas/x',
      /conditions/,
    ],
    ['dependentRequired', one({ type: 'object', dependentRequired: { x: ['y'] } }), 'properties/a', /require others/],
    [
      'patterns',
      one({ type: 'object', patternProperties: { '^[a-z]+$': text } }),
      'properties/a/patternProperties/^[a-z]+$',
      /pattern/,
    ],
    [
      'unevaluatedProperties',
      one({ type: 'object', allOf: [{}], unevaluatedProperties: text }),
      'properties/a/unevaluatedProperties',
      /leave over/,
    ],
    ['a missing type: object', one({ properties: { x: text } }), 'properties/a', /type: object/],
    ['a missing type: array', one({ items: text }), 'properties/a', /type: array/],
    ['a reference to nowhere', one({ $ref: '#/$defs/x' }), 'properties/a/$ref', /cannot be told/],
    ['inherited names', { type: 'object', properties: { toString: text } }, 'properties/toString', /inherits/],
  ])('W25 `printTypes` reports that types cannot express %s', (_name, schema, path, reason) => {
    expect(widened(schema)).toEqual([[path, expect.stringMatching(reason)]]);
  });
  it('W25 `printTypes` reports nothing when types say everything but limits of values', () => {
    expect(widened(issue)).toEqual([]);
  });
});

describe('W25 schemas that could harm the printer', () => {
  it('W25 `printTypes` cuts off a schema that is nested too deeply', () => {
    let schema: Schema = { type: 'string' };
    for (let depth = 0; depth < 5000; depth += 1) schema = { type: 'array', items: schema };
    const printed = printTypes({ type: 'object', properties: { a: schema } }, { name: 'GetArgs', mode: 'args' });
    expect(printed.text.length).toBeLessThan(3000);
    expect(printed.widened.map(({ reason }) => reason)).toEqual(['it is nested too deeply']);
  });
  it('W25 `printTypes` stays small for long and doubling chains of references', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'object', properties: { a: text } } };
    for (let index = 1; index < 500; index += 1) {
      const before = { $ref: `#/$defs/d${index - 1}` };
      $defs[`d${index}`] = index < 40 ? { allOf: [before, before] } : before;
    }
    const printed = printTypes(
      { type: 'object', properties: { a: { $ref: '#/$defs/d499' } }, $defs },
      { name: 'GetArgs', mode: 'args' },
    );
    expect(printed.text.length).toBeLessThan(100_000);
  });
  it('W25 `printTypes` stays small for copies of copies, in a ring and doubling', () => {
    const extended = (name: string, further: string): Schema => ({
      allOf: [{ $ref: `#/$defs/${name}` }, { properties: { [further]: text } }],
    });
    const tree = { type: 'object', properties: { left: extended('tree', 'l'), right: extended('tree', 'r') } };
    expect(
      print({ type: 'object', properties: { tree: { $ref: '#/$defs/tree' } }, $defs: { tree } }),
    ).toMatchInlineSnapshot(`
      "export interface GetArgs {
        readonly tree?: GetArgs_Tree | undefined;
      }

      export interface GetArgs_Tree {
        readonly left?: {
          readonly left?: GetArgs_Tree & {
            readonly l?: string | undefined;
          } | undefined;
          readonly right?: GetArgs_Tree & {
            readonly r?: string | undefined;
          } | undefined;
          readonly l?: string | undefined;
        } | undefined;
        readonly right?: {
          readonly left?: GetArgs_Tree & {
            readonly l?: string | undefined;
          } | undefined;
          readonly right?: GetArgs_Tree & {
            readonly r?: string | undefined;
          } | undefined;
          readonly r?: string | undefined;
        } | undefined;
      }
      "
    `);
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const [one, other] = [extended(`d${index + 1}`, 'q'), extended(`d${index + 1}`, 'r')];
        return [`d${index}`, { type: 'object', properties: index === 39 ? {} : { one, other } }];
      }),
    );
    const long = { type: 'object', properties: { p: { $ref: '#/$defs/d0' } }, $defs: doubling };
    expect(print(long).length).toBeLessThan(300_000);
    expect(widened(long)).toEqual([]);
  });
  it('W25 `printTypes` stays small for defaults along doubling definitions', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        const filling = { properties: { f: { default: 1 } } };
        return [`d${index}`, index === 39 ? { required: ['f'] } : { allOf: [filling, next, next] }];
      }),
    );
    const doubling = { type: 'object', properties: { p: { $ref: '#/$defs/d0' } }, $defs };
    expect(print(doubling, { mode: 'input' }).length).toBeLessThan(30_000);
  });
  it('W25 `printTypes` prints a definition that refers only to itself as unknown', () => {
    const printed = printTypes(
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/x' } },
        $defs: { x: { $ref: '#/$defs/y' }, y: { allOf: [{ $ref: '#/$defs/x' }] } },
      },
      { name: 'GetArgs', mode: 'args' },
    );
    expect(printed.text).toBe('export interface GetArgs {\n  readonly a?: unknown;\n}\n');
  });
  it('W25 `printTypes` ignores keywords of the wrong form', () => {
    const odd = {
      type: 'object',
      properties: [],
      required: 'a',
      allOf: {},
      anyOf: 'x',
      enum: 'y',
      patternProperties: 1,
      $ref: 5,
    };
    expect(print(odd)).toBe('export interface GetArgs { readonly [key: string]: unknown }\n');
  });
});

describe('W25 determinism of `printTypes`', () => {
  it('W25 `printTypes` prints the same text for the same schema and leaves the schema alone', () => {
    const before = JSON.stringify(issue);
    const first = printTypes(issue, { name: 'GetArgs', mode: 'args' });
    expect(printTypes(JSON.parse(before), { name: 'GetArgs', mode: 'args' })).toEqual(first);
    expect(JSON.stringify(issue)).toBe(before);
    expect(first.text).not.toMatch(/\r|[ \t]$/m);
  });
});

describe('fix-P1 J53 defaults of a raw schema in types', () => {
  const schema = {
    type: 'object',
    properties: {
      owner: { type: 'string', default: 'me' },
      open: { type: 'boolean', default: true },
      page: { type: 'object', properties: { size: { type: 'integer', default: 5 } } },
    },
    required: ['owner'],
  };
  const of = (filling: 'always' | 'never' | 'late', mode: 'args' | 'input'): readonly string[] =>
    print(schema, { filling, mode }).match(/\w+\??:/g) ?? [];

  it('a handler gets what is filled in, and callers may leave out what is not required', () => {
    expect(of('never', 'args')).toEqual(['owner:', 'open?:', 'page?:', 'size?:']);
    expect(of('never', 'input')).toEqual(['owner:', 'open?:', 'page?:', 'size?:']);
    expect(of('late', 'args')).toEqual(['owner:', 'open:', 'page?:', 'size:']);
    expect(of('late', 'input')).toEqual(['owner:', 'open?:', 'page?:', 'size?:']);
    expect(of('always', 'args')).toEqual(['owner:', 'open:', 'page?:', 'size:']);
    expect(of('always', 'input')).toEqual(['owner?:', 'open?:', 'page?:', 'size?:']);
  });

  it('callers must send what one schema fills in and another requires', () => {
    const parts = { type: 'object', allOf: [{ properties: { a: { default: 1 } } }, { required: ['a'] }] };
    expect(print(parts, { filling: 'late', mode: 'input' })).toContain('readonly a: unknown');
    expect(print(parts, { filling: 'always', mode: 'input' })).toContain('readonly a?: unknown');
  });
});
