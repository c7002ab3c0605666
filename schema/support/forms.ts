// In: alternatives that a value fits none of. Out: what is wrong with it by the form that was meant.
// Part of toolwright/support: imports only other parts of it.
// Telling what is wrong by every form multiplies with every level of a tree, and tells nobody anything: a form is only
// looked into where its type and its tags (`kind: {const: a}`) are those of the value.
import { fits } from './fits.js';
import {
  below,
  bitsAt,
  escapeFragment,
  inDefinition,
  lookAtValues,
  type Place,
  report,
  type Violation,
} from './places.js';
import { bitsAllowed, bitsOf, isPresent, type JsonMap, type Rules, resolveRef, type Schema, typesOf } from './rules.js';

export type Look = (schema: Schema, value: unknown, place: Place) => void;

/** References that lead from one to the next; what is further away decides nothing at a glance. */
const mostHops = 16;

/** Whether a value fits, when nobody asks why. */
export function isFitting(schema: Schema, value: unknown, { looking: { nodes, steps } }: Place): boolean {
  return typeof schema === 'boolean' ? schema : fits(nodes.nodeOf(schema, false), value, steps);
}

/** Looks at `anyOf` or `oneOf`. Where only one form can be meant, only what that form refuses is reported. */
export function lookAtForms(
  keyword: 'anyOf' | 'oneOf',
  schemas: readonly Schema[],
  value: unknown,
  place: Place,
  look: Look,
): void {
  const passing = findPassing(schemas, value, place, keyword === 'anyOf' ? 1 : 2);
  if (passing.length === 1) return;
  const reportUnion = (): void =>
    keyword === 'anyOf'
      ? report(place, keyword, {}, 'must match a schema in anyOf')
      : report(
          place,
          keyword,
          { passingSchemas: passing.length === 0 ? null : passing },
          'must match exactly one schema in oneOf',
        );
  if (place.looking.isFull) {
    // ajv tries one form after the other, until a second one fits.
    for (const [index, schema] of schemas.slice(0, passing[1]).entries())
      if (index !== passing[0]) look(schema, value, { ...place, fill: false, at: `${place.at}/${keyword}/${index}` });
    reportUnion();
    return;
  }
  if (passing.length > 1) {
    reportUnion();
    return;
  }
  const forms = schemas.map((schema, index) => {
    const inside = { ...place, fill: false, at: `${place.at}/${keyword}/${index}` };
    return { schema, inside, faults: listFaults(schema, value, inside) };
  });
  const meant = forms.filter(({ faults }) => faults.length === 0);
  const isNested = typeof value === 'object' && value !== null;
  if (isNested && meant.length === 1) {
    for (const { schema, inside } of meant) look(schema, value, inside);
    return;
  }
  try {
    // A string may be JSON of another form: then it matters what the others want.
    for (const { schema, inside, faults } of isNested && meant.length > 0 ? meant : forms) {
      if (faults.length === 0) look(schema, value, inside);
      else place.found.push(...faults);
    }
  } finally {
    // Also where steps end: what was found must not look like the mistakes of a value without alternatives.
    reportUnion();
  }
}

function findPassing(schemas: readonly Schema[], value: unknown, place: Place, enough: number): readonly number[] {
  const passing: number[] = [];
  for (const [index, schema] of schemas.entries()) {
    if (isFitting(schema, value, place)) passing.push(index);
    if (passing.length === enough) break;
  }
  return passing;
}

/** Why a value is surely not of a form: its type, or one of its tags. None: it may be meant. */
function listFaults(schema: Schema, value: unknown, place: Place): readonly Violation[] {
  const found: Violation[] = [];
  lookAtTags(schema, value, { ...place, found }, 0);
  return found;
}

function lookAtTags(schema: Schema, value: unknown, place: Place, hops: number): void {
  place.looking.steps.take(1);
  if (schema === false) report(place, 'false schema', {}, 'boolean schema is false');
  if (typeof schema === 'boolean' || hops > mostHops) return;
  const { $ref, type, properties, required, allOf } = schema;
  if (!(bitsAt(place, value) & bitsAllowed(type)))
    report(place, 'type', { type }, `must be ${typesOf(type).join(',')}`);
  lookAtValues(schema, value, place);
  if ($ref !== undefined) {
    const target = resolveRef(place.looking.root, $ref);
    lookAtTags(target, value, inDefinition($ref, target, place), hops + 1);
  }
  allOf?.forEach((one, index) => {
    lookAtTags(one, value, { ...place, at: `${place.at}/allOf/${index}` }, hops + 1);
  });
  if (properties === undefined || bitsOf(value) !== 64) return;
  const map = value as JsonMap;
  for (const [name, property] of Object.entries(properties)) {
    place.looking.steps.take(1);
    const tag = tagOf(property, below(place, `properties/${escapeFragment(name)}`, name));
    if (tag === undefined) continue;
    if (isPresent(map, name)) lookAtValues(tag.rules, map[name], tag.place);
    else if (required?.includes(name) === true)
      report(place, 'required', { missingProperty: name }, `must have required property '${name}'`);
  }
}

/** The rules of a property that tells forms apart, here or behind references. */
function tagOf(property: Schema, from: Place): { readonly rules: Rules; readonly place: Place } | undefined {
  let [rules, place] = [property, from];
  for (let hops = 0; hops <= mostHops && typeof rules === 'object'; hops += 1) {
    if (rules.const !== undefined || rules.enum !== undefined) return { rules, place };
    if (rules.$ref === undefined) return undefined;
    const target = resolveRef(place.looking.root, rules.$ref);
    [rules, place] = [target, inDefinition(rules.$ref, target, place)];
  }
  return undefined;
}
