// What `check` says about defaults and examples, by our engine or by ajv.
import type { ErrorObject } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import { makeAjv } from '../../../schema/json-schema/ajv.js';
import { checkSchema } from '../../../schema/json-schema/check.js';
import { isCommon } from '../../../schema/json-schema/engine.js';
import { effectiveDialect } from '../../../schema/json-schema/keywords.js';
import { makeValueChecker } from '../../../schema/json-schema/values.js';
import type { FullViolation } from '../../../schema/support/places.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { draft07, draft2019, draft2020, sourceOf } from './samples.js';

async function keywordsOf(schema: unknown, value: unknown, fill = false): Promise<readonly string[]> {
  return (await makeValueChecker(schema, { fill }).check(value, [])).map(({ keyword }) => keyword);
}

describe('`makeValueChecker`', () => {
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
  ])('J52 the value checker accepts: %j takes %j', async (schema, value) => {
    expect(await keywordsOf(schema, value)).toEqual([]);
  });

  it.each([
    [{ type: 'integer' }, 1.5, ['type']],
    [{ unknownKeyword: 1, type: 'string' }, 1, ['type']],
    [{ oneOf: [{}, {}] }, 1, ['oneOf']],
    [{ oneOf: [{ minimum: 5 }, { type: 'string' }] }, 1, ['minimum', 'type', 'oneOf']],
    [{ required: ['toString'] }, {}, ['required']],
    [{ $schema: draft07, items: [{ type: 'string' }] }, [1], ['type']],
    [{ $id: 'https://x.test/a', $ref: '#t', $defs: { t: { $anchor: 't', type: 'string' } } }, 1, ['type']],
  ])('J52 the value checker refuses: %j refuses %j', async (schema, value, keywords) => {
    expect(await keywordsOf(schema, value)).toEqual(keywords);
  });

  it('J51 the value checker judges a part by the document around it', async () => {
    const part = { $ref: '#/$defs/t', contains: { type: 'string' } };
    const schema = { properties: { a: part, b: { type: 'integer' }, c: { $ref: '#' } }, $defs: { t: { minItems: 2 } } };
    const { check } = makeValueChecker({ ...schema, maxProperties: 1 }, { fill: false });
    expect((await check([1], ['properties', 'a'])).map(one => one.keyword)).toEqual(['minItems', 'type', 'contains']);
    expect((await check('x', ['properties', 'b'])).map(one => one.keyword)).toEqual(['type']);
    expect((await check({ x: 1, y: 2 }, ['properties', 'c'])).map(one => one.keyword)).toEqual(['maxProperties']);
  });

  it('J53 the value checker fills in defaults when asked', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', default: 1 } }, required: ['a'] };
    expect(await keywordsOf(schema, {}, true)).toEqual([]);
    expect(await keywordsOf(schema, {}, false)).toEqual(['required']);
    expect(await keywordsOf({ ...schema, allOf: [{}] }, {}, true)).toEqual([]);
    expect(await keywordsOf({ ...schema, properties: { a: { type: 'integer', default: 'x' } } }, {}, true)).toEqual([
      'type',
    ]);
  });

  it('P3 the value checker gives up instead of overflowing or trying every combination', async () => {
    let schema: object = { type: 'string' };
    let value: unknown = 'x';
    for (let depth = 0; depth < 3000; depth += 1) {
      schema = { items: schema };
      value = [value];
    }
    const again = { $ref: '#' };
    for (const [one, other] of [
      [schema, [value]],
      [{ anyOf: [again, again, again] }, 1],
      [{ oneOf: [again, again, again] }, 1],
    ])
      await expect(makeValueChecker(one, { fill: false }).check(other, [])).rejects.toThrow('too many steps');
  });

  it.each([{ pattern: '^(a+)+$' }, { pattern: '^(a+)+$', contains: {} }])(
    'P3 the value checker refuses a pattern that would take forever: %j',
    schema =>
      expect(makeValueChecker(schema, { fill: false }).check(`${'a'.repeat(40)}!`, [])).rejects.toThrow(
        'the pattern "^(a+)+$" takes too long on one of the strings',
      ),
  );
});

describe('our engine and ajv', () => {
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
    add(0.06, '$ref', () => random.pick(['#/$defs/one', '#/$defs/two', '#/$defs/three', '#/properties/a'] as const));
    add(0.15, 'default', () => makeValue(random, 2));
    return schema;
  }

  function makeDocument(random: Random, $schema: string, alternatives: boolean): Record<string, unknown> {
    const root = makeSchema(random, alternatives);
    const one = makeSchema(random, alternatives, 1);
    const two = makeSchema(random, alternatives, 2);
    const base = typeof root === 'object' && root !== null ? root : {};
    const properties = { a: { type: 'string' }, ...('properties' in base ? (base.properties as object) : {}) };
    return { $schema, ...base, properties, $defs: { one, two, three: { type: 'integer' } } };
  }

  /** One line per violation. Behind references, ajv's paths in the schema begin where they lead. */
  function linesOf(found: readonly (FullViolation | ErrorObject)[]): readonly string[] {
    return found.map(({ instancePath, keyword, params, message, data, parentSchema }) =>
      JSON.stringify([instancePath, keyword, params, message, data, parentSchema]),
    );
  }

  it.each([
    ['draft-07', draft07, false, 11],
    ['2019-09', draft2019, false, 12],
    ['2020-12', draft2020, false, 13],
    // Inside alternatives ajv fills in defaults behind references, so that these are left out here.
    ['2020-12 with defaults', draft2020, true, 14],
  ])(
    'J52 our engine and ajv report the same errors for the same values, in the same order: %s',
    async (_name, $schema, fill, seed) => {
      const random = makeRandom(seed);
      const count = { valid: 0, invalid: 0 };
      for (let round = 0; round < 80; round += 1) {
        const schema = makeDocument(random, $schema, !fill);
        const { diagnostics } = checkSchema(sourceOf(schema, { role: 'output' }));
        // Values are only checked against schemas that are sound in themselves.
        if (diagnostics.some(one => one.code === 'schema/ref-cycle') || !isCommon(schema)) continue;
        const checker = makeValueChecker(schema, { fill });
        const options = {
          allErrors: true,
          verbose: true,
          strict: false,
          ownProperties: true,
          inlineRefs: false,
        } as const;
        const ajv = makeAjv(effectiveDialect(schema), {
          ...options,
          useDefaults: fill,
          formats: fullFormats,
          logger: false,
          validateSchema: false,
        });
        // ajv 8.20 throws on some schemas while it keeps track of evaluated properties.
        Object.assign(ajv.opts, { unevaluated: false });
        const validate = ajv.compile({ ...schema });
        for (let turn = 0; turn < 12; turn += 1) {
          const value = makeValue(random);
          const before = JSON.stringify(value);
          const mine = linesOf(await checker.check(value, []));
          expect(JSON.stringify(value)).toBe(before);
          const theirs = validate(structuredClone(value)) ? [] : linesOf(validate.errors ?? []);
          if (mine.join('\n') !== theirs.join('\n'))
            expect({ schema, value, mine }).toEqual({ schema, value, mine: theirs });
          count[mine.length === 0 ? 'valid' : 'invalid'] += 1;
        }
      }
      expect(count.valid).toBeGreaterThan(50);
      expect(count.invalid).toBeGreaterThan(50);
    },
  );
});
