// In: the parameters (or output) shorthand of a definition. Out: the JSON Schema that clients see.
import { type Path, setOwn } from '../document.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';

export type { JsonSchemaObject } from './keywords.js';

export type Openness = 'open' | 'closed';

/** Whether properties that nobody described are refused: at the root, and in objects further down. */
export interface ExpandOptions {
  readonly root: Openness;
  readonly nested: Openness;
}

/**
 * Expands the shorthand: `a: string` becomes `{type: string}`, and every property is required unless it says
 * `required: false` or has a default. The order of properties and of keywords stays as written.
 *
 * Input is `{root: 'closed', nested: 'closed'}` (root open with `additionalParameters: true`), output is open throughout.
 *
 * @example
 * expandParameters({ key: 'string', limit: { type: 'integer', default: 10 } }, { root: 'closed', nested: 'closed' })
 * // { type: 'object', properties: { key: { type: 'string' }, limit: { type: 'integer', default: 10 } },
 * //   required: ['key'], additionalProperties: false }
 */
export function expandParameters(
  parameters: Readonly<Record<string, unknown>> | undefined,
  options: ExpandOptions,
): JsonSchemaObject {
  const { properties, required } = expandProperties(parameters ?? {}, options.nested);
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(options.root === 'closed' ? { additionalProperties: false } : {}),
  };
}

function expandProperties(
  written: JsonSchemaObject,
  nested: Openness,
): { readonly properties: JsonSchemaObject; readonly required: readonly string[] } {
  // A copy that keeps its keys costs far less than one that is put together again.
  const properties: Record<string, unknown> = { ...written };
  const required: string[] = [];
  for (const name of Object.keys(written)) {
    const parameter = written[name];
    const expanded = expandParameter(parameter, nested);
    if (expanded !== parameter) setOwn(properties, name, expanded);
    if (isRequired(parameter)) required.push(name);
  }
  return { properties, required };
}

function isRequired(parameter: unknown): boolean {
  if (!isSchemaObject(parameter)) return true;
  return own(parameter, 'required') !== false && !Object.hasOwn(parameter, 'default');
}

/** What the shorthand has and JSON Schema has not, or not so; a parameter without is a schema already. */
const ownKeywords = ['required', 'header', 'from', 'items', 'properties'];

function expandParameter(parameter: unknown, nested: Openness): unknown {
  if (typeof parameter === 'string') return { type: parameter };
  // What is neither a type name nor a map was diagnosed by validation; it only must not do harm here.
  if (!isSchemaObject(parameter)) return typeof parameter === 'boolean' ? parameter : {};
  if (!ownKeywords.some(keyword => Object.hasOwn(parameter, keyword))) return parameter;
  const schema: Record<string, unknown> = {};
  for (const keyword of Object.keys(parameter)) {
    const value = parameter[keyword];
    switch (keyword) {
      case 'required':
      case 'from':
        break;
      case 'header':
        schema['x-mcp-header'] = value;
        break;
      case 'items':
        schema['items'] = typeof value === 'string' || isSchemaObject(value) ? expandParameter(value, nested) : value;
        break;
      case 'properties':
        expandObject(parameter, nested, schema);
        break;
      default:
        setOwn(schema, keyword, value);
    }
  }
  return schema;
}

function expandObject(parameter: JsonSchemaObject, nested: Openness, schema: Record<string, unknown>): void {
  const written = parameter['properties'];
  if (!isSchemaObject(written)) {
    schema['properties'] = written;
    return;
  }
  const { properties, required } = expandProperties(written, nested);
  schema['properties'] = properties;
  if (required.length > 0) schema['required'] = required;
  if (nested === 'closed' && !decidesOnFurtherProperties(parameter)) schema['additionalProperties'] = false;
}

// Beside these keywords `additionalProperties: false` would contradict the author, or refuse the properties that a
// composed schema describes: it sees only the `properties` right beside it.
const decidingKeywords = [
  'additionalProperties',
  'unevaluatedProperties',
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
];

function decidesOnFurtherProperties(parameter: JsonSchemaObject): boolean {
  return decidingKeywords.some(keyword => Object.hasOwn(parameter, keyword));
}

/**
 * Maps a path in the expanded schema back to the path in the definition.
 *
 * @example sourcePath(['properties', 'tags', 'items', 'pattern'], 'parameters') // ['parameters', 'tags', 'items', 'pattern']
 */
export function sourcePath(path: Path, key: 'parameters' | 'output'): Path {
  const [first, name, ...rest] = path;
  // `type`, `required` and `additionalProperties` of the root are nowhere written.
  if (first !== 'properties' || name === undefined) return [key];
  const source: (string | number)[] = [key, name];
  for (let index = 0; index < rest.length; index += 1) {
    const keyword = rest[index];
    if (keyword === undefined) break;
    if (keyword === 'items') {
      source.push(keyword);
    } else if (keyword === 'properties') {
      source.push(keyword);
      const member = rest[index + 1];
      if (member !== undefined) source.push(member);
      index += 1;
    } else if (keyword === 'required') {
      break;
    } else {
      // Below every other keyword nothing was rewritten.
      source.push(keyword === 'x-mcp-header' ? 'header' : keyword, ...rest.slice(index + 1));
      break;
    }
  }
  return source;
}
