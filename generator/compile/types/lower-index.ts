// In: what a schema says of properties without naming them. Out: index signatures.
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { below, lower, type Place } from './lower.js';
import { includesKeys, type KeyPattern, matchesKey, toKeyPattern } from './pattern-keys.js';
import type { Scope } from './scope.js';
import {
  type IndexNode,
  intersect,
  isInherited,
  type PropertyNode,
  type TypeNode,
  undefinedNode,
  unite,
  unknownNode,
} from './type-node.js';

/** What is said of properties that have no name: `open` if nothing, or only that they may be there. */
export type Further =
  | { readonly kind: 'open' }
  /** The author wrote `true`: callers are meant to add properties. */
  | { readonly kind: 'welcome' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'typed'; readonly type: TypeNode };

export interface PatternType {
  /** Undefined where TypeScript has no type for the keys. */
  readonly pattern: KeyPattern | undefined;
  readonly type: TypeNode;
}

export function lowerPatterns(schema: JsonSchemaObject, place: Place, scope: Scope): PatternType[] {
  const patterns = own(schema, 'patternProperties');
  if (!isSchemaObject(patterns)) return [];
  return Object.keys(patterns).map(text => {
    const at = below(place, 'patternProperties', text);
    const pattern = toKeyPattern(text);
    if (pattern === undefined) scope.widen(at.path, 'types cannot say which names fit the pattern');
    return { pattern, type: lower(patterns[text], at, scope) };
  });
}

/** The type of a property that has no schema of its own. */
export function typeOfUnnamed(name: string, patterns: readonly PatternType[], further: Further): TypeNode {
  const matching: TypeNode[] = [];
  for (const { pattern, type } of patterns) {
    if (pattern === undefined) return unknownNode;
    if (matchesKey(pattern, name)) matching.push(type);
  }
  if (matching.length > 0) return intersect(matching);
  return further.kind === 'typed' ? further.type : unknownNode;
}

/**
 * Index signatures, each widened with the named properties and the signatures that its keys include: TypeScript wants
 * them to agree, JSON Schema does not.
 */
export function makeIndexes(
  named: readonly PropertyNode[],
  patterns: readonly PatternType[],
  further: Further,
): readonly IndexNode[] {
  if (patterns.length === 0 && further.kind !== 'typed' && further.kind !== 'welcome') return [];
  const narrow = new Map<string, IndexNode>();
  for (const { pattern } of patterns) {
    if (pattern === undefined || pattern.side === 'all' || narrow.has(pattern.keys)) continue;
    const included = patterns.filter(other => other.pattern !== undefined && includesKeys(pattern, other.pattern));
    const members = named.filter(({ name }) => matchesKey(pattern, name));
    narrow.set(pattern.keys, {
      keys: pattern.keys,
      type: unite([...included.map(({ type }) => type), ...typesOf(members)]),
    });
  }
  const indexes = [...narrow.values()];
  const isWide = patterns.some(({ pattern }) => pattern === undefined || pattern.side === 'all');
  if (!isWide && further.kind !== 'typed' && further.kind !== 'welcome') return indexes;
  const type = unite([...patterns.map(one => one.type), ...typesOf(named), ...restTypes(patterns, further)]);
  return [...indexes, { keys: 'string', type }];
}

/** What properties can be that are neither named nor of a pattern. */
function restTypes(patterns: readonly PatternType[], further: Further): TypeNode[] {
  const areAllOfPattern = patterns.some(({ pattern }) => pattern?.side === 'all');
  switch (further.kind) {
    case 'closed':
      return [];
    case 'typed':
      return [further.type];
    case 'open':
    case 'welcome':
      return areAllOfPattern ? [] : [unknownNode];
    default:
      return further satisfies never;
  }
}

function typesOf(properties: readonly PropertyNode[]): TypeNode[] {
  return properties.flatMap(property => {
    if (isInherited(property)) return [unknownNode];
    return property.optional ? [property.type, undefinedNode] : [property.type];
  });
}
