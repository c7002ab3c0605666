// How the pack's project writes its modules. In: the pack's folder. Out: language, module format and extensions of its
// handlers (P16), from tsconfig.json, package.json and the existing handlers. Never looks outside the folder.
import { isTypeScript } from '../../../runtime/call/handlers/find-handler.js';
import type { ModuleFormat } from '../../../runtime/call/handlers/source-project.js';
import { readTsconfigOptions, type TsconfigOption } from '../../../runtime/call/handlers/tsconfig.js';
import { type Folder, normalizePath } from '../../../runtime/load/folder.js';
import { createReader, type Reader } from '../../../runtime/load/read.js';
import { type Diagnostic, diagnose, type Outcome } from '../../../schema/diagnostics.js';
import { type Document, isMap, type Path } from '../../../schema/document.js';
import { toJson } from '../../../schema/parse/json.js';
import { parse } from '../../../schema/parse/parse.js';

export interface Project {
  readonly language: 'ts' | 'js';
  /** Of modules whose extension does not say it (.ts, .js). */
  readonly moduleFormat: ModuleFormat;
  /** What a new handler's file name ends with. */
  readonly handlerExtension: '.ts' | '.js' | '.mjs';
  /** What stands for `.ts` where one source imports another. */
  readonly importExtension: '.js' | '.ts';
  /** The compiler refuses `import` and `export` statements in CommonJS modules. */
  readonly verbatimModuleSyntax: boolean;
  /** The compiler refuses parameters that a body does not use. */
  readonly refusesUnusedParameters: boolean;
}

/**
 * Looks at a project: the tsconfig.json nearest to the handlers, then package.json. A broken one is reported, and
 * what it would have said is assumed.
 *
 * @example detectProject(nodeFolder('.'), 'src').value // { language: 'ts', moduleFormat: 'esm', ... }
 */
export function detectProject(folder: Folder, handlers: string): Outcome<Project> {
  const reader = createReader(folder);
  const diagnostics: Diagnostic[] = [];
  const tsconfig = readTsconfig(reader, handlers, diagnostics);
  const packageType = readPackageType(reader, handlers);
  const language = chooseLanguage(tsconfig, folder, handlers);
  const moduleFormat = chooseFormat(language === 'ts' ? tsconfig : undefined, packageType);
  return {
    value: {
      language,
      moduleFormat,
      handlerExtension: language === 'ts' ? '.ts' : packageType === 'unknown' ? '.mjs' : '.js',
      importExtension: tsconfig?.allowImportingTsExtensions && isNeverEmitted(tsconfig) ? '.ts' : '.js',
      verbatimModuleSyntax: tsconfig?.verbatimModuleSyntax === true,
      refusesUnusedParameters: tsconfig?.noUnusedParameters === true,
    },
    diagnostics,
  };
}

function chooseLanguage(tsconfig: TsconfigOptions | undefined, folder: Folder, handlers: string): Project['language'] {
  // A tsconfig with checkJs is often only there to check JavaScript, and a workspace may have its tsconfig further up:
  // in both cases the existing handlers know better.
  if (tsconfig !== undefined && tsconfig.checkJs !== true) return 'ts';
  return languageOf(folder, handlers) ?? 'js';
}

/** `unknown`: there is no package.json, or only one outside the pack. */
type PackageType = ModuleFormat | 'unknown';

function chooseFormat(tsconfig: TsconfigOptions | undefined, packageType: PackageType): ModuleFormat {
  const byPackage = packageType === 'cjs' ? 'cjs' : 'esm';
  const module = tsconfig?.module?.toLowerCase();
  if (module === undefined || module.startsWith('node')) return byPackage;
  return module === 'commonjs' ? 'cjs' : 'esm';
}

function isNeverEmitted({ noEmit, emitDeclarationOnly }: TsconfigOptions): boolean {
  return noEmit === true || emitDeclarationOnly === true;
}

/** As Node decides: the nearest package.json, and CommonJS where it has no `type`. */
function readPackageType(reader: Reader, handlers: string): PackageType {
  for (const folder of foldersUp(handlers)) {
    const path = `${folder}package.json`;
    if (reader.folder.status(path) !== 'file') continue;
    // The loader reports a broken one.
    const value = reader.documents(path, 'json').value?.[0]?.value;
    if (value === undefined) return 'unknown';
    return isMap(value) && value['type'] === 'module' ? 'esm' : 'cjs';
  }
  return 'unknown';
}

// The modules of a project by their names. In: paths. Out: their language and format, and which of them are there.

/** Extensions of modules that can be handlers, in the order in which they are looked for. */
const moduleExtensions = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'] as const;
export type ModuleExtension = (typeof moduleExtensions)[number];

interface ModulePath {
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
function languageOf(folder: Folder, handlers: string): 'ts' | 'js' | undefined {
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

// In: the pack's folder. Out: what its tsconfig.json says about modules, with everything that it extends.
// Files outside the folder are never read; what they say is unknown.

/** The compiler options that decide how a module is written. */
export interface TsconfigOptions {
  readonly module?: string;
  readonly moduleResolution?: string;
  /** Relative to the pack. */
  readonly rootDir?: string;
  readonly outDir?: string;
  readonly verbatimModuleSyntax?: boolean;
  readonly allowImportingTsExtensions?: boolean;
  readonly noEmit?: boolean;
  readonly emitDeclarationOnly?: boolean;
  readonly noUnusedParameters?: boolean;
  readonly checkJs?: boolean;
  readonly allowJs?: boolean;
  /** It extends something outside the folder, which may say what is not said here. */
  readonly hasUnknownBase?: boolean;
}

const texts = ['module', 'moduleResolution'] as const;
const paths = ['rootDir', 'outDir'] as const;
const flags = [
  'verbatimModuleSyntax',
  'allowImportingTsExtensions',
  'noEmit',
  'emitDeclarationOnly',
  'noUnusedParameters',
  'checkJs',
  'allowJs',
] as const;

/** The options of the tsconfig.json nearest to the handlers; undefined where there is none. */
export function readTsconfig(reader: Reader, handlers: string, diagnostics: Diagnostic[]): TsconfigOptions | undefined {
  const path = foldersUp(handlers)
    .map(folder => `${folder}tsconfig.json`)
    .find(one => reader.folder.status(one) === 'file');
  return path === undefined ? undefined : readOptions(path, reader, diagnostics);
}

/** `src/a` -> `src/a/`, `src/`, and the pack itself, which is nothing. */
function foldersUp(path: string): readonly string[] {
  const steps = path.split('/').filter(step => step !== '');
  return [...steps.keys(), steps.length].reverse().map(count =>
    steps
      .slice(0, count)
      .map(step => `${step}/`)
      .join(''),
  );
}

function readOptions(path: string, reader: Reader, diagnostics: Diagnostic[]): TsconfigOptions {
  const documents = new Map<string, Document | undefined>();
  let hasUnknownBase = false;
  const refuse = (file: string, place: Path, reason: string): void => {
    const site = documents.get(file)?.site(place);
    if (site !== undefined) diagnostics.push(diagnose('generate/tsconfig', { path: file, reason }, site));
  };
  const options = readTsconfigOptions(path, {
    read(file) {
      const document = readJsonc(file, reader, diagnostics);
      documents.set(file, document);
      return document?.value;
    },
    findBase(base, from, place) {
      const found = findBase(base, from, reader);
      if ('problem' in found) refuse(from, place, found.problem);
      hasUnknownBase ||= 'isUnknown' in found;
      return 'path' in found ? found.path : undefined;
    },
    refuseCircle: (from, place) => refuse(from, place, 'it extends itself'),
  });
  return { ...pickOptions(options), ...(hasUnknownBase ? { hasUnknownBase } : {}) };
}

function pickOptions(options: ReadonlyMap<string, TsconfigOption>): Omit<TsconfigOptions, 'hasUnknownBase'> {
  const own = (name: string, type: 'string' | 'boolean'): readonly (readonly [string, unknown, string])[] => {
    const { value, folder = '' } = options.get(name) ?? {};
    return typeof value === type ? [[name, value, folder]] : [];
  };
  return Object.fromEntries([
    ...texts.flatMap(name => own(name, 'string')),
    ...paths.flatMap(name => own(name, 'string').flatMap(([, path, folder]) => inPack(name, String(path), folder))),
    ...flags.flatMap(name => own(name, 'boolean')),
  ]);
}

/** Paths are from the file that has them; those that lead out of the pack, or that the compiler fills in, stay unknown. */
function inPack(name: string, path: string, folder: string): readonly (readonly [string, string])[] {
  const inside = /^(?:[\\/]|[A-Za-z]:|\$\{)/.test(path) ? undefined : normalizePath(folder + path);
  return inside === undefined ? [] : [[name, inside]];
}

function readJsonc(path: string, reader: Reader, diagnostics: Diagnostic[]): Document | undefined {
  const { value: source, diagnostics: unreadable } = reader.text(path, 'json');
  const parsed = source === undefined ? undefined : parse({ ...source, text: toJson(source.text), hash: '' });
  const [wrong] = parsed?.diagnostics ?? unreadable;
  if (wrong !== undefined) diagnostics.push(diagnose('generate/tsconfig', { path, reason: wrong.message }, wrong));
  return parsed?.documents[0];
}

type FoundBase = { readonly path: string } | { readonly problem: string } | { readonly isUnknown: true };

/** Where an `extends` leads. Unknown: out of the folder, or to a package that is not installed; the compiler's business. */
function findBase(base: string, from: string, reader: Reader): FoundBase {
  const isRelative = /^\.{1,2}([\\/]|$)/.test(base);
  const start = isRelative ? from.slice(0, from.lastIndexOf('/') + 1) : 'node_modules/';
  const inside = /^([\\/]|[A-Za-z]:)/.test(base) ? undefined : normalizePath(start + base);
  if (inside === undefined) return { isUnknown: true };
  const candidates = isRelative ? [inside, `${inside}.json`] : [inside, `${inside}.json`, `${inside}/tsconfig.json`];
  const path = candidates.find(one => reader.folder.status(one) === 'file');
  if (path !== undefined) return { path };
  const isMissing = isRelative && candidates.every(one => reader.folder.status(one) !== 'outside');
  return isMissing ? { problem: `it extends ${JSON.stringify(base)}, which is not there` } : { isUnknown: true };
}
