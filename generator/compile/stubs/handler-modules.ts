// In: a program. Out: the modules that its handlers live in, each with everything that it must export.
import { isBelow } from '../../../runtime/load/folder.js';
import type { HandlerRef, Program, Prompt, Resource, Tool } from '../../../runtime/load/program.js';
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
  for (const { ref, isNamed, item, file } of wanted(program)) {
    const place = placeOf(ref, isNamed, program, project, find);
    if (place === undefined) continue;
    const module = modules.get(place.path) ?? { extension: place.extension, exports: new Map(), sources: new Set() };
    modules.set(place.path, module);
    module.sources.add(file);
    const items = module.exports.get(ref.export) ?? [];
    module.exports.set(ref.export, [...items, item]);
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

interface Wanted {
  readonly ref: HandlerRef;
  /** The manifest names the path: its extension is the author's choice. */
  readonly isNamed: boolean;
  readonly item: Handled | undefined;
  readonly file: string;
}

function wanted({ tools, prompts, resources, pack }: Program): readonly Wanted[] {
  const handled = [...tools, ...prompts, ...resources].flatMap((item): Wanted[] => {
    const { handler: ref, definition, file } = item;
    return ref === undefined ? [] : [{ ref, isNamed: typeof definition.handler === 'string', item, file }];
  });
  if (pack.context === undefined) return handled;
  return [...handled, { ref: pack.context, isNamed: true, item: undefined, file: 'toolwright.yaml' }];
}

function placeOf(
  { path }: HandlerRef,
  isNamed: boolean,
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
