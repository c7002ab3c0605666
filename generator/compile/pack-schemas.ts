// The editor schemas of this very pack. In: a program and the published schemas of this package. Out: the same schemas, which also
// complete the pack's own names. They refuse exactly what the published ones refuse: names are only suggested.

import { readFileSync } from 'node:fs';
import { isBelow, joinPath } from '../../runtime/load/folder.js';
import { packageFile } from '../../runtime/load/own-package.js';
import type { Program } from '../../runtime/load/program.js';
import { isOfKind } from '../../schema/backend/calls.js';
import { asMap, isMap } from '../../schema/document.js';
import { sharedPrefix } from '../../schema/json-schema/refs.js';
import { byCodePoint } from '../../schema/names.js';
import { type KindReference, readKind } from '../../schema/reference/read-kind.js';

/** Every published schema by file name without ending. */
export const schemaNames = [
  'pack',
  'server',
  'tool',
  'prompt',
  'resource',
  'schema',
  'servers',
  'tools',
  'prompts',
  'resources',
  'schemas',
  'overlay',
  'overlays',
] as const;

/** Where a schema is installed. */
export function schemaPath(name: string): URL {
  return packageFile(`schema/${name}.schema.json`);
}

/**
 * What a kind of file may say, key by key. A combined file is a map of definitions: its keys are those of one definition.
 *
 * @example readReference('tools').kind // 'tool'
 */
export function readReference(name: (typeof schemaNames)[number]): KindReference {
  const kind = name.replace(/s$/, '');
  return readKind(kind, readSchema(kind));
}

/** The names of a pack that its manifests can refer to. Equal vocabularies give equal schemas. */
interface Vocabulary {
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
  readonly servers: readonly string[];
  readonly schemas: readonly string[];
  /** Name and description. */
  readonly config: readonly (readonly [string, string])[];
  readonly errors: readonly string[];
  /** Names of the options that overlays can set. */
  readonly options: readonly string[];
  readonly tags: readonly string[];
  /** By the key of items that use them. */
  readonly backends: Readonly<Record<'http' | 'sql' | 'mcp', readonly string[]>>;
  /** Parameters of tools without code, as placeholders name them. */
  readonly arguments: readonly string[];
}

/** What a pack calls its things, each list sorted. */
export function vocabularyOf(program: Program): Vocabulary {
  const sort = (names: Iterable<string>): readonly string[] => [...new Set(names)].filter(isSafe).sort(byCodePoint);
  const items = (list: readonly { readonly item: string }[]): readonly string[] => sort(list.map(({ item }) => item));
  const keys = (field: 'errors' | 'options'): readonly string[] =>
    sort(program.tools.flatMap(({ definition }) => Object.keys(definition[field] ?? {})));
  const backends = Object.entries(program.pack.backends ?? {});
  const backendsOf = (kind: 'http' | 'sql' | 'mcp'): readonly string[] =>
    sort(backends.flatMap(([name, one]) => (isOfKind(one, kind) ? [name] : [])));
  return {
    backends: { http: backendsOf('http'), sql: backendsOf('sql'), mcp: backendsOf('mcp') },
    arguments: sort(
      program.tools.flatMap(({ handler, inputSchema }) =>
        handler === undefined ? Object.keys(asMap(inputSchema['properties'])) : [],
      ),
    ),
    tools: items(program.tools),
    prompts: items(program.prompts),
    resources: items(program.resources),
    servers: items(program.servers),
    schemas: items(program.schemas),
    config: Object.entries(program.pack.config)
      .map(([name, { description }]) => [name, description ?? ''] as const)
      .filter(([name]) => isSafe(name))
      .sort(([a], [b]) => byCodePoint(a, b)),
    errors: keys('errors'),
    options: keys('options'),
    tags: sort(
      [...program.tools, ...program.prompts, ...program.resources].flatMap(({ definition }) => definition.tags ?? []),
    ),
  };
}

/**
 * A name such as `constructor` is a fine name of an item, but the YAML language server loses its whole list over one
 * (1.25 looks labels up in an object), and validators that do not ask for own properties find it in every map.
 */
function isSafe(name: string): boolean {
  return !Object.hasOwn(Object.prototype, name);
}

interface PackSchema {
  /** Relative to the pack, such as `generated/schema/tool.schema.json`. */
  readonly path: string;
  /** Equal ones give equal texts. */
  readonly inputs: readonly unknown[];
  print(): string;
}

/**
 * The editor schemas of a pack, none of them printed yet: most runs change none of them.
 *
 * @example listPackSchemas(program)[0]?.path // 'generated/schema/pack.schema.json'
 */
export function listPackSchemas(program: Program): readonly PackSchema[] {
  const names = vocabularyOf(program);
  return schemaNames.map(kind => ({
    path: joinPath(program.pack.generated, 'schema', `${kind}.schema.json`),
    inputs: [kind, names],
    print: () => printJson(withHeader(addNames(kind, readSchema(kind), names))),
  }));
}

function readSchema(kind: string): JsonMap {
  return JSON.parse(readFileSync(schemaPath(kind), 'utf8')) as JsonMap;
}

/** Schemas for editors are of use to the author only: no compiler reads them, and no package needs them. */
export function isEditorSchema(path: string, { pack }: Program): boolean {
  return isBelow(path, joinPath(pack.generated, 'schema'));
}

/** JSON has no comments; `$comment` is what schemas have instead. */
function withHeader({ $schema, ...rest }: JsonMap): JsonMap {
  return { $schema, $comment: 'Generated by toolwright from toolwright.yaml. Do not edit.', ...rest };
}

/** A line for each property and definition: differences stay readable, and the files a third smaller than indented ones. */
function printJson(value: JsonMap): string {
  const lines = Object.entries(value).map(([key, part]) => {
    if (!isMap(part) || Object.keys(part).length === 0) return `  ${JSON.stringify(key)}: ${JSON.stringify(part)}`;
    const inner = Object.entries(part).map(([name, one]) => `    ${JSON.stringify(name)}: ${JSON.stringify(one)}`);
    return `  ${JSON.stringify(key)}: {\n${inner.join(',\n')}\n  }`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

// Where the names of a pack stand in a schema. In: a published schema and the names. Out: the schema with suggestions.
type JsonMap = Readonly<Record<string, unknown>>;

type Change = (schema: JsonMap) => JsonMap;

/** Kind of a definition -> what its names complete. Each path must exist: a published schema that moved is a bug here. */
type Suggestions = Readonly<Record<string, readonly (readonly [path: readonly string[], change: Change])[]>>;

function suggestionsOf(names: Vocabulary): Suggestions {
  const { tools, prompts, resources, schemas, config, errors, options, tags } = names;
  const variables = config.map(([name]) => name);
  const lists: Suggestions[string] = [
    [['properties', 'tools', 'items'], suggest(tools)],
    [['properties', 'prompts', 'items'], suggest(prompts)],
    [['properties', 'resources', 'items'], suggest(resources)],
  ];
  const conditions: Suggestions[string] = [[['properties', 'when'], addKeys(config)]];
  const references: Suggestions[string] = [
    [['properties', '$ref'], suggest(schemas.map(name => `${sharedPrefix}${name}`))],
  ];
  const keys = variables.map(name => `config.${name}`);
  const sources = keys.length === 0 ? [] : [...keys, 'auth.sub', 'auth.clientId'];
  const tagged: Suggestions[string] = [[['properties', 'tags', 'items'], suggest(tags)]];
  return {
    server: lists,
    serverDeclaration: lists,
    tagSelector: [[['properties', 'tag'], suggest(tags)], ...conditions],
    itemSelector: conditions,
    bearerAuth: [[['properties', 'env'], suggest(variables)]],
    tool: [[['properties', 'requires'], addKeys(config)], ...tagged, ...conditions],
    parameter: [...references, [['properties', 'from'], suggest(sources)]],
    jsonSchema: references,
    schema: references,
    prompt: [...tagged, ...conditions],
    resource: [...tagged, ...conditions],
    example: [[['properties', 'error'], suggest(errors)]],
    ...backendSuggestions(names, variables),
    overlay: [[['properties', 'options'], addKeys(options.map(name => [name, '']))]],
  };
}

/** Names of backends, keys of `config` and placeholders, where they may stand. */
function backendSuggestions({ backends, arguments: names }: Vocabulary, variables: readonly string[]): Suggestions {
  const settings = suggest(variables.map(name => `{config.${name}}`));
  const keys = suggest(variables);
  const values = suggest(names.map(name => `{${name}}`));
  const either = suggest([...names.map(name => `{${name}}`), ...variables.map(name => `{config.${name}}`)]);
  const inside = (key: string, change: Change): Suggestions[string][number] => [
    ['properties', key, 'additionalProperties'],
    change,
  ];
  const named = (kind: keyof Vocabulary['backends']): Suggestions[string][number] => [
    ['properties', 'backend'],
    suggest(backends[kind]),
  ];
  return {
    httpBackend: [[['properties', 'url'], settings], inside('headers', settings)],
    sqlBackend: [[['properties', 'url'], settings]],
    mcpBackend: [
      [['properties', 'url'], settings],
      [['properties', 'cwd'], settings],
      inside('headers', settings),
      inside('env', settings),
    ],
    backendAuth: [
      [['properties', 'bearer'], keys],
      [['properties', 'basic', 'items'], keys],
      [['properties', 'value'], keys],
    ],
    clientCredentials: [
      [['properties', 'id'], keys],
      [['properties', 'secret'], keys],
    ],
    httpCall: [
      named('http'),
      ...['query', 'cookies', 'form', 'multipart'].map(key => inside(key, values)),
      inside('headers', either),
      [['properties', 'url'], values],
    ],
    sqlCall: [named('sql')],
    mcpCall: [named('mcp')],
    execCall: [
      [['properties', 'args', 'items'], values],
      [['properties', 'cwd'], settings],
      [['properties', 'stdin'], values],
      inside('env', either),
    ],
    execCondition: [[['properties', 'if'], suggest(names)]],
  };
}

/** Adds the names of a pack to a published schema: to its root, and to the definitions inside it. */
function addNames(kind: string, schema: JsonMap, names: Vocabulary): JsonMap {
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
