// In: a composed server, or a pack. Out: every property of it as data, under the names that clients see. Runs no code (W54).

import { join } from 'node:path';
import { reachOf } from '../../schema/backend/reach.js';
import { type HandledKind, handledKinds, type When } from '../../schema/definitions.js';
import { type Diagnostic, sortDiagnostics } from '../../schema/diagnostics.js';
import { omitKeys } from '../../schema/document.js';
import { renderMentions } from '../../schema/template/template.js';
import { callerInput } from '../load/bound.js';
import type { LoadedPack } from '../load/load.js';
import type { HandlerRef, Program, Server } from '../load/program.js';
import { type ComposedItem, type ComposedServer, composeServer } from './compose.js';
import { printInstructions, promptEntry, resourceEntry, toolEntry, type Wire } from './list-entries.js';
import type { PackLookup } from './look-up.js';
import type { OpenPack } from './open-pack.js';

/** Where something was written: full path and line. */
interface Written {
  readonly file: string;
  readonly line: number;
}

/** What clients see of an item, where it comes from, and whatever else its definition says. */
export type InspectedItem = Wire & Written & { readonly name: string; readonly item: string; readonly pack: string };

/** Items that had the same name, and those that they have now. */
export interface Collision {
  readonly kind: HandledKind;
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly item: string; readonly pack: string }[];
}

export interface InspectedServer extends Written {
  readonly name: string;
  readonly item: string;
  readonly pack: string;
  readonly version: string;
  readonly transport: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly instructions: string;
  readonly enabled: boolean;
  readonly configName: string;
  readonly strictArguments: boolean;
  /** What else the definition says: http, auth, cache, initialize and so on. */
  readonly properties: Wire;
  readonly tools: readonly InspectedItem[];
  readonly prompts: readonly InspectedItem[];
  readonly resources: readonly InspectedItem[];
  readonly collisions: readonly Collision[];
  /** Packs that it takes items from, its own one first. */
  readonly packs: readonly { readonly name: string; readonly version: string; readonly folder: string }[];
  readonly missing: readonly { readonly pack: string; readonly command: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface InspectedPack {
  readonly name: string;
  readonly version: string;
  readonly description?: string | undefined;
  readonly folder: string;
  readonly config: Program['pack']['config'];
  readonly backends?: Program['pack']['backends'];
  readonly context?: HandlerRef | undefined;
  readonly servers: readonly InspectedServer[];
  readonly tools: readonly InspectedItem[];
  readonly prompts: readonly InspectedItem[];
  readonly resources: readonly InspectedItem[];
  readonly missing: InspectedServer['missing'];
  readonly diagnostics: readonly Diagnostic[];
}

function inspectComposed(composed: ComposedServer): InspectedServer {
  const { server, pack, tools, prompts, resources, missing, diagnostics } = composed;
  const { definition } = server;
  const toolName = makeToolNames(tools);
  const render = (from: OpenPack) => (text: string) => renderMentions(text, name => toolName(name, from));
  const instructed = tools
    .filter(({ item }) => item.definition.enabled !== false)
    .map(({ item, name, pack: from }) => ({ tool: item, name, render: render(from) }));
  const all = [...tools, ...prompts, ...resources];
  const packs = [...new Set([pack, ...all.map(item => item.pack)])].map(({ program }) => program.pack);
  return {
    name: server.name,
    item: server.item,
    pack: pack.program.pack.name,
    version: server.version,
    transport: definition.transport ?? 'stdio',
    title: server.title,
    description: server.description,
    instructions: printInstructions(server.instructions, instructed, render(pack)),
    enabled: definition.enabled !== false,
    configName: definition.configName ?? server.item,
    strictArguments: definition.strictArguments === true,
    properties: omitKeys(definition, serverKeys),
    ...written(server, pack),
    tools: tools.map(one => inspectTool(one, render(one.pack))),
    prompts: prompts.map(one => inspectPrompt(one, render(one.pack))),
    resources: resources.map(one => inspectResource(one, render(one.pack))),
    collisions: [...collisionsOf('tool', tools), ...collisionsOf('prompt', prompts)],
    packs: packs.map(({ name, version, folder }) => ({ name, version, folder })),
    missing: missing.map(({ pack: name, command }) => ({ pack: name, command })),
    diagnostics,
  };
}

/** A pack as it is, with each of its servers as it would be served. */
function inspectPack(pack: OpenPack, servers: readonly ComposedServer[]): InspectedPack {
  const { program } = pack;
  const { name, version, description, folder, config, backends, context } = program.pack;
  const compose = <T extends { readonly name: string }>(item: T) => ({ item, pack, name: item.name });
  const tools = program.tools.map(compose);
  const toolName = makeToolNames(tools);
  const render = (text: string): string => renderMentions(text, mentioned => toolName(mentioned, pack));
  const inspected = servers.map(inspectComposed);
  const missing = new Map(inspected.flatMap(one => one.missing).map(one => [one.pack, one]));
  return {
    name,
    version,
    description,
    folder,
    config,
    ...(backends === undefined ? {} : { backends }),
    context,
    servers: inspected,
    tools: tools.map(one => inspectTool(one, render)),
    prompts: program.prompts.map(compose).map(one => inspectPrompt(one, render)),
    resources: program.resources.map(compose).map(one => inspectResource(one, render)),
    missing: [...missing.values()],
    diagnostics: inspected.flatMap(one => one.diagnostics),
  };
}

/** X12: the same with only those items that have a tag; servers of a pack that have none are left out. */
export function onlyTagged<I extends InspectedServer | InspectedPack>(inspected: I, tag: string): I {
  const keep = (items: readonly InspectedItem[]): readonly InspectedItem[] =>
    items.filter(({ tags }) => Array.isArray(tags) && tags.includes(tag));
  const { tools, prompts, resources } = inspected;
  const kept = { ...inspected, tools: keep(tools), prompts: keep(prompts), resources: keep(resources) };
  if (!('servers' in inspected)) return kept;
  const servers = inspected.servers.map(server => onlyTagged(server, tag));
  return { ...kept, servers: servers.filter(one => one.tools.length + one.prompts.length + one.resources.length > 0) };
}

type Render = (text: string) => string;

/** As the running server would say it: of the text's own pack if it has one, else of any; a qualified name is of that pack. */
function makeToolNames(tools: readonly ComposedItem<'tool'>[]): (name: string, from: OpenPack) => string {
  const groups = new Map<string, ComposedItem<'tool'>[]>();
  for (const one of tools) {
    const group = groups.get(one.item.item);
    if (group === undefined) groups.set(one.item.item, [one]);
    else group.push(one);
  }
  return (name, from) => {
    const slash = name.lastIndexOf('/');
    const item = name.slice(slash + 1);
    const group = groups.get(item) ?? [];
    const found =
      slash < 0
        ? (group.find(one => one.pack === from) ?? group[0])
        : group.find(one => one.pack.program.pack.name === name.slice(0, slash));
    return found?.name ?? item;
  };
}

/** Keys of definitions that are reported in another form. */
const itemKeys = ['$schema', 'name', 'title', 'description', 'icons', '_meta', 'annotations', 'enabled', 'handler'];
const toolKeys = [...itemKeys, 'parameters', 'inputSchema', 'output', 'outputSchema', 'ui'];
const serverKeys = [
  ...['$schema', 'name', 'title', 'description', 'version', 'instructions', 'tools', 'prompts', 'resources'],
  ...['transport', 'enabled', 'configName', 'strictArguments'],
];

function inspectTool({ item, name, pack, when }: ComposedItem<'tool'>, render: Render): InspectedItem {
  return {
    ...toolEntry({ tool: item, name }, render),
    ...(item.bound && { bound: item.bound }),
    ...about(item, name, pack, when),
    ...reaches(item, pack),
    ...omitKeys(item.definition, toolKeys),
  };
}

function inspectPrompt({ item, name, pack, when }: ComposedItem<'prompt'>, render: Render): InspectedItem {
  return {
    ...promptEntry({ prompt: item, name }, render),
    type: item.type,
    ...about(item, name, pack, when),
    ...reaches(item, pack),
    ...omitKeys(item.definition, [...itemKeys, 'arguments', 'type']),
  };
}

function inspectResource({ item, name, pack, when }: ComposedItem<'resource'>, render: Render): InspectedItem {
  const { file, ...rest } = omitKeys(item.definition, [...itemKeys, 'uri', 'uriTemplate', 'mimeType', 'size']);
  return {
    ...resourceEntry({ resource: item }, render),
    ...about(item, name, pack, when),
    ...reaches(item, pack),
    // `file` is where it is defined, as of every item.
    ...(file === undefined ? {} : { contents: file }),
    ...rest,
  };
}

type Item = Program['tools' | 'prompts' | 'resources'][number];

/** Which host, database, program or server a call reaches; nothing where code decides. */
function reaches({ definition }: Item, { program: { pack } }: OpenPack): { readonly reaches?: string } {
  const found = reachOf({ ...definition }, pack.backends);
  return found === undefined ? {} : { reaches: found };
}

function about(item: Item, name: string, pack: OpenPack, listedWhen: readonly When[] | undefined): InspectedItem {
  const { handler } = item;
  return {
    name,
    item: item.item,
    pack: pack.program.pack.name,
    ...written(item, pack),
    enabled: item.definition.enabled !== false,
    ...(listedWhen && { listedWhen }),
    ...(handler === undefined ? {} : { handler: `${handler.path}#${handler.export}` }),
  };
}

function written({ at }: Item | Server, { program }: OpenPack): Written {
  const { file, line } = at.site([]);
  return { file: join(program.pack.folder, file), line };
}

/** W56: an item knows the name that it would have alone. */
function collisionsOf<K extends HandledKind>(kind: K, items: readonly ComposedItem<K>[]): readonly Collision[] {
  const groups = new Map<string, ComposedItem<K>[]>();
  for (const one of items.filter(({ item, name }) => item.name !== name))
    groups.set(one.item.name, [...(groups.get(one.item.name) ?? []), one]);
  return [...groups].map(([name, members]) => ({
    kind,
    name,
    members: members.map(one => ({ name: one.name, item: one.item.item, pack: one.pack.program.pack.name })),
  }));
}

/** Positions are relative to the pack, those in other packs have full paths. */
export function inspectLoaded(
  loaded: LoadedPack,
  pack: OpenPack,
  server: Server,
  lookUp: PackLookup,
  look: Look = lookAtAll,
): InspectedServer {
  const composed = keepItems(composeServer(pack, server, lookUp), look);
  const files = filesOf(server, loaded);
  const own = loaded.diagnostics.filter(({ file }) => files.has(file));
  return { ...inspectComposed(composed), diagnostics: joinSorted(own, composed.diagnostics) };
}

export function inspectWhole(
  loaded: LoadedPack,
  pack: OpenPack,
  lookUp: PackLookup,
  look: Look = lookAtAll,
): InspectedPack {
  const servers = loaded.servers.map(server => keepItems(composeServer(pack, server, lookUp), look));
  const inspected = inspectPack(pack, servers);
  return { ...inspected, diagnostics: joinSorted(loaded.diagnostics, inspected.diagnostics) };
}

/** Servers with a configuration. */
export interface Look {
  /** X2: whether an item of a server is shown. */
  keep(one: ComposedItem<HandledKind>, server: OpenPack): boolean;
  /** X14: what is set, and no longer a parameter then. */
  valuesOf(pack: OpenPack): Readonly<Record<string, unknown>>;
}

const lookAtAll: Look = { keep: () => true, valuesOf: () => ({}) };

function keepItems(composed: ComposedServer, { keep, valuesOf }: Look): ComposedServer {
  const { tools, prompts, resources, pack } = composed;
  return {
    ...composed,
    tools: tools
      .filter(one => keep(one, pack))
      .map(one =>
        one.item.bound === undefined
          ? one
          : { ...one, item: { ...one.item, inputSchema: callerInput(one.item, valuesOf(one.pack)) } },
      ),
    prompts: prompts.filter(one => keep(one, pack)),
    resources: resources.filter(one => keep(one, pack)),
  };
}

function joinSorted(some: readonly Diagnostic[], others: readonly Diagnostic[]): readonly Diagnostic[] {
  return sortDiagnostics([...some, ...others]);
}

/** Of the server and of all items of its pack that it lists, broken ones too: those are missing from what it serves. */
function filesOf(server: Server, { catalog }: LoadedPack): ReadonlySet<string> {
  const files = handledKinds.flatMap(kind => {
    const names = new Set(server[`${kind}s`].map(listed => (listed.from === 'own' ? listed.item : undefined)));
    return catalog[kind].filter(({ name }) => names.has(name)).flatMap(({ file }) => file ?? []);
  });
  return new Set([server.file, ...files]);
}
