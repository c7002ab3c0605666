// In: a JSON Schema. Out: its properties as a tree of rows: name, type in words, required, default, description.
import type { JsonSchema } from '../../schema/definitions.js';
import { isSchemaObject } from '../../schema/json-schema/keywords.js';
import { pointerKeys } from '../../schema/json-schema/refs.js';

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

/** Trees that refer to themselves end somewhere. */
const maxDepth = 6;
const maxChoices = 8;

/** The properties of an object, or of the items of a list. */
export function fieldsOf(schema: JsonSchema): readonly Field[] {
  return fieldsBelow(schema, schema, 0);
}

function fieldsBelow(schema: unknown, root: JsonSchema, depth: number): readonly Field[] {
  if (depth > maxDepth) return [];
  const own = resolveRefs(schema, root);
  if (own === undefined) return [];
  const { properties, items, required, allOf, anyOf, oneOf } = own;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isSchemaObject(properties) ? properties : {}).map(([name, value]): Field => {
    const part = resolveRefs(value, root);
    return {
      name,
      type: typeOf(value, root),
      required: needed.includes(name),
      default: part?.['default'] === undefined ? '' : JSON.stringify(part['default']),
      description: typeof part?.['description'] === 'string' ? part['description'] : '',
      fields: fieldsBelow(value, root, depth + 1),
    };
  });
  const parts = [allOf, anyOf, oneOf].flatMap(list => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  const more = parts.flatMap(part => fieldsBelow(part, root, depth + 1));
  const below = isSchemaObject(items) ? fieldsBelow(items, root, depth + 1) : [];
  const seen = new Set<string>();
  return [...fields, ...more, ...below].filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** A type in words that a reader of a table takes in at once. */
function typeOf(schema: unknown, root: JsonSchema, depth = 0): string {
  const own = resolveRefs(schema, root);
  if (own === undefined || depth > maxDepth) return 'any';
  const { type, enum: choices, const: only, items, anyOf, oneOf, format } = own;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) {
    const shown = choices.slice(0, maxChoices).map(choice => JSON.stringify(choice));
    return [...shown, ...(choices.length > maxChoices ? [`${choices.length - maxChoices} more`] : [])].join(' | ');
  }
  const union = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(union)) return [...new Set(union.map(part => typeOf(part, root, depth + 1)))].join(' | ');
  const names = (Array.isArray(type) ? type : [type ?? (own['properties'] === undefined ? 'any' : 'object')]).map(
    String,
  );
  return names
    .map(name => {
      if (name === 'array') {
        const inner = items === undefined ? 'any' : typeOf(items, root, depth + 1);
        return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`;
      }
      return name === 'string' && typeof format === 'string' ? `string (${format})` : name;
    })
    .join(' | ');
}

/** Follows references inside the schema; undefined for `true`, `false` and what leads nowhere. */
export function resolveRefs(schema: unknown, root: JsonSchema): Readonly<Record<string, unknown>> | undefined {
  let at: unknown = schema;
  for (let hops = 0; hops < 20 && isSchemaObject(at) && typeof at['$ref'] === 'string'; hops += 1) {
    const { $ref: reference, ...beside } = at;
    const target = follow(String(reference), root);
    at = isSchemaObject(target) ? { ...target, ...beside } : beside;
  }
  return isSchemaObject(at) ? at : undefined;
}

function follow(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const keys = pointerKeys(reference.slice(1));
  return keys?.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)] as unknown;
    return isSchemaObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}
