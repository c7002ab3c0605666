// In: a schema at a place. Out: the type of its values. Too wide is allowed and reported; too narrow never is.
import type { Path } from '../../../schema/document.js';
import { inPlaceKeywords, isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { lowerArray, saysOfArrays } from './lower-array.js';
import { lowerConditional } from './lower-conditional.js';
import { lowerLiteral } from './lower-literal.js';
import { lowerObject, saysOfObjects } from './lower-object.js';
import { lowerRef } from './lower-ref.js';
import type { Scope } from './scope.js';
import { anyObject, anyRecord, intersect, neverNode, type TypeNode, unite, unknownNode } from './type-node.js';
import { allTypes, declaredTypes, listOf, ownTypes, typeOfValue, valueTypes } from './value-types.js';

/** Where a schema stands, and what is already known of the values that come to it. */
export interface Place {
  readonly path: Path;
  /** The types of JSON that the schemas around allow for the same value. */
  readonly allowed: number;
  /** Whether defaults are filled in here: validators do not, inside anyOf and oneOf. */
  readonly fill: boolean;
  /** The properties that other schemas of the same value have filled in before, for callers. */
  readonly filled: ReadonlySet<string>;
  /** Whether the type is going to be merged with others, so that a flat object is better than a name. */
  readonly flat: boolean;
  readonly depth: number;
}

// Deeper than any real schema; TypeScript and this program read types by recursion.
const deepest = 60;
const order = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;

export function lower(schema: unknown, place: Place, scope: Scope): TypeNode {
  if (schema === false) return neverNode;
  if (!isSchemaObject(schema)) return anyOfTypes(place.allowed, scope);
  const composes = Object.keys(schema).some(isComposing);
  const allowed = place.allowed & (composes ? scope.possibleTypes(schema) : ownTypes(schema));
  if (allowed === 0) return neverNode;
  if (place.depth > deepest) {
    scope.widen(place.path, 'it is nested too deeply');
    return anyOfTypes(allowed, scope);
  }
  const here = { ...place, allowed };
  if (!composes) return lowerOwn(schema, here, scope) ?? anyOfTypes(allowed, scope);
  const composition = lowerComposition(schema, here, scope);
  const parts = [...composition.bases];
  const itself = lowerOwn(schema, { ...here, filled: composition.filled }, scope);
  if (itself !== undefined) parts.push(itself);
  else if (!composition.covered) parts.push(anyOfTypes(allowed, scope));
  if ((allowed & valueTypes.object) !== 0) {
    const conditional = lowerConditional(schema, place, scope);
    if (conditional !== undefined && allowed === valueTypes.object) parts.push(conditional);
  }
  if (Object.hasOwn(schema, 'not')) scope.widen([...place.path, 'not'], 'types cannot say what it excludes');
  return intersect([...parts, ...composition.choices]);
}

const composing: ReadonlySet<string> = new Set([
  ...inPlaceKeywords,
  'dependentRequired',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);

function isComposing(keyword: string): boolean {
  return composing.has(keyword);
}

const nothing: ReadonlySet<string> = new Set();

/** A step down, to a part of the value. */
export function below(place: Place, ...keys: Path): Place {
  const path = [...place.path, ...keys];
  return { path, allowed: allTypes, fill: place.fill, filled: nothing, flat: false, depth: place.depth + 1 };
}

/** The type of every value of the given types of JSON. */
export function anyOfTypes(types: number, { mode }: Pick<Scope, 'mode'>): TypeNode {
  return (mode === 'args' ? readTypes : givenTypes)[types] ?? unknownNode;
}

const readTypes = plainTypes(anyRecord);
const givenTypes = plainTypes(anyObject);

/** A type for each set of types of JSON. */
function plainTypes(object: TypeNode): readonly TypeNode[] {
  const plain: Readonly<Record<(typeof order)[number], TypeNode>> = {
    string: { kind: 'atom', text: 'string' },
    number: { kind: 'atom', text: 'number' },
    boolean: { kind: 'atom', text: 'boolean' },
    object,
    array: { kind: 'array', items: unknownNode },
    null: { kind: 'atom', text: 'null' },
  };
  return Array.from({ length: allTypes + 1 }, (_, types) =>
    types === allTypes
      ? unknownNode
      : unite(order.filter(name => (types & valueTypes[name]) !== 0).map(name => plain[name])),
  );
}

interface Composition {
  /** What references and allOf add. */
  readonly bases: readonly TypeNode[];
  /** A type for each anyOf and oneOf. */
  readonly choices: readonly TypeNode[];
  /** Whether the parts alone keep to the allowed types. */
  readonly covered: boolean;
  /** What is filled in once all of them were looked at. */
  readonly filled: ReadonlySet<string>;
}

function lowerComposition(schema: JsonSchemaObject, place: Place, scope: Scope): Composition {
  const bases: TypeNode[] = [];
  const choices: TypeNode[] = [];
  const all = listOf(schema, 'allOf');
  const refs = scope.refsOf(schema);
  const flat = place.flat || refs.length + all.length > 1 || saysOfObjects(schema);
  let covered = all.length > 0;
  // Validators follow references first, then try alternatives, then allOf in its order, then conditions.
  let { filled } = place;
  for (const ref of refs) {
    const lowered = lowerRef(ref, { ...place, flat, filled }, scope);
    bases.push(lowered.type);
    covered ||= lowered.covered;
    if (ref.target.kind === 'found') filled = join(filled, scope.filledNames.after(ref.target.schema));
  }
  const beforeAll = filled;
  all.forEach((member, index) => {
    bases.push(lower(member, inPlace(place, ['allOf', index], { flat, filled }), scope));
    filled = join(filled, scope.filledNames.after(member));
  });
  for (const keyword of ['anyOf', 'oneOf']) {
    const members = listOf(schema, keyword);
    if (members.length === 0) continue;
    const branches = members.map((member, index) =>
      lower(member, inPlace(place, [keyword, index], { fill: false, filled: beforeAll, flat: false }), scope),
    );
    choices.push(unite(branches));
    covered = true;
  }
  for (const keyword of ['then', 'else']) filled = join(filled, scope.filledNames.after(own(schema, keyword)));
  return { bases, choices, covered, filled };
}

function join(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (one.size === 0 || other.size === 0) return one.size === 0 ? other : one;
  return new Set([...one, ...other]);
}

function inPlace(place: Place, keys: Path, changes: Partial<Place>): Place {
  return { ...place, path: [...place.path, ...keys], depth: place.depth + 1, ...changes };
}

/** What the schema says by itself, beyond its `type`; undefined where it says nothing. */
function lowerOwn(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode | undefined {
  const { allowed, path } = place;
  const isAllowed = (value: unknown): boolean => (typeOfValue(value) & allowed) !== 0;
  if (Object.hasOwn(schema, 'const')) {
    const value = schema['const'];
    return isAllowed(value) ? lowerLiteral(value, [...path, 'const'], place.depth) : neverNode;
  }
  const members = own(schema, 'enum');
  if (Array.isArray(members)) {
    return unite(
      members.flatMap((value, index) =>
        isAllowed(value) ? [lowerLiteral(value, [...path, 'enum', index], place.depth)] : [],
      ),
    );
  }
  if ((allowed & (valueTypes.object | valueTypes.array)) === 0) return undefined;
  const ofObjects = (allowed & valueTypes.object) !== 0 && saysOfObjects(schema);
  const ofArrays = (allowed & valueTypes.array) !== 0 && saysOfArrays(schema);
  if (!ofObjects && !ofArrays) return undefined;
  if (declaredTypes(schema) === allTypes && allowed === allTypes) {
    const [keyword, noun] = ofObjects ? ['object', 'objects'] : ['array', 'lists'];
    scope.widen(path, `without "type: ${keyword}" it also accepts values that are no ${noun}`);
  }
  if (ofObjects && allowed === valueTypes.object) return lowerObject(schema, place, scope);
  if (ofArrays && allowed === valueTypes.array) return lowerArray(schema, place, scope);
  return unite(
    order
      .filter(name => (allowed & valueTypes[name]) !== 0)
      .map(name => {
        if (name === 'object' && ofObjects) return lowerObject(schema, place, scope);
        if (name === 'array' && ofArrays) return lowerArray(schema, place, scope);
        return anyOfTypes(valueTypes[name], scope);
      }),
  );
}
