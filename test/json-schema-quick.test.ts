import { describe, expect, it } from 'vitest';
import { checkSchema } from '../schema/json-schema/check.js';
import { makeQuickCheck } from '../schema/json-schema/quick.js';
import { surelyHasFormat } from '../schema/json-schema/quick-formats.js';
import { loadValidator } from '../schema/json-schema/validator.js';
import { draft07, draft2019, draft2020, makeRandom, type Random, sourceOf } from './json-schema-samples.js';

const isSure = (schema: unknown, value: unknown, fillDefaults = false): boolean =>
  makeQuickCheck(schema, { fillDefaults })(schema, value);

describe('makeQuickCheck', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 }, 4],
    [{ type: ['string', 'null'], minLength: 1, maxLength: 2 }, '𝒳y'],
    [{ enum: ['a', { k: [1] }] }, { k: [1] }],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      { a: 'x' },
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' }, uniqueItems: true }, ['a', 1, 2]],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 3],
    [
      {
        oneOf: [{ properties: { kind: { const: 'a' } } }, { $ref: '#/$defs/b' }],
        $defs: { b: { properties: { kind: { const: 'b' } }, required: ['kind'] } },
      },
      { kind: 'b' },
    ],
    [{ $ref: '#/$defs/t', $defs: { t: { items: { $ref: '#/$defs/t' }, type: 'array' } } }, [[], [[]]]],
    [{ type: 'string', format: 'date-time', title: 't', 'x-note': {} }, '2026-11-16T10:00:00Z'],
    [{ properties: { constructor: { type: 'string' } }, additionalProperties: false }, {}],
  ])('J52 is sure of %j with %j', (schema, value) => {
    expect(isSure(schema, value)).toBe(true);
  });

  it.each([
    [{ type: 'integer' }, 1.5],
    [{ unknownKeyword: 1 }, 1],
    [{ oneOf: [{}, {}] }, 1],
    [{ oneOf: [{ minimum: 5 }, { type: 'integer' }] }, 1],
    [{ oneOf: [{ type: 'string', nullable: true }, { type: 'null' }] }, null],
    [{ format: 'json' }, '{}'],
    [{ nullable: true, type: 'string' }, 'a'],
    [{ $ref: '#/nowhere' }, 1],
    [{ $ref: '#' }, 1],
    [{ pattern: '(' }, 'a'],
    [{ $schema: draft07, prefixItems: [{}] }, []],
    [{ required: ['toString'] }, {}],
  ])('J52 is not sure of %j with %j', (schema, value) => {
    expect(isSure(schema, value)).toBe(false);
  });

  it('J53 fills in defaults where asked, unless several schemas describe the value', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', default: 1 } }, required: ['a'] };
    expect(isSure(schema, {}, true)).toBe(true);
    expect(isSure(schema, {}, false)).toBe(false);
    expect(isSure({ ...schema, allOf: [{}] }, {}, true)).toBe(false);
    expect(isSure({ ...schema, properties: { a: { type: 'integer', default: 'x' } } }, {}, true)).toBe(false);
  });

  it('P3 gives up on great depth instead of overflowing', () => {
    let schema: object = { type: 'string' };
    let value: unknown = 'x';
    for (let depth = 0; depth < 5000; depth += 1) {
      schema = { items: schema };
      value = [value];
    }
    expect(isSure(schema, value)).toBe(false);
  });
});

describe('makeQuickCheck on schemas that refer back', () => {
  it('P3 gives up instead of trying every combination', () => {
    const again = { $ref: '#' };
    expect(isSure({ anyOf: [again, again, again] }, 1)).toBe(false);
    expect(isSure({ oneOf: [again, again, again] }, 1)).toBe(false);
    expect(isSure({ type: 'object', properties: { a: { $ref: '#', default: {} } } }, {}, true)).toBe(false);
  });
});

describe('surelyHasFormat', () => {
  const texts = [
    '2026-11-16',
    '2026-02-30',
    '10:00:00Z',
    '24:00:00Z',
    '2026-11-16T10:00:00+01:00',
    '2026-11-16T10:00:00',
    '123e4567-e89b-12d3-a456-426614174000',
    'ada@example.com',
    'a..b@example.com',
    'example.com',
    '-a.com',
    '10.0.0.255',
    '10.0.0.256',
    'https://example.com/a?b=c&d=e',
    'https://exa mple.com',
    'http://localhost:3000',
    '',
  ];

  it.each(['date', 'time', 'date-time', 'uuid', 'email', 'hostname', 'ipv4', 'uri'])(
    'J52 is sure only of what ajv takes as %s, and of something',
    async format => {
      const validator = await loadValidator({ type: 'string', format }, { fillDefaults: false });
      const sure = texts.filter(text => surelyHasFormat(format, text));
      expect(sure).not.toEqual([]);
      for (const text of sure) expect(validator.validate(text, []), text).toEqual([]);
    },
  );
});

describe('against ajv', () => {
  // Not toString: ajv's deep equality calls it, and throws where a value has a property of that name.
  const names = ['a', 'b', 'constructor', 'x-1'] as const;
  const scalars = [null, true, false, 0, 1, -3, 2.5, 6, '', 'a', 'ab', 'éa', '𝒳', '2026-01-02', 'x-1'] as const;

  function makeValue(random: Random, depth = 0): unknown {
    const kind = depth > 2 ? 0 : random.below(4);
    if (kind < 2) return random.pick(scalars);
    const size = random.below(4);
    if (kind === 2) return Array.from({ length: size }, () => makeValue(random, depth + 1));
    return Object.fromEntries(Array.from({ length: size }, () => [random.pick(names), makeValue(random, depth + 1)]));
  }

  function makeSchema(random: Random, alternatives: boolean, depth = 0): unknown {
    if (random.chance(0.05)) return random.chance(0.8);
    const inner = (): unknown => makeSchema(random, alternatives, depth + 1);
    const small = (): number => random.below(4);
    const schema: Record<string, unknown> = {};
    const add = (share: number, keyword: string, make: () => unknown): void => {
      if (random.chance(share)) schema[keyword] = make();
    };
    const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const;
    add(0.5, 'type', () => (random.chance(0.7) ? random.pick(types) : [random.pick(types), random.pick(types)]));
    add(0.1, 'enum', () => Array.from({ length: 1 + small() }, () => makeValue(random, 2)));
    add(0.04, 'const', () => makeValue(random, 2));
    add(0.1, 'minimum', small);
    add(0.1, 'maximum', small);
    add(0.04, 'exclusiveMinimum', small);
    add(0.04, 'multipleOf', () => random.pick([1, 2, 0.5, 3] as const));
    add(0.1, 'minLength', small);
    add(0.1, 'maxLength', small);
    add(0.06, 'pattern', () => random.pick(['^a', '[0-9]', '^.$', 'b$'] as const));
    add(0.05, 'format', () => random.pick(['date', 'email', 'cidrv4'] as const));
    add(0.05, 'title', () => 'title');
    if (depth > 2) return schema;
    add(0.4, 'properties', () =>
      Object.fromEntries(names.filter(() => random.chance(0.5)).map(name => [name, inner()])),
    );
    add(0.15, 'required', () => [random.pick(names)]);
    add(0.2, 'additionalProperties', inner);
    add(0.08, 'patternProperties', () => ({ '^x-': inner(), b: inner() }));
    add(0.06, 'minProperties', small);
    add(0.06, 'maxProperties', small);
    add(0.04, 'dependentRequired', () => ({ a: ['b'] }));
    add(0.3, 'items', inner);
    add(0.08, 'prefixItems', () => [inner(), inner()]);
    add(0.08, 'minItems', small);
    add(0.08, 'maxItems', small);
    add(0.08, 'uniqueItems', () => random.chance(0.8));
    add(0.06, 'allOf', () => [inner(), inner()]);
    if (alternatives) add(0.1, 'anyOf', () => [inner(), inner()]);
    add(0.03, 'not', inner);
    if (alternatives) add(0.1, 'oneOf', () => [inner(), inner()]);
    add(0.06, '$ref', () => random.pick(['#/$defs/one', '#/$defs/two', '#three', '#/properties/a'] as const));
    add(0.15, 'default', () => makeValue(random, 2));
    return schema;
  }

  function makeDocument(random: Random, $schema: string, alternatives: boolean): Record<string, unknown> {
    const root = makeSchema(random, alternatives);
    const one = makeSchema(random, alternatives, 1);
    const two = makeSchema(random, alternatives, 2);
    const base = typeof root === 'object' && root !== null ? root : {};
    const properties = { a: { type: 'string' }, ...('properties' in base ? (base.properties as object) : {}) };
    return { $schema, ...base, properties, $defs: { one, two, three: { $anchor: 'three', type: 'integer' } } };
  }

  it.each([
    ['draft-07', draft07, false, 11],
    ['2019-09', draft2019, false, 12],
    ['2020-12', draft2020, false, 13],
    // Inside alternatives ajv fills in defaults by reference only, so that these are left out here.
    ['2020-12 with defaults', draft2020, true, 14],
  ])('J52 is never sure of what ajv refuses: %s', async (_name, $schema, fillDefaults, seed) => {
    const random = makeRandom(seed);
    let sure = 0;
    let valid = 0;
    for (let round = 0; round < 60; round += 1) {
      const schema = makeDocument(random, $schema, !fillDefaults);
      const { diagnostics } = checkSchema(sourceOf(schema, { role: 'output' }));
      // Values are only checked against schemas that are sound in themselves.
      if (diagnostics.some(one => one.code === 'schema/ref-cycle')) continue;
      const check = makeQuickCheck(schema, { fillDefaults });
      const validator = await loadValidator(schema, { fillDefaults });
      for (let turn = 0; turn < 12; turn += 1) {
        const value = makeValue(random);
        const isQuick = check(schema, value);
        const isValid = validator.validate(value, []).length === 0;
        if (isQuick) expect(isValid, JSON.stringify({ schema, value })).toBe(true);
        if (isQuick) sure += 1;
        if (isValid) valid += 1;
      }
    }
    // A check that is never sure would pass this test and be worth nothing.
    expect(sure).toBeGreaterThan(valid / 3);
    expect(sure).toBeGreaterThan(100);
  });
});
