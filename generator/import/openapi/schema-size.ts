// How large schemas are. In: schemas that share parts of themselves. Out: characters of JSON, each part counted once however many ask for it.
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { sharedName } from '../../../schema/json-schema/refs.js';
import { partsOf } from './schema-graph.js';

export interface Sizes {
  /** Of the schema alone. */
  own(schema: unknown): number;
  /** With all shared schemas that it reaches. */
  whole(schema: JsonSchemaObject, find: Find): number;
  /** The names of these. */
  reach(schema: JsonSchemaObject, find: Find): ReadonlySet<string>;
}

/** A shared schema by its name. */
type Find = (name: string) => JsonSchemaObject | undefined;

export function makeSizes(): Sizes {
  const sizes = new WeakMap<object, number>();
  const names = new WeakMap<object, readonly string[]>();

  function own(value: unknown): number {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' ? value.length + 2 : String(value).length;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    let size = 1;
    if (Array.isArray(value)) for (const one of value) size += own(one) + 1;
    else for (const [key, one] of Object.entries(value)) size += key.length + 4 + own(one);
    sizes.set(value, size);
    return size;
  }

  function reach(schema: JsonSchemaObject, find: Find): ReadonlySet<string> {
    const reached = new Set(namesOf(schema));
    // What is added meanwhile is looked at as well.
    for (const name of reached) {
      const target = find(name);
      if (target !== undefined) for (const further of namesOf(target)) reached.add(further);
    }
    return reached;
  }

  function whole(schema: JsonSchemaObject, find: Find): number {
    let size = own(schema);
    for (const name of reach(schema, find)) size += own(find(name)) + name.length;
    return size;
  }

  function namesOf(schema: JsonSchemaObject): readonly string[] {
    const known = names.get(schema);
    if (known !== undefined) return known;
    const found = new Set<string>();
    const name = sharedName(schema['$ref']);
    if (name !== undefined) found.add(name);
    for (const part of partsOf(schema)) for (const one of namesOf(part)) found.add(one);
    const made = [...found];
    names.set(schema, made);
    return made;
  }

  return { own, reach, whole };
}
