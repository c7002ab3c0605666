// The schemas that editors read. In: the definitions. Out: one self-contained draft-07 document per kind of file.
import { definitions } from './definitions.js';
import { itemKey, keysFollow, qualifiedItemKey } from './rules.js';
import { documented, type Fields, type Rule, type Schema, use } from './shape.js';
import { namedStarters, starters } from './starters.js';
import { schemaKey } from './traits.js';

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
    ...documented(`All ${title.toLowerCase()} of a pack in one file, by item name.`, example),
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
