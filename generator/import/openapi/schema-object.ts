// Plain objects: members and nothing else. In: a converted schema. Out: its members, also where it is an `allOf` of such, or a reference to one.
import { asList, asMap } from '../../../schema/document.js';
import { type JsonSchemaObject, typeNames } from '../../../schema/json-schema/keywords.js';
import { kindsKey } from './schema-discriminator.js';
import { isEqual, wordKeys } from './schema-words.js';

export interface PlainObject {
  /** Not yet those of one direction only. */
  readonly members: ReadonlyMap<string, JsonSchemaObject>;
  readonly required: readonly string[];
  /** Undefined where nothing is said about others. */
  readonly others: boolean | JsonSchemaObject | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  /** Null is allowed instead of the object. */
  readonly isNullable: boolean;
  /** It is one of several kinds, which may have more members; a part of another object says nothing of that one. */
  readonly hasKinds: boolean;
  /** Title, description and the like. */
  readonly words: JsonSchemaObject;
}

const objectKeys: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'type', 'properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  kindsKey,
]);

/**
 * Reads a schema as a plain object; undefined where it is anything else.
 *
 * @example readObject({ allOf: [{ $ref: '#/a' }, { properties: { b: {} } }] }, pointer => schemas[pointer])
 */
export function readObject(
  schema: JsonSchemaObject,
  at: (pointer: string) => JsonSchemaObject,
): PlainObject | undefined {
  const { type, properties, $ref: ref, allOf, minProperties, maxProperties } = schema;
  if (!Object.keys(schema).every(key => objectKeys.has(key) || wordKeys.has(key))) return undefined;
  const types = typeNames(type);
  const isObject = types.includes('object') && types.every(one => one === 'object' || one === 'null');
  if (types.length > 0 && !isObject) return undefined;
  const parts = [...(typeof ref === 'string' ? [at(ref)] : []), ...(asList(allOf) as JsonSchemaObject[])];
  const read = parts.map(part => readObject(part, at));
  if (!read.every(one => one !== undefined)) return undefined;
  const isDescribed = isObject || properties !== undefined || read.some(({ members }) => members.size > 0);
  // What only asks for members of another part is a part all the same.
  if (!isDescribed && parts.length === 0 && schema['required'] === undefined && !isOnlyWords(schema)) return undefined;
  const own: PlainObject = {
    members: new Map(Object.entries(asMap(properties) as Record<string, JsonSchemaObject>)),
    required: asList(schema['required']).map(String),
    others: schema['additionalProperties'] as PlainObject['others'],
    minProperties: minProperties as number | undefined,
    maxProperties: maxProperties as number | undefined,
    isNullable: types.length === 0 || types.includes('null'),
    hasKinds:
      schema[kindsKey] === true || (properties === undefined && parts.length === 1 && read[0]?.hasKinds === true),
    words: Object.fromEntries(Object.entries(schema).filter(([key]) => wordKeys.has(key))),
  };
  return read.length === 0 ? own : [...read, own].reduce(join);
}

function isOnlyWords(schema: JsonSchemaObject): boolean {
  return Object.keys(schema).every(key => wordKeys.has(key));
}

/** What fits both; the words of the later are nearer to the place where it is used. */
function join(one: PlainObject, other: PlainObject): PlainObject {
  const members = new Map(one.members);
  for (const [name, member] of other.members) {
    const before = members.get(name);
    members.set(name, before === undefined || isEqual(before, member) ? member : both(before, member));
  }
  return {
    members,
    required: [...new Set([...one.required, ...other.required])],
    others: joinOthers(one.others, other.others),
    minProperties: limit(Math.max, one.minProperties, other.minProperties),
    maxProperties: limit(Math.min, one.maxProperties, other.maxProperties),
    isNullable: one.isNullable && other.isNullable,
    hasKinds: other.hasKinds,
    words: { ...one.words, ...other.words },
  };
}

/** Each part that refuses others would refuse the members of the next: they mean what none of them has. */
function joinOthers(one: PlainObject['others'], other: PlainObject['others']): PlainObject['others'] {
  if (one === false || other === false) return false;
  if (typeof one === 'object') return typeof other === 'object' && !isEqual(one, other) ? both(one, other) : one;
  return other ?? one;
}

function both(one: JsonSchemaObject, other: JsonSchemaObject): JsonSchemaObject {
  const differs = (key: string): boolean =>
    Object.hasOwn(one, key) && !wordKeys.has(key) && !isEqual(one[key], other[key]);
  return Object.keys(other).some(differs) ? { allOf: [one, other] } : { ...one, ...other };
}

function limit(choose: (...values: number[]) => number, one?: number, other?: number): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return choose(one, other);
}
