// In: a validator's violations. Out: those of the alternative that was meant, where anyOf or oneOf reports all of them.
import { isMap, type Path, pathOfPointer } from '../../schema/document.js';
import { isOfType, isSchemaObject, type JsonSchemaObject, own, typeNames } from '../../schema/json-schema/keywords.js';
import type { SchemaFinder } from '../../schema/json-schema/walk.js';
import { isAtOrBelow, startOfAlternatives, type Violation } from '../../schema/support/places.js';
import { equal } from '../../schema/support.js';

/** A union that several alternatives could have been meant for; what is wrong by each of them is inside. */
export interface Undecided {
  readonly union: Violation;
  readonly inside: readonly Violation[];
}

export type Settled = Violation | Undecided;

/** A caller that gets everything wrong in one of a hundred alternatives hears only that. */
const mostComparisons = 5_000;

/**
 * Of a list that is not complete, for what each form is refused first: a form that leads to a union further down is the
 * one that was meant, and what the others around it want is left out, together with the union around it.
 */
export function keepInnermost(violations: readonly Violation[]): readonly Violation[] {
  const open: Violation[] = [];
  const outer = new Set<Violation>();
  const around = new Map<Violation, Violation>();
  for (const one of violations.toReversed()) {
    let union = open.at(-1);
    while (union !== undefined && !isAtOrBelow(one, union)) {
      open.pop();
      union = open.at(-1);
    }
    if (union !== undefined) around.set(one, union);
    if (!isUnion(one)) continue;
    if (union !== undefined && one.instancePath !== union.instancePath) outer.add(union);
    open.push(one);
  }
  return violations.filter(one => {
    const union = around.get(one);
    return !outer.has(one) && (union === undefined || !outer.has(union) || isUnion(one));
  });
}

function isUnion({ keyword, params }: Violation): boolean {
  return (keyword === 'anyOf' || keyword === 'oneOf') && !Array.isArray(params['passingSchemas']);
}

/** Settles every union among violations; `value` is what was validated. */
export function settleAlternatives(
  violations: readonly Violation[],
  value: unknown,
  finder: SchemaFinder,
): readonly Settled[] {
  const last = violations.findLastIndex(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const union = violations[last];
  if (union === undefined) return violations;
  const first = startOfAlternatives(violations, last);
  return [
    ...settleAlternatives(violations.slice(0, first), value, finder),
    ...settleUnion(union, violations.slice(first, last), value, finder),
    ...violations.slice(last + 1),
  ];
}

function settleUnion(
  union: Violation,
  inside: readonly Violation[],
  root: unknown,
  finder: SchemaFinder,
): readonly Settled[] {
  // It fits several of oneOf: nothing inside says more.
  if (Array.isArray(union.params['passingSchemas'])) return [union];
  const path = pathOfPointer(union.instancePath, root);
  const value = path.reduce((at, key) => (Object(at) as Record<string | number, unknown>)[key], root);
  const branches = finder.at(path).flatMap(schema => {
    const listed = own(schema, union.keyword);
    return Array.isArray(listed) ? (listed as unknown[]) : [];
  });
  const ofType = branches.filter(branch => finder.together(branch).every(schema => isOfItsType(schema, value)));
  const meant = ofType.filter(branch => finder.together(branch).every(schema => hasItsTags(schema, value)));
  if (meant.length === 0) {
    // Of no alternative's type, or with no alternative's tag: that is what is wrong.
    const wrong = inside.filter(({ keyword, instancePath }) =>
      ofType.length === 0 && branches.length > 0
        ? keyword === 'type' && instancePath === union.instancePath
        : (keyword === 'const' || keyword === 'enum') && instancePath !== union.instancePath,
    );
    return wrong.length > 0 ? wrong : [union];
  }
  if (inside.length * branches.length > mostComparisons) return [union];
  const comesFrom = (violation: Violation, schemas: readonly unknown[]): boolean => {
    const below = pathOfPointer(violation.instancePath, root).slice(path.length);
    return schemas.some(schema => couldReport(violation, schema, below, finder));
  };
  const relevant = inside.filter(one => comesFrom(one, meant) || !comesFrom(one, branches));
  const [first, ...others] = relevant;
  if (first === undefined) return [union];
  // The tag is missing by which all of them are told apart.
  if (others.every(one => isSame(one, first))) return [first];
  return meant.length === 1 ? settleAlternatives(relevant, root, finder) : [{ union, inside: relevant }];
}

function isSame(one: Violation, other: Violation): boolean {
  return one.keyword === other.keyword && one.instancePath === other.instancePath && equal(one.params, other.params);
}

function isOfItsType(schema: JsonSchemaObject, value: unknown): boolean {
  const types = typeNames(own(schema, 'type'));
  return types.length === 0 || types.some(type => isOfType(value, type));
}

/** Whether the value has the tags of an alternative, such as `kind: {const: a}`. */
function hasItsTags(schema: JsonSchemaObject, value: unknown): boolean {
  const properties = own(schema, 'properties');
  if (!isMap(value) || !isSchemaObject(properties)) return true;
  return Object.entries(properties).every(([name, property]) => {
    if (!isSchemaObject(property) || !Object.hasOwn(value, name)) return true;
    if (Object.hasOwn(property, 'const')) return equal(property['const'], value[name]);
    const allowed = own(property, 'enum');
    return !Array.isArray(allowed) || allowed.some(member => equal(member, value[name]));
  });
}

/** Whether a schema has a rule that gives exactly this violation. */
function couldReport(violation: Violation, from: unknown, below: Path, finder: SchemaFinder): boolean {
  const { keyword, params } = violation;
  return finder.at(below, from).some(schema => {
    if (!Object.hasOwn(schema, keyword)) return false;
    const rule = schema[keyword];
    switch (keyword) {
      case 'required':
        return Array.isArray(rule) && rule.includes(params['missingProperty']);
      case 'additionalProperties': {
        const properties = own(schema, 'properties');
        return !isSchemaObject(properties) || !Object.hasOwn(properties, String(params['additionalProperty']));
      }
      case 'type':
        return equal(typeNames(rule), typeNames(params['type']));
      case 'const':
        return equal(rule, params['allowedValue']);
      default:
        return true;
    }
  });
}
