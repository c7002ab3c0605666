// In: a resolved reference. Out: the name of the type it leads to, or that type itself where it is simple or merged.
import type { Path } from '../../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { anyOfTypes, lower, type Place } from './lower.js';
import type { Ref, Scope } from './scope.js';
import { type TypeNode, unite } from './type-node.js';
import { allTypes, valueTypes } from './value-types.js';

interface LoweredRef {
  readonly type: TypeNode;
  /** Whether the type keeps to the types of JSON that are allowed at its place. */
  readonly covered: boolean;
}

export function lowerRef({ keyword, target }: Ref, place: Place, scope: Scope): LoweredRef {
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
const composing = ['enum', 'const', '$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** A single keyword of TypeScript is easier to read than a name for it. */
function isSimple(schema: JsonSchemaObject): boolean {
  return simpleTypes.has(schema['type']) && !composing.some(keyword => Object.hasOwn(schema, keyword));
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

/** How many properties a type writes out, or something above `limit`. */
function weigh(node: TypeNode, limit: number): number {
  if (limit < 0) return 1;
  const parts = partsOf(node);
  let sum = node.kind === 'object' ? node.properties.length : 0;
  for (const part of parts) {
    if (sum > limit) break;
    sum += weigh(part, limit - sum);
  }
  return sum;
}

function partsOf(node: TypeNode): readonly TypeNode[] {
  switch (node.kind) {
    case 'array':
      return [node.items];
    case 'tuple':
      return node.rest === undefined ? node.members : [...node.members, node.rest];
    case 'object':
      return [...node.properties, ...node.indexes].map(({ type }) => type);
    case 'union':
    case 'intersection':
      return node.members;
    default:
      return [];
  }
}
