// A program as data, for servers that carry their definitions with them. In: a program and one of its servers. Out: plain
// JSON with all that serving it needs, and back.
import type { HandledKind, Kind, ToolDefinition, When } from '../../../schema/definitions.js';
import { type Site, startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import { locatorOf, type Program, type Prompt, type Resource, type Server, type Tool } from '../../load/program.js';
import { LateTool } from './packed-program.js';

type Placeless<T> = Omit<T, 'at' | 'inputSite' | 'outputSite' | 'sharing'>;

/** What one server needs of one pack. */
interface StoredPack {
  readonly pack: Omit<Program['pack'], 'folder' | 'at'>;
  /** Where the keys of `config:` were written: a value of the wrong type stops the start and names its declaration. */
  readonly configSites: Readonly<Record<string, Site>>;
  /** All items of the pack: overlays may patch or mention what this server does not list. */
  readonly names: Readonly<Record<Kind, readonly string[]>>;
  /** Descriptions of declarations by `kind:item`: they count again where an overlay takes the definition's away. */
  readonly declared: Readonly<Record<string, string>>;
  /** Options of tools that the server does not list, by item: operators may set them for every server of a pack alike. */
  readonly idleOptions: Readonly<Record<string, ToolDefinition['options']>>;
  readonly tools: readonly Placeless<Tool>[];
  readonly prompts: readonly Placeless<Prompt>[];
  readonly resources: readonly Placeless<Resource>[];
}

/** The pack of a server, and the others that it takes items from. */
export interface StoredProgram extends StoredPack {
  /** What it serves, in order. */
  readonly lists: { readonly [kind in HandledKind]: readonly StoredLine[] };
  readonly server: Placeless<Server>;
  readonly others: readonly StoredOther[];
  /** `kind:item` of all that the built-in pack has, which names may mean. */
  readonly builtin: readonly string[];
}

/** `pack`: 0 is the server's own, the others follow. `name` is what clients see. */
export type StoredLine = readonly [pack: number, item: string, name: string, when?: readonly When[]];

export interface StoredOther extends StoredPack {
  /** As the server's references name it; undefined: the built-in pack. */
  readonly reference?: string;
}

/** What is kept of a pack: the items that the server serves. */
export interface KeptItems {
  readonly servers: readonly Server[];
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

/** Fields whose meaning is in the linked item already, or that nobody looks at while serving. */
const settled = {
  server: ['description', 'instructions', 'tools', 'prompts', 'resources'],
  tool: ['description', 'parameters', 'inputSchema', 'output', 'outputSchema', 'examples'],
  prompt: ['description', 'text', 'arguments', 'examples'],
  resource: ['description'],
} as const;

/**
 * The part of a pack that one server serves, as JSON. `declared`: descriptions of all declarations, by `kind:item`.
 *
 * @example JSON.stringify({ ...storePack(program, kept, declared), server: storeServer(server), others: [] })
 */
export function storePack(program: Program, kept: KeptItems, declared: ReadonlyMap<string, string>): StoredPack {
  const { folder: _, at, ...pack } = program.pack;
  const items = [...kept.servers, ...kept.tools, ...kept.prompts, ...kept.resources];
  const texts = items.flatMap(({ kind, item }) => {
    const text = declared.get(`${kind}:${item}`);
    return text === undefined ? [] : [[`${kind}:${item}`, text] as const];
  });
  const served = new Set(kept.tools.map(({ item }) => item));
  const idle = program.tools.filter(({ item, definition }) => !served.has(item) && definition.options !== undefined);
  return {
    pack,
    configSites: Object.fromEntries(Object.keys(pack.config).map(name => [name, at.site(['config', name], 'key')])),
    names: {
      server: program.servers.map(({ item }) => item),
      tool: program.tools.map(({ item }) => item),
      prompt: program.prompts.map(({ item }) => item),
      resource: program.resources.map(({ item }) => item),
      schema: [],
    },
    declared: Object.fromEntries(texts),
    idleOptions: Object.fromEntries(idle.map(({ item, definition }) => [item, definition.options])),
    tools: kept.tools.map(strip),
    prompts: kept.prompts.map(strip),
    resources: kept.resources.map(strip),
  };
}

/** What it lists is stored settled. */
export function storeServer(server: Server): StoredProgram['server'] {
  return { ...strip(server), tools: [], prompts: [], resources: [] };
}

function strip<T extends Server | Tool | Prompt | Resource>(item: T): Placeless<T> {
  const dropped: readonly string[] = settled[item.kind];
  const definition = Object.fromEntries(Object.entries(item.definition).filter(([field]) => !dropped.includes(field)));
  const nowhere = { inputSite: undefined, outputSite: undefined, sharing: undefined };
  const { at: _, inputSite: _in, outputSite: _out, sharing: _shared, ...rest } = { ...nowhere, ...item };
  return { ...rest, definition } as unknown as Placeless<T>;
}

/**
 * The program that was stored. Positions are the start of the file that an item was defined in.
 *
 * @example const program = openProgram(JSON.parse(text), '/srv/jira');
 */
export function openProgram(stored: StoredPack & Partial<Pick<StoredProgram, 'server'>>, folder: string): Program {
  const place = <T extends { readonly file: string }>(item: T): T & { readonly at: Locator } => ({
    ...item,
    at: locatorOf(() => startOf(item.file)),
  });
  return {
    pack: {
      ...stored.pack,
      folder,
      at: locatorOf(([, name]) => stored.configSites[String(name)] ?? startOf('toolwright.yaml')),
    },
    servers: stored.server === undefined ? [] : [place(stored.server)],
    tools: stored.tools.map(tool => (tool instanceof LateTool ? tool : { ...place(tool), ...sitesOf(tool) })),
    prompts: stored.prompts.map(place),
    resources: stored.resources.map(place),
    schemas: [],
  };
}

function sitesOf({ file, outputSchema }: Placeless<Tool>): Pick<Tool, 'inputSite' | 'outputSite'> {
  const site = (): Site => startOf(file);
  return { inputSite: site, ...(outputSchema === undefined ? {} : { outputSite: site }) };
}
