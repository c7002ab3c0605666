// In: a program. Out: the modules that its handlers live in, each with everything that it must export.
import { type WantedHandler, wantedHandlers } from '../../../runtime/call/handlers/find-handler.js';
import { isBelow } from '../../../runtime/load/folder.js';
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program, Prompt, Resource, Tool } from '../../../runtime/load/program.js';
import { type FindModule, type ModuleExtension, type Project, splitModule } from '../project/project.js';

export type Handled = Tool | Prompt | Resource;

/** One name that a module exports: the handler of an item, or the function that makes the shared context. */
export interface HandlerExport {
  readonly name: string;
  /** Undefined for the context. */
  readonly item: Handled | undefined;
  /** Further items with the same function: the first one gives it its type. */
  readonly others: readonly Handled[];
}

export interface HandlerModule {
  /** Where it is, or where it would be written. Relative to the pack. */
  readonly path: string;
  readonly extension: ModuleExtension;
  /** The default first, then in the order of the program. */
  readonly exports: readonly HandlerExport[];
  /** The manifests that ask for it. */
  readonly sources: readonly string[];
}

/**
 * Groups handlers by module. A module with another extension keeps its name; handlers that are not
 * modules of this pack's sources are left out, as nothing could be written there.
 *
 * @example listHandlerModules(program, project, createFinder(folder))
 */
export function listHandlerModules(
  program: Program,
  project: Pick<Project, 'handlerExtension'>,
  find: FindModule = () => undefined,
): readonly HandlerModule[] {
  const modules = new Map<string, Gathered>();
  for (const wanted of listStubbed(program)) {
    const { serves: item, export: name } = wanted;
    const place = placeOf(wanted, program, project, find);
    if (place === undefined) continue;
    const module = modules.get(place.path) ?? { extension: place.extension, exports: new Map(), sources: new Set() };
    modules.set(place.path, module);
    module.sources.add(item?.file ?? manifestFile);
    module.exports.set(name, [...(module.exports.get(name) ?? []), item]);
  }
  return [...modules].map(([path, { extension, exports, sources }]) => {
    const all = [...exports].map(([name, [item, ...others]]): HandlerExport => {
      return { name, item, others: others.filter(other => other !== undefined) };
    });
    return {
      path,
      extension,
      exports: [...all.filter(isDefault), ...all.filter(one => !isDefault(one))],
      sources: [...sources],
    };
  });
}

interface Gathered {
  readonly extension: ModuleExtension;
  readonly exports: Map<string, readonly (Handled | undefined)[]>;
  readonly sources: Set<string>;
}

function isDefault({ name }: HandlerExport): boolean {
  return name === 'default';
}

/** The functions that get stubs: handlers, then the one that makes the context. */
function listStubbed(program: Program): readonly WantedHandler[] {
  const wanted = wantedHandlers({ program });
  return (['handler', 'context'] as const).flatMap(wish => wanted.filter(({ role }) => role === wish));
}

function placeOf(
  { path, isNamed }: WantedHandler,
  { pack }: Program,
  { handlerExtension }: Pick<Project, 'handlerExtension'>,
  find: FindModule,
): { readonly path: string; readonly extension: ModuleExtension } | undefined {
  const named = splitModule(path);
  if (named === undefined || isForeign(path, pack)) return undefined;
  const extension = isNamed && named.extension !== '' ? named.extension : handlerExtension;
  const found = find({ stem: named.stem, extension }) ?? extension;
  return { path: named.stem + found, extension: found };
}

/** Places that are not sources of the author: packages, hidden folders such as .git, what the compiler and builds write. */
function isForeign(path: string, { generated, dist }: Program['pack']): boolean {
  if (/(?:^|\/)(?:\.|node_modules(?:\/|$))/.test(path)) return true;
  return [generated, dist].some(folder => folder !== '' && isBelow(path, folder));
}
