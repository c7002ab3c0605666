// In: JSON values. Out: JavaScript expressions of them, in which every text stays a string.

import {
  isSchemaObject,
  type KeywordShape,
  schemaKeywords,
  wordKeywords,
} from '../../../schema/json-schema/keywords.js';
import type { Filling } from '../../../schema/support/validator.js';

/** What no validator reads. Defaults are another matter. */
const annotations: ReadonlySet<string> = new Set([...wordKeywords.filter(keyword => keyword !== 'default'), '$schema']);

/** Every place that any dialect allows for a schema: leaving words out of one does no harm in the others. */
const shapes: ReadonlyMap<string, KeywordShape> = new Map([
  ...schemaKeywords('draft-07'),
  ...schemaKeywords('2019-09'),
  ...schemaKeywords('2020-12'),
]);

/** Prints a schema that a validator of ajv's reads limits and enums from: ajv has written defaults into the code. */
export function printSchemaConstant(schema: unknown): string {
  return printJson(withoutWords(schema, keyword => keyword === 'default'));
}

/** Prints a schema that is itself the validator: with its defaults, if they are filled in, and what it refers to. */
export function printRules(schema: unknown, filling: Filling): string {
  const refers = JSON.stringify(schema).includes('"$ref":');
  return printJson(
    withoutWords(schema, keyword => {
      if (keyword === 'default') return filling === 'never';
      return keyword.startsWith('x-') || (!refers && (keyword === '$defs' || keyword === 'definitions'));
    }),
  );
}

/**
 * Prints a value as an expression.
 *
 * @example printJson({ a: ['x'] }) // '{"a":["x"]}'
 */
function printJson(value: unknown): string {
  const text = String(JSON.stringify(value));
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/**
 * In JSON `"__proto__":` is a key as any other, in JavaScript it sets the prototype, unless it is computed. A quotation
 * mark inside a string is always escaped there, so that what is found after `{` or `,` is a key.
 */
export function keepPrototypes(code: string): string {
  return code.includes('"__proto__":') ? code.replaceAll(/([{,])"__proto__":/g, '$1["__proto__"]:') : code;
}

/** Whether a keyword that is not an annotation can go nevertheless. */
type IsIdle = (keyword: string) => boolean;

function withoutWords(schema: unknown, isIdle: IsIdle): unknown {
  if (!isSchemaObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.has(keyword) && !isIdle(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, withoutWordsBelow(value, shapes.get(keyword), isIdle)]),
  );
}

function withoutWordsBelow(value: unknown, shape: KeywordShape | undefined, isIdle: IsIdle): unknown {
  // Data, or a keyword that nobody knows: kept as it is.
  if (shape === undefined) return value;
  const shorten = (schema: unknown): unknown => withoutWords(schema, isIdle);
  if (Array.isArray(value)) return value.map(shorten);
  if (shape !== 'map' || !isSchemaObject(value)) return shorten(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, shorten(schema)]));
}
