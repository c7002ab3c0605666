// In: a schema at a place. Out: the type of its values. Too wide is allowed and reported; too narrow never is.
import { isMap, type Path } from '../../../schema/document.js';
import { inPlaceKeywords, isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { printScalar } from '../../render/code.js';
import { lowerConditional, lowerObject, saysOfObjects } from './lower-object.js';
import { allTypes, declaredTypes, listOf, ownTypes, type Ref, type Scope, typeOfValue, valueTypes } from './scope.js';
import {
  anyObject,
  anyRecord,
  emptyRecord,
  intersect,
  neverNode,
  type TypeNode,
  unite,
  unknownNode,
  weigh,
} from './type-node.js';

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

// In: a resolved reference. Out: the name of the type it leads to, or that type itself where it is simple or merged.
interface LoweredRef {
  readonly type: TypeNode;
  /** Whether the type keeps to the types of JSON that are allowed at its place. */
  readonly covered: boolean;
}

function lowerRef({ keyword, target }: Ref, place: Place, scope: Scope): LoweredRef {
  const { allowed } = place;
  const anything = { type: anyOfTypes(allowed, scope), covered: true };
  if (target.kind !== 'found') {
    scope.widen([...place.path, keyword], 'what it refers to cannot be told');
    return anything;
  }
  const { schema, path } = target;
  if (!isSchemaObject(schema)) return { type: lower(schema, { ...place, path }, scope), covered: true };
  if (scope.isCircular(schema)) {
    scope.widen([...place.path, keyword], 'it refers back to itself for the same value');
    return anything;
  }
  if (isSimple(schema))
    return { type: lower(schema, { ...place, path, depth: place.depth + 1 }, scope), covered: true };
  // Where others have filled in what it requires, it is a type of its own.
  const filled = scope.filledNames.required(schema, place.filled);
  if (place.flat && place.depth < deepestCopy) {
    const type = inline(schema, path, { ...place, filled }, scope);
    if (type?.kind === 'object' && type.indexes.length === 0 && weigh(type, heaviest) <= heaviest)
      return { type, covered: true };
  }
  const name: TypeNode = { kind: 'name', text: scope.nameOf(schema, path, { fill: place.fill, filled }) };
  // The root's type only has objects; a reference to the root from inside means every value that it accepts.
  const isNarrowed = schema === scope.root && scope.narrowRoot;
  const type = isNarrowed ? unite([name, anyOfTypes(allTypes & ~valueTypes.object, scope)]) : name;
  return { type, covered: (scope.possibleTypes(schema) & ~allowed) === 0 && !isNarrowed };
}

const simpleTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);
const notSimple = ['enum', 'const', '$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** A single keyword of TypeScript is easier to read than a name for it. */
function isSimple(schema: JsonSchemaObject): boolean {
  return simpleTypes.has(schema['type']) && !notSimple.some(keyword => Object.hasOwn(schema, keyword));
}

/** A copy with more properties than this is not easier to read than a name, and copies of copies multiply. */
const heaviest = 300;
/** Copies inside copies, before they are nested too deeply for anything below. */
const deepestCopy = 20;

/**
 * Each schema is lowered once for each kind of place, however many ways lead to it. Undefined inside itself: a copy of
 * what holds the copy would have no end.
 */
function inline(schema: JsonSchemaObject, path: Path, place: Place, scope: Scope): TypeNode | undefined {
  const key = JSON.stringify([place.fill, place.allowed, ...place.filled]);
  const table = scope.inlined.get(key) ?? new Map<JsonSchemaObject, TypeNode | undefined>();
  scope.inlined.set(key, table);
  if (table.has(schema)) return table.get(schema);
  table.set(schema, undefined);
  const type = lower(schema, { ...place, path, depth: place.depth + 1 }, scope);
  table.set(schema, type);
  return type;
}

// In: the keywords of a schema that speak of lists. Out: an array type, or a tuple.
const arrayKeywords = ['items', 'prefixItems', 'unevaluatedItems', 'additionalItems'];

function saysOfArrays(schema: JsonSchemaObject): boolean {
  return arrayKeywords.some(keyword => Object.hasOwn(schema, keyword));
}

function lowerArray(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode {
  const { first, firstKeyword, rest, restKeyword } = itemsOf(schema, scope);
  const restType = rest === undefined ? unknownNode : lower(rest, below(place, restKeyword), scope);
  const most = limit(own(schema, 'maxItems')) ?? Number.POSITIVE_INFINITY;
  if (first.length === 0 && restType.kind !== 'never') return { kind: 'array', items: restType };
  const members = first.slice(0, most).map((member, index) => lower(member, below(place, firstKeyword, index), scope));
  const isClosed = restType.kind === 'never' || most <= first.length;
  return {
    kind: 'tuple',
    members,
    required: isFilled(first, scope) ? 0 : Math.min(limit(own(schema, 'minItems')) ?? 0, members.length),
    rest: isClosed ? undefined : restType,
  };
}

/** Defaults of tuples are filled in before they are counted, but 2020-12 has none: ajv looks for them in `items`. */
function isFilled(first: readonly unknown[], { spares, dialect }: Scope): boolean {
  if (!spares || dialect === '2020-12') return false;
  return first.some(member => isSchemaObject(member) && Object.hasOwn(member, 'default'));
}

interface Items {
  readonly first: readonly unknown[];
  readonly firstKeyword: string;
  /** What comes after the first ones; undefined where anything may. */
  readonly rest: unknown;
  readonly restKeyword: string;
}

// 2020-12 gave `items` a new meaning and `prefixItems` the old one.
function itemsOf(schema: JsonSchemaObject, { dialect, refsOf }: Scope): Items {
  const firstKeyword = dialect === '2020-12' ? 'prefixItems' : 'items';
  const written = own(schema, firstKeyword);
  const first = Array.isArray(written) ? written : [];
  const restKeyword = dialect !== '2020-12' && Array.isArray(written) ? 'additionalItems' : 'items';
  const rest = own(schema, restKeyword);
  const isAlone = !nextToItems.some(keyword => Object.hasOwn(schema, keyword)) && refsOf(schema).length === 0;
  if (rest !== undefined || dialect === 'draft-07' || !isAlone) return { first, firstKeyword, rest, restKeyword };
  // With nothing beside it that could evaluate items, this is the same as `items`.
  return { first, firstKeyword, rest: own(schema, 'unevaluatedItems'), restKeyword: 'unevaluatedItems' };
}

const nextToItems = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'contains'];

function limit(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined;
}

// In: a value of const or enum. Out: the type that has this value only.
function lowerLiteral(value: unknown, path: Path, depth: number): TypeNode {
  if (depth > deepest) return unknownNode;
  if (Array.isArray(value)) {
    const members = value.map((member, index) => lowerLiteral(member, [...path, index], depth + 1));
    return { kind: 'tuple', members, required: members.length, rest: undefined };
  }
  if (!isMap(value)) return { kind: 'atom', text: printScalar(value) };
  const properties = Object.keys(value).map(name => ({
    name,
    type: lowerLiteral(value[name], [...path, name], depth + 1),
    optional: false,
    path: [...path, name],
    docs: [],
  }));
  return properties.length === 0 ? emptyRecord : { kind: 'object', properties, indexes: [] };
}
