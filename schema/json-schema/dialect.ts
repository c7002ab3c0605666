// In: a JSON Schema. Out: by which rules it is read, told by its $schema alone.
import { isSchemaObject } from './keywords.js';

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
  if (!isSchemaObject(schema) || !Object.hasOwn(schema, '$schema')) return '2020-12';
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
