// In: a pack that is loaded, and one of its servers. Out: the source of that server: other packs are looked up when it is composed,
// never earlier, and nothing of them is kept (W46).
import type { HandledKind } from '../../schema/definitions.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { assignWireNames } from '../../schema/names.js';
import type { Hosts } from '../call/handlers/open-host.js';
import { type Folder, nodeFolder } from '../load/folder.js';
import type { ForeignPatch } from '../load/overlay.js';
import type { Server } from '../load/program.js';
import {
  areForms,
  type ComposedItem,
  type ComposedServer,
  composeServer,
  dependsOnOthers,
  foreignPacks,
  type ItemOf,
  type PickedItem,
  packsOf,
} from '../packs/compose.js';
import { applyLock, readLock } from '../packs/lock.js';
import { checkPatches, type LookupOptions, makeLookup } from '../packs/look-up.js';
import type { OpenPack } from '../packs/open-pack.js';
import type { Composition, ServerSource } from './open-server.js';
import { aboutServer, type ServedItems } from './surface-of.js';

export interface PackSurroundings extends Pick<LookupOptions, 'starts' | 'project' | 'cache'> {
  /** For packs that the server takes items from. */
  readonly patches: readonly (string | Folder)[];
  /** What these say about other packs. */
  readonly foreignPatches?: readonly ForeignPatch[] | undefined;
  /** Serves only those items of other packs that are as toolwright.lock has them; without it, they are reported. */
  readonly frozen?: boolean | undefined;
}

export interface PackComposition extends Composition {
  readonly composed: ComposedServer;
  /** About items of other packs that toolwright.lock does not have as they are. */
  readonly unaccepted: readonly Diagnostic[];
  /** About patches of other packs that change nothing. */
  readonly idlePatches: readonly Diagnostic[];
}

export function packSource(
  pack: OpenPack,
  server: Server,
  hosts: Hosts,
  around: PackSurroundings,
): ServerSource<PackComposition> {
  const { patches, foreignPatches = [], frozen = false, ...where } = around;
  return {
    hosts,
    packs: [pack],
    server: { pack, server },
    compose() {
      const patched = makeLookup({ ...where, overlays: patches });
      const found = composeServer(pack, server, patched);
      const plain = patches.length === 0 ? undefined : makeLookup(where);
      const { composed, diagnostics: unaccepted } = dependsOnOthers(server, pack.program)
        ? applyLock(found, readLock(pack.folder ?? nodeFolder(pack.program.pack.folder)), frozen, plain)
        : { composed: found, diagnostics: [] };
      const idlePatches = checkPatches(foreignPatches, patched, foreignPacks(server));
      const { isComplete } = composed;
      const packs = packsOf(composed);
      return { composed, about: aboutServer(server), items: composed, packs, isComplete, unaccepted, idlePatches };
    },
  };
}

/** The items of a kind that belong to no server of their pack. */
export function serverlessItems<K extends HandledKind>(kind: K, pack: OpenPack): readonly PickedItem<K>[] {
  const items: readonly ItemOf<K>[] = pack.program[`${kind}s`];
  return items.filter(({ server }) => server === undefined).map(item => ({ item, pack }));
}

/** All items of a pack that belong to no server. */
export function wholePackSource(pack: OpenPack, hosts: Hosts): ServerSource {
  const { name, version } = pack.program.pack;
  return {
    hosts,
    packs: [pack],
    compose: () => ({
      about: { info: { name, version }, instructions: '' },
      items: nameItems({
        tools: serverlessItems('tool', pack),
        prompts: serverlessItems('prompt', pack),
        resources: serverlessItems('resource', pack),
      }),
      packs: [pack],
      isComplete: true,
    }),
  };
}

/** W56: names that several items share are settled over the whole lists, before anything is left out. */
export function nameItems(picked: {
  readonly tools: readonly (PickedItem<'tool'> & Pick<ServedItems['tools'][number], 'handler'>)[];
  readonly prompts: readonly PickedItem<'prompt'>[];
  readonly resources: readonly PickedItem<'resource'>[];
}): ServedItems {
  return { tools: named(picked.tools), prompts: named(picked.prompts), resources: named(picked.resources) };
}

function named<K extends HandledKind, P extends PickedItem<K>>(list: readonly P[]): readonly (P & ComposedItem<K>)[] {
  const names = assignWireNames(
    list.map(({ item }) => item.name),
    (one, other) => {
      const [first, second] = [list[one], list[other]];
      return first !== undefined && second !== undefined && areForms(first, second);
    },
  );
  return list.map((one, index) => ({ ...one, name: names[index] ?? one.item.name }));
}
