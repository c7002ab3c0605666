// Random schemas of common keywords, and values that fit them about half of the time.

import { makeValue } from '../../generator/compile/validators-module.js';
import type { Random } from '../../harness/random.js';
import { draft07, draft2019, draft2020 } from '../../schema/json-schema/samples.js';

const names = ['a', 'b', 'constructor', 'x-1', 'a"b', 'a/b~c', 'é 日', ''] as const;
const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const;
const limits = [0, 1, 2.5, -1, 6] as const;
const refs = ['one', 'two', 'list', 'yes', 'no', 'a~1b', 'also', 'two/properties/a'] as const;

type Json = Record<string, unknown>;

interface Making {
  readonly random: Random;
  readonly dialect: string;
}

function makeSchema(making: Making, depth: number): unknown {
  const { random, dialect } = making;
  if (depth > 0 && random.chance(0.05)) return random.chance(0.7);
  const inner = (): unknown => makeSchema(making, depth + 1);
  const small = (): number => random.below(4);
  const value = (): unknown => makeValue(random, 2);
  // Some schemas have many rules at once.
  const some = random.chance(0.3) ? 0.15 : 0.05;
  const made: [string, unknown][] = [];
  const add = (share: number, keyword: string, make: () => unknown): void => {
    if (random.chance(share)) made.splice(random.below(made.length + 1), 0, [keyword, make()]);
  };
  const type = (): string => random.pick(types);
  add(0.7, 'type', () => [type, () => [type()], () => [type(), type()]][random.below(3)]?.());
  add(some, 'enum', () => Array.from({ length: 1 + random.below(10) }, value));
  add(some / 2, 'const', value);
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
    add(some, keyword, () => random.pick(limits));
  add(some, 'multipleOf', () => random.pick([1, 2, 0.5, 3, 0.1, 1e-7]));
  add(some, 'pattern', () => random.pick(['^a', '[0-9]', '^.$', 'b$', '"\\/`\\u2028']));
  add(some, 'format', () => random.pick(['date', 'date-time', 'email', 'int32', 'int64', 'cidrv4', 'uri']));
  for (const keyword of ['Length', 'Items', 'Properties']) {
    add(some, `min${keyword}`, small);
    add(some, `max${keyword}`, small);
  }
  add(0.25, 'default', value);
  add(0.1, 'description', () => 'words');
  add(0.05, 'x-y', () => 1);
  add(some, 'uniqueItems', () => random.chance(0.8));
  if (depth > 3) return Object.fromEntries(made);
  if (depth < 3) add(depth === 0 ? 0.9 : 0.5, 'properties', () => makeProperties(random, inner));
  add(0.2, 'required', () => Array.from({ length: small() }, () => random.pick(names)).filter(name => name !== ''));
  add(0.2, 'additionalProperties', () => (random.chance(0.4) ? false : inner()));
  add(some, 'patternProperties', () => ({ '^x-': inner(), b: inner(), 'a/b~': inner() }));
  add(some, 'propertyNames', inner);
  if (dialect !== draft07) add(0.05, 'dependentRequired', () => ({ a: ['b', 'constructor'], b: [], '': ['x-1'] }));
  add(0.25, 'items', inner);
  if (dialect === draft2020) add(0.08, 'prefixItems', () => [inner(), inner()]);
  add(0.06, 'allOf', () => [inner(), inner()]);
  add(0.08, 'anyOf', () => [inner(), inner()]);
  add(0.08, 'oneOf', () => [inner(), inner(), inner()]);
  for (const keyword of ['not', 'if', 'then', 'else']) add(0.06, keyword, inner);
  add(0.12, '$ref', () => `#/$defs/${random.pick(refs)}`);
  return Object.fromEntries(made);
}

function makeProperties(random: Random, inner: () => unknown): Json {
  const kept = names.filter(() => random.chance(0.4));
  const entries = kept.map((name): [string, unknown] => {
    const schema = inner();
    // Where ajv would take what every object inherits for a value, it makes the validator itself.
    return [name, name === 'constructor' ? { ...Object(schema), default: undefined } : schema];
  });
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

/** A document with everything that `makeValidator` knows. */
export function makeCommonDocument(random: Random): Json {
  const dialect = random.pick([draft07, draft2019, draft2020]);
  const schema = (depth: number): unknown => makeSchema({ random, dialect }, depth);
  return {
    $schema: dialect,
    ...Object(schema(0)),
    ...(random.chance(0.3) ? { type: 'object' } : {}),
    $defs: {
      one: schema(3),
      two: { type: 'object', properties: { a: schema(3), b: schema(3) } },
      list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/list' }, schema(4)] } },
      yes: true,
      no: false,
      'a/b': schema(3),
      also: { $ref: '#/$defs/two' },
    },
  };
}

/** A value for a schema; random ones hardly ever get past the first rule. */
export function makeFitting(schema: unknown, random: Random, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 5 || random.chance(0.12))
    return makeValue(random, Math.min(depth, 3));
  const rules = schema as Json;
  const inside = (one: unknown): unknown => makeFitting(one, random, depth + 1);
  const oneOf = (list: unknown): unknown => (Array.isArray(list) ? list[random.below(list.length)] : undefined);
  if (rules['enum'] !== undefined && random.chance(0.8)) return structuredClone(oneOf(rules['enum']));
  if (rules['const'] !== undefined && random.chance(0.8)) return structuredClone(rules['const']);
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (rules[keyword] !== undefined && random.chance(0.5)) return inside(oneOf(rules[keyword]));
  const properties = Object(rules['properties']) as Json;
  switch ([rules['type']].flat()[0] ?? (rules['properties'] === undefined ? 'any' : 'object')) {
    case 'object': {
      const kept = Object.entries(properties).filter(() => random.chance(0.6));
      const map: Json = Object.fromEntries(kept.map(([name, one]) => [name, inside(one)]));
      return random.chance(0.15) ? { ...map, [random.pick(names)]: makeValue(random, 3) } : map;
    }
    case 'array':
      return Array.from({ length: random.below(4) }, () => inside(rules['items']));
    case 'integer':
      return random.pick([0, 1, 2, 6, 7]);
    case 'number':
      return random.pick([0, 1, 2.5, 0.5, 6]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'string':
      return random.pick(['a', 'ab', 'x-1', '2026-01-02', 'éa', 'b']);
    default:
      return makeValue(random, 2);
  }
}
