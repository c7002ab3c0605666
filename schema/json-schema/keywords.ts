// What JSON Schema is, as data: the keywords under which further schemas stand, its dialects, its types.
import { asMap, isMap } from '../document.js';

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
export const wordKeywords: ReadonlySet<string> = new Set([
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
]);

/** The own value of a key, so that `constructor` and the like are never found by inheritance. */
export function own(schema: JsonSchemaObject, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** The same where a map is expected; an empty one where there is none. */
export function ownMap(schema: JsonSchemaObject, key: string): JsonSchemaObject {
  return asMap(own(schema, key));
}

// In: a JSON Schema. Out: by which rules it is read, told by its $schema alone.

export type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** What an author wrote under `$schema` that names no dialect we know. */
export interface UnknownDialect {
  readonly unknown: string;
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  // Draft-07 only added to draft-06.
  ['json-schema.org/draft-06/schema', 'draft-07'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/**
 * The dialect of a schema; without `$schema` it is 2020-12, the protocol's.
 *
 * @example dialectOf({ $schema: 'http://json-schema.org/draft-07/schema#' }) // 'draft-07'
 * @example dialectOf({ $schema: 'http://json-schema.org/draft-04/schema#' }) // { unknown: 'http://...' }
 */
export function dialectOf(schema: unknown): Dialect | UnknownDialect {
  if (!isMap(schema) || !Object.hasOwn(schema, '$schema')) return '2020-12';
  const declared = schema.$schema;
  if (typeof declared !== 'string') return { unknown: String(JSON.stringify(declared)) };
  const name = declared.replace(/^https?:\/\//, '').replace(/#$/, '');
  return dialects.get(name) ?? { unknown: declared };
}

/** The dialect to go on with: an unknown one is read as 2020-12. */
export function effectiveDialect(schema: unknown): Dialect {
  const dialect = dialectOf(schema);
  return typeof dialect === 'string' ? dialect : '2020-12';
}

// In: a value and the `type` of a schema. Out: whether the one is of the other, by the rules of JSON Schema.

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
      return isMap(value);
    default:
      return false;
  }
}

/** The types that `type` names: it is one name or a list. */
export function typeNames(type: unknown): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter(name => typeof name === 'string') : [];
}

// The names under which every object has something, even if nobody gave it to them: `{}` has a `toString`.
// By name, not by looking at Object.prototype: what counts is every engine that may run a validator.
const inheritedNames: ReadonlySet<string> = new Set([
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/**
 * Tells whether objects inherit something under a name.
 *
 * @example isInheritedName('toString') // true
 */
export function isInheritedName(name: string): boolean {
  return inheritedNames.has(name);
}
