// Schemas of what is returned. In: converted schemas. Out: pruned ones; each component has one form, made from it alone, which all that return
// it refer to.
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { sharedPrefix } from '../../../schema/json-schema/refs.js';
import type { OutputSchema } from './api.js';
import type { SchemaGraph } from './schema-graph.js';
import type { SchemaNames } from './schema-names.js';
import { type Pruned, prune } from './schema-prune.js';
import { makeShapes } from './schema-shape.js';

export interface OutputSchemas {
  make(schema: JsonSchemaObject): OutputSchema | undefined;
  /** Those that were referred to, by name. */
  readonly shared: ReadonlyMap<string, SharedOutput>;
}

export interface SharedOutput extends OutputSchema {
  readonly pointer: string;
}

/** In characters, with all that it refers to: what clients get for each tool. */
const largestWhole = 10_000;
/** An object with fewer members is described where it is used. */
const fewestMembers = 4;

export function makeOutputSchemas(graph: SchemaGraph, names: SchemaNames): OutputSchemas {
  const read = makeShapes(graph.at);
  const linked = new Map<string, Pruned>();
  const forms = new Map<string, Pruned>();
  const shared = new Map<string, SharedOutput>();

  /** Whether a component is a schema of its own. Nothing but its own members decides. */
  const isOwn = (pointer: string): boolean => read(graph.at(pointer)).members.size >= fewestMembers;

  const refTo = (pointer: string): string | undefined =>
    isOwn(pointer) ? `${sharedPrefix}${names.nameOf(pointer, 'output')}` : undefined;

  /** With references to all components that it may refer to. */
  function linkedForm(pointer: string): Pruned {
    const known = linked.get(pointer) ?? prune(graph.at(pointer), { read, self: pointer, link: refTo });
    linked.set(pointer, known);
    return known;
  }

  /** Where everything together would be too large, it describes the others itself, shortly. */
  function formOf(pointer: string): Pruned {
    const known = forms.get(pointer);
    if (known !== undefined) return known;
    const whole = linkedForm(pointer);
    const made =
      sizeOf(whole) <= largestWhole
        ? whole
        : prune(graph.at(pointer), {
            read,
            self: pointer,
            link: other => (other === pointer ? refTo(other) : undefined),
          });
    forms.set(pointer, made);
    return made;
  }

  function sizeOf(pruned: Pruned): number {
    let { size } = pruned;
    const reached = new Set(pruned.links);
    // What is added meanwhile is counted as well.
    for (const pointer of reached) {
      const form = linkedForm(pointer);
      size += form.size;
      for (const further of form.links) reached.add(further);
    }
    return size;
  }

  /** With all that it refers to: there may be thousands, one behind the other. */
  function share(first: string): void {
    const waiting = new Set([first]);
    for (const pointer of waiting) {
      const name = names.nameOf(pointer, 'output');
      if (shared.has(name)) continue;
      const { schema, cut, links } = formOf(pointer);
      shared.set(name, { pointer, schema, cut });
      for (const other of links) waiting.add(other);
    }
  }

  function make(schema: JsonSchemaObject): OutputSchema | undefined {
    const { types, members, others, items } = read(schema);
    const isObject = types?.has('object') === true && (members.size > 0 || others !== undefined);
    const isList = types?.has('array') === true && items !== undefined && read(items).types !== undefined;
    if (!isObject && !isList) return undefined;
    const whole = prune(schema, { read, link: refTo });
    const made = sizeOf(whole) <= largestWhole ? whole : prune(schema, { read, link: () => undefined });
    for (const pointer of made.links) share(pointer);
    return { schema: made.schema, cut: made.cut };
  }

  return { make, shared };
}
