// Trees as editors of documents have them, each node one of several forms, and values that are wrong far down.
export type Json = Record<string, unknown>;

const blocks = ['paragraph', 'heading', 'list', 'item', 'quote', 'panel', 'column', 'text'] as const;

export interface TreeOptions {
  readonly kinds?: readonly string[];
  readonly union?: 'oneOf' | 'anyOf';
  /** Last: what tells forms apart comes after what leads further down. */
  readonly tag?: 'first' | 'last' | 'none';
  /** Another keyword in every form: with one that is not common, ajv makes the validator. */
  readonly more?: Json;
}

/** `{ doc: node }`, a node of one of the kinds with `content: [node]`. */
export function makeTree({ kinds = blocks, union = 'oneOf', tag = 'first', more = {} }: TreeOptions = {}): Json {
  const forms = kinds.map(kind => {
    const content = { type: 'array', items: { $ref: '#/$defs/node' } };
    const text = { type: 'string' };
    const properties = {
      first: { type: { const: kind }, content, text },
      last: { content, text, type: { const: kind } },
      none: { content, text, [kind]: { type: 'integer' } },
    }[tag];
    const required = tag === 'none' ? [] : ['type'];
    return { type: 'object', properties, required, additionalProperties: false, ...more };
  });
  return {
    type: 'object',
    properties: { doc: { $ref: '#/$defs/node' } },
    required: ['doc'],
    $defs: { node: { [union]: forms } },
  };
}

/** A chain of nodes with a leaf at the end. */
export function makeChain(depth: number, leaf: Json, order: 'first' | 'last' = 'first'): Json {
  let node = leaf;
  for (let level = 1; level < depth; level += 1) {
    const content = [node];
    node = order === 'first' ? { type: 'paragraph', content } : { content, type: 'paragraph' };
  }
  return { doc: node };
}

/** How many keywords and members a schema has: more than it has schemas. */
export function sizeOfSchema(schema: unknown): number {
  return typeof schema === 'object' && schema !== null
    ? Object.values(schema).reduce<number>((all, one) => all + sizeOfSchema(one), 1)
    : 1;
}
