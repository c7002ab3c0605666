// In: the stored packs of a built server and their code. Out: what a server is started with: its packs opened, a host for each, and
// its items under their final names.
import type { SettablePack } from '../../call/context/options.js';
import { type Hosts, keepHosts } from '../../call/handlers/open-host.js';
import type { ListedKind } from '../../load/link-server.js';
import type { Server } from '../../load/program.js';
import type { ComposedItem, ComposedServer, ItemOf } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import type { Composition, ServerSource } from '../open-server.js';
import { aboutServer } from '../surface-of.js';
import { filesFolder, noFiles } from './artifact-folder.js';
import { type ArtifactHostOptions, openArtifactHost } from './artifact-host.js';
import type { ArtifactParts, PackParts } from './parts.js';
import { openProgram, type StoredProgram } from './stored-program.js';

export interface ArtifactPacks {
  readonly own: OpenPack;
  /** In the order in which they are stored. */
  readonly others: readonly OpenPack[];
}

/** Whatever code there is, it is not run. */
export function openPacks(stored: StoredProgram, parts: Pick<ArtifactParts, 'files' | 'others'>): ArtifactPacks {
  const open = (one: StoredProgram | StoredProgram['others'][number], files: PackParts | undefined): OpenPack => {
    const folder = files === undefined ? noFiles : filesFolder(files);
    return { program: openProgram(one, folder.path === '' ? one.pack.name : folder.path), errors: [], folder };
  };
  return {
    own: open(stored, { ...parts, modules: {}, validators: {} }),
    others: stored.others.map((one, index) => open(one, parts.others[index])),
  };
}

/** A server that was built, as it is to be served now. */
export interface StoredServer {
  readonly stored: StoredProgram;
  readonly packs: ArtifactPacks;
  readonly server: Server;
}

export interface StoredComposition extends Composition {
  readonly composed: ComposedServer;
}

/** `composeNow`: where definitions may have changed since. */
export function storedSource(
  { stored, packs, server }: StoredServer,
  parts: ArtifactParts,
  options: ArtifactHostOptions,
  composeNow: typeof composeStored = composeStored,
): ServerSource<StoredComposition> {
  const all = [packs.own, ...packs.others];
  return {
    hosts: openArtifactHosts(packs, parts, options),
    packs: all,
    server: { pack: packs.own, server },
    settable: () => settablePacks(packs, stored),
    compose() {
      const composed = composeNow(packs, server, stored);
      return { composed, about: aboutServer(server), items: composed, packs: all, isComplete: composed.isComplete };
    },
  };
}

/** What a build has inside, as it was built. Throws where it has no server. */
export function openStored(stored: StoredProgram, parts: Pick<ArtifactParts, 'files' | 'others'>): StoredServer {
  const packs = openPacks(stored, parts);
  const [server] = packs.own.program.servers;
  if (server === undefined) throw new Error('this build has no server');
  return { stored, packs, server };
}

/** What was composed when it was built. */
function composeStored({ own, others }: ArtifactPacks, server: Server, { lists }: StoredProgram): ComposedServer {
  const packs = [own, ...others];
  const served = { tools: pick('tool'), prompts: pick('prompt'), resources: pick('resource') };
  return { server, pack: own, ...served, missing: [], isComplete: true, diagnostics: [] };

  function pick<K extends ListedKind>(kind: K): readonly ComposedItem<K>[] {
    const known = packs.map(({ program }) => {
      const items: readonly ItemOf<K>[] = program[`${kind}s`];
      return new Map(items.map(item => [item.item, item]));
    });
    return lists[kind].flatMap(([index, itemName, name]) => {
      const [pack, item] = [packs[index], known[index]?.get(itemName)];
      return pack === undefined || item === undefined ? [] : [{ item, pack, name }];
    });
  }
}

/** Definitions of other packs are inside every build: only those of the server's own may change. */
function openArtifactHosts(
  { own, others }: ArtifactPacks,
  parts: ArtifactParts,
  { compile, ...options }: ArtifactHostOptions,
): Hosts {
  return keepHosts(own, pack => {
    const { program, folder = noFiles } = pack;
    if (pack === own) return openArtifactHost(program, parts, folder, { ...options, compile });
    return openArtifactHost(program, parts.others[others.indexOf(pack)] ?? noCode, folder, options);
  });
}

const noCode = { modules: {}, validators: {} };

/** What TOOLWRIGHT_OPTIONS may speak of: also tools of these packs that the server does not list. */
function settablePacks({ own, others }: ArtifactPacks, stored: StoredProgram): readonly SettablePack[] {
  return [own, ...others].map(({ program: { pack, tools } }, index) => {
    const { names, idleOptions } = (index === 0 ? stored : stored.others[index - 1]) ?? stored;
    const served = new Set(tools.map(({ item }) => item));
    const idle = names.tool
      .filter(item => !served.has(item))
      .map(item => {
        const options = idleOptions[item];
        return { item, definition: options === undefined ? {} : { options } };
      });
    return { pack, tools: [...tools, ...idle] };
  });
}
