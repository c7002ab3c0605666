// The one rewriting of schemas on the wire: clients of 2025 take an output schema only if its root is an object, so that any
// other is put under `result`, in the list and in results alike. The SDK does the same; test/runtime/protocol/handshake.test.ts holds us to it.
import { isMap } from '../../schema/document.js';

type Schema = Readonly<Record<string, unknown>>;

const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const root = '#/properties/result';

/** Whether clients of 2025 get what a tool gives under `result`. */
export function isWrapped(outputSchema: Schema | undefined): boolean {
  return outputSchema !== undefined && outputSchema['type'] !== 'object';
}

/**
 * @example wrapOutputSchema({ type: 'array' }) // { type: 'object', properties: { result: { type: 'array' } }, required: ['result'] }
 */
export function wrapOutputSchema(schema: Schema): Schema {
  const { $schema } = schema;
  const isMoved = !hasOwnBase(schema);
  const turnsRecursion =
    typeof $schema === 'string' &&
    /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/.test($schema) &&
    schema['$recursiveAnchor'] !== true;
  return {
    ...(typeof $schema === 'string' ? { $schema } : {}),
    type: 'object',
    properties: { result: isMoved ? move(schema, turnsRecursion) : schema },
    required: ['result'],
  };
}

/** References into the document lead one level deeper now. */
function move(node: unknown, turnsRecursion: boolean): unknown {
  if (Array.isArray(node)) return node.map(item => move(item, turnsRecursion));
  if (!isMap(node) || hasOwnBase(node)) return node;
  const moved: Record<string, unknown> = {};
  let isRecursive = false;
  for (const [key, value] of Object.entries(node)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string') moved[key] = moveReference(value);
    else if (key === '$recursiveRef' && value === '#' && turnsRecursion) isRecursive = true;
    else if (dataKeywords.has(key)) moved[key] = value;
    else if (mapKeywords.has(key) && isMap(value)) {
      const entries = Object.entries(value).map(([name, schema]) => [name, move(schema, turnsRecursion)]);
      moved[key] = Object.fromEntries(entries);
    } else moved[key] = move(value, turnsRecursion);
  }
  if (!isRecursive) return moved;
  if (!('$ref' in moved)) return { ...moved, $ref: root };
  const { allOf } = moved;
  return { ...moved, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref: root }] };
}

function moveReference(reference: string): string {
  if (reference === '#') return root;
  return reference.startsWith('#/') ? `${root}${reference.slice(1)}` : reference;
}

/** What has an address of its own is not moved; a name inside the document is none. */
function hasOwnBase({ $id }: Schema): boolean {
  return $id !== undefined && !(typeof $id === 'string' && $id.startsWith('#'));
}
