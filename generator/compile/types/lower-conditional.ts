// In: the keywords that bind a value only under a condition. Out: the properties they name, of which no type is sure.
import type { Path } from '../../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import type { Place } from './lower.js';
import type { Scope } from './scope.js';
import { type PropertyNode, type TypeNode, unknownNode } from './type-node.js';
import { listOf } from './value-types.js';

interface Branch {
  readonly schema: unknown;
  readonly path: Path;
}

/**
 * Names the properties of then, else and dependentSchemas, so that handlers can read and callers can write them. What
 * they hold where the condition fails is not told by the schema, so their type is `unknown`.
 */
export function lowerConditional(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode | undefined {
  const branches = branchesOf(schema, scope);
  const dependent = own(schema, 'dependentRequired') ?? own(schema, 'dependencies');
  if (branches.length === 0) {
    if (isSchemaObject(dependent) && Object.keys(dependent).length > 0) {
      scope.widen(place.path, 'types cannot say which properties require others');
    }
    return undefined;
  }
  const found = new Map<string, PropertyNode>();
  for (const { schema: branch, path } of branches) {
    scope.widen([...place.path, ...path], 'types cannot follow conditions');
    collect(branch, [...place.path, ...path], { found, scope, seen: new Set() });
  }
  return found.size === 0 ? undefined : { kind: 'object', properties: [...found.values()], indexes: [] };
}

function branchesOf(schema: JsonSchemaObject, { dialect }: Scope): Branch[] {
  const branches: Branch[] = [];
  const add = (branch: unknown, path: Path): void => {
    if (isSchemaObject(branch)) branches.push({ schema: branch, path });
  };
  if (Object.hasOwn(schema, 'if')) {
    add(own(schema, 'then'), ['then']);
    add(own(schema, 'else'), ['else']);
  }
  for (const keyword of dialect === 'draft-07' ? ['dependencies'] : ['dependentSchemas', 'dependencies']) {
    const members = own(schema, keyword);
    if (!isSchemaObject(members)) continue;
    for (const name of Object.keys(members)) add(members[name], [keyword, name]);
  }
  return branches;
}

interface Search {
  readonly found: Map<string, PropertyNode>;
  readonly scope: Scope;
  readonly seen: Set<JsonSchemaObject>;
}

const mostSchemas = 100;

function collect(schema: unknown, path: Path, search: Search): void {
  const { found, scope, seen } = search;
  if (!isSchemaObject(schema) || seen.has(schema) || seen.size > mostSchemas) return;
  seen.add(schema);
  const properties = own(schema, 'properties');
  if (isSchemaObject(properties)) {
    for (const name of Object.keys(properties)) {
      const property = properties[name];
      if (found.has(name) || property === false) continue;
      const docs = isSchemaObject(property) ? [property] : [];
      found.set(name, { name, type: unknownNode, optional: true, path: [...path, 'properties', name], docs });
    }
  }
  for (const { target } of scope.refsOf(schema)) {
    if (target.kind === 'found') collect(target.schema, target.path, search);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    listOf(schema, keyword).forEach((member, index) => {
      collect(member, [...path, keyword, index], search);
    });
  }
  for (const { schema: branch, path: keys } of branchesOf(schema, scope)) collect(branch, [...path, ...keys], search);
}
