// Schemas of every version of OpenAPI become JSON Schema of 2020-12 that our own check accepts.
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../../schema/json-schema/check.js';
import { checkValues } from '../../../schema/json-schema/values.js';
import { validate } from '../../../schema/validate/validate.js';
import { openBook } from './schema-kit.js';

type Row = readonly [name: string, written: unknown, expected: unknown];

const components = {
  Pet: { type: 'object', properties: { name: { type: 'string' } } },
  State: { type: 'string', enum: ['open', 'closed'], description: 'A state' },
  Tag: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
};
const pet = { type: 'object', properties: { name: { type: 'string' } } };

const old: readonly Row[] = [
  ['a type that may be null', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['x-nullable of 2.0', { type: 'string', 'x-nullable': true }, { type: ['string', 'null'] }],
  ['nullable without a type', { nullable: true, description: 'Any' }, { description: 'Any' }],
  [
    'nullable beside enum',
    { type: 'string', enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'nullable beside a reference',
    { $ref: '#/components/schemas/State', nullable: true },
    { type: ['string', 'null'], enum: ['open', 'closed', null], description: 'A state' },
  ],
  [
    'nullable beside allOf',
    { nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] },
    { ...pet, type: ['object', 'null'] },
  ],
  [
    'nullable beside a type and allOf',
    { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] },
    { ...pet, type: ['object', 'null'] },
  ],
  [
    'nullable beside anyOf',
    { anyOf: [{ type: 'string' }, { type: 'array', items: {} }], nullable: true },
    { anyOf: [{ type: 'string' }, { type: 'array', items: {} }, { type: 'null' }] },
  ],
  [
    'nullable beside oneOf',
    { oneOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
    { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
  ],
  [
    'nullable beside oneOf that may be null',
    { oneOf: [{ type: 'string', nullable: true }, {}], nullable: true },
    { anyOf: [{ oneOf: [{ type: ['string', 'null'] }, {}] }, { type: 'null' }] },
  ],
  [
    'words beside a nullable reference',
    { $ref: '#/components/schemas/Pet', nullable: true, description: 'Mine' },
    { ...pet, type: ['object', 'null'], description: 'Mine' },
  ],
  [
    'exclusive limits of draft-04',
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
  ],
  ['a file', { type: 'file' }, { type: 'string', format: 'binary' }],
  [
    'what other tools read',
    { type: 'object', xml: { name: 'a' }, externalDocs: {}, 'x-go-type': 'Pet', discriminator: 'kind' },
    { type: 'object' },
  ],
  ['an example', { type: 'string', example: 'PROJ-1' }, { type: 'string', examples: ['PROJ-1'] }],
  ['an example that says nothing', { type: 'string', example: 'string' }, { type: 'string' }],
  ['an example of another type', { type: 'integer', example: 'ten' }, { type: 'integer' }],
  ['an example in quotes', { type: 'integer', example: '10' }, { type: 'integer', examples: [10] }],
  ['a default', { type: 'string', default: 'a' }, { type: 'string', default: 'a' }],
  ['a default of another type', { type: 'boolean', default: 'maybe' }, { type: 'boolean' }],
  ['a default outside of its limits', { type: 'integer', minimum: 1, default: 0 }, { type: 'integer', minimum: 1 }],
  [
    'a default outside of its format',
    { type: 'string', format: 'date', default: 'today' },
    { type: 'string', format: 'date' },
  ],
  [
    'a default beside a reference',
    { allOf: [{ $ref: '#/components/schemas/State' }], default: 'open' },
    { ...components.State, default: 'open' },
  ],
  [
    'what stands beside a reference',
    { $ref: '#/components/schemas/State', description: 'Mine', maxLength: 3, type: 'integer' },
    { ...components.State, description: 'Mine' },
  ],
  ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
  [
    'a tuple of draft-04',
    { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
  ],
  ['an empty tuple', { type: 'array', items: [] }, { type: 'array', items: {} }],
  ['the name of a type for items', { type: 'array', items: 'string' }, { type: 'array', items: { type: 'string' } }],
  [
    'an enum of items beside the list',
    { type: 'array', items: { type: 'string' }, enum: ['a', 'b'] },
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  ],
  [
    'a member that is required in itself',
    { properties: { a: { type: 'string', required: true }, b: { type: 'string', required: false } } },
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
  ],
  [
    'a required member that nobody describes',
    { type: 'object', properties: {}, required: ['a', 'a', 1] },
    { type: 'object', properties: { a: {} }, required: ['a'] },
  ],
  [
    'a member without a schema',
    { properties: { a: null, b: 'string', c: 7 } },
    { type: 'object', properties: { a: {}, b: { type: 'string' }, c: {} } },
  ],
  [
    'types of other languages',
    {
      properties: {
        a: { type: 'int' },
        b: { type: 'Any' },
        c: { type: 'STRING' },
        d: { type: 'datetime' },
        e: { type: 'blob' },
      },
    },
    {
      type: 'object',
      properties: {
        a: { type: 'integer' },
        b: {},
        c: { type: 'string' },
        d: { type: 'string', format: 'date-time' },
        e: {},
      },
    },
  ],
  [
    'formats',
    {
      properties: {
        a: { type: 'integer', format: 'int64' },
        b: { type: 'string', format: 'datetime' },
        c: { type: 'string', format: 'string' },
        d: { type: 'string', format: 'unix-time' },
        e: { type: 'string', format: 'hostnam' },
      },
    },
    {
      type: 'object',
      properties: {
        a: { type: 'integer', format: 'int64' },
        b: { type: 'string', format: 'date-time' },
        c: { type: 'string' },
        d: { type: 'string', format: 'unix-time' },
        e: { type: 'string' },
      },
    },
  ],
  [
    'members of an enum that YAML read otherwise',
    { type: 'string', enum: [1, true, 'a', 'a', 1.5] },
    { type: 'string', enum: ['1', 'true', 'a', '1.5'] },
  ],
  ['numbers in quotes', { type: 'integer', enum: ['1', '2', 'x'] }, { type: 'integer', enum: [1, 2] }],
  ['null in an enum', { type: 'string', enum: ['a', null] }, { type: 'string', enum: ['a'] }],
  ['an enum that is none', { type: 'string', enum: 'a,b' }, { type: 'string' }],
  ['an empty enum', { type: 'string', enum: [] }, { type: 'string' }],
  ['an enum without a type', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  [
    'a pattern with needless escapes',
    { type: 'string', pattern: '^[\\w-.]+\\@\\_{x}$' },
    { type: 'string', pattern: '^[\\w\\-.]+@_\\{x\\}$' },
  ],
  [
    'a pattern that may never end on the text of a caller',
    {
      type: 'string',
      pattern: '^([\\da-z\\.-]+)\\.([a-z\\.]{2,6})([\\/\\w \\.-]*)*\\/?$',
      example: 'https://a.example/?b',
    },
    {
      type: 'string',
      description: 'Pattern: ^([\\da-z\\.-]+)\\.([a-z\\.]{2,6})([\\/\\w \\.-]*)*\\/?$',
      examples: ['https://a.example/?b'],
    },
  ],
  [
    'a pattern that ends, with groups that are repeated',
    { type: 'string', pattern: '^([a-z]+,)*[a-z]+$' },
    { type: 'string', pattern: '^([a-z]+,)*[a-z]+$' },
  ],
  ['a pattern as in code', { type: 'string', pattern: '/^a+$/' }, { type: 'string', pattern: '^a+$' }],
  [
    'a pattern of another language',
    { type: 'string', description: 'A key', pattern: '(?i)^a++$' },
    { type: 'string', description: 'A key\n\nPattern: (?i)^a++$' },
  ],
  [
    'limits that are none',
    { type: 'string', minLength: -1, maxLength: '20', pattern: 5 },
    { type: 'string', maxLength: 20 },
  ],
  ['limits that contradict each other', { type: 'integer', minimum: 10, maximum: 1 }, { type: 'integer' }],
  ['limits of another type', { type: 'integer', maxLength: 5, minItems: 1 }, { type: 'integer' }],
  [
    'steps without an exact form',
    { type: 'number', multipleOf: 0.01 },
    { type: 'number', description: 'A multiple of 0.01.' },
  ],
  ['whole steps', { type: 'integer', multipleOf: 5 }, { type: 'integer', multipleOf: 5 }],
  ['other members', { type: 'object', additionalProperties: {} }, { type: 'object', additionalProperties: true }],
  [
    'other members in quotes',
    { type: 'object', additionalProperties: 'false' },
    { type: 'object', additionalProperties: false },
  ],
  ['other members by a word', { type: 'object', additionalProperties: 'maybe' }, { type: 'object' }],
  ['lists that are none', { allOf: { type: 'string' }, anyOf: [], oneOf: ['x'] }, { type: 'string' }],
  [
    'descriptions that are none',
    { type: 'string', description: ['One.', 'Two.'], title: 7 },
    { type: 'string', description: 'One.\nTwo.', title: '7' },
  ],
  [
    'characters that nobody sees',
    { type: 'string', description: 'pay\u202e \u0000me\r\nnow' },
    { type: 'string', description: 'pay me\nnow' },
  ],
  [
    'titles that say the name again',
    { properties: { user_id: { title: 'User Id', type: 'string' } } },
    { type: 'object', properties: { user_id: { type: 'string' } } },
  ],
  ['yes and no', { properties: { a: true, b: false } }, { type: 'object', properties: { a: {}, b: { not: {} } } }],
];

const newer: readonly Row[] = [
  ['types with null', { type: ['string', 'null', 'string'] }, { type: ['string', 'null'] }],
  ['const', { const: 'a' }, { type: 'string', const: 'a' }],
  [
    'conditions',
    { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } },
    { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } },
  ],
  ['a consequence of nothing', { type: 'string', then: { minLength: 1 } }, { type: 'string' }],
  [
    'limits beside a reference',
    { $ref: '#/components/schemas/State', minLength: 5 },
    { ...components.State, minLength: 5 },
  ],
  [
    'a limit that both have',
    { $ref: '#/components/schemas/State', enum: ['open'] },
    { allOf: [components.State], type: 'string', enum: ['open'] },
  ],
  [
    'definitions inside',
    { $defs: { k: { type: 'string' } }, properties: { a: { $ref: '#/components/schemas/State' } } },
    { type: 'object', properties: { a: components.State } },
  ],
  [
    'names of places',
    {
      $id: 'https://a.example/x',
      $anchor: 'x',
      $schema: 'http://json-schema.org/draft-04/schema#',
      $comment: 'x',
      type: 'string',
    },
    { type: 'string' },
  ],
  [
    'places by position',
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
  ],
  [
    'dependencies of draft-07',
    { type: 'object', dependencies: { a: ['b'], c: { required: ['d'] } } },
    { type: 'object', dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
  ],
  [
    'bytes',
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png', contentSchema: {} },
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
  ],
  [
    'a reference or null',
    { anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }], title: 'A state' },
    { ...components.State, type: ['string', 'null'], enum: ['open', 'closed', null], title: 'A state' },
  ],
  [
    'patterns of names',
    { type: 'object', patternProperties: { '^\\@': { type: 'string' }, '(': {} } },
    { type: 'object', patternProperties: { '^@': { type: 'string' } } },
  ],
  ['several examples', { type: 'integer', examples: [1, 'x', 2, 3, 4] }, { type: 'integer', examples: [1, 2, 3] }],
];

const at = { site: () => ({ file: 'x', line: 1, column: 1, endLine: 1, endColumn: 1 }) };

async function mistakesOf(schema: unknown): Promise<readonly string[]> {
  const source = { role: 'output', style: 'raw', filling: 'never', name: 'x', schema, ...at } as const;
  const tool = { description: 'x', inputSchema: { type: 'object', properties: { x: schema } } };
  const locator = { ...at, find: at.site, source: () => undefined };
  const found = [
    ...validate('tool', tool, locator),
    ...checkSchema(source).diagnostics,
    ...(await checkValues(source)),
  ];
  return found.map(({ message }) => message);
}

describe('schemas of 3.0', () => {
  it.each(old)('I1: the converter reads %s', async (_, written, expected) => {
    const made = openBook(components).sent(written);
    expect(made).toEqual(expected);
    expect(await mistakesOf(made)).toEqual([]);
  });
});

describe('schemas of 3.1', () => {
  it.each(newer)('I1: the converter reads %s', async (_, written, expected) => {
    const made = openBook(components, '3.1.0').sent(written);
    expect(made).toEqual(expected);
    expect(await mistakesOf(made)).toEqual([]);
  });
});

describe('alternatives with a discriminator', () => {
  const kinds = {
    Cat: { type: 'object', properties: { kind: { type: 'string' }, claws: { type: 'integer' } } },
    Dog: { type: 'object', properties: { kind: { type: 'string' } } },
  };
  const both = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];

  it('I1: they may all fit, so that any will do', () => {
    const { sent } = openBook(kinds);
    expect(sent({ oneOf: both, discriminator: { propertyName: 'kind' } })).toEqual({ anyOf: [kinds.Cat, kinds.Dog] });
  });

  it('I1: a mapping says which value means which', () => {
    const { sent } = openBook(kinds);
    const mapping = { cat: '#/components/schemas/Cat', tiger: '#/components/schemas/Cat', dog: 'Dog' };
    const { oneOf } = sent({ oneOf: both, discriminator: { propertyName: 'kind', mapping } });
    expect(oneOf).toMatchObject([
      { properties: { kind: { type: 'string', enum: ['cat', 'tiger'] } }, required: ['kind'] },
      { properties: { kind: { type: 'string', const: 'dog' } }, required: ['kind'] },
    ]);
  });
});
