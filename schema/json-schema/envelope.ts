// In: the output schema of a tool with `result: envelope`. Out: the same with the envelope's six optional fields (M29).
import { equal } from '../support/values.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';

const fields = {
  status: { type: 'string', description: 'How it went, in a word', default: 'success' },
  message: { type: 'string', description: 'What happened, for the user' },
  next_steps: { type: 'array', items: { type: 'string' }, description: 'What to do next' },
  action_url: { type: 'string', description: 'Where the user can go on' },
  auth_required: { type: 'boolean', description: 'Whether the user must sign in first' },
  meta: { type: 'object', description: 'Further data' },
} as const;

/**
 * Fills in the status of an envelope that has none, unless the author has described a status of his own.
 *
 * @example fillStatus({ data: [] }, schema) // { data: [], status: 'success' }
 */
export function fillStatus(value: unknown, schema: JsonSchemaObject): unknown {
  if (!isSchemaObject(value) || value['status'] !== undefined) return value;
  const described = own(schema, 'properties');
  const status = isSchemaObject(described) ? own(described, 'status') : undefined;
  return equal(status, fields.status) ? { ...value, status: fields.status.default } : value;
}

/** The author's own properties win; a root that is not an object stays as it is. */
export function addEnvelope(schema: unknown): JsonSchemaObject {
  if (!isSchemaObject(schema)) return { type: 'object', properties: fields };
  if (own(schema, 'type') !== 'object') return schema;
  const described = own(schema, 'properties');
  const properties = isSchemaObject(described) ? described : {};
  const added = Object.entries(fields).filter(([name]) => !Object.hasOwn(properties, name));
  return { ...schema, properties: Object.fromEntries([...Object.entries(properties), ...added]) };
}
