// One schema of a document, of any version of OpenAPI. Out: the same in the words of JSON Schema 2020-12, with only what means something
// and is well formed; references are pointers of the document.
import { asList, asMap, isMap, setOwn } from '../../../schema/document.js';
import { type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import type { BrokenRef } from './api.js';
import { below } from './pointer.js';
import { type Converting, type Made, printShort, readSwitch } from './schema-converting.js';
import { kindsKey, tellApart } from './schema-discriminator.js';
import { convertPlain, convertWords, enumOfItems } from './schema-keywords.js';
import { notUsable, toPattern } from './schema-pattern.js';
import { type Place, pointerOf, within } from './schema-place.js';
import { readTypes } from './schema-types.js';
import { combining } from './schema-words.js';

/** Marks a schema whose `$ref` leads nowhere: nothing is known about the value. */
const brokenKey = 'x-broken';

export function brokenRefOf(schema: JsonSchemaObject): BrokenRef | undefined {
  return schema[brokenKey] as BrokenRef | undefined;
}

/** Nobody writes schemas that deep. */
const deepest = 150;

/** What 3.0 documents have beside a `$ref` and surely mean. */
const besideRef: readonly string[] = [
  ...['description', 'summary', 'title', 'nullable', 'x-nullable', 'readOnly', 'writeOnly', 'deprecated', 'default'],
  ...['example', 'examples'],
];

/**
 * Converts a schema; never fails.
 *
 * @example toJsonSchema({ type: 'string', nullable: true }, placeAt('#'), converting) // { type: ['string', 'null'] }
 */
export function toJsonSchema(written: unknown, at: Place, converting: Converting): JsonSchemaObject {
  if (written === undefined || written === null || written === true) return {};
  if (written === false) return { not: {} };
  if (typeof written === 'string' && readTypes(written).types.length > 0)
    return convert({ type: written }, at, converting);
  if (!isMap(written)) {
    converting.ignored(at, printShort(written), 'it is not a schema');
    return {};
  }
  if (at.depth > deepest) {
    converting.ignored(at, 'this schema', `it is more than ${deepest} levels deep`);
    return {};
  }
  const known = converting.known.get(written);
  if (known !== undefined) return known;
  const made = convert(written, at, converting);
  converting.known.set(written, made);
  return made;
}

function convert(written: JsonSchemaObject, at: Place, converting: Converting): JsonSchemaObject {
  const ref = own(written, '$ref') ?? own(written, '$dynamicRef') ?? own(written, '$recursiveRef');
  if (typeof ref !== 'string') return finish(written, convertKeywords(written, at, converting));
  const beside = converting.isAloneWithRef
    ? Object.fromEntries(besideRef.flatMap(key => (Object.hasOwn(written, key) ? [[key, written[key]]] : [])))
    : written;
  const pointer = converting.follow(ref, at);
  const made = convertKeywords(beside, at, converting);
  const target = pointer === undefined ? { [brokenKey]: brokenRef(ref, at) } : { $ref: pointer };
  return finish(beside, { ...target, ...made });
}

function brokenRef(ref: string, at: Place): BrokenRef {
  return { ref, pointer: below(pointerOf(at), '$ref') };
}

function convertKeywords(written: JsonSchemaObject, at: Place, converting: Converting): Made {
  const made: Made = {};
  const types = convertPlain(written, at, converting, made);
  convertMembers(written, at, converting, made);
  convertItems(written, types, at, converting, made);
  convertCombined(written, at, converting, made);
  convertWords(written, made);
  return made;
}

/** Null is one more value of everything that the schema says. */
function finish(written: JsonSchemaObject, made: Made): JsonSchemaObject {
  const isNullable = [own(written, 'nullable'), own(written, 'x-nullable')].some(one => one === true || one === 'true');
  if (!isNullable) return made;
  if (!combining.some(key => Object.hasOwn(made, key))) {
    const { type, enum: members } = made;
    const types = typeof type === 'string' ? [type] : asList(type);
    return {
      ...made,
      ...(types.length === 0 || types.includes('null') ? {} : { type: [...types, 'null'] }),
      ...(Array.isArray(members) && !members.includes(null) ? { enum: [...members, null] } : {}),
    };
  }
  const key = ['anyOf', 'oneOf'].find(one => Array.isArray(made[one]));
  const others = key === undefined ? [] : combining.filter(one => one !== key && Object.hasOwn(made, one));
  if (key !== undefined && others.length === 0 && made['type'] === undefined && made['properties'] === undefined) {
    const alternatives = made[key] as readonly JsonSchemaObject[];
    // Of exactly one only where null is surely none of them yet.
    if (key === 'anyOf' || alternatives.every(isNeverNull))
      return { ...made, [key]: [...alternatives, { type: 'null' }] };
  }
  const { title, description, default: given, examples, deprecated, readOnly, writeOnly, ...rest } = made;
  const words = Object.entries({ title, description, default: given, examples, deprecated, readOnly, writeOnly });
  const said = Object.fromEntries(words.filter(([, value]) => value !== undefined));
  return { ...said, anyOf: [rest, { type: 'null' }] };
}

function isNeverNull({ type }: JsonSchemaObject): boolean {
  return typeof type === 'string' ? type !== 'null' : Array.isArray(type) && !type.includes('null');
}

function convertMembers(written: JsonSchemaObject, at: Place, converting: Converting, made: Made): void {
  const properties = own(written, 'properties');
  const required = new Set(asList(own(written, 'required')).filter(name => typeof name === 'string'));
  if (isMap(properties)) {
    const members: Made = {};
    const inside = within(at, 'properties');
    for (const [name, member] of Object.entries(properties)) {
      setOwn(members, name, toJsonSchema(member, within(inside, name), converting));
      // Drafts before 4 and many people say it where the member is.
      if (isMap(member) && own(member, 'required') === true) required.add(name);
    }
    made['properties'] = members;
  } else if (properties !== undefined && properties !== null)
    converting.ignored(within(at, 'properties'), printShort(properties), 'it is not a map of schemas');
  if (required.size > 0) made['required'] = [...required];
  const others = readSwitch(own(written, 'additionalProperties'));
  if (isMap(others)) {
    const schema = toJsonSchema(others, within(at, 'additionalProperties'), converting);
    made['additionalProperties'] = Object.keys(schema).length === 0 ? true : schema;
  } else if (typeof others === 'boolean') made['additionalProperties'] = others;
  const patterns = Object.entries(asMap(own(written, 'patternProperties'))).flatMap(([pattern, member]) => {
    const usable = toPattern(pattern);
    const inside = within(within(at, 'patternProperties'), pattern);
    if (usable !== undefined) return [[usable, toJsonSchema(member, inside, converting)] as const];
    converting.ignored(inside, pattern, notUsable);
    return [];
  });
  if (patterns.length > 0) made['patternProperties'] = Object.fromEntries(patterns);
  for (const key of ['propertyNames', 'unevaluatedProperties'] as const)
    if (isMap(own(written, key))) made[key] = toJsonSchema(written[key], within(at, key), converting);
  if (own(written, 'unevaluatedProperties') === false) made['unevaluatedProperties'] = false;
  convertDependencies(written, at, converting, made);
}

/** Before 2019-09 one keyword said both. */
function convertDependencies(written: JsonSchemaObject, at: Place, converting: Converting, made: Made): void {
  const needs: Made = {};
  const schemas: Made = {};
  for (const key of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    for (const [name, one] of Object.entries(asMap(own(written, key)))) {
      if (Array.isArray(one)) setOwn(needs, name, [...new Set(one.filter(each => typeof each === 'string'))]);
      else if (isMap(one)) setOwn(schemas, name, toJsonSchema(one, within(within(at, key), name), converting));
    }
  }
  if (Object.keys(needs).length > 0) made['dependentRequired'] = needs;
  if (Object.keys(schemas).length > 0) made['dependentSchemas'] = schemas;
}

function convertItems(
  written: JsonSchemaObject,
  types: readonly string[],
  at: Place,
  converting: Converting,
  made: Made,
): void {
  if (types.length > 0 && !types.includes('array')) return;
  const items = own(written, 'items');
  const tuple = Array.isArray(items) ? items : asList(own(written, 'prefixItems'));
  const rest = Array.isArray(items) ? readSwitch(own(written, 'additionalItems')) : items;
  if (tuple.length > 0) {
    const inside = within(at, Array.isArray(items) ? 'items' : 'prefixItems');
    made['prefixItems'] = tuple.map((one, index) => toJsonSchema(one, within(inside, index), converting));
    if (rest === false) made['items'] = false;
    else if (isMap(rest))
      made['items'] = toJsonSchema(rest, within(at, Array.isArray(items) ? 'additionalItems' : 'items'), converting);
  } else if (types.includes('array')) {
    const schema = Array.isArray(items) ? {} : toJsonSchema(items, within(at, 'items'), converting);
    made['items'] = { ...schema, ...enumOfItems(written, types, schema) };
  }
  for (const key of ['contains', 'unevaluatedItems'] as const)
    if (isMap(own(written, key))) made[key] = toJsonSchema(written[key], within(at, key), converting);
}

function convertCombined(written: JsonSchemaObject, at: Place, converting: Converting, made: Made): void {
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    const value = own(written, key);
    const list = Array.isArray(value) ? value : isMap(value) ? [value] : [];
    const inside = within(at, key);
    const schemas = list.flatMap((one, index) =>
      isMap(one) || typeof one === 'boolean' ? [toJsonSchema(one, within(inside, index), converting)] : [],
    );
    if (schemas.length > 0) made[key] = schemas;
  }
  const { discriminator } = written;
  if (isMap(discriminator)) tellApart(discriminator, at, converting, made);
  // In 2.0 it is the name of the member.
  if (
    (isMap(discriminator) || typeof discriminator === 'string') &&
    made['oneOf'] === undefined &&
    made['anyOf'] === undefined
  )
    made[kindsKey] = true;
  for (const key of ['not', 'if', 'then', 'else'] as const)
    if (isMap(own(written, key))) made[key] = toJsonSchema(written[key], within(at, key), converting);
  // Nothing follows from a condition that nobody states.
  if (made['if'] === undefined) {
    delete made['then'];
    delete made['else'];
  }
}
