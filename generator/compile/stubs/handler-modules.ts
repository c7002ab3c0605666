// In: a program. Out: the modules that its handlers live in, each with everything that it must export.
import { type WantedHandler, wantedHandlers } from '../../../runtime/call/handlers/find-handler.js';
import { isForeignPlace } from '../../../runtime/call/handlers/missing-handlers.js';
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program, Prompt, Resource, Tool } from '../../../runtime/load/program.js';
import { type FindModule, type ModuleExtension, type Project, splitModule } from '../project/project.js';

export type Handled = Tool | Prompt | Resource;

/** One name that a module exports: the handler of an item, or another function that a manifest names. */
export interface HandlerExport {
  readonly name: string;
  /** Where one function has several, the first one gives it its type. */
  readonly role: WantedHandler['role'];
  /** As the start of a sentence. */
  readonly what: string;
  /** Of handlers only. */
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
    const { export: name } = wanted;
    const place = placeOf(wanted, program, project, find);
    if (place === undefined) continue;
    const module = modules.get(place.path) ?? { extension: place.extension, exports: new Map(), sources: new Set() };
    modules.set(place.path, module);
    module.sources.add(wanted.serves?.file ?? manifestFile);
    const [first, ...others] = module.exports.get(name) ?? [];
    module.exports.set(name, first === undefined ? [wanted] : [first, ...others, wanted]);
  }
  return [...modules].map(([path, { extension, exports, sources }]) => {
    const all = [...exports].map(([name, [first, ...others]]): HandlerExport => {
      const { role, what, serves: item } = first;
      return { name, role, what, item, others: others.flatMap(({ serves }) => serves ?? []) };
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
  readonly exports: Map<string, readonly [WantedHandler, ...WantedHandler[]]>;
  readonly sources: Set<string>;
}

function isDefault({ name }: HandlerExport): boolean {
  return name === 'default';
}

/** Handlers first, then what they need, then what only helps to fill in arguments. */
const order = [
  'handler',
  'context',
  'initialize',
  'completion',
  'list',
  'routes',
] as const satisfies readonly WantedHandler['role'][];

/** The functions that get stubs: all that manifests name. */
function listStubbed(program: Program): readonly WantedHandler[] {
  const wanted = wantedHandlers({ program });
  return order.flatMap(wish => wanted.filter(({ role }) => role === wish));
}

function placeOf(
  { path, isNamed }: WantedHandler,
  { pack }: Program,
  { handlerExtension }: Pick<Project, 'handlerExtension'>,
  find: FindModule,
): { readonly path: string; readonly extension: ModuleExtension } | undefined {
  const named = splitModule(path);
  if (named === undefined || isForeignPlace(path, pack)) return undefined;
  const extension = isNamed && named.extension !== '' ? named.extension : handlerExtension;
  const found = find({ stem: named.stem, extension }) ?? extension;
  return { path: named.stem + found, extension: found };
}
