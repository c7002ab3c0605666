// In: a JSON Schema. Out: a value that fits it, as plain as can be; where the schema says too much, one that nearly does.
import type { JsonSchema } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { isEqual } from '../../schema/json-schema/equal.js';
import { pointerKeys } from '../../schema/json-schema/refs.js';

/** Schemas may refer to themselves. */
const deepest = 12;

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/example',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/example',
  regex: '.*',
};

/**
 * Makes a value. Whoever needs to be sure validates it: patterns, conditions and exclusions are not looked at.
 *
 * @example mockValue({ type: 'object', properties: { total: { type: 'integer', minimum: 3 } } }) // { total: 3 }
 */
export function mockValue(root: JsonSchema): unknown {
  return make(root, 0, '');

  function make(schema: unknown, depth: number, name: string): unknown {
    if (!isMap(schema) || depth > deepest) return null;
    const given = givenValue(schema);
    if (given !== undefined) return given.value;
    const referred = typeof schema['$ref'] === 'string' ? find(schema['$ref']) : undefined;
    if (referred !== undefined) return make({ ...referred, ...without(schema, '$ref') }, depth + 1, name);
    const parts = [schema['allOf'], firstOf(schema['anyOf']), firstOf(schema['oneOf'])].flatMap(part => part ?? []);
    if (parts.length > 0) {
      const rest = without(without(without(schema, 'allOf'), 'anyOf'), 'oneOf');
      return make(merge([rest, ...parts.filter(isMap)]), depth + 1, name);
    }
    return ofType(schema, depth, name);
  }

  function ofType(schema: JsonSchema, depth: number, name: string): unknown {
    switch (typeOf(schema)) {
      case 'object':
        return makeObject(schema, depth);
      case 'array':
        return makeArray(schema, depth, name);
      case 'integer':
      case 'number':
        return makeNumber(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return makeText(schema, name);
    }
  }

  function makeObject(schema: JsonSchema, depth: number): unknown {
    const properties = isMap(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    // Deep down only what must be, or a schema that contains itself would never end.
    const names = depth > 4 ? required : [...new Set([...Object.keys(properties), ...required])];
    return Object.fromEntries(names.map(key => [key, make(properties[key] ?? {}, depth + 1, key)]));
  }

  function makeArray(schema: JsonSchema, depth: number, name: string): unknown {
    const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    const least = numberAt(schema, 'minItems') ?? (depth > 4 ? 0 : 1);
    const most = numberAt(schema, 'maxItems') ?? Number.POSITIVE_INFINITY;
    const length = Math.min(Math.max(least, first.length), most, 100);
    return Array.from({ length }, (_, at) => make(first[at] ?? schema['items'] ?? {}, depth + 1, name));
  }

  function find(ref: string): JsonSchema | undefined {
    if (ref === '#') return root;
    if (!ref.startsWith('#/')) return undefined;
    const steps = pointerKeys(ref.slice(1));
    let here: unknown = steps === undefined ? undefined : root;
    for (const step of steps ?? []) here = isMap(here) && Object.hasOwn(here, step) ? here[step] : undefined;
    return isMap(here) ? here : undefined;
  }
}

/** What the author wrote down as a value. */
function givenValue(schema: JsonSchema): { readonly value: unknown } | undefined {
  for (const key of ['const', 'default'])
    if (Object.hasOwn(schema, key)) return { value: structuredClone(schema[key]) };
  for (const key of ['examples', 'enum']) {
    const list = schema[key];
    if (Array.isArray(list) && list.length > 0) return { value: structuredClone(list[0]) };
  }
  return undefined;
}

function firstOf(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined;
  // Something says more than nothing.
  return list.find(one => !isEqual(one, { type: 'null' })) ?? list[0];
}

function merge(schemas: readonly JsonSchema[]): JsonSchema {
  const properties = Object.assign({}, ...schemas.map(({ properties: own }) => (isMap(own) ? own : {})));
  const required = schemas.flatMap(({ required: own }) => (Array.isArray(own) ? own : []));
  return {
    ...Object.assign({}, ...schemas),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

function without(schema: JsonSchema, key: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function typeOf(schema: JsonSchema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find(one => one !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (isMap(schema['properties'])) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  return schema['minimum'] !== undefined || schema['maximum'] !== undefined ? 'number' : 'string';
}

function makeNumber(schema: JsonSchema): number {
  const step = numberAt(schema, 'multipleOf') ?? 1;
  const above = numberAt(schema, 'exclusiveMinimum');
  const least =
    numberAt(schema, 'minimum') ?? (above === undefined ? undefined : Math.floor(above / step) * step + step);
  const below = numberAt(schema, 'exclusiveMaximum');
  const most = numberAt(schema, 'maximum') ?? (below === undefined ? undefined : Math.ceil(below / step) * step - step);
  if (least !== undefined) return Math.ceil(least / step) * step;
  return most !== undefined && most < step ? Math.floor(most / step) * step : step;
}

function makeText(schema: JsonSchema, name: string): string {
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? '';
  const text = (name === '' ? 'text' : name).padEnd(numberAt(schema, 'minLength') ?? 0, '.');
  return text.slice(0, numberAt(schema, 'maxLength') ?? text.length);
}

function numberAt(schema: JsonSchema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}
