// In: an output schema. Out: the members that it names at its root: what a handler returned is read by them.
import type { JsonSchema } from '../../schema/definitions.js';
import { type JsonSchemaObject, own, ownMap } from '../../schema/json-schema/keywords.js';
import { makeSchemaFinder } from '../../schema/json-schema/schemas-at.js';

export interface OutputMembers {
  /** Whether the schema names a member: the value's meaning is then the schema's business. */
  names(member: string): boolean;
  /** Members that are lists. */
  readonly lists: readonly string[];
}

const nothing: OutputMembers = { names: () => false, lists: [] };

/** Schemas are not changed, and asked about with every call. */
const known = new WeakMap<JsonSchema, OutputMembers>();

/**
 * What a schema names, in any of its alternatives and behind references.
 *
 * @example outputMembers({ type: 'object', properties: { content: {} } }).names('content') // true
 */
export function outputMembers(schema: JsonSchema | undefined): OutputMembers {
  if (schema === undefined) return nothing;
  const members = known.get(schema) ?? findMembers(schema);
  known.set(schema, members);
  return members;
}

function findMembers(schema: JsonSchema): OutputMembers {
  const finder = makeSchemaFinder(schema);
  const roots = finder.at([]);
  const properties = new Set(roots.flatMap(root => Object.keys(ownMap(root, 'properties'))));
  const named = new Set([...properties, ...roots.flatMap(namedElsewhere)]);
  const patterns = roots.flatMap(root => Object.keys(ownMap(root, 'patternProperties'))).flatMap(toRegex);
  return {
    names: member => named.has(member) || patterns.some(pattern => pattern.test(member)),
    lists: [...properties].filter(name => finder.at([name]).some(isList)),
  };
}

function namedElsewhere(schema: JsonSchemaObject): readonly string[] {
  const required = own(schema, 'required');
  const lists = [required, ...Object.values(ownMap(schema, 'dependentRequired'))];
  return lists.flatMap(list => (Array.isArray(list) ? list.filter(name => typeof name === 'string') : []));
}

function toRegex(pattern: string): readonly RegExp[] {
  try {
    return [new RegExp(pattern, 'u')];
  } catch {
    return [];
  }
}

function isList(schema: JsonSchemaObject): boolean {
  const type = own(schema, 'type');
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}
