// In: what a person typed for a server. Out: its pack, loaded: the project's own, an installed one or the built-in one (W45).

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type FoundPack, startsOf } from '../../runtime/load/find-pack.js';
import { type Folder, nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, type LoadOptions, load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { withSettings } from '../../runtime/load/overlay.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import type { ContentCache } from '../../runtime/load/read.js';
import { makeIsBuiltIn } from '../../runtime/load/resolve.js';
import { findByName } from '../../runtime/packs/find-pack.js';
import { makeLookup, type PackLookup } from '../../runtime/packs/look-up.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { packOf, parseName } from '../../schema/names.js';
import { type InstallFlags, installPacks, mayInstall } from '../fetch/install-packs.js';
import { openMemory } from '../memory/memory.js';
import { noSuchPack, suggestServer } from '../pack/find-pack.js';
import {
  findPackAround,
  isOfOverlay,
  overlaysOf,
  type PackFlags,
  printDiagnostics,
  rebaseDiagnostics,
  workingFolder,
} from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';

/** A pack and what is said about it. */
export interface LoadedFolder extends LoadedPack {
  readonly folder: string;
  readonly overlays: readonly string[];
  /** The overlays and what an install has set, for packs that the server takes items from. */
  readonly patches: readonly (string | Folder)[];
  readonly cache: ContentCache & { save(): void };
  /** `others`: further folders whose files may be shown. */
  say(diagnostics: readonly Diagnostic[], others?: readonly string[]): void;
  isOfOverlay(diagnostic: Diagnostic): boolean;
}

export interface LoadedServer {
  readonly loaded: LoadedFolder;
  /** Undefined where no server was named. */
  readonly item?: string;
}

/**
 * The pack that has the server; which of its servers is meant where it was named. A pack that is missing is installed where
 * that is allowed.
 */
export async function loadServerPack(
  typed: string | undefined,
  flags: PackFlags & InstallFlags,
): Promise<LoadedServer> {
  const cwd = workingFolder(flags);
  const around = findPackAround(cwd);
  if (typed === undefined) {
    await refuseNoPack(around, cwd);
    return { loaded: loadFolder(around, flags) };
  }
  const name = readName(typed);
  const wanted = packOf(name);
  if (wanted === undefined) {
    const own = loadFolder(around, flags);
    const isOwn = own.catalog.server.some(entry => entry.name === name.item);
    const isBuiltIn = !isOwn && makeIsBuiltIn(nodeFolder)('server', name.item);
    const isNowhere = !isBuiltIn && own.manifest === undefined && !existsSync(join(around, manifestFile));
    const hint = isNowhere ? suggestServer(name.item, cwd) : undefined;
    if (hint !== undefined) throw new UsageError(`there is no server "${name.item}" here: ${hint}`);
    if (!isBuiltIn) await refuseNoPack(around, cwd, name.item);
    return { loaded: isBuiltIn ? loadFolder(builtinPack(), flags, 'builtin') : own, item: name.item };
  }
  const found = await findOrInstall(wanted, cwd, flags);
  if ('folder' in found) {
    const isOwn = resolve(found.folder) === resolve(around);
    return { loaded: loadFolder(found.folder, flags, isOwn ? 'own' : 'foreign', wanted), item: name.item };
  }
  const asFolder = resolve(cwd, wanted);
  if (existsSync(join(asFolder, manifestFile))) return { loaded: loadFolder(asFolder, flags), item: name.item };
  if (isFolderName(wanted)) throw new UsageError(`there is no toolwright.yaml in "${asFolder}"`);
  throw noSuchPack(wanted, found, cwd, typed);
}

/** Where there is no pack, a server of an installed one is meant, if there is one. */
async function refuseNoPack(around: string, cwd: string, typed?: string): Promise<void> {
  if (existsSync(join(around, manifestFile))) return;
  const { discoverPacks } = await import('../../runtime/packs/discover-packs.js');
  const { listServers } = await import('../../runtime/packs/list-servers.js');
  const names = listServers(discoverPacks({ cwd }).packs).servers.flatMap(({ name, broken }) => (broken ? [] : [name]));
  if (names.length === 0) return;
  const wrong = typed === undefined ? '' : `no server "${typed}": `;
  throw new UsageError(`${wrong}there is no pack here, and what is installed has ${names.join(', ')}`);
}

/** A folder may stand for a pack; nothing is looked for or installed by such a name. */
function isFolderName(pack: string): boolean {
  return /^[./\\]|:/.test(pack);
}

function readName(typed: string): { readonly publisher?: string; readonly pack?: string; readonly item: string } {
  const slash = typed.lastIndexOf('/');
  // A folder may stand for the pack: ./packs/jira/reporting.
  if (/^(\.{1,2}|[A-Za-z]:)?[/\\]/.test(typed)) return { pack: typed.slice(0, slash), item: typed.slice(slash + 1) };
  const parsed = parseName(typed);
  if ('problem' in parsed) throw new UsageError(`"${typed}" is not a valid server name: ${parsed.problem}`);
  return parsed.name;
}

async function findOrInstall(pack: string, cwd: string, flags: InstallFlags): Promise<FoundPack> {
  if (isFolderName(pack)) return { missing: true };
  const found = findByName(pack, cwd);
  if (!('missing' in found) || !mayInstall(flags)) return found;
  await installPacks([pack], cwd);
  return findByName(pack, cwd);
}

export function loadFolder(
  folder: string,
  flags: PackFlags,
  overlayNames: NonNullable<LoadOptions['overlayNames']> = 'own',
  calledAs?: string,
): LoadedFolder {
  const cwd = workingFolder(flags);
  const overlays = overlaysOf(flags, cwd);
  const cache = openMemory(folder);
  const patches = withSettings(overlays, process.env, folder);
  const loaded = load(folder, { overlays: patches, overlayNames, judgesOverlays: true, calledAs, cache });
  cache.save();
  return {
    ...loaded,
    folder,
    overlays,
    patches,
    cache,
    isOfOverlay: one => isOfOverlay(one, folder, overlays),
    say(diagnostics, others = []) {
      if (diagnostics.length === 0) return;
      const shown = rebaseDiagnostics(diagnostics, folder, cwd);
      const folders = [folder, ...overlays, ...others];
      if (flags.tell !== undefined) flags.tell(shown, folders);
      else process.stderr.write(printDiagnostics(shown, { ...flags, format: 'text' }, cwd, folders));
    },
  };
}

/** Other packs as a server of this one gets them: with what the operator and an install have set. */
export function lookUpAround({ folder, patches, cache }: LoadedFolder, cwd: string): PackLookup {
  return makeLookup({ starts: startsOf(folder, cwd), project: cwd, overlays: patches, cache });
}

/** Where a manifest cannot be used: no pack at all is wrong usage. */
export function exitWithoutPack({ diagnostics }: Pick<LoadedFolder, 'diagnostics'>): number {
  return diagnostics.some(({ code }) => code === 'discover/no-manifest') ? 2 : 1;
}

/** Names of the servers that a name without a slash can mean, for telling a server from a tool on a command line. */
export function serverNames(flags: PackFlags): readonly string[] {
  const own = loadFolder(findPackAround(workingFolder(flags)), flags);
  const builtin = load(builtinPack()).catalog;
  return [...own.catalog.server, ...builtin.server].map(({ name }) => name);
}
