// Schemas at random, of which ajv says what they accept: what is sent is accepted just as by the document, and what fits the document always
// fits the schema of what is returned.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { bundleShared, type SharedSchema, type SharedSchemas } from '../../../schema/json-schema/shared.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { openBook, refTo } from './schema-kit.js';

type Schema = Record<string, unknown>;

const names = ['a', 'b', 'c'];
const count = 6;

/** Alternatives of objects are described as one object, so that a member of one of them has its type in all. */
type Kind = 'input' | 'output';

/** Refers to any component below members and items, and only to later ones for the same value, so that no circle is without an end. */
function makeSchema(random: Random, kind: Kind, from: number, depth: number): Schema {
  const inside = (): Schema => makeSchema(random, kind, 0, depth + 1);
  const same = (): Schema => makeSchema(random, kind, from, depth + 1);
  const unions = kind === 'input' ? ['anyOf', 'oneOf'] : ['plain'];
  const kinds = ['string', 'string', 'integer', 'boolean', 'enum', 'nullable', 'object', 'object', 'ref', 'array'];
  const more = depth < 3 ? ['object', 'array', 'allOf', 'both', 'map', 'either', ...unions] : [];
  switch (random.pick(depth === 0 ? ['object', 'allOf', 'array', ...unions] : [...kinds, ...more])) {
    case 'string':
      return {
        type: 'string',
        ...(random.chance(0.3) ? { maxLength: 2 } : {}),
        ...(random.chance(0.2) ? { pattern: '^[a-c]' } : {}),
      };
    case 'integer':
      return {
        type: 'integer',
        ...(random.chance(0.3) ? { minimum: 1 } : {}),
        ...(random.chance(0.3) ? { exclusiveMaximum: 3 } : {}),
      };
    case 'enum':
      return { type: ['string', 'integer'], enum: ['a', 'b', 1] };
    case 'nullable':
      return { type: ['string', 'null'] };
    case 'ref':
      return refSame(random, from);
    case 'array':
      return { type: 'array', items: depth > 3 ? {} : inside(), ...(random.chance(0.2) ? { maxItems: 1 } : {}) };
    case 'map':
      return { type: 'object', additionalProperties: inside() };
    case 'allOf':
      return {
        allOf: [same(), random.chance(0.5) ? refSame(random, from) : same()],
        ...(random.chance(0.3) ? { description: 'All' } : {}),
      };
    case 'anyOf':
      return { anyOf: [same(), refSame(random, from), ...(random.chance(0.4) ? [{ type: 'null' }] : [])] };
    case 'either':
      return { anyOf: [refSame(random, from), { type: 'null' }] };
    case 'plain':
      return { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'array', items: inside() }, { type: 'integer' }] };
    case 'oneOf':
      return { oneOf: [same(), same()] };
    case 'both':
      return { ...refSame(random, from), type: 'object', properties: { a: inside() }, required: ['a'] };
    case 'object':
      return {
        type: random.chance(0.1) ? ['object', 'null'] : 'object',
        properties: Object.fromEntries(
          names.filter(() => random.chance(0.6)).map(name => [name, depth > 3 ? {} : inside()]),
        ),
        ...(random.chance(0.4) ? { required: [random.pick(names)] } : {}),
        ...(random.chance(0.2) ? { minProperties: 1 } : {}),
      };
    default:
      return { type: 'boolean' };
  }
}

function refSame(random: Random, from: number): Schema {
  return from >= count ? { type: 'object', required: ['b'] } : refTo(`C${from + random.below(count - from)}`);
}

function makeValue(random: Random, depth = 0): unknown {
  const plain = ['a', 'b', 'abc', 'z', 1, 2, 5, true, null, 1.5];
  if (depth > 3 || random.chance(0.35)) return random.pick(plain);
  if (random.chance(0.25)) return Array.from({ length: random.below(3) }, () => makeValue(random, depth + 1));
  return Object.fromEntries(names.filter(() => random.chance(0.6)).map(name => [name, makeValue(random, depth + 1)]));
}

/** The schema with all that it refers to, as clients get it. */
function whole(schema: Schema, shared: Readonly<Record<string, Schema>>): Schema {
  const site = () => ({ file: 'x', line: 1, column: 1, endLine: 1, endColumn: 1 });
  const around: SharedSchemas = {
    has: name => name in shared,
    suggest: () => undefined,
    find: name => known.get(name),
  };
  const known = new Map<string, SharedSchema>(
    Object.entries(shared).map(([name, one]) => [name, { name, schema: one, site, around }]),
  );
  const source = {
    role: 'output',
    style: 'raw',
    filling: 'never',
    name: 'x',
    schema,
    site,
    sharedNames: around,
  } as const;
  return bundleShared(source, around).source.schema as Schema;
}

const compile = (schema: object) =>
  new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, meta: false }).compile(schema);

interface Case {
  readonly seed: number;
  readonly name: string;
  readonly value: unknown;
  /** By the document. */
  readonly isRight: boolean;
  /** By our schema; undefined where there is none. */
  readonly isOurs: boolean | undefined;
}

function* cases(kind: Kind): Generator<Case> {
  for (let seed = seedOr(1); seed < seedOr(1) + amount(12); seed += 1) {
    const random = makeRandom(seed);
    const made = Array.from({ length: count }, (_, index) => [`C${index}`, makeSchema(random, kind, index + 1, 0)]);
    const components: Readonly<Record<string, Schema>> = Object.fromEntries(made);
    const { sent, returned, shared } = openBook(components, '3.1.0');
    const asked = Object.keys(components).map(
      name => [name, (kind === 'input' ? sent : returned)(refTo(name))] as const,
    );
    const values = Array.from({ length: 60 }, () => makeValue(random));
    for (const [name, schema] of asked) {
      const original = compile({ ...refTo(name), components: { schemas: components } });
      const ours = schema === undefined ? undefined : compile(whole(schema, shared()));
      for (const value of values) yield { seed, name, value, isRight: original(value), isOurs: ours?.(value) };
    }
  }
}

describe('schemas at random', () => {
  it('I1: what is sent is accepted where the document accepts it', () => {
    let accepted = 0;
    for (const one of cases('input')) {
      accepted += one.isRight ? 1 : 0;
      if (one.isOurs !== one.isRight) expect(one).toEqual({ ...one, isOurs: one.isRight });
    }
    expect(accepted).toBeGreaterThan(150);
  });

  it('I1: what the document says of answers fits what is left of it', () => {
    let fitting = 0;
    for (const one of cases('output')) {
      if (!one.isRight || one.isOurs === undefined) continue;
      fitting += 1;
      if (!one.isOurs) expect(one).toEqual({ ...one, isOurs: true });
    }
    expect(fitting).toBeGreaterThan(50);
  });
});
