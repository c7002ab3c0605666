// The keywords of JSON Schema under which further schemas stand, as data, for each dialect.
import { asMap } from '../document.js';
import type { Dialect } from './dialect.js';

export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/** Tells a schema with keywords from `true`, `false` and values that are not schemas. */
export { isMap as isSchemaObject } from '../document.js';

/** What stands under a keyword: one schema, a list of them, a map of them, or either of the first two. */
export type KeywordShape = 'schema' | 'list' | 'map' | 'schema-or-list';

const everywhere: readonly (readonly [string, KeywordShape])[] = [
  ['$defs', 'map'],
  ['additionalProperties', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['contains', 'schema'],
  ['definitions', 'map'],
  ['dependencies', 'map'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['items', 'schema-or-list'],
  ['not', 'schema'],
  ['oneOf', 'list'],
  ['patternProperties', 'map'],
  ['properties', 'map'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
];

const since2019: readonly (readonly [string, KeywordShape])[] = [
  ['contentSchema', 'schema'],
  ['dependentSchemas', 'map'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
];

const tables: Readonly<Record<Dialect, ReadonlyMap<string, KeywordShape>>> = {
  'draft-07': new Map([...everywhere, ['additionalItems', 'schema']]),
  '2019-09': new Map([...everywhere, ...since2019, ['additionalItems', 'schema']]),
  '2020-12': new Map([...everywhere, ...since2019, ['prefixItems', 'list']]),
};

/** The keywords of a dialect that hold schemas. Everything else is a limit, a string or data, and is never entered. */
export function schemaKeywords(dialect: Dialect): ReadonlyMap<string, KeywordShape> {
  return tables[dialect];
}

/** Keywords whose schemas describe the very value that their parent describes, not a part of it. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords that hold values, not schemas: a `$ref` inside them is only text. */
export const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** Words for people and tools, which decide nothing about a value. */
export const wordKeywords: readonly string[] = [
  '$comment',
  'contentEncoding',
  'contentMediaType',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
];

/** The own value of a key, so that `constructor` and the like are never found by inheritance. */
export function own(schema: JsonSchemaObject, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** The same where a map is expected; an empty one where there is none. */
export function ownMap(schema: JsonSchemaObject, key: string): JsonSchemaObject {
  return asMap(own(schema, key));
}
