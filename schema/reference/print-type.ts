// In: a schema of the language. Out: its type in words that authors of YAML use.
import { isMap } from '../document.js';

type Schema = Readonly<Record<string, unknown>>;

const words: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'map',
  null: 'null',
};

/**
 * The type of a value.
 *
 * @example printType({ type: ['string', 'array'], then: { items: { type: 'string' } } }, {}) // 'string or list of strings'
 */
export function printType(schema: Schema, definitions: Schema): string {
  const types = [schema['type'] ?? (schema['enum'] === undefined ? [] : 'string')].flat().map(String);
  if (types.length === 0 || types.length > 5) return 'any value';
  return types.map(type => printOne(type, schema, definitions)).join(' or ');
}

function printOne(type: string, schema: Schema, definitions: Schema): string {
  const word = words[type] ?? type;
  if (type === 'array') {
    const of = entriesOf(schema, definitions);
    return of === undefined ? word : `${word} of ${of}`;
  }
  if (type !== 'object') return word;
  const values = resolve(schema['additionalProperties'], definitions);
  if (!isMap(values)) return word;
  return typeof values['title'] === 'string' ? `map of names to ${toPlural(nounOf(values))}` : 'map of names to values';
}

function entriesOf(schema: Schema, definitions: Schema): string | undefined {
  const { items } = schema;
  const entry = resolve(items, definitions);
  if (isMap(entry)) {
    if (typeof entry['title'] === 'string') return toPlural(nounOf(entry));
    const type = [entry['type'] ?? []].flat().map(String);
    return type.length === 0 ? 'values' : type.map(one => `${words[one]}s`).join(' or ');
  }
  for (const branch of [schema['then'], schema['else']]) {
    const found = isMap(branch) ? entriesOf(branch, definitions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Titles begin with a capital for editors. */
function nounOf(schema: Schema): string {
  const title = String(schema['title']);
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** `declaration of a tool` -> `declarations of tools`, `reference, tag or tool` -> `references, tags or tools`. */
function toPlural(noun: string): string {
  return noun
    .split(/(, | or | of an? )/)
    .map((part, index) => (index % 2 === 0 ? `${part.replace(/y$/, 'ie')}s` : part.replace(/ of an? /, ' of ')))
    .join('');
}

function resolve(schema: unknown, definitions: Schema): unknown {
  const ref = isMap(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' ? definitions[ref.replace('#/definitions/', '')] : schema;
}
