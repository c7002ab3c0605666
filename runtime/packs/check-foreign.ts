// In: a loaded pack and a way to find others. Out: what is wrong with all that its servers and texts take from them.
import { addAll, type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { printName } from '../../schema/names.js';
import { takesResources } from '../load/link.js';
import type { LoadedPack } from '../load/load.js';
import { findLostPages } from '../load/lost-pages.js';
import { checkPatches } from './check-patches.js';
import { type ComposedServer, compose, foreignPacks, hasForeign } from './compose.js';
import { checkLock, type Lock } from './lock-server.js';
import type { PackLookup } from './look-up.js';
import { toPack } from './open-pack.js';
import { pickItems } from './pick-items.js';

export interface LockToCheck {
  /** The lock of the pack. */
  read(): Lock;
  /** Other packs without overlays, where there are any. */
  plain(): PackLookup | undefined;
}

/** Nothing is looked up for a pack that stands alone. */
export function checkForeign(loaded: LoadedPack, lookUp: () => PackLookup, locked: LockToCheck): readonly Diagnostic[] {
  const { mentions, foreignPatches } = loaded;
  const servers = loaded.servers.filter(hasForeign);
  if (servers.length === 0 && mentions.length === 0 && foreignPatches.length === 0) return [];
  const own = toPack(loaded);
  if ('unusable' in own) return [];
  const packs = lookUp();
  const found: Diagnostic[] = [];
  const lock = servers.length === 0 ? undefined : locked.read();
  addAll(found, lock?.diagnostics ?? []);
  const plain = lock?.state === 'read' ? locked.plain() : undefined;
  /** Anyone who installs a pack has cured everything that was missing for it. */
  const told = new Set<string>();
  const composedServers = servers.map(server => compose(own, server, packs));
  addAll(found, findForeignPages(loaded, composedServers));
  for (const composed of composedServers) {
    addAll(found, composed.diagnostics);
    for (const { pack } of composed.missing) told.add(pack);
    if (lock !== undefined) addAll(found, checkLock(composed, lock, plain));
  }
  for (const { reference, site } of mentions) {
    const wrong: Diagnostic[] = [];
    const { pack, missing } = pickItems('tool', { name: reference, site }, packs, wrong);
    if (missing !== undefined && told.has(missing)) continue;
    if (missing !== undefined) told.add(missing);
    if (pack === undefined) addAll(found, wrong);
    // A tool with a mistake is there all the same: the mistake is reported by the server that uses it, and by its own pack.
    const unknown = wrong.find(({ code }) => code === 'pack/unknown-item');
    if (unknown !== undefined) {
      const { hint } = unknown;
      found.push(diagnose('link/unknown-tool', { name: printName(reference) }, site(), { hint }));
    }
  }
  addAll(found, checkPatches(foreignPatches, packs, servers.flatMap(foreignPacks)));
  return found;
}

/** Pages of tools, where a server has resources of other packs. Silent where one of these packs cannot be read. */
function findForeignPages(loaded: LoadedPack, composed: readonly ComposedServer[]): readonly Diagnostic[] {
  const { program, servers, tools, catalog } = loaded;
  if (program === undefined || !servers.some(takesResources)) return [];
  if (composed.some(({ isComplete, missing }) => !isComplete || missing.length > 0)) return [];
  const own = catalog.resource.flatMap(({ winner }) => winner ?? []);
  const listed = composed.flatMap(({ resources }) => resources.map(({ item }) => item));
  return findLostPages(
    tools.map(({ tool }) => tool),
    [...own, ...program.resources, ...listed],
  );
}
