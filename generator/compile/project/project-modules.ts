// The modules of a project by their names. In: paths. Out: their language and format, and which of them are there.
import type { Folder } from '../../../runtime/load/folder.js';
import type { ModuleFormat, Project } from './project.js';

/** Extensions of modules that can be handlers, in the order in which they are looked for. */
const moduleExtensions = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'] as const;
export type ModuleExtension = (typeof moduleExtensions)[number];

export interface ModulePath {
  /** The path without its extension. */
  readonly stem: string;
  readonly extension: ModuleExtension | '';
}

/**
 * Splits off the extension of a module; undefined for files of another kind.
 *
 * @example splitModule('src/tools/get-issue.ts') // { stem: 'src/tools/get-issue', extension: '.ts' }
 * @example splitModule('src/data.json') // undefined
 */
export function splitModule(path: string): ModulePath | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot > 1 && /\.d\.[cm]?ts$/.test(name)) return undefined;
  const ending = dot > 0 ? name.slice(dot) : '';
  const extension = moduleExtensions.find(one => one === ending);
  if (extension !== undefined) return { stem: path.slice(0, -extension.length), extension };
  return /\.[A-Za-z0-9]{1,5}$/.test(name) ? undefined : { stem: path, extension: '' };
}

export function isTypeScript(extension: ModuleExtension): boolean {
  return extension.endsWith('ts') || extension === '.tsx';
}

/** The format of a module: its extension says it, or the project does. */
export function formatOfModule(
  extension: ModuleExtension,
  { moduleFormat }: Pick<Project, 'moduleFormat'>,
): ModuleFormat {
  return extension.startsWith('.m') ? 'esm' : extension.startsWith('.c') ? 'cjs' : moduleFormat;
}

/** Tells the extension of the module that stands for a path: its own, or that of one with the same name. */
export type FindModule = (path: ModulePath) => ModuleExtension | undefined;

/**
 * Looks for modules, reading each folder once.
 *
 * @example createFinder(folder)({ stem: 'src/tools/get-issue', extension: '.ts' }) // '.mts'
 */
export function createFinder(folder: Folder): FindModule {
  const folders = new Map<string, ReadonlySet<string>>();
  const namesIn = (path: string): ReadonlySet<string> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const names = new Set(listNames(folder, path));
    folders.set(path, names);
    return names;
  };
  return ({ stem, extension }) => {
    const slash = stem.lastIndexOf('/');
    const names = namesIn(stem.slice(0, Math.max(slash, 0)));
    const name = stem.slice(slash + 1);
    if (extension !== '' && names.has(name + extension)) return extension;
    return moduleExtensions.find(one => names.has(name + one));
  };
}

/** The language of the existing handlers; TypeScript where both are. */
export function languageOf(folder: Folder, handlers: string): 'ts' | 'js' | undefined {
  const base = handlers === '' ? '' : `${handlers}/`;
  const places = [handlers, `${base}tools`, `${base}prompts`, `${base}resources`];
  const extensions = places
    .flatMap(place => listNames(folder, place))
    .flatMap(name => splitModule(name)?.extension || []);
  if (extensions.length === 0) return undefined;
  return extensions.some(isTypeScript) ? 'ts' : 'js';
}

/** The files of a folder; none where it cannot be read, which is found out when it is written to. */
function listNames(folder: Folder, path: string): readonly string[] {
  try {
    return (folder.list(path) ?? []).filter(({ type }) => type !== 'folder').map(({ name }) => name);
  } catch {
    return [];
  }
}
