// In: a program and its folder. Out: a diagnostic for each function that its manifests name and that has no module.
// Only names of files are looked at, so that a starting server can afford it.
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { type Folder, nodeFolder, parentOf } from '../../load/folder.js';
import type { LoadedPack } from '../../load/load.js';
import type { Program } from '../../load/program.js';
import { type ComposedServer, takenOf } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import { diagnoseMissing, type Modules, openModules, type WantedHandler, wantedHandlers } from './find-handler.js';

/** Modules of a pack as they are found when it runs. */
export function modulesOf({ pack }: Program, folder: Folder): Modules {
  return openModules(folder, { handlers: pack.handlers, dist: pack.dist, isInstalled: isInstalled(pack.folder) });
}

/**
 * Nothing is imported: what a module exports is only known later.
 *
 * @example findMissingHandlers(load('packs/jira'), nodeFolder('packs/jira')) // []
 */
export function findMissingHandlers(
  loaded: Pick<LoadedPack, 'program'> & Partial<Pick<LoadedPack, 'catalog'>>,
  folder: Folder,
): readonly Diagnostic[] {
  return findMissing(loaded, folder).map(({ diagnostic }) => diagnostic);
}

/** The same for the handlers of items alone, each under its item: `tool:get-issue`. */
export function missingByItem(
  loaded: Pick<LoadedPack, 'program' | 'catalog'>,
  folder: Folder,
): ReadonlyMap<string, Diagnostic> {
  const ofItems = findMissing(loaded, folder).flatMap(({ serves, diagnostic }) =>
    serves === undefined ? [] : [[`${serves.kind}:${serves.item}`, diagnostic] as const],
  );
  return new Map(ofItems);
}

interface MissingHandler {
  readonly serves: WantedHandler['serves'] | undefined;
  readonly diagnostic: Diagnostic;
}

function findMissing(loaded: Parameters<typeof findMissingHandlers>[0], folder: Folder): readonly MissingHandler[] {
  if (loaded.program === undefined) return [];
  const { pack } = loaded.program;
  const modules = modulesOf(loaded.program, folder);
  const all = wantedHandlers(loaded);
  return all.flatMap(wanted => {
    const found = modules.find(wanted.path);
    if (found.found === 'module') return [];
    const diagnostic = diagnoseMissing(inLanguage(wanted, folder), found, { pack, wanted: all });
    return [{ serves: wanted.serves, diagnostic }];
  });
}

/** Where the manifest names no module, it is the one that `generate` would write: in a project without TypeScript, JavaScript. */
export function inLanguage(wanted: WantedHandler, folder: Folder): WantedHandler {
  const { path, isNamed } = wanted;
  if (isNamed || !path.endsWith('.ts') || folder.status('tsconfig.json') !== 'missing') return wanted;
  const place = parentOf(path);
  const beside = folder.status(place) === 'folder' ? folder.list(place) : [];
  if (beside?.some(({ name }) => /\.[cm]?ts$/.test(name))) return wanted;
  const extension = folder.status('package.json') === 'file' ? 'js' : 'mjs';
  return { ...wanted, what: wanted.what, path: path.replace(/ts$/, extension), site: wanted.site };
}

/** Whether a pack lies in node_modules, where package managers may change it. */
export function isInstalled(folder: string): boolean {
  try {
    return realpathSync(folder).includes(`${sep}node_modules${sep}`);
  } catch {
    return false;
  }
}

/** Handlers that another pack should have for the items that are used here; what else it lacks does not matter. */
export function missingOf(pack: OpenPack, composed: ComposedServer): readonly Diagnostic[] {
  const program: Program = { ...pack.program, servers: [], ...takenOf(pack, composed) };
  const { folder } = pack.program.pack;
  const found = findMissingHandlers({ program }, nodeFolder(folder));
  return found.map(one => ({ ...one, file: resolve(folder, one.file) }));
}
