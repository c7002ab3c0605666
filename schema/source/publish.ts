// The schemas that editors read. In: the definitions. Out: one self-contained draft-07 document per kind of file.
import { definitions } from './definitions.js';
import {
  documented,
  type Fields,
  itemKey,
  keysFollow,
  qualifiedItemKey,
  type Rule,
  type Schema,
  snippet,
  use,
} from './shape.js';
import { schemaKey } from './traits.js';

// What an author starts a definition from: snippets for whole items. They stand in files of the kind only,
// because inside other files an item needs a name as well.

const types = '|string,integer,number,boolean,array,object|';

/** Kind -> snippets of a new item. */
const starters: Readonly<Record<string, readonly Schema[]>> = {
  pack: [
    snippet('pack', 'A pack with one server and one tool', {
      name: '${1:publisher/pack}',
      version: '${2:0.1.0}',
      servers: ['${3:server-name}'],
      tools: ['${4:tool-name}'],
    }),
  ],
  server: [
    snippet('server', 'A server over stdio', { description: '${1:What it is for}', tools: ['${2:tool-name}'] }),
    snippet('http server', 'A server over HTTP with a token', {
      description: '${1:What it is for}',
      transport: 'http',
      http: { port: '${2:3000}' },
      auth: { type: 'bearer', env: '${3:MCP_TOKEN}' },
    }),
  ],
  tool: [
    snippet('tool', 'A tool with one parameter', {
      description: '${1:What it does and returns}',
      effect: '${2|read,write,destructive|}',
      parameters: { '${3:name}': { type: `\${4${types}}`, description: '${5:What it means}' } },
    }),
    snippet('tool with output', 'A tool with structured output and an example', {
      description: '${1:What it does and returns}',
      effect: '${2|read,write,destructive|}',
      parameters: { '${3:name}': { type: `\${4${types}}`, description: '${5:What it means}' } },
      output: { '${6:result}': `\${7${types}}` },
      examples: [{ name: '${8:what it shows}', input: { '${3:name}': '${9:value}' } }],
    }),
  ],
  prompt: [
    snippet('prompt', 'A template with one argument', {
      description: '${1:What it is for}',
      arguments: { '${2:name}': { description: '${3:What it means}', required: true } },
      text: '${4:text}',
    }),
  ],
  resource: [
    snippet('resource', 'A file with an address', {
      uri: '${1:scheme://path}',
      description: '${2:What it holds}',
      file: '${3:docs/file.md}',
    }),
    snippet('resource template', 'A family of addresses', {
      uriTemplate: '${1:scheme://path/{id\\}}',
      description: '${2:What it holds}',
      mimeType: '${3:application/json}',
    }),
  ],
  schema: [
    snippet('schema', 'A shared object with one key', {
      description: '${1:What it describes}',
      type: 'object',
      properties: { '${2:name}': { type: `\${3${types}}`, description: '${4:What it means}' } },
      required: ['${2:name}'],
    }),
  ],
  overlay: [snippet('overlay', 'A different description', { description: '${1:What the model should read}' })],
};

/** Numbers of the cursor stops, one up: the first place is taken by the name. */
function shift(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{(\d+)/g, (_, stop: string) => `\${${Number(stop) + 1}`);
  if (Array.isArray(value)) return value.map(shift);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shift(key), shift(one)]));
}

/** The same snippets for a combined file: an item name, and the item under it. */
function namedStarters(kind: string): readonly Schema[] {
  return (starters[kind] ?? []).map(one => ({ ...one, body: { '${1:item-name}': shift(one['body']) } }));
}

const draft = 'http://json-schema.org/draft-07/schema#';

const prefix = '#/definitions/';

/** Names of the definitions that a schema points to, directly. */
function pointers(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(pointers);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value.slice(prefix.length)] : pointers(value),
  );
}

function definitionOf(name: string): Schema {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition === undefined) throw new Error(`no definition ${name}`);
  return definition;
}

/** All that a schema needs, in the order of `definitions`. */
function closure(schema: Schema): Fields {
  const needed = new Set<string>();
  const queue = pointers(schema);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    queue.push(...pointers(definitionOf(name)));
  }
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => needed.has(name)));
}

function publish(root: Schema, changed: Fields = {}): Schema {
  return { $schema: draft, ...root, definitions: { ...closure(root), ...changed } };
}

/** A file with one item. */
function single(kind: string): Schema {
  return publish({ ...definitionOf(kind), defaultSnippets: starters[kind] });
}

interface Combined {
  readonly title: string;
  readonly kind: string;
  readonly example: string;
  readonly rule: Rule;
}

/** A combined file: item name -> definition. */
function combined({ title, kind, example, rule }: Combined): Schema {
  const root = {
    title,
    ...documented(`All ${title.toLowerCase()} in a pack, in one file, by item name.`, example),
    type: 'object',
    properties: { $schema: schemaKey(`${kind}s`, '..') },
    additionalProperties: use(kind),
    ...keysFollow(rule),
    defaultSnippets: namedStarters(kind),
  };
  return publish(root, { [kind]: { ...definitionOf(kind), defaultSnippets: starters[kind] } });
}

/** File name without ending -> schema. */
export const published: Fields = {
  pack: single('pack'),
  server: single('server'),
  tool: single('tool'),
  prompt: single('prompt'),
  resource: single('resource'),
  schema: single('schema'),
  overlay: single('overlay'),
  servers: combined({
    title: 'Servers',
    kind: 'server',
    example: 'project-management:\n  tools: [get-issue]',
    rule: itemKey,
  }),
  tools: combined({
    title: 'Tools',
    kind: 'tool',
    example: 'get-issue:\n  description: Get an issue by its key.',
    rule: itemKey,
  }),
  prompts: combined({
    title: 'Prompts',
    kind: 'prompt',
    example: 'issue-text:\n  text: Write an issue.',
    rule: itemKey,
  }),
  resources: combined({
    title: 'Resources',
    kind: 'resource',
    example: 'workflow:\n  uri: doc://workflow\n  file: docs/workflow.md',
    rule: itemKey,
  }),
  schemas: combined({
    title: 'Schemas',
    kind: 'schema',
    example: 'issue:\n  type: object\n  properties: { key: { type: string } }',
    rule: itemKey,
  }),
  overlays: combined({
    title: 'Overlays',
    kind: 'overlay',
    example: 'acme/jira/get-issue:\n  enabled: false',
    rule: qualifiedItemKey,
  }),
};

/**
 * The text of a published schema file.
 *
 * @example printSchema(published.tool)
 */
export function printSchema(schema: Schema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
