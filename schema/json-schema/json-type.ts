// In: a value and the `type` of a schema. Out: whether the one is of the other, by the rules of JSON Schema.
import { isSchemaObject } from './keywords.js';

/** All names that `type` may have. */
export const jsonTypes: ReadonlySet<string> = new Set([
  'null',
  'boolean',
  'string',
  'number',
  'integer',
  'array',
  'object',
]);

/** Whether a value is of one named type. A number without a fraction is an integer, however it was written. */
export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchemaObject(value);
    default:
      return false;
  }
}

/** The types that `type` names: it is one name or a list. */
export function typeNames(type: unknown): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter(name => typeof name === 'string') : [];
}
