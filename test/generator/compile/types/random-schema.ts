// Random schemas of 2020-12, and random values that are likely to be valid by them. The same for the same seed.
import { isSchemaObject, type JsonSchemaObject, own } from '../../../../schema/json-schema/keywords.js';
import type { Random } from '../../../harness/random.js';

type Keywords = Record<string, unknown>;

const names = ['a', 'b', 'c', 'x-1', 'x-2', 'n_at', 'toString'] as const;
const definitions = ['P', 'Q', 'R'] as const;
const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const;

/** A document with three definitions that may refer to each other. */
export function makeSchema(random: Random): JsonSchemaObject {
  const $defs = Object.fromEntries(definitions.map(name => [name, makePart(random, 2)]));
  const root = random.chance(0.8) ? { ...makeObject(random, 3), type: 'object' } : makePart(random, 3);
  return { ...(isSchemaObject(root) ? root : {}), $defs };
}

function makePart(random: Random, depth: number): unknown {
  if (random.chance(0.04)) return random.chance(0.7);
  if (depth <= 0) return makeLeaf(random);
  const schema: Keywords = {};
  switch (random.below(9)) {
    case 0:
    case 1:
      Object.assign(schema, makeObject(random, depth));
      break;
    case 2:
      Object.assign(schema, makeArray(random, depth));
      break;
    case 3:
      schema[random.pick(['anyOf', 'oneOf'])] = makeList(random, depth - 1);
      break;
    case 4:
      schema['allOf'] = makeList(random, depth - 1);
      break;
    case 5:
      schema['$ref'] = `#/$defs/${random.pick(definitions)}`;
      break;
    default:
      Object.assign(schema, makeLeaf(random));
  }
  // Keywords beside each other are where types go wrong.
  if (random.chance(0.2)) schema['type'] = random.chance(0.5) ? random.pick(types) : ['object', random.pick(types)];
  if (random.chance(0.1)) Object.assign(schema, makeObject(random, depth - 1));
  if (random.chance(0.1)) schema['anyOf'] = makeList(random, depth - 1);
  if (random.chance(0.05)) schema['not'] = makeLeaf(random);
  if (random.chance(0.05)) {
    Object.assign(schema, { if: makePart(random, depth - 1), then: makePart(random, depth - 1) });
    if (random.chance(0.5)) schema['else'] = makePart(random, depth - 1);
  }
  return schema;
}

function makeList(random: Random, depth: number): unknown[] {
  return Array.from({ length: 1 + random.below(3) }, () => makePart(random, depth));
}

function makeLeaf(random: Random): Keywords {
  switch (random.below(8)) {
    case 0:
      return { enum: ['s', 't', 1, null].slice(0, 1 + random.below(4)) };
    case 1:
      return { const: random.pick<unknown>(['s', 1, true, null, [1, 's'], { a: 's' }, {}]) };
    case 2:
      return { type: [random.pick(types), 'null'] };
    case 3:
      return {};
    default:
      return { type: random.pick(types) };
  }
}

function makeObject(random: Random, depth: number): Keywords {
  const schema: Keywords = random.chance(0.8) ? { type: 'object' } : {};
  const properties: Keywords = {};
  for (const name of names) {
    if (!random.chance(0.35)) continue;
    const property = makePart(random, depth - 1);
    const hasDefault = isSchemaObject(property) && random.chance(0.25);
    properties[name] = hasDefault ? { ...property, default: random.pick<unknown>(['s', 1, null, {}, []]) } : property;
  }
  if (random.chance(0.9)) schema['properties'] = properties;
  const required = names.filter(() => random.chance(0.2));
  if (required.length > 0) schema['required'] = required;
  if (random.chance(0.5)) {
    schema[random.pick(['additionalProperties', 'additionalProperties', 'unevaluatedProperties'])] = random.chance(0.6)
      ? random.chance(0.7) && false
      : makePart(random, depth - 1);
  }
  if (random.chance(0.15)) {
    const pattern = (): string => random.pick(['^x-', '^x-1', '_at$', '^[ab]$', '^(.*)$']);
    schema['patternProperties'] = {
      [pattern()]: makePart(random, depth - 1),
      ...(random.chance(0.3) ? { [pattern()]: makePart(random, depth - 1) } : {}),
    };
  }
  if (random.chance(0.05)) schema['dependentSchemas'] = { a: makePart(random, depth - 1) };
  return schema;
}

function makeArray(random: Random, depth: number): Keywords {
  const schema: Keywords = random.chance(0.85) ? { type: 'array' } : {};
  if (random.chance(0.5)) schema['prefixItems'] = makeList(random, depth - 1);
  if (random.chance(0.6)) schema['items'] = random.chance(0.3) ? false : makePart(random, depth - 1);
  else if (random.chance(0.2)) schema['unevaluatedItems'] = random.chance(0.5) ? false : makePart(random, depth - 1);
  if (random.chance(0.3)) schema['minItems'] = random.below(3);
  if (random.chance(0.2)) schema['maxItems'] = 1 + random.below(3);
  return schema;
}

/** A value that follows one way through the schema. Often valid, not always. */
export function makeValue(schema: unknown, root: JsonSchemaObject, random: Random, depth = 0): unknown {
  if (!isSchemaObject(schema) || depth > 8) return random.pick<unknown>([1, 's', null, true, [], {}]);
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  const members = own(schema, 'enum');
  if (Array.isArray(members)) return members[random.below(members.length)];
  const parts: unknown[] = [];
  const ref = own(schema, '$ref');
  const defs = own(root, '$defs');
  if (typeof ref === 'string' && isSchemaObject(defs)) {
    parts.push(makeValue(own(defs, ref.slice(8)), root, random, depth + 1));
  }
  for (const keyword of ['anyOf', 'oneOf', 'then', 'else']) {
    const value = own(schema, keyword);
    if (Array.isArray(value)) parts.push(makeValue(value[random.below(value.length)], root, random, depth + 1));
    else if (isSchemaObject(value) && random.chance(0.5)) parts.push(makeValue(value, root, random, depth + 1));
  }
  const all = own(schema, 'allOf');
  if (Array.isArray(all)) for (const member of all) parts.push(makeValue(member, root, random, depth + 1));
  const declared = own(schema, 'type');
  const list = Array.isArray(declared) ? declared : declared === undefined ? [] : [declared];
  const guess = Object.hasOwn(schema, 'properties') ? 'object' : Object.hasOwn(schema, 'items') ? 'array' : undefined;
  const type: unknown = list.length > 0 ? list[random.below(list.length)] : guess;
  if (type !== undefined || parts.length === 0) parts.push(makeOfType(type, schema, root, random, depth));
  const objects = parts.filter(isSchemaObject);
  return objects.length > 0 && random.chance(0.9) ? Object.assign({}, ...objects) : parts[0];
}

function makeOfType(
  type: unknown,
  schema: JsonSchemaObject,
  root: JsonSchemaObject,
  random: Random,
  depth: number,
): unknown {
  switch (type) {
    case 'string':
      return random.pick(['s', 'other']);
    case 'integer':
      return random.pick([1, 7]);
    case 'number':
      return random.pick([1, 2.5]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return makeItems(schema, root, random, depth);
    case 'object':
      return makeProperties(schema, root, random, depth);
    default:
      return random.pick<unknown>([1, 's', null, true, [], {}]);
  }
}

function makeItems(schema: JsonSchemaObject, root: JsonSchemaObject, random: Random, depth: number): unknown[] {
  const first = own(schema, 'prefixItems');
  const rest = own(schema, 'items') ?? own(schema, 'unevaluatedItems') ?? true;
  const prefix = Array.isArray(first) ? first : [];
  const length = random.below(4);
  return Array.from({ length }, (_, index) =>
    makeValue(index < prefix.length ? prefix[index] : rest, root, random, depth + 1),
  );
}

function makeProperties(schema: JsonSchemaObject, root: JsonSchemaObject, random: Random, depth: number): Keywords {
  const value: Keywords = {};
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  const further = own(schema, 'additionalProperties') ?? own(schema, 'unevaluatedProperties');
  const patterns = own(schema, 'patternProperties');
  const known = isSchemaObject(properties) ? properties : {};
  for (const name of names) {
    const isRequired = Array.isArray(required) && required.includes(name);
    if (!Object.hasOwn(known, name) && !isRequired) continue;
    if (!isRequired && random.chance(0.4)) continue;
    value[name] = makeValue(Object.hasOwn(known, name) ? known[name] : further, root, random, depth + 1);
  }
  if (isSchemaObject(patterns)) {
    for (const [pattern, member] of Object.entries(patterns)) {
      for (const name of ['x-9', 'z_at', 'a']) {
        if (new RegExp(pattern).test(name) && random.chance(0.5))
          value[name] = makeValue(member, root, random, depth + 1);
      }
    }
  }
  // TypeScript holds an object without any known property for a mistake where all are optional; so does nobody here.
  if (Object.keys(value).length > 0 && further !== false && random.chance(0.3)) {
    value['extra'] = makeValue(further ?? true, root, random, depth + 1);
  }
  return value;
}
