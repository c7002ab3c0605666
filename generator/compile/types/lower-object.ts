// In: the keywords of a schema that speak of objects. Out: an object type.
import type { Path } from '../../../schema/document.js';
import { isInheritedName, isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { anyOfTypes, below, lower, type Place } from './lower.js';
import { listOf, type Scope, valueTypes } from './scope.js';
import {
  emptyRecord,
  type IndexNode,
  intersect,
  isInherited,
  type PropertyNode,
  type TypeNode,
  undefinedNode,
  unite,
  unknownNode,
} from './type-node.js';

const objectKeywords = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
] as const;

export function saysOfObjects(schema: JsonSchemaObject): boolean {
  return objectKeywords.some(keyword => Object.hasOwn(schema, keyword));
}

/**
 * Objects that are merely open get no index signature: it would hide typing mistakes from those who read and write
 * them. TypeScript then complains of further properties in literals, but not of values that have them.
 */
export function lowerObject(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode {
  const further = furtherOf(schema, place, scope);
  const named = lowerNamed(schema, place, scope);
  const patterns = lowerPatterns(schema, place, scope);
  const missing = listOf(schema, 'required').filter(
    (name): name is string => typeof name === 'string' && !named.some(property => property.name === name),
  );
  for (const name of new Set(missing)) {
    named.push({
      name,
      type: typeOfUnnamed(name, patterns, further),
      optional: place.filled.has(name),
      path: [...place.path, 'required', listOf(schema, 'required').indexOf(name)],
      docs: [],
    });
  }
  if (named.length === 0 && patterns.length === 0 && further.kind !== 'typed') {
    return further.kind === 'closed' ? emptyRecord : anyOfTypes(valueTypes.object, scope);
  }
  return { kind: 'object', properties: named, indexes: makeIndexes(named, patterns, further) };
}

function lowerNamed(schema: JsonSchemaObject, place: Place, scope: Scope): PropertyNode[] {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties)) return [];
  const required = new Set(listOf(schema, 'required'));
  return Object.keys(properties).map(name => {
    const property = properties[name];
    const at = below(place, 'properties', name);
    const isRequired = required.has(name) && !place.filled.has(name);
    const optional = isOptional({ name, property, isRequired, fill: place.fill }, scope);
    if (isInherited({ name, optional })) {
      scope.widen(at.path, 'every object inherits a member with this name, which is used if the property is missing');
    }
    return { name, type: lower(property, at, scope), optional, path: at.path, docs: docsOf(property, scope) };
  });
}

interface Presence {
  readonly name: string;
  readonly property: unknown;
  readonly isRequired: boolean;
  readonly fill: boolean;
}

/** Where defaults are filled in before anything is validated, callers may leave out even what is required. */
function isOptional({ name, property, isRequired, fill }: Presence, { mode, spares }: Scope): boolean {
  const hasDefault = isSchemaObject(property) && Object.hasOwn(property, 'default');
  switch (mode) {
    case 'args':
      // What is inherited passes for given, so that validators do not fill it in.
      return !isRequired && !(hasDefault && fill && !isInheritedName(name));
    case 'input':
      return !isRequired || (hasDefault && spares);
    case 'output':
      return !isRequired;
    default:
      return mode satisfies never;
  }
}

/** A property described by a reference alone is described by what it leads to. */
function docsOf(schema: unknown, scope: Scope): JsonSchemaObject[] {
  if (!isSchemaObject(schema)) return [];
  const docs = [schema];
  for (const { target } of scope.refsOf(schema)) {
    if (target.kind === 'found' && isSchemaObject(target.schema)) docs.push(target.schema);
  }
  return docs;
}

function furtherOf(schema: JsonSchemaObject, place: Place, scope: Scope): Further {
  let keyword = 'additionalProperties';
  let value = own(schema, keyword);
  if (value === undefined && scope.dialect !== 'draft-07' && Object.hasOwn(schema, 'unevaluatedProperties')) {
    keyword = 'unevaluatedProperties';
    value = own(schema, keyword);
    const isAlone = !nextToProperties.some(one => Object.hasOwn(schema, one)) && scope.refsOf(schema).length === 0;
    if (!isAlone) {
      if (isSchemaObject(value)) {
        scope.widen([...place.path, keyword], 'types cannot say which properties the schemas beside it leave over');
      }
      return { kind: 'open' };
    }
  }
  if (value === false) return { kind: 'closed' };
  if (value === true) return scope.mode === 'args' ? { kind: 'open' } : { kind: 'welcome' };
  if (!isSchemaObject(value)) return { kind: 'open' };
  const type = lower(value, below(place, keyword), scope);
  return type.kind === 'never' ? { kind: 'closed' } : { kind: 'typed', type };
}

const nextToProperties = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

// In: what a schema says of properties without naming them. Out: index signatures.

/** What is said of properties that have no name: `open` if nothing, or only that they may be there. */
type Further =
  | { readonly kind: 'open' }
  /** The author wrote `true`: callers are meant to add properties. */
  | { readonly kind: 'welcome' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'typed'; readonly type: TypeNode };

interface PatternType {
  /** Undefined where TypeScript has no type for the keys. */
  readonly pattern: KeyPattern | undefined;
  readonly type: TypeNode;
}

function lowerPatterns(schema: JsonSchemaObject, place: Place, scope: Scope): PatternType[] {
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
function typeOfUnnamed(name: string, patterns: readonly PatternType[], further: Further): TypeNode {
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
function makeIndexes(
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

// In: a pattern of patternProperties. Out: the same as a type of keys, where TypeScript can say it.

/** Keys that begin or end with a string, or all keys. */
interface KeyPattern {
  readonly side: 'start' | 'end' | 'all';
  readonly text: string;
  /** The type of the keys, ready to print. */
  readonly keys: string;
}

// Letters, digits and signs that mean themselves, in patterns (escaped where needed) and in template literals alike.
const literal = '((?:[A-Za-z0-9_ :/@#%&,;=<>~!-]|\\\\[./])+)';
const prefixForm = new RegExp(`^\\^${literal}(?:\\.\\*)?$`);
const suffixForm = new RegExp(`^(?:\\.\\*)?${literal}\\$$`);

// How schema libraries write maps. Strictly `.` leaves out names with line breaks; nobody who writes this means that.
const everyName: ReadonlySet<string> = new Set(['', '^', '.*', '^.*', '^.*$', '^(.*)$']);

/**
 * Reads the two forms of patterns that template literals can express exactly.
 *
 * @example toKeyPattern('^x-')?.keys // '`x-${string}`'
 * @example toKeyPattern('^[a-z]+$') // undefined
 */
function toKeyPattern(pattern: string): KeyPattern | undefined {
  if (everyName.has(pattern)) return { side: 'all', text: '', keys: 'string' };
  const start = prefixForm.exec(pattern)?.[1]?.replaceAll('\\', '');
  if (start !== undefined) return { side: 'start', text: start, keys: `\`${start}\${string}\`` };
  const end = suffixForm.exec(pattern)?.[1]?.replaceAll('\\', '');
  return end === undefined ? undefined : { side: 'end', text: end, keys: `\`\${string}${end}\`` };
}

function matchesKey({ side, text }: KeyPattern, name: string): boolean {
  switch (side) {
    case 'start':
      return name.startsWith(text);
    case 'end':
      return name.endsWith(text);
    case 'all':
      return true;
    default:
      return side satisfies never;
  }
}

/** Whether all keys of the one are keys of the other. */
function includesKeys(outer: KeyPattern, inner: KeyPattern): boolean {
  return outer.side === 'all' || (outer.side === inner.side && matchesKey(outer, inner.text));
}

// In: the keywords that bind a value only under a condition. Out: the properties they name, of which no type is sure.
interface Branch {
  readonly schema: unknown;
  readonly path: Path;
}

/**
 * Names the properties of then, else and dependentSchemas, so that handlers can read and callers can write them. What
 * they hold where the condition fails is not told by the schema, so their type is `unknown`.
 */
export function lowerConditional(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode | undefined {
  const branches = branchesOf(schema, scope);
  const dependent = own(schema, 'dependentRequired') ?? own(schema, 'dependencies');
  if (branches.length === 0) {
    if (isSchemaObject(dependent) && Object.keys(dependent).length > 0) {
      scope.widen(place.path, 'types cannot say which properties require others');
    }
    return undefined;
  }
  const found = new Map<string, PropertyNode>();
  for (const { schema: branch, path } of branches) {
    scope.widen([...place.path, ...path], 'types cannot follow conditions');
    collect(branch, [...place.path, ...path], { found, scope, seen: new Set() });
  }
  return found.size === 0 ? undefined : { kind: 'object', properties: [...found.values()], indexes: [] };
}

function branchesOf(schema: JsonSchemaObject, { dialect }: Scope): Branch[] {
  const branches: Branch[] = [];
  const add = (branch: unknown, path: Path): void => {
    if (isSchemaObject(branch)) branches.push({ schema: branch, path });
  };
  if (Object.hasOwn(schema, 'if')) {
    add(own(schema, 'then'), ['then']);
    add(own(schema, 'else'), ['else']);
  }
  for (const keyword of dialect === 'draft-07' ? ['dependencies'] : ['dependentSchemas', 'dependencies']) {
    const members = own(schema, keyword);
    if (!isSchemaObject(members)) continue;
    for (const name of Object.keys(members)) add(members[name], [keyword, name]);
  }
  return branches;
}

interface Search {
  readonly found: Map<string, PropertyNode>;
  readonly scope: Scope;
  readonly seen: Set<JsonSchemaObject>;
}

const mostSchemas = 100;

function collect(schema: unknown, path: Path, search: Search): void {
  const { found, scope, seen } = search;
  if (!isSchemaObject(schema) || seen.has(schema) || seen.size > mostSchemas) return;
  seen.add(schema);
  const properties = own(schema, 'properties');
  if (isSchemaObject(properties)) {
    for (const name of Object.keys(properties)) {
      const property = properties[name];
      if (found.has(name) || property === false) continue;
      const docs = isSchemaObject(property) ? [property] : [];
      found.set(name, { name, type: unknownNode, optional: true, path: [...path, 'properties', name], docs });
    }
  }
  for (const { target } of scope.refsOf(schema)) {
    if (target.kind === 'found') collect(target.schema, target.path, search);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    listOf(schema, keyword).forEach((member, index) => {
      collect(member, [...path, keyword, index], search);
    });
  }
  for (const { schema: branch, path: keys } of branchesOf(schema, scope)) collect(branch, [...path, ...keys], search);
}
