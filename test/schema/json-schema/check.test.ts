import { describe, expect, it } from 'vitest';
import { hasErrors } from '../../../schema/diagnostics.js';
import { checkSchema } from '../../../schema/json-schema/check.js';
import type { SchemaSource } from '../../../schema/json-schema/check-context.js';
import { dialectOf } from '../../../schema/json-schema/keywords.js';
import { draft07, draft2019, draft2020, soundSchemas, sourceOf, withProperty } from './samples.js';

/** Severity, code and place of everything found. */
function findings(schema: unknown, changes: Partial<SchemaSource> = {}): string[] {
  return checkSchema(sourceOf(schema, changes)).diagnostics.map(one => `${one.severity} ${one.code} ${one.file}`);
}

describe('`dialectOf`', () => {
  it.each([
    [{}, '2020-12'],
    [true, '2020-12'],
    [{ $schema: draft07 }, 'draft-07'],
    [{ $schema: 'https://json-schema.org/draft-07/schema' }, 'draft-07'],
    [{ $schema: draft2019 }, '2019-09'],
    [{ $schema: `${draft2019}#` }, '2019-09'],
    [{ $schema: draft2020 }, '2020-12'],
    [{ $schema: 'http://json-schema.org/draft/2020-12/schema#' }, '2020-12'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, { unknown: 'http://json-schema.org/draft-04/schema#' }],
    [{ $schema: 7 }, { unknown: '7' }],
  ])('J51 `dialectOf` reads %j as %j', (schema, dialect) => {
    expect(dialectOf(schema)).toEqual(dialect);
  });
});

describe('`checkSchema` on sound schemas', () => {
  it.each(Object.entries(soundSchemas))('J51 `checkSchema` finds no mistake in: %s', (_name, schema) => {
    const { diagnostics } = checkSchema(sourceOf(schema, { role: 'output' }));
    expect(diagnostics.filter(one => one.code !== 'schema/inherited-name')).toEqual([]);
    expect(hasErrors(diagnostics)).toBe(false);
  });

  it('J51 `checkSchema` returns the dialect by which it read', () => {
    expect(checkSchema(sourceOf({ $schema: draft07, type: 'object' })).dialect).toBe('draft-07');
    expect(checkSchema(sourceOf({ type: 'object' })).dialect).toBe('2020-12');
  });
});

describe('`checkSchema` on limits', () => {
  it.each([
    [{ minLength: 5, maxLength: 3 }, 'maxLength'],
    [{ maxLength: 3, minLength: 5 }, 'minLength'],
    [{ type: 'integer', minimum: 2, maximum: 1 }, 'maximum'],
    [{ exclusiveMinimum: 2, maximum: 2 }, 'maximum'],
    [{ exclusiveMaximum: 2, minimum: 2 }, 'minimum'],
    [{ exclusiveMinimum: 2, exclusiveMaximum: 2 }, 'exclusiveMaximum'],
    [{ type: ['array', 'null'], minItems: 1, items: {}, maxItems: 0 }, 'maxItems'],
    [{ minProperties: 2, maxProperties: 1 }, 'maxProperties'],
    [{ contains: {}, minContains: 2, maxContains: 1 }, 'maxContains'],
    [{ minimum: 5, exclusiveMinimum: 6, maximum: 3 }, 'maximum'],
  ])('J49 limits that no value fits are a warning at the later one: %j', (property, later) => {
    const expected = [`warning schema/empty-range /properties/a/${later}`];
    expect(findings(withProperty(property))).toEqual(expected);
    expect(findings(withProperty(property), { style: 'shorthand' })).toEqual(expected);
  });

  it.each([
    [{ minLength: 3, maxLength: 3 }],
    [{ minimum: -1, maximum: -1 }],
    [{ minimum: 0, exclusiveMaximum: 1e-9 }],
    [{ type: 'integer', minLength: 5, maxLength: 3 }],
    [{ minContains: 2, maxContains: 1 }],
    [{ not: { minimum: 2, maximum: 1 } }],
    [{ enum: [{ minimum: 2, maximum: 1 }] }],
    [{ properties: { minimum: { const: 2 }, maximum: { const: 1 } } }],
    [{ allOf: [{ minimum: 2 }, { maximum: 3 }] }],
  ])('J49 limits that some value fits are accepted: %j', property => {
    expect(findings(withProperty(property))).toEqual([]);
  });

  it('J49 a warning about limits names both', () => {
    const [found] = checkSchema(sourceOf(withProperty({ minLength: 5, maxLength: 3 }))).diagnostics;
    expect(found?.message).toBe('no value fits both "minLength 5" and "maxLength 3"');
    expect(found?.related?.map(({ file, message }) => `${file} ${message}`)).toEqual([
      '/properties/a/minLength the other limit is here',
    ]);
  });
});

describe('`checkSchema` on schemas of real servers', () => {
  it('J51 `checkSchema` refuses an input that is only a dialect, and accepts such an output', () => {
    expect(findings({ $schema: draft07 })).toEqual(['error schema/root /']);
    expect(findings({ $schema: draft07 }, { role: 'output' })).toEqual([]);
  });

  it('J51 `checkSchema` accepts array and oneOf roots only in outputs', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const choice = { oneOf: [{ type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }] };
    expect(findings(list, { role: 'output' })).toEqual([]);
    expect(findings(choice, { role: 'output' })).toEqual([]);
    expect(findings(list)).toEqual(['error schema/root /type']);
    expect(findings(choice)).toEqual(['error schema/root /']);
  });

  it('J51 `checkSchema` refuses what is not an object schema', () => {
    for (const schema of [true, null, 'string', [], undefined]) {
      expect(findings(schema, { role: 'output' })).toEqual(['error schema/root /']);
    }
    expect(findings({ type: ['object'] })).toEqual(['error schema/root /type']);
  });

  it('W28 an enum that contradicts its type is a warning, and in the shorthand an error', () => {
    const schema = withProperty({ type: 'string', enum: ['1.9', 1.1, null] });
    expect(findings(schema)).toEqual([
      'warning schema/enum-type /properties/a/enum/1',
      'warning schema/enum-type /properties/a/enum/2',
    ]);
    expect(findings(schema, { style: 'shorthand' })[0]).toBe('error schema/enum-type /properties/a/enum/1');
    expect(checkSchema(sourceOf(schema)).diagnostics.map(one => one.hint)).toEqual([
      'write "1.1" in quotes',
      'write `type: [string, "null"]` if null is allowed',
    ]);
  });

  it('W28 an enum of whole numbers, of several types or without a type is accepted', () => {
    const enums = [
      { type: 'integer', enum: [1, 2.0] },
      { type: 'number', enum: [1, 2.5] },
      { type: ['string', 'null'], enum: ['a', null] },
      { enum: ['a', 1] },
    ];
    for (const one of enums) expect(findings(withProperty(one))).toEqual([]);
  });

  it('J51 required names that nobody describes get a warning', () => {
    const schema = withProperty({ type: 'string' }, { required: ['a', 'ab'] });
    expect(findings(schema)).toEqual(['warning schema/unknown-required /required/1']);
    expect(findings(schema, { style: 'shorthand' })).toEqual(['error schema/unknown-required /required/1']);
  });

  it('J51 a required name that nobody describes gets a suggestion', () => {
    const schema = { type: 'object', properties: { issueKey: {} }, required: ['isueKey'] };
    expect(checkSchema(sourceOf(schema)).diagnostics[0]?.hint).toBe('did you mean "issueKey"?');
  });

  it('J51 an undescribed name is found in an alternative, but not under not or if', () => {
    const base = { type: 'object', properties: { a: {}, b: {} } };
    expect(findings({ ...base, anyOf: [{ required: ['a'] }, { required: ['c'] }] })).toEqual([
      'warning schema/unknown-required /anyOf/1/required/0',
    ]);
    expect(findings({ ...base, not: { required: ['c'] } })).toEqual([]);
    expect(findings({ ...base, if: { required: ['c'] }, then: { required: ['a'] } })).toEqual([]);
  });

  it('J51 a required name that is described elsewhere for the same value is accepted', () => {
    const described = [
      { properties: { b: {} }, required: ['a'], allOf: [{ properties: { a: {} } }] },
      { properties: { b: {} }, required: ['a'], $ref: '#/$defs/x', $defs: { x: { properties: { a: {} } } } },
      { properties: { a: {} }, oneOf: [{ properties: { b: {} }, required: ['a', 'b'] }] },
      { properties: { b: {} }, required: ['a'], additionalProperties: { type: 'string' } },
      { properties: { b: {} }, required: ['a'], patternProperties: { '^a': {} } },
      { required: ['a'] },
    ];
    for (const one of described) expect(findings({ type: 'object', ...one })).toEqual([]);
  });

  it('J51 properties in odd places and unknown keywords are ignored', () => {
    expect(findings({ type: 'object', optional: true, city: { type: 'string', $ref: '#/nowhere' } })).toEqual([]);
  });

  it('J51 `checkSchema` does not look into data', () => {
    const data = { $ref: '#/nowhere', pattern: '(', required: ['x'], properties: {} };
    expect(
      findings(withProperty({ const: data, default: data, enum: [data], examples: [data], 'x-data': data })),
    ).toEqual([]);
  });

  it('J51 properties that every object inherits get a warning', () => {
    const schema = JSON.parse('{"type":"object","properties":{"constructor":{},"a":{"properties":{"__proto__":{}}}}}');
    expect(findings(schema)).toEqual([
      'warning schema/inherited-name /properties/constructor (key)',
      'warning schema/inherited-name /properties/a/properties/__proto__ (key)',
    ]);
  });
});

describe('`checkSchema` on patterns', () => {
  it('W28 an invalid regular expression is reported at its position', () => {
    const schema = withProperty({ type: 'array', items: { type: 'string', pattern: '([a-z' } });
    expect(findings(schema)).toEqual(['error schema/regex /properties/a/items/pattern']);
    expect(checkSchema(sourceOf(schema)).diagnostics[0]?.message).toBe(
      '"([a-z" is not a valid regular expression: Unterminated character class',
    );
  });

  it('W28 invalid keys of patternProperties and patterns of property names are reported', () => {
    expect(
      findings({ type: 'object', patternProperties: { '*': {}, '^ok$': {} }, propertyNames: { pattern: '+' } }),
    ).toEqual(['error schema/regex /patternProperties/* (key)', 'error schema/regex /propertyNames/pattern']);
  });

  it('W28 patterns are read with the flag u, and the hint says so when only that is wrong', () => {
    const { diagnostics } = checkSchema(sourceOf(withProperty({ pattern: '^[\\w\\_]+$' })));
    expect(diagnostics.map(one => one.code)).toEqual(['schema/regex']);
    expect(diagnostics[0]?.hint).toContain('flag u');
    // Fine with u, refused with v, as 759 real patterns are.
    expect(findings(withProperty({ pattern: '^[^(){}/|-]+$' }))).toEqual([]);
    expect(findings(withProperty({ pattern: '^\\p{L}+$' }))).toEqual([]);
  });
});

describe('`checkSchema` on dialects', () => {
  it('J51 an unknown dialect gets a warning at its position', () => {
    const schema = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' };
    expect(findings(schema)).toEqual(['warning schema/unknown-dialect /$schema']);
  });

  it.each([
    ['a list under items', { items: [{}] }, 'items'],
    ['id of draft-04', { id: 'x' }, 'id'],
    ['nullable without a type', { enum: [1], nullable: true }, 'nullable'],
    ['nullable: false beside null', { type: ['string', 'null'], nullable: false }, 'nullable'],
    ['$async', { $async: true }, '$async'],
    ['an empty enum', { enum: [] }, 'enum'],
    ['$dynamicRef with a URI', { $dynamicRef: 'other#node' }, '$dynamicRef'],
  ])('J51 a keyword that no validator could be made of is refused: %s', (_name, property, keyword) => {
    expect(findings(withProperty(property))).toEqual([`error schema/keyword /properties/a/${keyword} (key)`]);
    expect(checkSchema(sourceOf(withProperty(property))).diagnostics[0]?.hint).toMatch(/\w{3}/);
  });

  it('J51 a list under items is accepted in the dialects that have it', () => {
    for (const $schema of [draft07, draft2019]) {
      expect(findings(withProperty({ items: [{ type: 'string' }] }, { $schema }))).toEqual([]);
    }
  });

  it.each([
    [draft07, { prefixItems: [{}] }, 'prefixItems'],
    [draft07, { unevaluatedProperties: false }, 'unevaluatedProperties'],
    [draft2019, { prefixItems: [{}] }, 'prefixItems'],
    [draft2020, { additionalItems: false }, 'additionalItems'],
    [draft2020, { type: 'string', nullable: true }, 'nullable'],
  ])('J51 a keyword without effect gets a warning: %s %j', ($schema, property, keyword) => {
    expect(findings(withProperty(property, { $schema }))).toEqual([
      `warning schema/keyword /properties/a/${keyword} (key)`,
    ]);
  });

  it('J51 $recursiveRef is accepted only as "#"', () => {
    expect(findings(withProperty({ $recursiveRef: '#' }, { $schema: draft2019 }))).toEqual([]);
    expect(findings(withProperty({ $recursiveRef: '#x' }, { $schema: draft2019 }))).toEqual([
      'error schema/keyword /properties/a/$recursiveRef (key)',
    ]);
  });
});

describe('`checkSchema` on headers', () => {
  const header = (more: object, name: unknown = 'Region'): object => withProperty({ 'x-mcp-header': name, ...more });

  it.each(['string', 'integer', 'boolean'])('C11 a header may be a %s', type => {
    expect(findings(header({ type }))).toEqual([]);
  });

  it.each([
    ['number', { type: 'number' }],
    ['array', { type: 'array' }],
    ['object', { type: 'object' }],
    ['a union', { type: ['string', 'null'] }],
    ['no type', { enum: ['a'] }],
  ])('C11 a header may not be %s', (_name, more) => {
    expect(findings(header(more))).toEqual(['error schema/header /properties/a/x-mcp-header']);
  });

  it.each(['', 'a b', 'a:b', 'Größe', 'a\r\nb', 7])('C11 the header name %j is refused', name => {
    expect(findings(header({ type: 'string' }, name))).toEqual(['error schema/header /properties/a/x-mcp-header']);
  });

  it('C11 a header may be on nested properties, but not where no path of properties leads', () => {
    const leaf = { type: 'string', 'x-mcp-header': 'Region' };
    expect(findings(withProperty({ type: 'object', properties: { b: leaf } }))).toEqual([]);
    expect(findings(withProperty({ type: 'array', items: leaf }))).toEqual([
      'error schema/header /properties/a/items/x-mcp-header',
    ]);
    expect(findings(withProperty({ $ref: '#/$defs/b' }, { $defs: { b: leaf } }))).toEqual([
      'error schema/header /$defs/b/x-mcp-header',
    ]);
    expect(findings(withProperty({ anyOf: [leaf] }))).toEqual([
      'error schema/header /properties/a/anyOf/0/x-mcp-header',
    ]);
  });

  it('C11 the same header twice is refused in any case of letters, and the first is shown', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', 'x-mcp-header': 'Region' },
        b: { type: 'string', 'x-mcp-header': 'REGION' },
      },
    };
    expect(findings(schema)).toEqual(['error schema/header /properties/b/x-mcp-header']);
    expect(checkSchema(sourceOf(schema)).diagnostics[0]?.related?.[0]?.file).toBe('/properties/a/x-mcp-header');
  });

  it('C11 headers in outputs are refused', () => {
    expect(findings(header({ type: 'string' }), { role: 'output' })).toEqual([
      'error schema/header /properties/a/x-mcp-header',
    ]);
  });
});

describe('`checkSchema` on great depth', () => {
  it('P3 `checkSchema` handles great depth', () => {
    let schema: object = { type: 'string', pattern: '(' };
    for (let depth = 0; depth < 20_000; depth += 1) schema = { type: 'array', items: schema };
    expect(findings(withProperty(schema)).map(one => one.slice(0, 18))).toEqual(['error schema/regex']);
  });
});
