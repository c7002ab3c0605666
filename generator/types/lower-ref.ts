// In: a resolved reference. Out: the name of the type it leads to, or that type itself where it is simple or merged.
import type { Path } from '../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject } from '../../schema/json-schema/keywords.js';
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
  if (place.flat) {
    const type = inline(schema, path, place, scope);
    if (type.kind === 'object' && type.indexes.length === 0) return { type, covered: true };
  }
  const name: TypeNode = { kind: 'name', text: scope.nameOf(schema, path, place.fill) };
  // The root's type only has objects; whoever refers to the root from inside means every value that it accepts.
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

/** Each schema is lowered once for each kind of place, however many ways lead to it. */
function inline(schema: JsonSchemaObject, path: Path, place: Place, scope: Scope): TypeNode {
  const key = `${place.fill}:${place.allowed}`;
  const table = scope.inlined.get(key) ?? new Map<JsonSchemaObject, TypeNode>();
  scope.inlined.set(key, table);
  const known = table.get(schema);
  if (known !== undefined) return known;
  const type = lower(schema, { ...place, path, depth: place.depth + 1 }, scope);
  table.set(schema, type);
  return type;
}
