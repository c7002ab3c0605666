// In: a program and its folder. Out: every function that its manifests name, and the file that will be imported for it, or why none
// can be. Nothing is read or run.
import type { Site } from '../../../schema/diagnostics.js';
import { isMap, type Path } from '../../../schema/document.js';
import { nearest } from '../../../schema/nearest.js';
import { codeOf, type Folder, handlerRefOf, joinPath, nameOf, normalizePath, parentOf } from '../../load/folder.js';
import type { LoadedPack } from '../../load/load.js';
import type { HandlerRef, Program, Prompt, Resource, Server, Tool } from '../../load/program.js';
import { maxBytes } from '../../load/read-file.js';

export interface WantedHandler extends HandlerRef {
  /** As the start of a sentence: `The handler for the tool "get-issue"`. */
  readonly what: string;
  /** What the function is for. */
  readonly role: 'handler' | 'context' | 'initialize' | 'completion' | 'list' | 'routes';
  /** The item whose handler it is; other functions have no types to fit. */
  readonly serves?: Tool | Prompt | Resource;
  /** The manifest names the module itself, so that a mistake may be there. */
  readonly isNamed: boolean;
  site(): Site;
}

/** With a catalog, an item whose module nobody names is found at its declaration. */
export function wantedHandlers({
  program,
  catalog,
}: Pick<LoadedPack, 'program'> & Partial<Pick<LoadedPack, 'catalog'>>): readonly WantedHandler[] {
  if (program === undefined) return [];
  const declared = new Map<string, () => Site>();
  for (const { kind, name, declaration, winner } of Object.values(catalog ?? {}).flat()) {
    const site = declaration?.site ?? winner?.site;
    if (site !== undefined) declared.set(`${kind}:${name}`, site);
  }
  return [
    ...wantedByPack(program),
    ...program.servers.flatMap(wantedByServer),
    ...program.tools.flatMap(tool => [...wantedByItem(tool), ...wantedByTool(tool)]),
    ...program.prompts.flatMap(prompt => [...wantedByItem(prompt), ...wantedByPrompt(prompt)]),
    ...program.resources.flatMap(resource => [...wantedByItem(resource), ...wantedByResource(resource)]),
  ];

  function wantedByItem(one: Tool | Prompt | Resource): readonly WantedHandler[] {
    const { kind, item, handler, at, definition, server } = one;
    if (handler === undefined) return [];
    const isNamed = definition.handler !== undefined;
    const site = (): Site => {
      if (isNamed) return at.site(['handler']);
      return (server === undefined ? declared.get(`${kind}:${item}`)?.() : undefined) ?? at.site(['name']);
    };
    return [
      {
        path: handler.path,
        export: handler.export,
        role: 'handler',
        serves: one,
        isNamed,
        site,
        // Asked for by mistakes only.
        get what() {
          return `The handler for ${shown(one)}`;
        },
      },
    ];
  }
}

function wantedByPack({ pack }: Program): readonly WantedHandler[] {
  if (pack.context === undefined) return [];
  const site = (): Site => pack.at.site(['context']);
  return [{ ...pack.context, what: "The pack's context", role: 'context', isNamed: true, site }];
}

function wantedByServer(server: Server): readonly WantedHandler[] {
  const { initialize, routes } = server.definition;
  return [
    ...named('initialize', initialize, ['initialize'], server, `The initialize function for ${shown(server)}`),
    ...named('routes', routes, ['routes'], server, `The routes function for ${shown(server)}`),
  ];
}

function wantedByTool(tool: Tool): readonly WantedHandler[] {
  const { initialize } = tool.definition;
  const what = `The initialize function for ${shown(tool)}`;
  return isMap(initialize)
    ? named('initialize', initialize['handler'], ['initialize', 'handler'], tool, what)
    : named('initialize', initialize, ['initialize'], tool, what);
}

function wantedByPrompt(prompt: Prompt): readonly WantedHandler[] {
  return prompt.arguments.flatMap(({ name, complete }) =>
    completion(name, complete, ['arguments', name, 'complete'], prompt),
  );
}

function wantedByResource(resource: Resource): readonly WantedHandler[] {
  const lists = named('list', resource.definition.list, ['list'], resource, `The list function for ${shown(resource)}`);
  const completions = Object.entries(resource.definition.complete ?? {}).flatMap(([name, complete]) =>
    completion(name, complete, ['complete', name], resource),
  );
  return [...lists, ...completions];
}

function completion(name: string, value: unknown, path: Path, item: Prompt | Resource): readonly WantedHandler[] {
  return named('completion', value, path, item, `The completion for ${quoted(name)} in ${shown(item)}`);
}

/** Lists of values and absent ones name nothing. */
function named(
  role: WantedHandler['role'],
  value: unknown,
  path: Path,
  { at }: Pick<Tool | Prompt | Resource | Server, 'at'>,
  what: string,
): readonly WantedHandler[] {
  const ref = typeof value === 'string' ? handlerRefOf(value) : undefined;
  return ref === undefined ? [] : [{ ...ref, what, role, isNamed: true, site: () => at.site(path) }];
}

function shown({ kind, item }: Pick<Tool | Prompt | Resource | Server, 'kind' | 'item'>): string {
  return `the ${kind} ${quoted(item)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

// In: the path of a module as a manifest names it. Out: the module's file.

export type FoundModule =
  | { readonly found: 'module'; readonly path: string }
  | { readonly found: 'unusable'; readonly reason: string }
  /** `like` is a file with almost the same name, `unbuilt` what the build of an installed pack should have been. */
  | { readonly found: 'nothing'; readonly like: string | undefined; readonly unbuilt?: string };

interface Listed {
  readonly type: 'file' | 'folder' | 'outside' | 'other';
  readonly isLink: boolean;
}

/** What Node imports, or imports after its types were taken away; the first that exists is the source (DESIGN 2). */
const searched = ['.ts', '.mts', '.js', '.mjs'];
const importable = [...searched, '.cts', '.cjs'];
/** A folder with one is a pack of its own. */
const packMark = 'toolwright.yaml';

export interface Modules {
  /** The module of a handler: its source, else its build. */
  find(path: string): FoundModule;
  /** The module that an import in `from` leads to; undefined where it is outside the pack's own files. */
  resolve(specifier: string, from: string): FoundModule | undefined;
  /** Files below a folder that can be modules, without dependencies, other packs, hidden folders and `skipped`. */
  below(
    path: string,
    skipped: ReadonlySet<string>,
    isWanted?: (name: string, isLink: boolean) => boolean,
  ): readonly string[];
  /** Without a BOM; throws what the system throws. */
  text(path: string): string;
}

export interface ModuleFolders {
  readonly handlers: string;
  readonly dist: string;
  /** The pack lies in node_modules: its build comes first, and only JavaScript is imported. */
  readonly isInstalled?: boolean;
}

/** Each folder is listed once, so that a thousand handlers cost a handful of calls. Names count with their case. */
export function openModules(folder: Folder, { handlers, dist, isInstalled = false }: ModuleFolders): Modules {
  const lists = new Map<string, ReadonlyMap<string, Listed>>();

  function listOf(path: string): ReadonlyMap<string, Listed> {
    const known = lists.get(path);
    if (known !== undefined) return known;
    const entries = (typeOf(path) === 'folder' ? readList(path) : undefined) ?? [];
    const list = new Map(
      entries.map(({ name, type }) => {
        const status = type === 'link' ? folder.status(joinPath(path, name)) : type;
        return [name, { type: status === 'missing' ? 'other' : status, isLink: type === 'link' }] as const;
      }),
    );
    lists.set(path, list);
    return list;
  }

  function readList(path: string): ReturnType<Folder['list']> {
    try {
      return folder.list(path);
    } catch {
      return undefined;
    }
  }

  function typeOf(path: string): Listed['type'] | undefined {
    if (path === '') return 'folder';
    return listOf(parentOf(path)).get(nameOf(path))?.type;
  }

  function find(path: string): FoundModule {
    if (isInstalled) return findInstalled(path);
    const found = findSource(path);
    if (found.found !== 'nothing') return found;
    const built = builtPaths(path).find(one => typeOf(one) === 'file');
    return built === undefined ? found : { found: 'module', path: built };
  }

  /** What the author's compiler makes of a path: the handlers prefix is replaced, the extension is JavaScript's. */
  function builtPaths(path: string): readonly string[] {
    if (handlers !== '' && !path.startsWith(`${handlers}/`)) return [];
    const stem = stemOf(handlers === '' ? path : path.slice(handlers.length + 1));
    const kind = /\.([cm])[jt]s$/.exec(path)?.[1] ?? '';
    return [...new Set([`.${kind}js`, '.js'])].map(extension => joinPath(dist, stem + extension));
  }

  function findInstalled(path: string): FoundModule {
    const plain = [path, ...['.js', '.mjs', '.cjs'].map(extension => stemOf(path) + extension)].filter(
      one => isModulePath(one) && !isTypeScript(one),
    );
    const usable = [...builtPaths(path), ...plain].find(one => typeOf(one) === 'file');
    if (usable !== undefined) return { found: 'module', path: usable };
    const source = findSource(path);
    const [built = 'JavaScript'] = builtPaths(path);
    if (source.found === 'nothing') return { found: 'nothing', like: undefined, unbuilt: built };
    if (source.found !== 'module') return source;
    return { found: 'unusable', reason: `an installed pack is not compiled, and it has no ${built}` };
  }

  function findSource(path: string): FoundModule {
    const stem = stemOf(path);
    const candidates = [path, ...searched.map(extension => stem + extension)];
    for (const candidate of candidates)
      if (typeOf(candidate) === 'file' && isModulePath(candidate)) return { found: 'module', path: candidate };
    for (const candidate of candidates) {
      const type = typeOf(candidate);
      if (type === undefined) continue;
      if (type === 'outside') return { found: 'unusable', reason: 'it is outside the pack' };
      if (type === 'file') return { found: 'unusable', reason: `handlers are ${searched.join(', ')} files` };
      const index =
        type === 'folder' ? searched.find(extension => typeOf(`${candidate}/index${extension}`)) : undefined;
      return {
        found: 'unusable',
        reason: index === undefined ? 'it is not a file' : `it is a folder; write ${candidate}/index${index}`,
      };
    }
    if (isBehindLink(parentOf(path))) return { found: 'unusable', reason: 'it is outside the pack' };
    return { found: 'nothing', like: findLike(path, parentOf(path)) ?? findElsewhere(path, candidates) };
  }

  /** A folder above leads out of the pack. */
  function isBehindLink(path: string): boolean {
    const type = typeOf(path);
    return type === undefined ? isBehindLink(parentOf(path)) : type === 'outside';
  }

  function findLike(path: string, parent: string): string | undefined {
    const siblings = [...listOf(parent).keys()].filter(isModulePath);
    const like = nearest(nameOf(path), siblings);
    return like === undefined ? undefined : joinPath(parent, like);
  }

  /** A folder with a slip in its name, or a path that should start at the pack and starts at the handlers. */
  function findElsewhere(path: string, candidates: readonly string[]): string | undefined {
    const inHandlers = candidates
      .map(one => joinPath(handlers, one))
      .find(one => isModulePath(one) && typeOf(one) === 'file');
    if (inHandlers !== undefined || typeOf(parentOf(path)) !== undefined) return inHandlers;
    const above = parentOf(parentOf(path));
    const folders = [...listOf(above)].filter(([, { type }]) => type === 'folder').map(([name]) => name);
    const meant = nearest(nameOf(parentOf(path)), folders);
    if (meant === undefined) return undefined;
    const parent = joinPath(above, meant);
    return typeOf(joinPath(parent, nameOf(path))) === 'file' ? joinPath(parent, nameOf(path)) : findLike(path, parent);
  }

  return {
    find,
    resolve(specifier, from) {
      if (!/^\.\.?(\/|$)/.test(specifier)) return undefined;
      const path = resolvePath(specifier, from);
      if (path === undefined) return undefined;
      const found = findSource(path);
      if (found.found === 'module') return found;
      const index = searched.map(extension => joinPath(path, `index${extension}`)).find(one => typeOf(one) === 'file');
      return index === undefined ? found : { found: 'module', path: index };
    },
    below(start, skipped, isWanted = isModulePath) {
      const files: string[] = [];
      const pending = [start];
      for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
        const list = listOf(path);
        if (path !== start && list.has(packMark)) continue;
        for (const [name, { type, isLink }] of list) {
          const inner = joinPath(path, name);
          if (name.startsWith('.') || name === 'node_modules' || skipped.has(inner)) continue;
          // Links to folders may lead in circles.
          if (type === 'folder' && !isLink) pending.push(inner);
          else if (type === 'file' && isWanted(name, isLink)) files.push(inner);
        }
      }
      return files.sort((a, b) => (a < b ? -1 : 1));
    },
    text(path) {
      const bytes = folder.read(path, maxBytes);
      if (typeof bytes === 'number') throw Object.assign(new Error('too large'), { code: 'EFBIG' });
      return new TextDecoder().decode(bytes);
    },
  };
}

export function isModulePath(path: string): boolean {
  return importable.some(extension => path.endsWith(extension)) && !/\.d\.[cm]?ts$/.test(path);
}

/** Whether a module needs its types taken away. */
export function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

/** Without an extension of a module: names of items may have dots. */
export function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, '');
}

/** The path in the pack that a relative specifier means; undefined where it leaves the pack. */
export function resolvePath(specifier: string, from: string): string | undefined {
  return normalizePath(joinPath(parentOf(from), specifier));
}

export function reasonOf(error: unknown): string {
  return codeOf(error) ?? String(error);
}
