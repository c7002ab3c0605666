// The schemas of an import. In: an API, and schemas of its operations. Out: JSON Schema of 2020-12 for tools, and the shared schemas that they
// refer to. What nobody asks for is not even read.
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { byCodePoint } from '../../../schema/names.js';
import type { Api, BrokenRef, Placed, SchemaBook, SharedItem } from './api.js';
import { brokenRefOf } from './schema-convert.js';
import { type Ignored, openSchemaGraph, partsOf } from './schema-graph.js';
import { makeInputSchemas } from './schema-input.js';
import { makeSchemaNames } from './schema-names.js';
import { makeOutputSchemas } from './schema-output.js';
import { makeSizes } from './schema-size.js';

/**
 * Opens the book of the schemas of an API.
 *
 * @example makeSchemaBook(api).input(parameter.schema) // { type: 'string', description: 'Key of the issue' }
 */
export function makeSchemaBook(api: Api): SchemaBook {
  const found: Ignored[] = [];
  const graph = openSchemaGraph(api, one => found.push(one));
  const names = makeSchemaNames(api);
  const inputs = makeInputSchemas(graph, names);
  const outputs = makeOutputSchemas(graph, names);
  const sizes = makeSizes();
  const definitionOf = (name: string): JsonSchemaObject | undefined =>
    inputs.shared.get(name)?.schema ?? outputs.shared.get(name)?.schema;

  function broken(placed: Placed): BrokenRef | undefined {
    const schema = graph.read(placed);
    // All that it refers to is read by then.
    inputs.link(schema);
    return graph.hasBroken() ? findBroken(schema) : undefined;
  }

  /** What is meant first is looked at first, and there may be thousands behind each other. */
  function findBroken(whole: JsonSchemaObject): BrokenRef | undefined {
    const passed = new Set<JsonSchemaObject>();
    const waiting = [whole];
    for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
      if (passed.has(schema) || schema['readOnly'] === true) continue;
      passed.add(schema);
      const here = brokenRefOf(schema);
      if (here !== undefined) return here;
      const { $ref: ref } = schema;
      waiting.push(...[...partsOf(schema)].reverse());
      if (typeof ref === 'string') waiting.push(graph.at(ref));
    }
    return undefined;
  }

  function shared(used?: Iterable<JsonSchemaObject>): readonly SharedItem[] {
    const items: SharedItem[] = [
      ...[...inputs.shared].map(([name, { pointer, schema }]) => ({
        ...{ name, pointer, definition: schema, cut: [] },
        form: 'input' as const,
      })),
      ...[...outputs.shared].map(([name, { pointer, schema, cut }]) => ({
        ...{ name, pointer, definition: schema, cut },
        form: 'output' as const,
      })),
    ].sort((one, other) => byCodePoint(one.name, other.name));
    if (used === undefined) return items;
    const reached = new Set<string>();
    for (const schema of used) for (const name of sizes.reach(schema, definitionOf)) reached.add(name);
    return items.filter(({ name }) => reached.has(name));
  }

  return {
    input: placed => inputs.link(graph.read(placed)),
    inputMembers: placed => inputs.members(graph.read(placed)),
    broken,
    output: placed => outputs.make(graph.read(placed)),
    size: schema => sizes.whole(schema, definitionOf),
    definition: definitionOf,
    shared,
    diagnostics: (): readonly Diagnostic[] =>
      found.map(({ pointer, what, reason }) =>
        diagnose('import/ignored', { what, reason }, api.site(pointer), { severity: 'info' }),
      ),
  };
}
