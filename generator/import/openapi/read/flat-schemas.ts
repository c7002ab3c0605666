// Schemas that are written into a parameter, as in 2.0. In: the parameter. Out: what of it is a schema, at the same place.
import type { Placed } from '../api.js';
import { partOf } from './library.js';
import { isSchema } from './media.js';
import { type Fields, noSchema, type PlacedMap } from './reader.js';

const schemaKeys: ReadonlySet<string> = new Set([
  'type',
  'format',
  'items',
  'enum',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'x-nullable',
  'x-example',
  'properties',
  'required',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
]);

/** `schema`, or else what is written without it; also in versions that do not have the other form. */
export function schemaOfParameter(parameter: PlacedMap): Placed {
  const schema = partOf(parameter, 'schema');
  if (isSchema(schema)) return fileAsText(schema);
  const flat = Object.entries(parameter.value).filter(
    // `required: true` says something of the parameter, a list something of its members.
    ([key, value]) => schemaKeys.has(key) && value !== null && !(key === 'required' && !Array.isArray(value)),
  );
  return flat.length === 0
    ? noSchema(parameter.pointer)
    : fileAsText({ value: Object.fromEntries(flat), pointer: parameter.pointer });
}

/** `type: file` of 2.0 is bytes. */
export function fileAsText({ value, pointer }: Placed): Placed {
  if (!isFile(value)) return { value, pointer };
  return { value: { ...(value as Fields), type: 'string', format: 'binary' }, pointer };
}

export function isFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as Fields).type === 'file';
}
