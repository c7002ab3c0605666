// In: a schema and a value that does not fit. Out: what is wrong with it, in ajv's words and ajv's order, but of alternatives only
// what helps (see forms.ts), and nothing twice.
// Part of toolwright/support: imports only other parts of it. Defaults are filled in on the way, as ajv does it.

import { formats } from './formats.js';
import { isFitting, lookAtForms } from './forms.js';
import { plainReading } from './nodes.js';
import {
  below,
  bitsAt,
  escapeFragment,
  inDefinition,
  inside,
  type Looking,
  lookAtValues,
  type Place,
  regexOf,
  report,
  type Violation,
} from './places.js';
import { bitsAllowed, bitsOf, isPresent, type JsonMap, type Rules, resolveRef, type Schema, typesOf } from './rules.js';
import { costOfText, isTooMuch } from './steps.js';
import { findSame, ucs2length } from './values.js';

/** The end of a list of violations that may not be complete. */
export const more: Violation = {
  instancePath: '',
  schemaPath: '#',
  keyword: 'more',
  params: {},
  message: 'may have more wrong',
};

/** Of a value that nothing is known of, since looking at it would take too long. */
export const tooManySteps: Violation = {
  instancePath: '',
  schemaPath: '#',
  keyword: 'steps',
  params: {},
  message: 'would take too many steps to check',
};

/** What searches in one document share. */
export function makeLooking(
  root: Schema,
  parts: Pick<Looking, 'nodes' | 'steps'>,
  options: Partial<Looking> = {},
): Looking {
  const how = { ...plainReading, isFull: false, order: 'schema' } as const;
  return { ...how, ...options, ...parts, root, seen: new Map(), regexes: new Map() };
}

/** Lists violations; none: the value is valid. Where there are more than anybody reads, the last one says so. */
export function listViolations(
  looking: Looking,
  schema: Schema,
  value: unknown,
  how: { readonly fill: boolean },
): readonly Violation[] {
  const found: Violation[] = [];
  const { steps, seen } = looking;
  seen.clear();
  steps.begin(value);
  steps.keep();
  try {
    look(schema, value, { looking, found, fill: how.fill, path: '', at: '#', name: undefined, value, schema });
    return found;
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    return found.length === 0 ? [tooManySteps] : [...found, more];
  }
}

/** Each look has a place of its own. */
function look(schema: Schema, value: unknown, place: Place): void {
  if (schema === true) return;
  const { steps, isFull } = place.looking;
  steps.take(1);
  // What fits is soon known, and nearly all of an author's definition does.
  if (isFull && !place.fill && isFitting(schema, value, place)) return;
  place.schema = schema;
  place.value = value;
  if (schema === false) report(place, 'false schema', {}, 'boolean schema is false');
  else lookByGroups(schema, value, place);
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
  const bits = bitsAt(place, value);
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
  } else if (items !== undefined) lookAtItems(items, list, first, place);
  const types = typeof items === 'object' ? items.type : undefined;
  const same = uniqueItems === true ? findSame(list, types, place.looking.steps) : undefined;
  if (same === undefined) return;
  const which = `(items ## ${same.j} and ${same.i} are identical)`;
  report(place, 'uniqueItems', { ...same }, `must NOT have duplicate items ${which}`);
}

function lookAtItems(items: Schema, list: readonly unknown[], first: number, place: Place): void {
  const { nodes, steps } = place.looking;
  const simple = typeof items === 'object' && nodes.nodeOf(items, false).isSimple ? bitsAllowed(items.type) : 0;
  steps.take(list.length);
  for (let index = first; index < list.length; index += 1)
    if (!(simple & bitsOf(list[index]))) look(items, list[index], below(place, 'items', index));
}

function lookAtMap(schema: Rules, map: JsonMap, place: Place): void {
  const {
    properties = {},
    patternProperties = {},
    additionalProperties,
    propertyNames,
    dependentRequired = {},
  } = schema;
  if (place.fill) fillIn(properties, map, place);
  place.looking.steps.take(Object.keys(map).length);
  lookAtCount(schema, Object.keys(map).length, 'Properties', place);
  for (const name of schema.required ?? []) {
    if (!isPresent(map, name))
      report(place, 'required', { missingProperty: name }, `must have required property '${name}'`);
  }
  if (propertyNames !== undefined) lookAtNames(propertyNames, map, place);
  const patterns = Object.entries(patternProperties).map(([pattern, one]) => ({
    pattern,
    one,
    regex: regexOf(place, pattern),
  }));
  if (additionalProperties !== undefined) {
    for (const key of Object.keys(map)) {
      if (Object.hasOwn(properties, key) || patterns.some(({ regex }) => regex.test(key))) continue;
      if (additionalProperties === false)
        report(place, 'additionalProperties', { additionalProperty: key }, 'must NOT have additional properties');
      else look(additionalProperties, map[key], below(place, 'additionalProperties', key));
    }
  }
  for (const name of Object.keys(place.looking.order === 'schema' ? properties : map)) {
    const one = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (one !== undefined && isPresent(map, name))
      look(one, map[name], below(place, `properties/${escapeFragment(name)}`, name));
  }
  for (const { pattern, one, regex } of patterns)
    for (const key of Object.keys(map))
      if (regex.test(key)) look(one, map[key], below(place, `patternProperties/${escapeFragment(pattern)}`, key));
  for (const [property, needed] of Object.entries(dependentRequired))
    if (isPresent(map, property)) lookAtNeeds(property, needed, map, place);
}

function lookAtNames(schema: Schema, map: JsonMap, place: Place): void {
  for (const name of Object.keys(map)) {
    if (isFitting(schema, name, place)) continue;
    look(schema, name, { ...place, at: `${place.at}/propertyNames`, fill: false, name });
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
function fillIn(properties: { readonly [name: string]: Schema }, map: JsonMap, { looking: { steps } }: Place): void {
  for (const [name, one] of Object.entries(properties)) {
    if (typeof one !== 'object' || one.default === undefined || map[name] !== undefined) continue;
    map[name] = JSON.parse(JSON.stringify(one.default));
    steps.forget();
  }
}

/** Rules for values of any type. */
function lookAtAny(schema: Rules, value: unknown, place: Place): void {
  const { $ref, not, anyOf, oneOf, allOf, if: condition } = schema;
  if ($ref !== undefined) lookAtReferred($ref, value, place);
  lookAtValues(schema, value, place);
  if (not !== undefined && isFitting(not, value, place)) report(place, 'not', {}, 'must NOT be valid');
  if (anyOf !== undefined) lookAtForms('anyOf', anyOf, value, place, look);
  if (oneOf !== undefined) lookAtForms('oneOf', oneOf, value, place, look);
  allOf?.forEach((one, index) => {
    look(one, value, inside(place, `${place.at}/allOf/${index}`));
  });
  if (condition !== undefined) lookAtIf(schema, condition, value, place);
}

function lookAtReferred(ref: string, value: unknown, place: Place): void {
  const { root, seen, isFull } = place.looking;
  const target = resolveRef(root, ref);
  if (!isFull && typeof target === 'object' && typeof value === 'object' && value !== null) {
    // Several rules may lead here for the same value, and each of them again on the level below.
    const values = seen.get(target) ?? new Set();
    seen.set(target, values);
    if (values.has(value)) return;
    values.add(value);
  }
  look(target, value, inDefinition(ref, target, place));
}

function lookAtIf(schema: Rules, condition: Schema, value: unknown, place: Place): void {
  if (schema.then === undefined && schema.else === undefined) return;
  const failingKeyword = isFitting(condition, value, place) ? 'then' : 'else';
  const branch = schema[failingKeyword];
  if (branch === undefined) return;
  const before = place.found.length;
  look(branch, value, inside(place, `${place.at}/${failingKeyword}`));
  if (place.found.length === before) return;
  report(place, 'if', { failingKeyword }, `must match "${failingKeyword}" schema`);
}

// In: a number, a string or a count of parts, and rules. Out: which limits are broken, in ajv's words and ajv's order.
// Part of toolwright/support: imports only other parts of it.

function lookAtNumber(schema: Rules, value: number, place: Place): void {
  const limit = (
    keyword: 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum',
    comparison: string,
    isWrong: (limit: number) => boolean,
  ): void => {
    const bound = schema[keyword];
    if (bound === undefined || !(isWrong(bound) || Number.isNaN(value))) return;
    report(place, keyword, { comparison, limit: bound }, `must be ${comparison} ${bound}`);
  };
  limit('maximum', '<=', bound => value > bound);
  limit('minimum', '>=', bound => value < bound);
  limit('exclusiveMaximum', '<', bound => value >= bound);
  limit('exclusiveMinimum', '>', bound => value <= bound);
  const { multipleOf } = schema;
  if (multipleOf !== undefined && value / multipleOf !== Number.parseInt(String(value / multipleOf), 10))
    report(place, 'multipleOf', { multipleOf }, `must be multiple of ${multipleOf}`);
  lookAtFormat(schema, value, place);
}

function lookAtFormat({ format }: Rules, value: string | number, place: Place): void {
  const known = format === undefined ? undefined : formats[format];
  if (known === undefined || known.type !== typeof value || known.validate(value as never)) return;
  report(place, 'format', { format }, `must match format "${format}"`);
}

/** Reports a number of parts that is beyond a limit. */
function lookAtCount(schema: Rules, count: number, kind: 'Length' | 'Items' | 'Properties', place: Place): void {
  const parts = { Length: 'characters', Items: 'items', Properties: 'properties' }[kind];
  const [most, least] = [schema[`max${kind}`], schema[`min${kind}`]];
  if (most !== undefined && count > most)
    report(place, `max${kind}`, { limit: most }, `must NOT have more than ${most} ${parts}`);
  if (least !== undefined && count < least)
    report(place, `min${kind}`, { limit: least }, `must NOT have fewer than ${least} ${parts}`);
}

function lookAtText(schema: Rules, text: string, place: Place): void {
  place.looking.steps.take(costOfText(text));
  lookAtCount(schema, ucs2length(text), 'Length', place);
  const { pattern } = schema;
  if (pattern !== undefined && !regexOf(place, pattern).test(text))
    report(place, 'pattern', { pattern }, `must match pattern "${pattern}"`);
  lookAtFormat(schema, text, place);
}
