// Schemas of common keywords have no code of their own: `makeValidator` reads them. ajv says what it must answer.
import { describe, expect, it } from 'vitest';
import { loadValidatorPrinter, makeValidatorPrinter } from '../../../generator/compile/validators/print.js';
import type { Tool } from '../../../runtime/load/program.js';
import { countedCode, loadCompiler } from '../../../schema/json-schema/compile-ajv.js';
import { isCommon } from '../../../schema/json-schema/engine.js';
import { Steps } from '../../../schema/support.js';
import {
  type Check,
  compileWithAjv,
  evaluate,
  expectLikeAjv,
  outcomeOf,
  toolOf,
} from '../../generator/compile/validators-module.js';
import { amount } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';
import { draft07, draft2020 } from '../../schema/json-schema/samples.js';
import { makeCommonDocument, makeFitting } from './common-schemas.js';

const startAjv = await loadCompiler(countedCode);
const print = await loadValidatorPrinter();
const isPlain = (schema: unknown): boolean => isCommon(schema);
const check = (schema: unknown, role: 'input' | 'output'): Check => {
  const { validateInput, validateOutput } = evaluate(print(toolOf(schema, schema)));
  if (validateOutput === undefined) throw new Error('there is no validator of output');
  return role === 'input' ? validateInput : validateOutput;
};

const rounds = amount(25);

describe('P21 common schemas against ajv', () => {
  it.each([61, 62, 63, 64])('common schemas answer as ajv does on random schemas and values (%i)', seed => {
    const random = makeRandom(seed);
    const seen = { common: 0, valid: 0, invalid: 0, filled: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const document = makeCommonDocument(random);
      if (!isPlain(document)) continue;
      seen.common += 1;
      for (const role of ['input', 'output'] as const) {
        const [ours, ajv] = [check(document, role), startAjv(new Steps(1e9))(document, role === 'input', 'all')];
        for (let turn = 0; turn < 20; turn += 1) {
          const value = makeFitting(document, random);
          const wanted = outcomeOf(ajv, value);
          expectLikeAjv(outcomeOf(ours, value), wanted, document, JSON.stringify(value));
          seen[wanted.isValid === true ? 'valid' : 'invalid'] += 1;
          if (JSON.stringify(wanted.value) !== JSON.stringify(value)) seen.filled += 1;
        }
      }
    }
    expect(seen.common).toBeGreaterThan(0.8 * rounds);
    expect(seen.valid).toBeGreaterThan(6 * rounds);
    expect(seen.invalid).toBeGreaterThan(6 * rounds);
    expect(seen.filled).toBeGreaterThan(0.8 * rounds);
  });

  it('P21 references that lead from one definition to the next, further than any stack, are followed', () => {
    const count = 5000;
    const $defs = Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const next = { $ref: `#/$defs/d${(index + 1) % count}` };
        return [`d${index}`, { type: 'object', properties: { next, n: { type: 'integer' } } }];
      }),
    );
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
    expect(isPlain(schema)).toBe(true);
    const ours = check(schema, 'input');
    expect(outcomeOf(ours, { a: { next: { next: { n: 1 } } } }).isValid).toBe(true);
    expect(outcomeOf(ours, { a: { next: { next: { n: 'x' } } } }).isValid).toBe(false);
    expect(isPlain({ ...schema, $defs: { ...$defs, d4999: { contains: {} } } })).toBe(false);
  });

  const text = { type: 'string' };
  const nullable = { anyOf: [text, { type: 'null' }], default: null };
  /** As 4,583 tools of public servers have them. */
  const real: Readonly<Record<string, unknown>> = {
    'only a dialect': { $schema: draft2020 },
    'of zod for draft-07': {
      $schema: draft07,
      type: 'object',
      properties: {
        path: { ...text, description: 'p' },
        head: { type: 'number', minimum: 0 },
        flag: { type: 'boolean', default: true },
      },
      required: ['path', 'flag'],
      additionalProperties: false,
    },
    'of pydantic': {
      type: 'object',
      title: 'callArguments',
      properties: {
        query: { title: 'Query', type: 'string' },
        cursor: nullable,
        limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: 10 },
        filter: { $ref: '#/$defs/Filter' },
      },
      required: ['query'],
      $defs: {
        Filter: {
          type: 'object',
          properties: { state: { enum: ['a', 'b'] }, and: { items: { $ref: '#/$defs/Filter' }, type: 'array' } },
        },
      },
    },
    'a record of zod 4': {
      type: 'object',
      properties: { env: { type: 'object', propertyNames: text, additionalProperties: text } },
    },
    'a reference to a sibling': {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'object', properties: { x: text }, required: ['x'] } },
        b: { type: 'array', items: { $ref: '#/properties/a/items' } },
      },
    },
    'an enum against its type': {
      type: 'object',
      properties: { a: { type: 'integer', enum: ['1', '2'] } },
      required: ['b'],
    },
    'types in a list': {
      type: 'object',
      properties: { a: { type: ['string', 'null'], format: 'date-time' }, b: { type: ['number', 'string'] } },
    },
    'defaults in defaults': {
      type: 'object',
      properties: {
        page: {
          type: 'object',
          properties: { size: { type: 'integer', default: 20 } },
          default: {},
          additionalProperties: false,
        },
      },
    },
    'tagged forms': {
      type: 'object',
      oneOf: [
        { properties: { kind: { const: 'a' }, x: text }, required: ['kind', 'x'] },
        {
          properties: { kind: { const: 'b' } },
          required: ['kind'],
          if: { required: ['y'] },
          then: { required: ['x'] },
        },
      ],
    },
    'formats that nobody knows': {
      type: 'object',
      properties: { a: { type: 'string', format: 'cidrv4' }, b: { type: 'string', format: 'uuid' } },
    },
  };

  it.each(Object.entries(real))('common schemas answer as ajv does on what real tools have: %s', (_name, schema) => {
    expect(isPlain(schema)).toBe(true);
    const random = makeRandom(71);
    const some = [
      {},
      { a: null },
      { a: '1', b: [{}] },
      { kind: 'b', y: 1 },
      { page: {} },
      { env: { A: 1 } },
      [],
      'x',
      null,
    ];
    const values = [...some, ...Array.from({ length: 60 }, () => makeFitting(schema, random))];
    for (const role of ['input', 'output'] as const) {
      const [ours, ajv] = [check(schema, role), compileWithAjv(schema, role)];
      for (const value of values)
        expectLikeAjv(outcomeOf(ours, value), outcomeOf(ajv, value), schema, JSON.stringify(value));
    }
  });
});

describe('P21 schemas that are not common', () => {
  const object = (schema: object): object => ({ type: 'object', properties: { a: schema } });
  it.each([
    ['a keyword that nobody knows', object({ optional: true })],
    ['nullable', object({ type: 'string', nullable: true })],
    ['contains', object({ contains: {} })],
    ['unevaluatedProperties', { type: 'object', unevaluatedProperties: false }],
    ['dependentSchemas', { type: 'object', dependentSchemas: { a: {} } }],
    ['prefixItems in draft-07', { $schema: draft07, ...object({ prefixItems: [{}] }) }],
    ['dependentRequired in draft-07', { $schema: draft07, type: 'object', dependentRequired: { a: ['b'] } }],
    ['a tuple of draft-07', { $schema: draft07, ...object({ items: [{}] }) }],
    ['an address', { $id: 'https://x.test/a', ...object({}) }],
    ['an address in a definition that nothing refers to', { ...object({}), $defs: { a: { $id: 'x' } } }],
    ['a reference by anchor', { ...object({ $ref: '#a' }), $defs: { b: { $anchor: 'a' } } }],
    ['a reference elsewhere', object({ $ref: 'https://x.test/a' })],
    ['a reference to nothing', object({ $ref: '#/$defs/none' })],
    ['a reference into data', { ...object({ $ref: '#/properties/b/default' }), default: {} }],
    ['a reference with escapes', { ...object({ $ref: '#/$defs/a%20b' }), $defs: { 'a b': {} } }],
    ['a reference to something unusual', { ...object({ $ref: '#/$defs/b' }), $defs: { b: { contains: {} } } }],
    ['a type that nobody knows', object({ type: 'text' })],
    ['a limit that is none', object({ minimum: '1' })],
    ['a step of nothing', object({ multipleOf: 0 })],
    ['a broken pattern', object({ pattern: '(' })],
    ['an empty enum', object({ enum: [] })],
    ['a default for what every object inherits', { type: 'object', properties: { toString: { default: 1 } } }],
    ['a format that every object inherits', object({ format: 'constructor' })],
    ['the property __proto__', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
    ['half a character', { type: 'object', properties: { '\ud83d': {} } }],
    ['a required name without letters', { type: 'object', required: [''] }],
    ['what is no schema', object([])],
  ])('a schema that is not common is left to ajv: %s', (_name, schema) => {
    expect(isPlain(schema)).toBe(false);
  });

  it('a tool may have one schema by ajv and the other without', () => {
    const unusual = { type: 'object', properties: { a: { contains: { type: 'string' } } } };
    const tagged = { type: 'object', properties: { a: { type: 'array', default: [] } } };
    const text = print(toolOf(tagged, unusual));
    expect(text).toContain("import { Steps, boundValidator, makeValidator } from 'toolwright/support';");
    expect(text.match(/makeValidator\(/g)).toHaveLength(1);
    const { validateInput, validateOutput } = evaluate(text);
    const value = {};
    expect([validateInput(value), value, validateOutput?.(value)]).toEqual([true, { a: [] }, false]);
    expect(validateOutput?.errors).toMatchObject([{ keyword: 'contains' }]);
  });

  it('the printer gives the same where ajv is loaded with the first tool that needs it', async () => {
    const printLate = makeValidatorPrinter();
    for (const tool of [toolOf({ type: 'object' }), toolOf(object({ contains: {} })), toolOf({ type: 'object' })])
      expect(await printLate(tool as Tool)).toBe(print(tool));
  });
});
