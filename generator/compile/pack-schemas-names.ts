// Where the names of a pack stand in a schema. In: a published schema and the names. Out: the schema with suggestions.
import { isMap } from '../../schema/document.js';
import type { Vocabulary } from './pack-schemas.js';

export type JsonMap = Readonly<Record<string, unknown>>;

type Change = (schema: JsonMap) => JsonMap;

/** Kind of a definition -> what its names complete. Each path must exist: a published schema that moved is a bug here. */
type Suggestions = Readonly<Record<string, readonly (readonly [path: readonly string[], change: Change])[]>>;

function suggestionsOf(names: Vocabulary): Suggestions {
  const { tools, prompts, resources, config, errors, options, tags } = names;
  const variables = config.map(([name]) => name);
  return {
    server: [
      [['properties', 'tools', 'items'], suggest(tools)],
      [['properties', 'prompts', 'items'], suggest(prompts)],
      [['properties', 'resources', 'items'], suggest(resources)],
    ],
    tagSelector: [[['properties', 'tag'], suggest(tags)]],
    bearerAuth: [[['properties', 'env'], suggest(variables)]],
    tool: [
      [['properties', 'requires'], addKeys(config)],
      [['properties', 'tags', 'items'], suggest(tags)],
    ],
    prompt: [[['properties', 'tags', 'items'], suggest(tags)]],
    resource: [[['properties', 'tags', 'items'], suggest(tags)]],
    example: [[['properties', 'error'], suggest(errors)]],
    serverDeclaration: [
      [['properties', 'tools', 'items'], suggest(tools)],
      [['properties', 'prompts', 'items'], suggest(prompts)],
      [['properties', 'resources', 'items'], suggest(resources)],
    ],
    overlay: [[['properties', 'options'], addKeys(options.map(name => [name, '']))]],
  };
}

/** Adds the names of a pack to a published schema: to its root, and to the definitions inside it. */
export function addNames(kind: string, schema: JsonMap, names: Vocabulary): JsonMap {
  const suggestions = suggestionsOf(names);
  const apply = (name: string, definition: JsonMap): JsonMap => {
    const changes = Object.hasOwn(suggestions, name) ? (suggestions[name] ?? []) : [];
    return changes.reduce((changed, [path, change]) => update(changed, path, change), definition);
  };
  const definitions = isMap(schema['definitions']) ? schema['definitions'] : {};
  const changed = Object.entries(definitions).map(([name, definition]) => {
    if (!isMap(definition)) throw new Error(`the definition ${name} is not an object`);
    return [name, apply(name, definition)] as const;
  });
  const root = apply(kind, schema);
  const patched = kind === 'overlays' ? addItems(root, names) : root;
  return { ...patched, definitions: Object.fromEntries(changed) };
}

/** Keys of a combined overlay: every item can be patched. */
function addItems(schema: JsonMap, { servers, tools, prompts, resources }: Vocabulary): JsonMap {
  const items = [...new Set([...tools, ...prompts, ...resources, ...servers])];
  return addKeys(items.map(name => [name, '']))(schema);
}

/** `examples` are offered and never required. */
function suggest(names: readonly string[]): Change {
  return schema => (names.length === 0 ? schema : { ...schema, examples: names });
}

/** Names the keys of an open map. Each has the schema that it had before, when it fell under `additionalProperties`. */
function addKeys(keys: readonly (readonly [name: string, description: string])[]): Change {
  return schema => {
    const values = schema['additionalProperties'];
    const known = isMap(schema['properties']) ? schema['properties'] : {};
    if (!isMap(values)) throw new Error('the map has no schema for its values');
    const added = keys
      .filter(([name]) => !Object.hasOwn(known, name))
      .map(([name, description]) => [name, describe(values, description)] as const);
    return added.length === 0 ? schema : { ...schema, properties: { ...known, ...Object.fromEntries(added) } };
  };
}

/** All types there are: no restriction, but editors insert a key without its colon where none is listed. */
const everyType = ['string', 'number', 'boolean', 'object', 'array', 'null'];

function describe(values: JsonMap, description: string): JsonMap {
  const typed = Object.keys(values).length === 0 ? { type: everyType } : values;
  return description === '' ? typed : { ...typed, description };
}

function update(schema: JsonMap, path: readonly string[], change: Change): JsonMap {
  const [step, ...rest] = path;
  if (step === undefined) return change(schema);
  const below = Object.hasOwn(schema, step) ? schema[step] : undefined;
  if (!isMap(below)) throw new Error(`the schema has no ${step}`);
  return { ...schema, [step]: update(below, rest, change) };
}
