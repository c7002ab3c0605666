// In: a schema and the way to a part of a value. Out: every schema that may describe this part, for hints to people.
import type { Path } from '../document.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import { indexRefs, type RefIndex, type RefKeyword } from './refs.js';

export interface SchemaFinder {
  /** Those at a path, with everything that they refer to and every alternative. */
  at(path: Path, from?: unknown): readonly JsonSchemaObject[];
  /** One schema and what holds together with it: references and `allOf`, but no alternatives. */
  together(schema: unknown): readonly JsonSchemaObject[];
}

/** A schema made to keep a search busy gets an incomplete hint, and so does what lies hundreds of levels down. */
const mostSchemas = 2_000;
const mostVisited = 200_000;

const referring: readonly RefKeyword[] = ['$ref', '$dynamicRef', '$recursiveRef'];
const alternatives = ['anyOf', 'oneOf'] as const;
const conditional = ['then', 'else'] as const;

/**
 * Finds schemas inside one document. Nothing is looked at before the first question.
 *
 * @example makeSchemaFinder(schema).at(['filter', 'state']).flatMap(({ enum: allowed }) => allowed)
 */
export function makeSchemaFinder(root: JsonSchemaObject): SchemaFinder {
  let refs: RefIndex | undefined;
  let visited = 0;
  const spread = (from: Iterable<unknown>, how: 'all' | 'together'): readonly JsonSchemaObject[] => {
    const found = new Set<JsonSchemaObject>();
    const waiting = [...from];
    for (let at = 0; at < waiting.length && found.size < mostSchemas && visited < mostVisited; at += 1) {
      visited += 1;
      const schema = waiting[at];
      if (!isSchemaObject(schema) || found.has(schema)) continue;
      found.add(schema);
      for (const keyword of referring) {
        const ref = own(schema, keyword);
        if (typeof ref !== 'string') continue;
        refs ??= indexRefs(root);
        const target = refs.resolve(ref, schema, keyword);
        if (target.kind === 'found') waiting.push(target.schema);
      }
      waiting.push(...listOf(own(schema, 'allOf')));
      if (how === 'together') continue;
      for (const keyword of alternatives) waiting.push(...listOf(own(schema, keyword)));
      for (const keyword of conditional) waiting.push(own(schema, keyword));
      waiting.push(...valuesOf(own(schema, 'dependentSchemas')));
    }
    return [...found];
  };
  return {
    at: (path, from = root) => {
      let level = spread([from], 'all');
      for (const key of path) {
        level = spread(
          level.flatMap(schema => childrenOf(schema, key)),
          'all',
        );
      }
      return level;
    },
    together: schema => spread([schema], 'together'),
  };
}

function childrenOf(schema: JsonSchemaObject, key: string | number): readonly unknown[] {
  if (typeof key === 'number') {
    const items = own(schema, 'items');
    const tuple = [...listOf(own(schema, 'prefixItems')), ...listOf(items)];
    if (tuple[key] !== undefined) return [tuple[key]];
    return [items, own(schema, 'additionalItems'), own(schema, 'unevaluatedItems')];
  }
  const properties = own(schema, 'properties');
  if (isSchemaObject(properties) && Object.hasOwn(properties, key)) return [properties[key]];
  const others = [own(schema, 'additionalProperties'), own(schema, 'unevaluatedProperties')];
  return [...valuesOf(own(schema, 'patternProperties')), ...others];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function valuesOf(value: unknown): readonly unknown[] {
  return isSchemaObject(value) ? Object.values(value) : [];
}
