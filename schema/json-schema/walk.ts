// In: a JSON Schema and its dialect. Out: every schema inside it, in the order written, each knowing how it is reached.
import { asList, type Path } from '../document.js';
import {
  type Dialect,
  effectiveDialect,
  isSchemaObject,
  type JsonSchemaObject,
  type KeywordShape,
  own,
  schemaKeywords,
} from './keywords.js';
import { indexRefs, type RefIndex, type RefKeyword } from './refs.js';

/** A schema at one place. Nodes are linked upwards, so that paths cost nothing until a mistake needs one. */
export interface SchemaNode {
  readonly schema: JsonSchemaObject;
  readonly parent: SchemaNode | undefined;
  /** The keyword of the parent that leads here, and the name or index under it where it holds several. */
  readonly keyword: string;
  readonly member: string | number | undefined;
  /** The path of a node without parent: empty but for the targets of odd references. */
  readonly origin: Path;
}

/** The path from the root of the document to a node. */
export function pathOf(node: SchemaNode): Path {
  const reversed: (string | number)[] = [];
  let at: SchemaNode = node;
  while (at.parent !== undefined) {
    if (at.member !== undefined) reversed.push(at.member);
    reversed.push(at.keyword);
    at = at.parent;
  }
  return [...at.origin, ...reversed.reverse()];
}

/** What a walk finds. */
export interface Walk {
  readonly nodes: readonly SchemaNode[];
  /** Every keyword that one of them has: most rules are about keywords that no schema of a tool has. */
  readonly keywords: ReadonlySet<string>;
}

/**
 * Lists all schemas below (and with) `schema`. Only enters keywords that hold schemas: never const, enum, default,
 * examples or keywords that the dialect does not know. `true` and `false` are left out. Keeps its own stack, so that
 * no depth overflows.
 */
export function listNodes(
  schema: unknown,
  dialect: Dialect,
  origin: Path = [],
  /** Names in the `$defs` of the root that are left out. */
  without: Names = none,
): Walk {
  const nodes: SchemaNode[] = [];
  const keywords = new Set<string>();
  if (!isSchemaObject(schema)) return { nodes, keywords };
  const table = schemaKeywords(dialect);
  const waiting: SchemaNode[] = [{ schema, parent: undefined, keyword: '', member: undefined, origin }];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node);
    const first = waiting.length;
    for (const keyword of Object.keys(node.schema)) {
      keywords.add(keyword);
      const shape = table.get(keyword);
      if (shape !== undefined) addChildren(waiting, node, keyword, shape);
      if (without.size > 0 && keyword === '$defs' && node.parent === undefined)
        keep(waiting, first, ({ member }) => !without.has(String(member)));
    }
    reverseFrom(waiting, first);
  }
  return { nodes, keywords };
}

type Names = Pick<ReadonlySet<string>, 'has' | 'size'>;

const none: Names = new Set();

/** Leaves out nodes from an index on. Those of other keywords have other members, or come from the same map. */
function keep(nodes: SchemaNode[], first: number, isKept: (node: SchemaNode) => boolean): void {
  const kept = nodes.splice(first).filter(node => node.keyword !== '$defs' || isKept(node));
  for (const node of kept) nodes.push(node);
}

/** How many schemas there are in one. */
export function countSchemas(schema: unknown): number {
  return listNodes(schema, effectiveDialect(schema)).nodes.length;
}

function addChildren(waiting: SchemaNode[], parent: SchemaNode, keyword: string, shape: KeywordShape): void {
  const value = parent.schema[keyword];
  const { origin } = parent;
  if (Array.isArray(value)) {
    if (shape !== 'list' && shape !== 'schema-or-list') return;
    for (const [member, schema] of value.entries())
      if (isSchemaObject(schema)) waiting.push({ schema, parent, keyword, member, origin });
  } else if (isSchemaObject(value)) {
    if (shape === 'map') {
      for (const member of Object.keys(value)) {
        const schema = value[member];
        if (isSchemaObject(schema)) waiting.push({ schema, parent, keyword, member, origin });
      }
    } else if (shape === 'schema' || shape === 'schema-or-list')
      waiting.push({ schema: value, parent, keyword, member: undefined, origin });
  }
}

/** The last of a stack is taken first. */
function reverseFrom(stack: SchemaNode[], first: number): void {
  for (let low = first, high = stack.length - 1; low < high; low += 1, high -= 1) {
    const [one, other] = [stack[low], stack[high]];
    if (one !== undefined && other !== undefined) {
      stack[low] = other;
      stack[high] = one;
    }
  }
}

/** Nobody writes schemas that deep; one that is deeper is taken to have one. */
const deepest = 200;

/** @example hasDefault({ properties: { limit: { default: 10 } } }) // true */
export function hasDefault(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (depth > deepest) return true;
  if (Array.isArray(schema)) return schema.some(member => hasDefault(member, depth + 1));
  return Object.hasOwn(schema, 'default') || Object.values(schema).some(member => hasDefault(member, depth + 1));
}

// In: a schema and the way to a part of a value. Out: every schema that may describe this part, for hints to people.

export interface SchemaFinder {
  /** Those at a path, with everything that they refer to and every alternative. */
  at(path: Path, from?: unknown): readonly JsonSchemaObject[];
  /** One schema and what holds together with it: references and `allOf`, but no alternatives. */
  together(schema: unknown): readonly JsonSchemaObject[];
}

/** A schema made to keep a search busy gets an incomplete hint, and so does what lies hundreds of levels down. */
const mostSchemas = 2_000;
const mostVisited = 200_000;

const referring: readonly RefKeyword[] = ['$ref', '$dynamicRef', '$recursiveRef'];
const alternatives = ['anyOf', 'oneOf'] as const;
const conditional = ['then', 'else'] as const;

/**
 * Finds schemas inside one document. Nothing is looked at before the first question.
 *
 * @example makeSchemaFinder(schema).at(['filter', 'state']).flatMap(({ enum: allowed }) => allowed)
 */
export function makeSchemaFinder(root: JsonSchemaObject): SchemaFinder {
  let refs: RefIndex | undefined;
  let visited = 0;
  const spread = (from: Iterable<unknown>, how: 'all' | 'together'): readonly JsonSchemaObject[] => {
    const found = new Set<JsonSchemaObject>();
    const waiting = [...from];
    for (let at = 0; at < waiting.length && found.size < mostSchemas && visited < mostVisited; at += 1) {
      visited += 1;
      const schema = waiting[at];
      if (!isSchemaObject(schema) || found.has(schema)) continue;
      found.add(schema);
      for (const keyword of referring) {
        const ref = own(schema, keyword);
        if (typeof ref !== 'string') continue;
        refs ??= indexRefs(root);
        const target = refs.resolve(ref, schema, keyword);
        if (target.kind === 'found') waiting.push(target.schema);
      }
      waiting.push(...asList(own(schema, 'allOf')));
      if (how === 'together') continue;
      for (const keyword of alternatives) waiting.push(...asList(own(schema, keyword)));
      for (const keyword of conditional) waiting.push(own(schema, keyword));
      waiting.push(...valuesOf(own(schema, 'dependentSchemas')));
    }
    return [...found];
  };
  return {
    at: (path, from = root) => {
      let level = spread([from], 'all');
      for (const key of path) {
        level = spread(
          level.flatMap(schema => childrenOf(schema, key)),
          'all',
        );
      }
      return level;
    },
    together: schema => spread([schema], 'together'),
  };
}

function childrenOf(schema: JsonSchemaObject, key: string | number): readonly unknown[] {
  if (typeof key === 'number') {
    const items = own(schema, 'items');
    const tuple = [...asList(own(schema, 'prefixItems')), ...asList(items)];
    if (tuple[key] !== undefined) return [tuple[key]];
    return [items, own(schema, 'additionalItems'), own(schema, 'unevaluatedItems')];
  }
  const properties = own(schema, 'properties');
  if (isSchemaObject(properties) && Object.hasOwn(properties, key)) return [properties[key]];
  const others = [own(schema, 'additionalProperties'), own(schema, 'unevaluatedProperties')];
  return [...valuesOf(own(schema, 'patternProperties')), ...others];
}

function valuesOf(value: unknown): readonly unknown[] {
  return isSchemaObject(value) ? Object.values(value) : [];
}
