// In: a JSON Schema and its dialect. Out: every schema inside it, in the order written, each knowing how it is reached.
import type { Path } from '../document.js';
import type { Dialect } from './dialect.js';
import { isSchemaObject, type JsonSchemaObject, type KeywordShape, schemaKeywords } from './keywords.js';

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

/**
 * Lists all schemas below (and with) `schema`. Only enters keywords that hold schemas: never const, enum, default,
 * examples or keywords that the dialect does not know. `true` and `false` are left out. Keeps its own stack, so that
 * no depth overflows.
 */
export function listNodes(schema: unknown, dialect: Dialect, origin: Path = []): SchemaNode[] {
  const nodes: SchemaNode[] = [];
  if (!isSchemaObject(schema)) return nodes;
  const table = schemaKeywords(dialect);
  const waiting: SchemaNode[] = [{ schema, parent: undefined, keyword: '', member: undefined, origin }];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node);
    const children: SchemaNode[] = [];
    for (const keyword of Object.keys(node.schema)) {
      const shape = table.get(keyword);
      if (shape !== undefined) addChildren(children, node, keyword, shape);
    }
    for (let child = children.pop(); child !== undefined; child = children.pop()) waiting.push(child);
  }
  return nodes;
}

function addChildren(children: SchemaNode[], parent: SchemaNode, keyword: string, shape: KeywordShape): void {
  const value = parent.schema[keyword];
  const add = (schema: unknown, member?: string | number): void => {
    if (isSchemaObject(schema)) children.push({ schema, parent, keyword, member, origin: parent.origin });
  };
  if (Array.isArray(value)) {
    if (shape === 'list' || shape === 'schema-or-list') value.forEach(add);
  } else if (isSchemaObject(value)) {
    if (shape === 'map') for (const name of Object.keys(value)) add(value[name], name);
    else if (shape === 'schema' || shape === 'schema-or-list') add(value);
  }
}
