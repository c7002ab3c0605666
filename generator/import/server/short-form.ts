// In: the definition of a tool with JSON Schemas. Out: the same with `parameters` and `output`, where expanding these gives the same text of JSON.
import { startOf } from '../../../schema/diagnostics.js';
import { isMap, setOwn } from '../../../schema/document.js';
import { checkSchema } from '../../../schema/json-schema/check.js';
import type { SchemaSource } from '../../../schema/json-schema/check-context.js';
import { expandParameters, type JsonSchemaObject } from '../../../schema/json-schema/expand.js';
import { effectiveDialect } from '../../../schema/json-schema/keywords.js';
import { listNodes } from '../../../schema/json-schema/walk.js';
import { validate } from '../../../schema/validate/validate.js';
import type { Definition } from './read-definition.js';

/** Each of the two by itself: the one that has no short form stays as it is. */
export function shorten(definition: Definition): Definition {
  const short: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(definition)) {
    const role = key === 'inputSchema' ? 'input' : key === 'outputSchema' ? 'output' : undefined;
    const found = role === undefined || !isMap(value) ? undefined : shortForm(value, role);
    if (found === undefined) short[key] = value;
    else Object.assign(short, found);
  }
  return short;
}

function shortForm(schema: JsonSchemaObject, role: 'input' | 'output'): Definition | undefined {
  // In the short form defaults are filled in, and a call would send what nobody asked for.
  if (listNodes(schema, effectiveDialect(schema)).keywords.has('default')) return undefined;
  const { properties } = schema;
  if (!isMap(properties)) return undefined;
  // An output is always open.
  const isOpen = role === 'output' || schema['additionalProperties'] !== false;
  const nested = role === 'input' ? 'closed' : 'open';
  // Objects of an input are closed where nothing is said; the shorter way to say it changes the order of some.
  for (const isSaid of role === 'input' ? [false, true] : [true]) {
    const written = contractProperties(properties, schema['required'], isSaid);
    const expanded = expandParameters(written, { root: isOpen ? 'open' : 'closed', nested });
    if (JSON.stringify(expanded) !== JSON.stringify(schema)) continue;
    const found: Definition =
      role === 'output'
        ? { output: written }
        : { parameters: written, ...(isOpen ? { additionalParameters: true } : {}) };
    return isAllowed(found, expanded, role) ? found : undefined;
  }
  return undefined;
}

function contractProperties(properties: JsonSchemaObject, required: unknown, isSaid: boolean): JsonSchemaObject {
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  const written = {};
  for (const [name, schema] of Object.entries(properties)) {
    const short = contract(schema, isSaid);
    const long = typeof short === 'string' ? { type: short } : short;
    setOwn(written, name, names.has(name) || !isMap(long) ? short : { ...long, required: false });
  }
  return written;
}

function contract(schema: unknown, isSaid: boolean): unknown {
  if (!isMap(schema)) return schema;
  const keys = Object.keys(schema);
  if (keys.length === 1 && typeof schema['type'] === 'string') return schema['type'];
  const short: Record<string, unknown> = {};
  for (const key of keys) {
    const value = schema[key];
    if (key === 'items') short[key] = contract(value, isSaid);
    else if (key === 'properties' && isMap(value)) short[key] = contractProperties(value, schema['required'], isSaid);
    else if (key === 'x-mcp-header') short['header'] = value;
    else if (!isImplied(key, schema, isSaid)) setOwn(short, key, value);
  }
  return short;
}

/** Which properties are required is said at each of them. */
function isImplied(key: string, schema: JsonSchemaObject, isSaid: boolean): boolean {
  if (!isMap(schema['properties'])) return false;
  return key === 'required' || (key === 'additionalProperties' && schema[key] === false && !isSaid);
}

/** The short form is held to stricter rules. */
function isAllowed(found: Definition, schema: JsonSchemaObject, role: 'input' | 'output'): boolean {
  const site = () => startOf(role);
  const source: SchemaSource = { role, schema, style: 'shorthand', filling: 'never', name: role, site };
  const form = validate('tool', found, { site, find: site, source: () => undefined });
  return ![...form, ...checkSchema(source).diagnostics].some(({ severity }) => severity === 'error');
}
