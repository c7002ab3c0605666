// In: discovered packs and a pattern. Out: the servers of these packs by qualified name, as `toolwright list` shows them.
import { type HandledKind, handledKinds } from '../../schema/definitions.js';
import { makePattern } from '../../schema/names.js';
import { type DiscoveredPack, type PackOrigin, packOrigins } from './discover-packs.js';
import type { ListOutline, ServerOutline } from './read-outline.js';

/** Null: not known, because the pack is broken or a list names packs that are not there. */
export interface ListedServer {
  /** Qualified; that of a built-in server has no slash. */
  readonly name: string;
  /** One line; empty where nobody has written one. */
  readonly description: string;
  readonly version: string | null;
  readonly transport: string | null;
  /** The one of its pack that commands take where none is named; only where the pack has several. */
  readonly isDefault?: true;
  readonly source: PackOrigin;
  readonly tools: number | null;
  readonly prompts: number | null;
  readonly resources: number | null;
  /** The hosts, databases and servers that the backends of its pack are; programs that tools run are in `inspect`. */
  readonly reaches?: readonly string[];
  /** Why it cannot be used. */
  readonly broken?: string;
}

export interface ServerList {
  readonly servers: readonly ListedServer[];
  /** Packs that are fine and have no server: their items are for servers of other packs. */
  readonly serverless: readonly string[];
}

/**
 * The servers of packs, each pack once (W50); with a tag, those that serve something with it.
 *
 * @example listServers(discoverPacks({ cwd }).packs, 'acme/*').servers
 */
export function listServers(packs: readonly DiscoveredPack[], pattern = '*', tag?: string): ServerList {
  const fits = makePattern(pattern);
  const chosen = chooseOnce(packs);
  const byName = new Map(chosen.map(pack => [pack.name, pack]));
  const tagged = tag === undefined ? chosen : chosen.map(pack => onlyTagged(pack, tag, byName));
  const servers = tagged.flatMap(pack => rowsOf(pack, byName)).filter(({ name }) => fits(name));
  const serverless =
    tag === undefined
      ? chosen.filter(({ outline }) => outline.servers.length === 0 && outline.broken === undefined)
      : [];
  return {
    servers: servers.sort(byOriginAndName),
    serverless: serverless
      .map(({ name }) => name)
      .filter(fits)
      .sort(),
  };
}

/** X12: the servers that serve something with a tag. Of a pack that cannot be read nobody knows, so that it is left out. */
function onlyTagged(pack: DiscoveredPack, tag: string, packs: ReadonlyMap<string, DiscoveredPack>): DiscoveredPack {
  const servers = pack.outline.servers.filter(({ tags = [], lists }) => {
    if (tags.includes(tag)) return true;
    return handledKinds.some(kind => lists[kind].foreign.some(reference => isTagged(kind, reference, tag, packs)));
  });
  const { broken, ...outline } = pack.outline;
  return {
    ...pack,
    outline: { ...outline, servers, ...(servers.length === 0 || broken === undefined ? {} : { broken }) },
  };
}

function isTagged(
  kind: HandledKind,
  reference: string,
  tag: string,
  packs: ReadonlyMap<string, DiscoveredPack>,
): boolean {
  const slash = reference.lastIndexOf('/');
  const tags = packs.get(reference.slice(0, slash))?.outline.tags?.[kind] ?? {};
  const names = Object.hasOwn(tags, tag) ? (tags[tag] ?? []) : [];
  return names.some(makePattern(reference.slice(slash + 1)));
}

/** Own, installed, built-in, remote; of several that are installed, the nearest. */
function chooseOnce(packs: readonly DiscoveredPack[]): readonly DiscoveredPack[] {
  const chosen = new Map<string, DiscoveredPack>();
  for (const origin of packOrigins) {
    for (const pack of packs) if (pack.origin === origin && !chosen.has(pack.name)) chosen.set(pack.name, pack);
  }
  return [...chosen.values()];
}

function byOriginAndName(a: ListedServer, b: ListedServer): number {
  const rank = packOrigins.indexOf(a.source) - packOrigins.indexOf(b.source);
  return rank !== 0 ? rank : a.name < b.name ? -1 : 1;
}

function rowsOf(
  { origin, name, outline }: DiscoveredPack,
  packs: ReadonlyMap<string, DiscoveredPack>,
): readonly ListedServer[] {
  const { servers, broken, version, reaches } = outline;
  if (servers.length === 0) {
    if (broken === undefined) return [];
    const unknown = { transport: null, source: origin, tools: null, prompts: null, resources: null };
    return [{ name, description: '', version: version === '' ? null : version, ...unknown, broken }];
  }
  return servers.map(server => {
    const reason = server.broken ?? broken;
    return {
      name: origin === 'builtin' ? server.item : `${name}/${server.item}`,
      description: server.description,
      version: server.version,
      transport: server.transport,
      ...(server.isDefault ? { isDefault: true as const } : {}),
      source: origin,
      tools: countOf(server, 'tool', packs),
      prompts: countOf(server, 'prompt', packs),
      resources: countOf(server, 'resource', packs),
      ...(reaches === undefined ? {} : { reaches }),
      ...(reason === undefined ? {} : { broken: reason }),
    };
  });
}

function countOf(
  { lists }: ServerOutline,
  kind: HandledKind,
  packs: ReadonlyMap<string, DiscoveredPack>,
): number | null {
  const { own, foreign }: ListOutline = lists[kind];
  const names = new Set<string>();
  for (const reference of foreign) {
    const slash = reference.lastIndexOf('/') + 1;
    const wanted = reference.slice(slash);
    if (!wanted.includes('*')) {
      names.add(reference);
      continue;
    }
    const pack = packs.get(reference.slice(0, slash - 1));
    if (pack === undefined || pack.outline.broken !== undefined) return null;
    for (const item of pack.outline.items[kind].filter(makePattern(wanted)))
      names.add(`${reference.slice(0, slash)}${item}`);
  }
  return own + names.size;
}
