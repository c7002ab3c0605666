// Schemas that are wrong: what leads nowhere, circles, and what no keyword may be. Each is named at its place, and nothing throws.
import { describe, expect, it } from 'vitest';
import { makeSchemaBook } from '../../../generator/import/openapi/schemas.js';
import { checkSchema } from '../../../schema/json-schema/check.js';
import { bundleShared, type SharedSchema, type SharedSchemas } from '../../../schema/json-schema/shared.js';
import { apiOf, said } from './read-harness.js';
import { openBook, refTo } from './schema-kit.js';

const site = () => ({ file: 'x', line: 1, column: 1, endLine: 1, endColumn: 1 });

/** The mistakes of a schema with all that it refers to, as `check` finds them. */
function mistakesOf(schema: unknown, shared: Readonly<Record<string, unknown>>): readonly string[] {
  const around: SharedSchemas = {
    has: name => name in shared,
    suggest: () => undefined,
    find: name => known.get(name),
  };
  const known = new Map<string, SharedSchema>(
    Object.entries(shared).map(([name, one]) => [name, { name, schema: one, site, around }]),
  );
  return [schema, ...Object.values(shared)].flatMap(one => {
    const base = { role: 'shared', style: 'raw', filling: 'never', name: 'x', site, sharedNames: around } as const;
    return checkSchema(bundleShared({ ...base, schema: one }, around).source).diagnostics.map(({ message }) => message);
  });
}

describe('references that lead nowhere', () => {
  const components = {
    Broken: { type: 'object', properties: { a: { type: 'array', items: refTo('Nothing') } } },
    Around: { type: 'object', properties: { broken: refTo('Broken'), around: refTo('Around') } },
    Read: { type: 'object', properties: { a: { allOf: [refTo('Broken')], readOnly: true } } },
  };
  const broken = {
    ref: '#/components/schemas/Nothing',
    pointer: '#/components/schemas/Broken/properties/a/items/$ref',
  };

  it.each([
    ['directly', refTo('Broken'), broken],
    ['by others', refTo('Around'), broken],
    ['in a part', { allOf: [{ type: 'object' }, refTo('Around')] }, broken],
    ['where nothing is sent', refTo('Read'), undefined],
    ['nowhere', { type: 'string' }, undefined],
  ])('I1: an input that refers to one is known: %s', (_, schema, expected) => {
    const { book } = openBook(components);
    expect(book.broken({ value: schema, pointer: '#/x-asked' })).toEqual(expected);
  });

  it('I1: in what is returned anything is in its place, and the reader reports it once', () => {
    const text = JSON.stringify(
      { openapi: '3.0.3', info: {}, paths: {}, components: { schemas: components } },
      undefined,
      1,
    );
    const api = apiOf(text, { file: 'api.json' });
    const book = makeSchemaBook(api);
    const asked = (name: string) => ({ value: components[name as 'Broken'], pointer: `#/components/schemas/${name}` });
    expect(book.output(asked('Broken'))?.schema).toEqual({
      type: 'object',
      properties: { a: { type: ['array', 'null'] } },
    });
    book.output(asked('Around'));
    expect(said(api.diagnostics).filter(one => one.includes('broken'))).toEqual([
      'warning import/broken-reference api.json:13:16 the reference "#/components/schemas/Nothing" is broken: the document has nothing there',
    ]);
  });
});

describe('circles of one value', () => {
  const components = {
    Pet: { type: 'object', properties: { kind: { type: 'string' } }, oneOf: [refTo('Dog'), refTo('Cat')] },
    Dog: { allOf: [refTo('Pet'), { properties: { tail: { type: 'string' } } }] },
    Cat: { allOf: [refTo('Pet'), { properties: { claws: { type: 'integer' } } }] },
    Self: { allOf: [refTo('Self'), { type: 'string' }] },
    Alias: refTo('Alias2'),
    Alias2: { anyOf: [refTo('Alias'), { type: 'string' }] },
    One: { anyOf: [refTo('Two'), { type: 'string' }] },
    Two: { oneOf: [refTo('One'), { type: 'integer' }] },
    Not: { type: 'object', not: refTo('Not') },
    If: { type: 'object', if: refTo('If'), then: { required: ['a'] } },
  };

  it.each(Object.keys(components))('I1: a schema that leads back to itself comes to an end: %s', name => {
    const { sent, returned, shared } = openBook(components);
    const made = sent({ type: 'array', items: refTo(name) });
    returned({ type: 'array', items: refTo(name) });
    expect(mistakesOf(made, shared())).toEqual([]);
  });

  it('I1: a kind has what all have, and all are one of the kinds', () => {
    const { sent, shared } = openBook(components);
    sent(refTo('Pet'));
    expect(shared()).toEqual({
      'cat-input': { type: 'object', properties: { kind: { type: 'string' }, claws: { type: 'integer' } } },
      'dog-input': { type: 'object', properties: { kind: { type: 'string' }, tail: { type: 'string' } } },
      'pet-input': {
        type: 'object',
        properties: { kind: { type: 'string' } },
        oneOf: [{ $ref: 'schema:dog-input' }, { $ref: 'schema:cat-input' }],
      },
    });
  });
});

describe('what means nothing', () => {
  it('I1: it is named with its place', () => {
    const schemas = {
      Pet: {
        type: 'object',
        properties: {
          a: { type: 'blob' },
          b: { type: 'string', pattern: '(?i)x' },
          c: { type: 'string', enum: [{}] },
          d: { type: 'integer', minimum: 'low' },
          e: 'what',
        },
      },
    };
    const text = JSON.stringify({ openapi: '3.0.3', info: {}, paths: {}, components: { schemas } }, undefined, 1);
    const book = makeSchemaBook(apiOf(text, { file: 'api.json' }));
    book.input({ value: schemas.Pet, pointer: '#/components/schemas/Pet' });
    expect(said(book.diagnostics())).toEqual([
      'info import/ignored api.json:11:15 "type: \\"blob\\"" is ignored: there is no such type',
      'info import/ignored api.json:15:18 "pattern: (?i)x" is ignored: it is not a regular expression of JavaScript, or may take forever',
      'info import/ignored api.json:19:15 "{}" is ignored: it is not of the type string',
      'info import/ignored api.json:25:18 "minimum: \\"low\\"" is ignored: it is not a number',
      'info import/ignored api.json:27:11 "\\"what\\"" is ignored: it is not a schema',
    ]);
  });

  const odd = [
    null,
    0,
    '',
    'x',
    [],
    [[]],
    {},
    { $ref: 5 },
    { type: null },
    true,
    [null],
    { a: { b: null } },
    -1.5,
    '__proto__',
  ];
  const keywords = [
    ...['$ref', 'type', 'format', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'allOf'],
    ...['anyOf', 'oneOf', 'not', 'if', 'then', 'pattern', 'minimum', 'exclusiveMinimum', 'maxLength', 'multipleOf'],
    ...[
      'discriminator',
      'default',
      'example',
      'examples',
      'nullable',
      'readOnly',
      'deprecated',
      'title',
      'description',
    ],
    ...['prefixItems', 'patternProperties', 'dependencies', 'contains', 'uniqueItems', 'propertyNames', '$defs', '$id'],
    ...[
      '$anchor',
      '$dynamicRef',
      '$recursiveRef',
      'unevaluatedProperties',
      'contentEncoding',
      'id',
      '$async',
      'definitions',
    ],
  ];

  it.each(['2.0', '3.0.3', '3.1.0', '3.2.0'])(
    'I1: no value of a keyword makes the converter throw or give what is refused (%s)',
    version => {
      const types = [undefined, 'object', 'array', 'string', 'integer'];
      const pairs = keywords.flatMap(keyword => odd.map(value => [keyword, value] as const));
      for (const [index, [keyword, value]] of pairs.entries()) {
        const type = types[index % types.length];
        const schema = { ...(type === undefined ? {} : { type }), [keyword]: value };
        const components = { X: { ...schema, properties: { y: schema } } };
        const { sent, returned, shared } = openBook(components, version);
        const pointer = version === '2.0' ? '#/definitions/X' : '#/components/schemas/X';
        const asked = { type: 'object', properties: { a: schema, x: { $ref: pointer } } };
        const made = sent(asked);
        returned(asked);
        expect([keyword, value, mistakesOf(made, shared())]).toEqual([keyword, value, []]);
      }
    },
  );

  it('I1: neither depth nor aliases without end make it fail', () => {
    const deep: Record<string, unknown> = {};
    let at = deep;
    for (let level = 0; level < 20_000; level += 1) {
      const next = {};
      Object.assign(at, { type: 'array', items: next });
      at = next;
    }
    const wide = Array.from({ length: 60 }).reduce<object>(
      one => ({ type: 'object', properties: { a: one, b: one } }),
      { type: 'string' },
    );
    const { book } = openBook();
    book.input({ value: deep, pointer: '#/x-deep' });
    book.output({ value: deep, pointer: '#/x-deep' });
    const made = book.input({ value: wide, pointer: '#/x-wide' });
    expect(book.size(made)).toBeGreaterThan(1e12);
    book.output({ value: wide, pointer: '#/x-wide' });
    expect(book.diagnostics().map(({ message }) => message)).toEqual([
      '"this schema" is ignored: it is more than 150 levels deep',
    ]);
  });
});
