// In: a schema and a value. Out: how many rules a validator would apply at most, counted without applying them.
// References that fan out (`allOf: [{$ref: a}, {$ref: a}]`, and so on below) double the work with every step: forty
// lines of schema keep a validator busy for years. Counting remembers what it has counted, so it takes no such time.
import type { Dialect } from './dialect.js';
import { inPlaceKeywords, isSchemaObject, type JsonSchemaObject, own, schemaKeywords } from './keywords.js';
import { type RefIndex, refKeywords } from './refs.js';

export interface CostContext {
  readonly dialect: Dialect;
  readonly refs: RefIndex;
}

/** @example countRules(schema, value, { dialect: '2020-12', refs: indexRefs(schema) }) */
export function countRules(schema: unknown, value: unknown, context: CostContext): number {
  return count(schema, value, { ...context, known: new Map() });
}

interface Counting extends CostContext {
  readonly known: Map<JsonSchemaObject, Map<unknown, number>>;
}

function count(schema: unknown, value: unknown, counting: Counting): number {
  if (!isSchemaObject(schema)) return 1;
  const known = counting.known.get(schema) ?? new Map<unknown, number>();
  counting.known.set(schema, known);
  const before = known.get(value);
  if (before !== undefined) return before;
  // Who comes here again on the way would come here for ever.
  known.set(value, Infinity);
  const total = countKeywords(schema, value, counting);
  known.set(value, total);
  return total;
}

function countKeywords(schema: JsonSchemaObject, value: unknown, counting: Counting): number {
  let total = 1;
  const table = schemaKeywords(counting.dialect);
  for (const [keyword, rule] of Object.entries(schema)) {
    total += 1;
    if (table.has(keyword)) total += countApplied(keyword, rule, value, counting);
    else if (keyword === 'uniqueItems' && Array.isArray(value)) total += value.length ** 2 / 2;
    else if (keyword === 'enum' && Array.isArray(rule)) total += rule.length;
  }
  for (const keyword of refKeywords[counting.dialect]) {
    const ref = own(schema, keyword);
    if (typeof ref !== 'string') continue;
    const target = counting.refs.resolve(ref, schema, keyword);
    if (target.kind === 'found') total += count(target.schema, value, counting);
  }
  return total;
}

function countApplied(keyword: string, rule: unknown, value: unknown, counting: Counting): number {
  if (keyword === '$defs' || keyword === 'definitions') return 0;
  const schemas = schemasUnder(keyword, rule);
  const sum = (values: readonly unknown[]): number =>
    values.reduce<number>(
      (all, one) => schemas.reduce<number>((sub, inner) => sub + count(inner, one, counting), all),
      0,
    );
  if (inPlaceKeywords.has(keyword)) return sum([value]);
  if (Array.isArray(value)) return sum(value);
  if (!isSchemaObject(value)) return 0;
  if (keyword === 'propertyNames') return sum(Object.keys(value));
  if (keyword !== 'properties' || !isSchemaObject(rule)) return sum(Object.values(value));
  return Object.keys(value).reduce((all, name) => all + count(own(rule, name), own(value, name), counting), 0);
}

function schemasUnder(keyword: string, rule: unknown): readonly unknown[] {
  if (Array.isArray(rule)) return rule;
  const isMap = keyword === 'patternProperties' || keyword.startsWith('depend') || keyword === 'properties';
  return isMap && isSchemaObject(rule) ? Object.values(rule) : [rule];
}
