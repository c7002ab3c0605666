// Small rules on schemas that stand beside or inside each other. In and out: JSON Schema.
import { asList, isMap, omitKeys } from '../../../schema/document.js';
import { type JsonSchemaObject, typeNames } from '../../../schema/json-schema/keywords.js';

/** What restricts nothing, and what only says in which direction a value goes. */
export const wordKeys: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
]);

/** By the order of their keys, which is that of the document. */
export function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * A schema and what stands beside the reference to it, which is nearer to the place where both are used.
 *
 * @example combine({ type: 'string', description: 'A key' }, { description: 'Of the issue' }) // { type: 'string', description: 'Of the issue' }
 */
export function combine(schema: JsonSchemaObject, beside: JsonSchemaObject): JsonSchemaObject {
  const keys = Object.keys(beside);
  if (keys.length === 0) return schema;
  const isClear = keys.every(key => wordKeys.has(key) || !Object.hasOwn(schema, key));
  return isClear ? { ...schema, ...beside } : { allOf: [schema], ...beside };
}

/** Beside these keywords, null as one more type is not null as one more value. */
export const combining: readonly string[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const'];

/**
 * A type that may also be null in place of two alternatives.
 *
 * @example joinNull({ anyOf: [{ type: 'string' }, { type: 'null' }] }) // { type: ['string', 'null'] }
 */
export function joinNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const other = anyOf.find(one => !isNull(one));
  const types = isMap(other) ? typeNames(other['type']) : [];
  if (!isMap(other) || !anyOf.some(isNull) || types.length === 0) return schema;
  const beside = omitKeys(schema, ['anyOf']);
  if (!Object.keys(beside).every(key => wordKeys.has(key))) return schema;
  if (combining.some(key => Object.hasOwn(other, key))) return schema;
  const { enum: members } = other;
  return {
    ...other,
    ...beside,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(members) && !members.includes(null) ? { enum: [...members, null] } : {}),
  };
}

function isNull(schema: unknown): boolean {
  return isMap(schema) && schema['type'] === 'null' && Object.keys(schema).length === 1;
}

/** A required member that nobody describes may be anything. */
export function describeRequired(schema: JsonSchemaObject): JsonSchemaObject {
  const { properties, required, additionalProperties, patternProperties } = schema;
  if (!isMap(properties) || !Array.isArray(required)) return schema;
  if (isMap(additionalProperties) || patternProperties !== undefined) return schema;
  const missing = asList(required)
    .map(String)
    .filter(name => !Object.hasOwn(properties, name));
  if (missing.length === 0) return schema;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(missing.map(name => [name, {}])) } };
}

/** Without some names among those that are required. */
export function omitRequired(schema: JsonSchemaObject, names: ReadonlySet<string>): JsonSchemaObject {
  const { required } = schema;
  if (names.size === 0 || !Array.isArray(required)) return schema;
  const kept = required.filter(name => !names.has(name));
  return kept.length === 0 ? omitKeys(schema, ['required']) : { ...schema, required: kept };
}

/**
 * A title that only says the name again is left out: generators of documents write one for each member.
 *
 * @example withoutIdleTitle({ title: 'User Id', type: 'string' }, 'user_id') // { type: 'string' }
 */
export function withoutIdleTitle(schema: JsonSchemaObject, name: string): JsonSchemaObject {
  const { title } = schema;
  if (typeof title !== 'string' || lettersOf(title) !== lettersOf(name.slice(name.lastIndexOf('/') + 1))) return schema;
  return omitKeys(schema, ['title']);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
