// In: JSON values. Out: JavaScript expressions of them, in which every text stays a text.
import { isSchemaObject, type KeywordShape, schemaKeywords } from '../../schema/json-schema/keywords.js';

/** Words for people and tools. Defaults are among them: where they are filled in, ajv has written them into the code. */
const annotations: ReadonlySet<string> = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** Every place that any dialect allows for a schema: leaving words out of one does no harm in the others. */
const shapes: ReadonlyMap<string, KeywordShape> = new Map([
  ...schemaKeywords('draft-07'),
  ...schemaKeywords('2019-09'),
  ...schemaKeywords('2020-12'),
]);

/** Prints a schema that a validator reads limits and enums from, without the words that it never reads. */
export function printSchemaConstant(schema: unknown): string {
  return printJson(withoutWords(schema));
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
 * mark inside a text is always escaped there, so that what is found after `{` or `,` is a key.
 */
export function keepPrototypes(code: string): string {
  return code.includes('"__proto__":') ? code.replaceAll(/([{,])"__proto__":/g, '$1["__proto__"]:') : code;
}

function withoutWords(schema: unknown): unknown {
  if (!isSchemaObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutWordsBelow(value, shapes.get(keyword))]));
}

function withoutWordsBelow(value: unknown, shape: KeywordShape | undefined): unknown {
  // Data, or a keyword that nobody knows: kept as it is.
  if (shape === undefined) return value;
  if (Array.isArray(value)) return value.map(withoutWords);
  if (shape !== 'map' || !isSchemaObject(value)) return withoutWords(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutWords(schema)]));
}
