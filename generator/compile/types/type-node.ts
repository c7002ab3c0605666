// The noun between lowering and writing: a TypeScript type as data, and the algebra of unions and intersections on it.

import type { Path } from '../../../schema/document.js';
import { isInheritedName, type JsonSchemaObject } from '../../../schema/json-schema/keywords.js';

export type TypeNode =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' }
  /** A keyword or a literal, ready to print. */
  | { readonly kind: 'atom'; readonly text: string }
  /** A declared type. */
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'array'; readonly items: TypeNode }
  | TupleNode
  | ObjectNode
  | { readonly kind: 'union'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'intersection'; readonly members: readonly TypeNode[] };

export interface TupleNode {
  readonly kind: 'tuple';
  readonly members: readonly TypeNode[];
  /** How many of the members must be there. */
  readonly required: number;
  /** Of what comes after the members; undefined where nothing may. */
  readonly rest: TypeNode | undefined;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly properties: readonly PropertyNode[];
  readonly indexes: readonly IndexNode[];
}

export interface PropertyNode {
  readonly name: string;
  readonly type: TypeNode;
  readonly optional: boolean;
  /** Where the schema speaks of it. */
  readonly path: Path;
  /** The schemas whose texts describe it, the nearest first. */
  readonly docs: readonly JsonSchemaObject[];
}

export interface IndexNode {
  /** The type of the keys, ready to print. */
  readonly keys: string;
  readonly type: TypeNode;
}

export const unknownNode: TypeNode = { kind: 'unknown' };
export const neverNode: TypeNode = { kind: 'never' };
export const undefinedNode: TypeNode = { kind: 'atom', text: 'undefined' };

/** An object of which nothing is known, as the reader of a value sees it. */
export const anyRecord: ObjectNode = {
  kind: 'object',
  properties: [],
  indexes: [{ keys: 'string', type: unknownNode }],
};

/** An object without any property. `{}` would accept everything. */
export const emptyRecord: ObjectNode = {
  kind: 'object',
  properties: [],
  indexes: [{ keys: 'string', type: neverNode }],
};

/** An object of which nothing is known, for those who give one: unlike `anyRecord` it takes values of an interface. */
export const anyObject: TypeNode = { kind: 'atom', text: 'object' };

/**
 * Whether the type of a property must also fit what objects inherit: `args.toString` is a function without one. Of
 * `__proto__` nothing can be told even where it is required: validators do not look at it.
 */
export function isInherited({ name, optional }: Pick<PropertyNode, 'name' | 'optional'>): boolean {
  return name === '__proto__' || (optional && isInheritedName(name));
}

/** The type of the values that are of one of the types. */
export function unite(nodes: readonly TypeNode[]): TypeNode {
  const members: TypeNode[] = distinct(nodes, 'union').filter(node => node.kind !== 'never');
  // `undefined` comes last, as everybody writes it.
  const missing = members.indexOf(undefinedNode);
  if (missing >= 0) members.push(...members.splice(missing, 1));
  if (members.some(node => node.kind === 'unknown')) return unknownNode;
  const [only, second] = members;
  if (only === undefined) return neverNode;
  return second === undefined ? only : { kind: 'union', members };
}

/** The type of the values that are of all the types; objects become one flat object where that is possible. */
export function intersect(nodes: readonly TypeNode[]): TypeNode {
  const parts = distinct(nodes, 'intersection').filter(node => node.kind !== 'unknown');
  if (parts.some(node => node.kind === 'never')) return neverNode;
  const members = mergeObjects(dropImplied(parts));
  const [only, second] = members;
  if (only === undefined) return unknownNode;
  return second === undefined ? only : { kind: 'intersection', members };
}

/** `string` beside literals that are all strings says nothing more. */
function dropImplied(parts: readonly TypeNode[]): readonly TypeNode[] {
  if (parts.length < 2) return parts;
  const literals = parts.map(literalKeyword);
  return parts.filter(part => part.kind !== 'atom' || !literals.includes(part.text));
}

/** The keyword for the type of a literal, or of a union of literals of one type. */
function literalKeyword(node: TypeNode): string | undefined {
  if (node.kind === 'union') {
    const [first, ...others] = node.members.map(literalKeyword);
    return others.every(other => other === first) ? first : undefined;
  }
  if (node.kind !== 'atom') return undefined;
  if (node.text.startsWith('"')) return 'string';
  if (node.text === 'true' || node.text === 'false') return 'boolean';
  return /^[-0-9]/.test(node.text) ? 'number' : undefined;
}

/**
 * The property names of all the types without any claim about them, for values of any kind where one of the types has
 * others than objects. `find` gives the type that a name stands for.
 */
export function loosen(nodes: readonly TypeNode[], find: (name: string) => TypeNode | undefined): TypeNode {
  const names = new Map<string, PropertyNode>();
  let isShaped = true;
  const collect = (part: TypeNode): void => {
    if (part.kind === 'union' || part.kind === 'intersection') {
      for (const member of part.members) collect(member);
      return;
    }
    const named = part.kind === 'name' ? find(part.text) : undefined;
    if (named !== undefined) {
      collect(named);
      return;
    }
    isShaped &&= isFlat(part);
    for (const property of part.kind === 'object' ? part.properties : []) {
      if (!names.has(property.name)) names.set(property.name, { ...property, type: unknownNode, optional: true });
    }
  };
  for (const node of nodes) collect(node);
  const object: TypeNode = { kind: 'object', properties: [...names.values()], indexes: [] };
  if (isShaped) return object;
  return names.size === 0 ? unknownNode : unite([object, ...otherKinds]);
}

/** Every value of JSON that is not an object. */
const otherKinds: readonly TypeNode[] = [
  ...['string', 'number', 'boolean', 'null'].map((text): TypeNode => ({ kind: 'atom', text })),
  { kind: 'array', items: unknownNode },
];

function distinct(nodes: readonly TypeNode[], kind: 'union' | 'intersection'): TypeNode[] {
  const seen = new Set<string>();
  const members: TypeNode[] = [];
  const add = (node: TypeNode): void => {
    if (node.kind === kind) {
      for (const member of node.members) add(member);
      return;
    }
    if (node.kind === 'atom' || node.kind === 'name') {
      if (seen.has(node.text)) return;
      seen.add(node.text);
    }
    members.push(node);
  };
  for (const node of nodes) add(node);
  return members;
}

/** Objects with an index signature stay apart: it speaks of the properties beside it only. */
function mergeObjects(parts: readonly TypeNode[]): TypeNode[] {
  const flat = parts.filter(isFlat);
  if (flat.length === 0) return dropRepeatedBare(parts);
  const merged: ObjectNode =
    flat.length === 1 && flat[0] !== undefined
      ? flat[0]
      : { kind: 'object', properties: mergeProperties(flat), indexes: [] };
  const members: TypeNode[] = [];
  for (const part of parts) {
    if (part === flat[0]) members.push(merged);
    else if (!isFlat(part) && !isBare(part)) members.push(part);
  }
  return members;
}

function dropRepeatedBare(parts: readonly TypeNode[]): TypeNode[] {
  const hasShape = parts.some(part => part.kind === 'object' && !isBare(part));
  return parts.filter((part, index) => !isBare(part) || (!hasShape && parts.findIndex(isBare) === index));
}

function isFlat(node: TypeNode): node is ObjectNode {
  return node.kind === 'object' && node.indexes.length === 0;
}

/** Says only that the value is an object. */
function isBare(node: TypeNode): boolean {
  return node === anyRecord || node === anyObject;
}

function mergeProperties(objects: readonly ObjectNode[]): PropertyNode[] {
  const merged = new Map<string, PropertyNode>();
  for (const { properties } of objects) {
    for (const property of properties) {
      const known = merged.get(property.name);
      merged.set(property.name, known === undefined ? property : mergeProperty(known, property));
    }
  }
  return [...merged.values()];
}

function mergeProperty(a: PropertyNode, b: PropertyNode): PropertyNode {
  // A place that only requires the property, or says nothing of its type, tells less than the other.
  const main = a.type.kind === 'unknown' && b.type.kind !== 'unknown' ? b : a;
  const other = main === a ? b : a;
  return {
    name: a.name,
    type: intersect([main.type, other.type]),
    optional: a.optional && b.optional,
    path: main.path,
    docs: [...main.docs, ...other.docs.filter(doc => !main.docs.includes(doc))],
  };
}

/** How many properties a type writes out, or something above `limit`. */
export function weigh(node: TypeNode, limit: number): number {
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
