// One schema of a document, of any version of OpenAPI. Out: the same in the words of JSON Schema 2020-12, with only what means something
// and is well formed; references are pointers of the document.
import { asList, asMap, isMap, setOwn } from '../../../schema/document.js';
import { type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import type { BrokenRef } from './api.js';
import { below } from './pointer.js';
import { readLimits } from './schema-limits.js';
import { toPattern } from './schema-pattern.js';
import { type Place, pointerOf, within } from './schema-place.js';
import { cleanText } from './schema-text.js';
import { readFormat, readTypes } from './schema-types.js';
import { readEnum, toType, typesOf } from './schema-values.js';
import { combining } from './schema-words.js';

/** What the converter needs to know of the document. */
export interface Converting {
  /** 2.0 and 3.0: what stands beside a `$ref` means nothing. */
  readonly isAloneWithRef: boolean;
  /** The pointer that a reference leads to; undefined where it leads nowhere. */
  follow(ref: string, at: Place): string | undefined;
  /** The value at a pointer that `follow` gave. */
  valueAt(pointer: string): unknown;
  ignored(at: Place, what: string, reason: string): void;
  isOddFormat(format: string): boolean;
  /** What was converted already: aliases of YAML may make one schema stand in many places. */
  readonly known: WeakMap<object, JsonSchemaObject>;
}

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

type Made = Record<string, unknown>;

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
  const title = cleanText(own(written, 'title'));
  if (title !== '') made['title'] = title;
  const description = cleanText(own(written, 'description') ?? own(written, 'summary'));
  if (description !== '') made['description'] = description;
  const { types, format } = convertType(written, at, converting, made);
  if (types.length > 0) made['type'] = types.length === 1 ? types[0] : types;
  convertValues(written, types, at, converting, made);
  const known = readFormat(own(written, 'format') ?? format, types, converting.isOddFormat);
  if (known !== undefined) made['format'] = known;
  const limits = readLimits(written, types);
  Object.assign(made, limits.kept);
  for (const { keyword, reason } of limits.ignored)
    converting.ignored(within(at, keyword), `${keyword}: ${printShort(written[keyword])}`, reason);
  addNote(made, limits.note);
  convertPattern(written, types, at, converting, made);
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

function convertType(
  written: JsonSchemaObject,
  at: Place,
  { ignored }: Converting,
  made: Made,
): { readonly types: readonly string[]; readonly format?: string | undefined } {
  const { types, format, unknown } = readTypes(own(written, 'type'));
  for (const one of unknown) ignored(within(at, 'type'), `type: ${printShort(one)}`, 'there is no such type');
  if (types.length > 0 || made['$ref'] !== undefined) return { types, format };
  if (isMap(own(written, 'properties')) || isMap(own(written, 'additionalProperties'))) return { types: ['object'] };
  return isMap(own(written, 'items')) ? { types: ['array'] } : { types, format };
}

function convertValues(
  written: JsonSchemaObject,
  types: readonly string[],
  at: Place,
  { ignored }: Converting,
  made: Made,
): void {
  const constant = toType(own(written, 'const'), types);
  if (constant !== undefined) {
    made['const'] = constant;
    addType(made, types, [constant]);
  }
  const members = own(written, 'enum');
  // What a list of them may hold belongs to the items; see there.
  if (members === undefined || isOfItems(members, types)) return;
  if (!Array.isArray(members)) {
    ignored(within(at, 'enum'), `enum: ${printShort(members)}`, 'it is not a list');
    return;
  }
  const { values, dropped } = readEnum(members, types);
  // Null is said by `nullable`, and in 3.0 many write it here as well.
  for (const one of dropped)
    if (one !== null) ignored(within(at, 'enum'), printShort(one), `it is not of the type ${types.join(' or ')}`);
  if (values === undefined) return;
  made['enum'] = values;
  addType(made, types, values);
}

/** Clients and people want a type, where the values leave no doubt. */
function addType(made: Made, types: readonly string[], values: readonly unknown[]): void {
  const found = types.length > 0 ? [] : typesOf(values);
  if (found.length === 1 || found.length === 2) made['type'] = found.length === 1 ? found[0] : found;
}

function isOfItems(members: unknown, types: readonly string[]): members is readonly unknown[] {
  return types.includes('array') && Array.isArray(members) && members.length > 0 && !members.some(Array.isArray);
}

function convertPattern(
  written: JsonSchemaObject,
  types: readonly string[],
  at: Place,
  { ignored }: Converting,
  made: Made,
): void {
  const pattern = own(written, 'pattern');
  if (typeof pattern !== 'string' || pattern === '' || (types.length > 0 && !types.includes('string'))) return;
  const usable = toPattern(pattern);
  if (usable !== undefined) made['pattern'] = usable;
  else {
    ignored(within(at, 'pattern'), `pattern: ${pattern}`, 'it is not a regular expression of JavaScript');
    addNote(made, pattern.length <= 200 ? `Pattern: ${pattern}` : undefined);
  }
}

/** What cannot be said by a keyword, people and models can still read. */
function addNote(made: Made, note: string | undefined): void {
  if (note === undefined) return;
  const { description } = made;
  made['description'] = typeof description === 'string' ? `${description}\n\n${note}` : note;
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
    converting.ignored(inside, pattern, 'it is not a regular expression of JavaScript');
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

function readSwitch(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
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
    const members = own(written, 'enum');
    const values = isOfItems(members, types) && schema['enum'] === undefined ? { enum: members } : undefined;
    made['items'] = values === undefined ? schema : { ...schema, ...readValues(values.enum, schema) };
  }
  for (const key of ['contains', 'unevaluatedItems'] as const)
    if (isMap(own(written, key))) made[key] = toJsonSchema(written[key], within(at, key), converting);
}

/** An enum beside `type: array` lists what the items may be. */
function readValues(members: readonly unknown[], { type }: JsonSchemaObject): JsonSchemaObject {
  const { values } = readEnum(members, typeof type === 'string' ? [type] : asList(type).map(String));
  return values === undefined ? {} : { enum: values };
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
  for (const key of ['not', 'if', 'then', 'else'] as const)
    if (isMap(own(written, key))) made[key] = toJsonSchema(written[key], within(at, key), converting);
  // Nothing follows from a condition that nobody states.
  if (made['if'] === undefined) {
    delete made['then'];
    delete made['else'];
  }
}

/**
 * A discriminator chooses one of the alternatives, which may all fit: so `oneOf` becomes `anyOf`, unless the document says which value
 * means which, and they say it themselves.
 */
function tellApart(discriminator: JsonSchemaObject, at: Place, converting: Converting, made: Made): void {
  const { oneOf } = made;
  const name = own(discriminator, 'propertyName');
  if (!Array.isArray(oneOf)) return;
  const values = new Map<string, string[]>();
  const inside = within(within(at, 'discriminator'), 'mapping');
  for (const [value, target] of Object.entries(asMap(own(discriminator, 'mapping')))) {
    if (typeof target !== 'string') continue;
    // A bare name is that of a component.
    const ref =
      /^[\w.-]+$/.test(target) && !/\.(?:json|ya?ml)$/i.test(target) ? `#/components/schemas/${target}` : target;
    const isUsed = oneOf.some((one: JsonSchemaObject) => one['$ref'] === ref);
    const pointer = isUsed ? ref : converting.follow(ref, within(inside, value));
    if (pointer !== undefined) values.set(pointer, [...(values.get(pointer) ?? []), value]);
  }
  const tagged = oneOf.map((one: JsonSchemaObject) => {
    const { $ref: pointer } = one;
    const meant = typeof pointer === 'string' ? values.get(pointer) : undefined;
    if (typeof name !== 'string' || typeof pointer !== 'string' || meant === undefined) return undefined;
    const described = asMap(asMap(asMap(converting.valueAt(pointer))['properties'])[name]);
    if (described['enum'] !== undefined || described['const'] !== undefined) return one;
    if (one['properties'] !== undefined) return undefined;
    const tag = meant.length === 1 ? { const: meant[0] } : { enum: meant };
    return { ...one, properties: { [name]: { type: 'string', ...tag } }, required: [name] };
  });
  if (tagged.every(one => one !== undefined)) made['oneOf'] = tagged;
  else if (made['anyOf'] === undefined) {
    made['anyOf'] = oneOf;
    delete made['oneOf'];
  }
}

function convertWords(written: JsonSchemaObject, made: Made): void {
  const several = own(written, 'examples');
  const listed = Array.isArray(several)
    ? several
    : Object.values(asMap(several)).map(one => asMap(one)['value'] ?? one);
  const examples = [...(Object.hasOwn(written, 'example') ? [written['example']] : []), ...listed];
  if (Object.hasOwn(written, 'default')) made['default'] = written['default'];
  if (examples.length > 0) made['examples'] = examples;
  for (const key of ['deprecated', 'readOnly', 'writeOnly'] as const)
    if (readSwitch(own(written, key)) === true) made[key] = true;
  for (const key of ['contentEncoding', 'contentMediaType'] as const) {
    const word = own(written, key);
    if (typeof word === 'string') made[key] = word;
  }
}

function printShort(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
