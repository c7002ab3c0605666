// In: the keywords of a schema that speak of objects. Out: an object type.
import { isInheritedName } from '../../../schema/json-schema/inherited-names.js';
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { anyOfTypes, below, lower, type Place } from './lower.js';
import { type Further, lowerPatterns, makeIndexes, typeOfUnnamed } from './lower-index.js';
import type { Scope } from './scope.js';
import { emptyRecord, isInherited, type PropertyNode, type TypeNode } from './type-node.js';
import { listOf, valueTypes } from './value-types.js';

const objectKeywords = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
] as const;

export function saysOfObjects(schema: JsonSchemaObject): boolean {
  return objectKeywords.some(keyword => Object.hasOwn(schema, keyword));
}

/**
 * Objects that are merely open get no index signature: it would hide typing mistakes from those who read and write
 * them. TypeScript then complains of further properties in literals, but not of values that have them.
 */
export function lowerObject(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode {
  const further = furtherOf(schema, place, scope);
  const named = lowerNamed(schema, place, scope);
  const patterns = lowerPatterns(schema, place, scope);
  const missing = listOf(schema, 'required').filter(
    (name): name is string => typeof name === 'string' && !named.some(property => property.name === name),
  );
  for (const name of new Set(missing)) {
    named.push({
      name,
      type: typeOfUnnamed(name, patterns, further),
      optional: place.filled.has(name),
      path: [...place.path, 'required', listOf(schema, 'required').indexOf(name)],
      docs: [],
    });
  }
  if (named.length === 0 && patterns.length === 0 && further.kind !== 'typed') {
    return further.kind === 'closed' ? emptyRecord : anyOfTypes(valueTypes.object, scope);
  }
  return { kind: 'object', properties: named, indexes: makeIndexes(named, patterns, further) };
}

function lowerNamed(schema: JsonSchemaObject, place: Place, scope: Scope): PropertyNode[] {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties)) return [];
  const required = new Set(listOf(schema, 'required'));
  return Object.keys(properties).map(name => {
    const property = properties[name];
    const at = below(place, 'properties', name);
    const isRequired = required.has(name) && !place.filled.has(name);
    const optional = isOptional({ name, property, isRequired, fill: place.fill }, scope);
    if (isInherited({ name, optional })) {
      scope.widen(
        at.path,
        'every object inherits something of this name, which is there where the property is missing',
      );
    }
    return { name, type: lower(property, at, scope), optional, path: at.path, docs: docsOf(property, scope) };
  });
}

interface Presence {
  readonly name: string;
  readonly property: unknown;
  readonly isRequired: boolean;
  readonly fill: boolean;
}

/** Where defaults are filled in before anything is validated, callers may leave out even what is required. */
function isOptional({ name, property, isRequired, fill }: Presence, { mode, spares }: Scope): boolean {
  const hasDefault = isSchemaObject(property) && Object.hasOwn(property, 'default');
  switch (mode) {
    case 'args':
      // What is inherited passes for given, so that validators do not fill it in.
      return !isRequired && !(hasDefault && fill && !isInheritedName(name));
    case 'input':
      return !isRequired || (hasDefault && spares);
    case 'output':
      return !isRequired;
    default:
      return mode satisfies never;
  }
}

/** A property described by a reference alone is described by what it leads to. */
function docsOf(schema: unknown, scope: Scope): JsonSchemaObject[] {
  if (!isSchemaObject(schema)) return [];
  const docs = [schema];
  for (const { target } of scope.refsOf(schema)) {
    if (target.kind === 'found' && isSchemaObject(target.schema)) docs.push(target.schema);
  }
  return docs;
}

function furtherOf(schema: JsonSchemaObject, place: Place, scope: Scope): Further {
  let keyword = 'additionalProperties';
  let value = own(schema, keyword);
  if (value === undefined && scope.dialect !== 'draft-07' && Object.hasOwn(schema, 'unevaluatedProperties')) {
    keyword = 'unevaluatedProperties';
    value = own(schema, keyword);
    const isAlone = !composing.some(one => Object.hasOwn(schema, one)) && scope.refsOf(schema).length === 0;
    if (!isAlone) {
      if (isSchemaObject(value)) {
        scope.widen([...place.path, keyword], 'types cannot say which properties the schemas beside it leave over');
      }
      return { kind: 'open' };
    }
  }
  if (value === false) return { kind: 'closed' };
  if (value === true) return scope.mode === 'args' ? { kind: 'open' } : { kind: 'welcome' };
  if (!isSchemaObject(value)) return { kind: 'open' };
  const type = lower(value, below(place, keyword), scope);
  return type.kind === 'never' ? { kind: 'closed' } : { kind: 'typed', type };
}

const composing = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];
