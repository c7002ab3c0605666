// In: a schema and a value that does not fit. Out: everything that is wrong with it, in ajv's words and ajv's order.
// Part of toolwright/support: imports only other parts of it. Defaults are filled in on the way, as ajv does it.
import { lookAtCount, lookAtNumber, lookAtText, type Place, report, type Violation } from './support-limits.js';
import {
  bitsAllowed,
  bitsOf,
  findSame,
  isPresent,
  type JsonMap,
  type Rules,
  resolveRef,
  type Schema,
  typesOf,
} from './support-rules.js';
import { equal } from './support-values.js';

/** Lists all violations; none: the value is valid. */
export function listViolations(schema: Schema, value: unknown, fill: boolean): readonly Violation[] {
  const found: Violation[] = [];
  look(schema, value, { root: schema, found, fill, path: '', at: '#' });
  return found;
}

/** True where nothing was wrong. */
function look(schema: Schema, value: unknown, place: Place): boolean {
  if (schema === true) return true;
  const before = place.found.length;
  if (schema === false) report(place, 'false schema', {}, 'boolean schema is false');
  else lookByGroups(schema, value, place);
  return place.found.length === before;
}

/** Whether a value fits, when nobody asks why. */
function isFitting(schema: Schema, value: unknown, place: Place): boolean {
  return look(schema, value, { ...place, fill: false, found: [] });
}

type Look = (schema: Rules, value: never, place: Place) => void;

/** The types whose rules ajv takes together, in its order. */
const groups: readonly { readonly type: string; readonly keywords: readonly (keyof Rules)[]; readonly look: Look }[] = [
  {
    type: 'number',
    keywords: ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf', 'format'],
    look: lookAtNumber,
  },
  { type: 'string', keywords: ['maxLength', 'minLength', 'pattern', 'format'], look: lookAtText },
  { type: 'array', keywords: ['maxItems', 'minItems', 'prefixItems', 'items', 'uniqueItems'], look: lookAtList },
  {
    type: 'object',
    keywords: [
      'maxProperties',
      'minProperties',
      'required',
      'propertyNames',
      'additionalProperties',
      'properties',
      'patternProperties',
      'dependentRequired',
    ],
    look: lookAtMap,
  },
];

function lookByGroups(schema: Rules, value: unknown, place: Place): void {
  const used = groups.filter(({ keywords }) => keywords.some(keyword => schema[keyword] !== undefined));
  const types = typesOf(schema.type);
  // A single type that has rules is asked for where its rules are.
  const late = types.length === 1 ? used.find(({ type }) => type === types[0]) : undefined;
  const bits = bitsOf(value);
  const reportType = (): void => report(place, 'type', { type: schema.type }, `must be ${types.join(',')}`);
  if (late === undefined && !(bits & bitsAllowed(schema.type))) reportType();
  lookAtAny(schema, value, place);
  for (const group of used) {
    if (bits & bitsAllowed(group.type)) group.look(schema, value as never, place);
    else if (group === late) reportType();
  }
}

function lookAtList(schema: Rules, list: readonly unknown[], place: Place): void {
  lookAtCount(schema, list.length, 'Items', place);
  const { prefixItems, items, uniqueItems } = schema;
  prefixItems?.forEach((one, index) => {
    if (index < list.length) look(one, list[index], below(place, `prefixItems/${index}`, index));
  });
  const first = prefixItems?.length ?? 0;
  if (items === false && prefixItems !== undefined) {
    if (list.length > first) report(place, 'items', { limit: first }, `must NOT have more than ${first} items`);
  } else if (items !== undefined) {
    for (let index = first; index < list.length; index += 1) look(items, list[index], below(place, 'items', index));
  }
  const same = uniqueItems === true ? findSame(list, items, equal) : undefined;
  if (same === undefined) return;
  const which = `(items ## ${same.j} and ${same.i} are identical)`;
  report(place, 'uniqueItems', { ...same }, `must NOT have duplicate items ${which}`);
}

function lookAtMap(schema: Rules, map: JsonMap, place: Place): void {
  const {
    properties = {},
    patternProperties = {},
    additionalProperties,
    propertyNames,
    dependentRequired = {},
  } = schema;
  if (place.fill) fillIn(properties, map);
  lookAtCount(schema, Object.keys(map).length, 'Properties', place);
  for (const name of schema.required ?? []) {
    if (!isPresent(map, name))
      report(place, 'required', { missingProperty: name }, `must have required property '${name}'`);
  }
  if (propertyNames !== undefined) lookAtNames(propertyNames, map, place);
  const patterns = Object.entries(patternProperties).map(([pattern, one]) => ({
    pattern,
    one,
    regex: new RegExp(pattern, 'u'),
  }));
  if (additionalProperties !== undefined) {
    for (const key of Object.keys(map)) {
      if (Object.hasOwn(properties, key) || patterns.some(({ regex }) => regex.test(key))) continue;
      if (additionalProperties === false)
        report(place, 'additionalProperties', { additionalProperty: key }, 'must NOT have additional properties');
      else look(additionalProperties, map[key], below(place, 'additionalProperties', key));
    }
  }
  for (const [name, one] of Object.entries(properties))
    if (isPresent(map, name)) look(one, map[name], below(place, `properties/${escapeFragment(name)}`, name));
  for (const { pattern, one, regex } of patterns)
    for (const key of Object.keys(map))
      if (regex.test(key)) look(one, map[key], below(place, `patternProperties/${escapeFragment(pattern)}`, key));
  for (const [property, needed] of Object.entries(dependentRequired))
    if (isPresent(map, property)) lookAtNeeds(property, needed, map, place);
}

function lookAtNames(schema: Schema, map: JsonMap, place: Place): void {
  for (const name of Object.keys(map)) {
    if (look(schema, name, { ...place, at: `${place.at}/propertyNames`, fill: false, name })) continue;
    report(place, 'propertyNames', { propertyName: name }, 'property name must be valid');
  }
}

function lookAtNeeds(property: string, needed: readonly string[], map: JsonMap, place: Place): void {
  const deps = needed.join(', ');
  const noun = needed.length === 1 ? 'property' : 'properties';
  for (const missingProperty of needed) {
    if (isPresent(map, missingProperty)) continue;
    const params = { property, missingProperty, depsCount: needed.length, deps };
    report(place, 'dependentRequired', params, `must have ${noun} ${deps} when property ${property} is present`);
  }
}

/** A new copy for each value: what a handler does to it is nobody else's business. */
function fillIn(properties: { readonly [name: string]: Schema }, map: JsonMap): void {
  for (const [name, one] of Object.entries(properties)) {
    if (typeof one === 'object' && one.default !== undefined && map[name] === undefined)
      map[name] = JSON.parse(JSON.stringify(one.default));
  }
}

/** Rules for values of any type. */
function lookAtAny(schema: Rules, value: unknown, place: Place): void {
  const { $ref, not, anyOf, oneOf, allOf, if: condition } = schema;
  if ($ref !== undefined) {
    const target = resolveRef(place.root, $ref);
    // A definition has its own function in ajv, and its paths begin there.
    look(target, value, typeof target === 'boolean' ? { ...place, at: $ref } : { ...place, at: '#', name: undefined });
  }
  if (schema.const !== undefined && !equal(value, schema.const))
    report(place, 'const', { allowedValue: schema.const }, 'must be equal to constant');
  if (schema.enum !== undefined && !schema.enum.some(member => equal(value, member)))
    report(place, 'enum', { allowedValues: schema.enum }, 'must be equal to one of the allowed values');
  if (not !== undefined && isFitting(not, value, place)) report(place, 'not', {}, 'must NOT be valid');
  if (anyOf !== undefined) lookAtAnyOf(anyOf, value, place);
  if (oneOf !== undefined) lookAtOneOf(oneOf, value, place);
  allOf?.forEach((one, index) => {
    look(one, value, { ...place, at: `${place.at}/allOf/${index}` });
  });
  if (condition !== undefined) lookAtIf(schema, condition, value, place);
}

function lookAtAnyOf(anyOf: readonly Schema[], value: unknown, place: Place): void {
  const { found } = place;
  const before = found.length;
  const inside = { ...place, fill: false };
  if (anyOf.some((one, index) => look(one, value, { ...inside, at: `${place.at}/anyOf/${index}` })))
    found.length = before;
  else report(place, 'anyOf', {}, 'must match a schema in anyOf');
}

function lookAtOneOf(oneOf: readonly Schema[], value: unknown, place: Place): void {
  const { found } = place;
  const before = found.length;
  const passing: number[] = [];
  for (const [index, one] of oneOf.entries()) {
    if (look(one, value, { ...place, fill: false, at: `${place.at}/oneOf/${index}` })) passing.push(index);
    if (passing.length === 2) break;
  }
  if (passing.length === 1) {
    found.length = before;
    return;
  }
  const passingSchemas = passing.length === 0 ? null : passing;
  report(place, 'oneOf', { passingSchemas }, 'must match exactly one schema in oneOf');
}

function lookAtIf(schema: Rules, condition: Schema, value: unknown, place: Place): void {
  if (schema.then === undefined && schema.else === undefined) return;
  const failingKeyword = isFitting(condition, value, place) ? 'then' : 'else';
  const branch = schema[failingKeyword];
  if (branch === undefined || look(branch, value, { ...place, at: `${place.at}/${failingKeyword}` })) return;
  report(place, 'if', { failingKeyword }, `must match "${failingKeyword}" schema`);
}

function below(place: Place, rule: string, key: string | number): Place {
  return { ...place, path: `${place.path}/${escapeKey(String(key))}`, at: `${place.at}/${rule}` };
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function escapeFragment(key: string): string {
  // Half a character has no place in a URI.
  return encodeURIComponent(escapeKey(key).replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}
