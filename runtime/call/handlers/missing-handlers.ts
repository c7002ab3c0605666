// In: a program and its folder. Out: a diagnostic for each function that its manifests name and that has no module.
// Only names of files are looked at, so that a starting server can afford it.
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { type Folder, isBelow, nodeFolder, parentOf } from '../../load/folder.js';
import type { LoadedPack } from '../../load/load.js';
import type { Program } from '../../load/program.js';
import { type ComposedServer, takenOf } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import {
  type FoundModule,
  isModulePath,
  type Modules,
  openModules,
  stemOf,
  type WantedHandler,
  wantedHandlers,
} from './find-handler.js';

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

/** Places that are not sources of the author: packages, hidden folders such as .git, what the compiler and builds write. */
export function isForeignPlace(path: string, { generated, dist }: PackFolders): boolean {
  if (/(?:^|\/)(?:\.|node_modules(?:\/|$))/.test(path)) return true;
  return [generated, dist].some(folder => folder !== '' && isBelow(path, folder));
}

type PackFolders = Pick<Program['pack'], 'generated' | 'dist'>;

/** Whether `generate` would write a stub there: a module, or a name without any extension. */
function takesStub(path: string, pack: PackFolders): boolean {
  return !isForeignPlace(path, pack) && (isModulePath(path) || !/\.[A-Za-z0-9]{1,5}$/.test(path));
}

/** What helps where a function is missing and `generate` has written what stubs it can. */
export const afterStubs = 'write it, or correct the path in the manifest';

/** Whether a module belongs to one of these functions. */
export function isTaken(path: string | undefined, wanted: readonly Pick<WantedHandler, 'path'>[]): boolean {
  return path !== undefined && wanted.some(one => stemOf(one.path) === stemOf(path));
}

interface MissingScene {
  readonly pack: PackFolders;
  /** All functions of the pack: the module of another one is not what was meant. */
  readonly wanted: readonly Pick<WantedHandler, 'path'>[];
  /** Where no module has almost the same name. */
  readonly advice?: string | undefined;
}

/** What is said of a function that has no module. */
export function diagnoseMissing(
  { what, path, site }: Pick<WantedHandler, 'what' | 'path' | 'site'>,
  found: Exclude<FoundModule, { readonly found: 'module' }>,
  { pack, wanted, advice = takesStub(path, pack) ? 'toolwright generate writes a stub' : afterStubs }: MissingScene,
): Diagnostic {
  if (found.found === 'unusable') return diagnose('generate/unimportable', { path, reason: found.reason }, site());
  const { unbuilt } = found;
  const like = isTaken(found.like, wanted) ? undefined : found.like;
  // Anyone who has installed a pack writes no stubs for it.
  const nothing = unbuilt === undefined ? advice : `the pack was published without ${unbuilt}`;
  const hint = like === undefined ? nothing : `did you mean "${like}"?`;
  return diagnose('generate/missing-handler', { what, path }, site(), { hint });
}
