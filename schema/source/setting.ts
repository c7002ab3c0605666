// A typed setting: an option of a tool or a configuration entry of a pack.
import { anything, closed, documented, type Fields, list, members, type Schema } from './shape.js';

const optionTypes = {
  string: 'A string.',
  integer: 'A whole number.',
  number: 'A number, whole or not.',
  boolean: 'true or false.',
  array: 'A list.',
  object: 'A map.',
} as const;

/** A typed setting: its default and its allowed values have its type. */
export function setting(
  title: string,
  types: readonly (keyof typeof optionTypes)[],
  fields: Fields,
  more: Schema,
): Schema {
  const meanings = Object.fromEntries(types.map(type => [type, optionTypes[type]]));
  return closed(
    title,
    {
      type: { ...documented('The type of the value.', 'type: integer'), type: 'string', ...members(meanings) },
      ...fields,
      default: anything('The value used where none is set.', 'default: 50'),
      enum: list('The allowed values.', 'enum: [10, 50, 100]', {}, { minItems: 1 }),
    },
    {
      ...more,
      required: ['type'],
      allOf: types.map(type => ({
        if: { properties: { type: { const: type } }, required: ['type'] },
        then: {
          properties: { default: { type }, enum: { if: { type: 'array' }, then: { type: 'array', items: { type } } } },
        },
      })),
    },
  );
}
