// The summary of a pack that is published with it, under `toolwright` in package.json, so that it can be read without being
// installed (W52, W53). In: a loaded pack, or what a registry says. Out: the summary; the outline for lists.
import { handledKinds } from '../../schema/definitions.js';
import { asText, isMap } from '../../schema/document.js';
import { isItemName, packNameOfPackage, parseName } from '../../schema/names.js';
import { renderMentions } from '../../schema/template/template.js';
import { callerInput } from '../load/bound.js';
import type { LoadedPack } from '../load/load.js';
import type { Linked, Program, Server } from '../load/program.js';
import { briefDescription, type PackOutline, type ServerOutline } from './read-outline.js';

interface ItemSummary {
  /** The item name. */
  readonly name: string;
  /** Its first paragraph, for lists. */
  readonly description: string;
}

export interface ServerSummary extends ItemSummary {
  /** Of the items of the pack that it serves; absent where they have none. */
  readonly tags?: readonly string[];
  /** Where it is not that of the package. */
  readonly version?: string;
  readonly transport: string;
  /** How many, or, where the summary was written by hand, their names. */
  readonly tools: number | readonly string[];
  readonly prompts: number | readonly string[];
  readonly resources: number | readonly string[];
}

export interface ToolSummary extends ItemSummary {
  readonly parameters: readonly string[];
}

export interface PromptSummary extends ItemSummary {
  readonly arguments: readonly string[];
}

export interface ResourceSummary extends ItemSummary {
  readonly uri: string;
}

export interface PackSummary {
  readonly servers: readonly ServerSummary[];
  readonly tools: readonly ToolSummary[];
  readonly prompts: readonly PromptSummary[];
  readonly resources: readonly ResourceSummary[];
}

/** The key of package.json that holds it. */
export const summaryKey = 'toolwright';

/** What a pack says about itself before it is installed. Items that are switched off or inline are left out. */
export function summarizePack({ program, manifest }: LoadedPack): PackSummary | undefined {
  if (program === undefined || manifest === undefined) return undefined;
  const offered = <L extends Linked<{ readonly enabled?: boolean }>>(items: readonly L[]): readonly L[] =>
    items.filter(({ definition, server }) => definition.enabled !== false && server === undefined);
  return {
    servers: offered(program.servers).map(server => summarizeServer(server, program)),
    tools: offered(program.tools).map(tool => ({
      ...about(tool),
      parameters: keysOf(callerInput(tool)['properties']),
    })),
    prompts: offered(program.prompts).map(prompt => ({
      ...about(prompt),
      arguments: prompt.arguments.map(({ name }) => name),
    })),
    resources: offered(program.resources).map(resource => ({
      ...about(resource),
      uri: resource.definition.uri ?? resource.definition.uriTemplate ?? '',
    })),
  };
}

function summarizeServer(server: Server, program: Program): ServerSummary {
  const { pack } = program;
  const { version, definition, tools, prompts, resources } = server;
  const tags = tagsOf(server, program);
  return {
    ...about(server),
    ...(tags.length === 0 ? {} : { tags }),
    ...(version === pack.version ? {} : { version }),
    transport: definition.transport ?? 'stdio',
    tools: tools.length,
    prompts: prompts.length,
    resources: resources.length,
  };
}

function tagsOf(server: Server, program: Program): readonly string[] {
  const tags = handledKinds.flatMap(kind => {
    const listed = new Set(server[`${kind}s`].map(one => (one.from === 'own' ? one.item : undefined)));
    const items: readonly Linked<{ readonly tags?: readonly string[] }>[] = program[`${kind}s`];
    return items.filter(({ item }) => listed.has(item)).flatMap(({ definition }) => definition.tags ?? []);
  });
  return [...new Set(tags)].sort();
}

function about({ item, description }: Linked<unknown>): ItemSummary {
  // Nobody who reads it has the pack: names of tools are all that mentions can say.
  return { name: item, description: briefDescription(renderMentions(description, name => name)) };
}

function keysOf(value: unknown): readonly string[] {
  return isMap(value) ? Object.keys(value) : [];
}

/** A pack that is not installed: what its package.json says in the registry. */
export interface RemotePack {
  /** Of the pack, not of the package. */
  readonly name: string;
  readonly version: string;
  /** Undefined where it was published without one, or it cannot be read. */
  readonly summary: PackSummary | undefined;
  readonly broken?: string;
}

/**
 * Reads the summary out of a package.json of anybody's. Entries of a wrong form are left out.
 *
 * @example readSummary({ name: '@acme/jira', version: '1.0.0', toolwright: { servers: [], tools: [] } })
 */
export function readSummary(manifest: Readonly<Record<string, unknown>>): RemotePack {
  const name = packNameOfPackage(asText(manifest['name']));
  const version = asText(manifest['version']);
  const parsed = parseName(`${name}/any`);
  const value = Object.hasOwn(manifest, summaryKey) ? manifest[summaryKey] : undefined;
  const broken =
    'problem' in parsed
      ? `no reference can name it: ${parsed.problem}`
      : isMap(value)
        ? undefined
        : 'it was published without a summary: its author can add it with toolwright check --publish --fix';
  if (!isMap(value)) return { name, version, summary: undefined, ...(broken === undefined ? {} : { broken }) };
  const summary: PackSummary = {
    servers: entriesOf(value, 'servers').map(one => ({
      ...itemOf(one),
      ...(textsOf(one['tags']).length === 0 ? {} : { tags: textsOf(one['tags']) }),
      ...(typeof one['version'] === 'string' ? { version: one['version'] } : {}),
      transport: one['transport'] === 'http' ? 'http' : 'stdio',
      tools: countOrNames(one['tools']),
      prompts: countOrNames(one['prompts']),
      resources: countOrNames(one['resources']),
    })),
    tools: entriesOf(value, 'tools').map(one => ({ ...itemOf(one), parameters: textsOf(one['parameters']) })),
    prompts: entriesOf(value, 'prompts').map(one => ({ ...itemOf(one), arguments: textsOf(one['arguments']) })),
    resources: entriesOf(value, 'resources').map(one => ({ ...itemOf(one), uri: asText(one['uri']) })),
  };
  return { name, version, summary, ...(broken === undefined ? {} : { broken }) };
}

type Entry = Readonly<Record<string, unknown>>;

function entriesOf(value: Entry, key: string): readonly Entry[] {
  const list = Object.hasOwn(value, key) ? value[key] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isMap).filter(({ name }) => typeof name === 'string' && isItemName(name));
}

function itemOf({ name, description }: Entry): ItemSummary {
  return { name: asText(name), description: asText(description) };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}

function countOrNames(value: unknown): number | readonly string[] {
  if (Array.isArray(value)) return value.filter(one => typeof one === 'string');
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** The same form that lists have of packs on disk. */
export function outlineOfSummary({ name, version, summary, broken }: RemotePack): PackOutline {
  const names = (items: readonly ItemSummary[] = []): readonly string[] => items.map(one => one.name);
  return {
    name,
    version,
    servers: (summary?.servers ?? []).map((server): ServerOutline => {
      const own = (list: number | readonly string[]) => ({
        own: typeof list === 'number' ? list : list.length,
        foreign: [],
      });
      return {
        item: server.name,
        description: briefDescription(server.description),
        tags: server.tags ?? [],
        version: server.version ?? version,
        transport: server.transport,
        lists: { tool: own(server.tools), prompt: own(server.prompts), resource: own(server.resources) },
      };
    }),
    items: { tool: names(summary?.tools), prompt: names(summary?.prompts), resource: names(summary?.resources) },
    ...(broken === undefined ? {} : { broken }),
  };
}
