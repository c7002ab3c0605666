// In: the pack's folder. Out: what its tsconfig.json says about modules, with everything that it extends.
// Files outside the folder are never read; what they say is unknown.
import { normalize } from '../runtime/load/folder.js';
import type { Reader } from '../runtime/load/read.js';
import { type Diagnostic, diagnose, type Site } from '../schema/diagnostics.js';
import { type Document, isMap } from '../schema/document.js';
import { toJson } from '../schema/parse/json.js';
import { parse } from '../schema/parse/parse.js';

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
] as const;

/** The options of the tsconfig.json nearest to the handlers; undefined where there is none. */
export function readTsconfig(reader: Reader, handlers: string, diagnostics: Diagnostic[]): TsconfigOptions | undefined {
  const path = foldersUp(handlers)
    .map(folder => `${folder}tsconfig.json`)
    .find(one => reader.folder.status(one) === 'file');
  return path === undefined ? undefined : readOptions(path, { reader, diagnostics, known: new Map() });
}

/** `src/a` -> `src/a/`, `src/`, and the pack itself, which is nothing. */
export function foldersUp(path: string): readonly string[] {
  const steps = path.split('/').filter(step => step !== '');
  return [...steps.keys(), steps.length].reverse().map(count =>
    steps
      .slice(0, count)
      .map(step => `${step}/`)
      .join(''),
  );
}

interface Reading {
  readonly reader: Reader;
  readonly diagnostics: Diagnostic[];
  /** Every file is read once; one that is still being read has no options yet. */
  readonly known: Map<string, TsconfigOptions | undefined>;
}

function readOptions(path: string, reading: Reading): TsconfigOptions {
  const { reader, diagnostics, known } = reading;
  known.set(path, undefined);
  const document = readJsonc(path, reader, diagnostics);
  let options: TsconfigOptions = {};
  if (document !== undefined && isMap(document.value)) {
    for (const { base, site } of basesOf(document)) {
      const found = findBase(base, path, reader);
      const isCircle = 'path' in found && known.has(found.path) && known.get(found.path) === undefined;
      const problem = isCircle ? 'it extends itself' : 'problem' in found ? found.problem : undefined;
      if (problem !== undefined) diagnostics.push(diagnose('generate/tsconfig', { path, reason: problem }, site()));
      else if ('path' in found)
        options = { ...options, ...(known.get(found.path) ?? readOptions(found.path, reading)) };
      else options = { ...options, hasUnknownBase: true };
    }
    options = { ...options, ...pickOptions(document.value['compilerOptions'], folderOf(path)) };
  }
  known.set(path, options);
  return options;
}

function basesOf({ value, site }: Document): readonly { readonly base: string; site(): Site }[] {
  const given = isMap(value) && Object.hasOwn(value, 'extends') ? value['extends'] : undefined;
  if (typeof given === 'string') return [{ base: given, site: () => site(['extends']) }];
  if (!Array.isArray(given)) return [];
  return given.flatMap((base: unknown, index) =>
    typeof base === 'string' ? [{ base, site: () => site(['extends', index]) }] : [],
  );
}

/** `src/tsconfig.json` -> `src/` */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function pickOptions(value: unknown, folder: string): TsconfigOptions {
  if (!isMap(value)) return {};
  const own = (name: string, type: 'string' | 'boolean'): readonly (readonly [string, unknown])[] => {
    const option = Object.hasOwn(value, name) ? value[name] : undefined;
    return typeof option === type ? [[name, option]] : [];
  };
  return Object.fromEntries([
    ...texts.flatMap(name => own(name, 'string')),
    ...paths.flatMap(name => own(name, 'string').flatMap(([, path]) => inPack(name, String(path), folder))),
    ...flags.flatMap(name => own(name, 'boolean')),
  ]);
}

/** Paths are from the file that has them; those that lead out of the pack, or that the compiler fills in, stay unknown. */
function inPack(name: string, path: string, folder: string): readonly (readonly [string, string])[] {
  const inside = /^(?:[\\/]|[A-Za-z]:|\$\{)/.test(path) ? undefined : normalize(folder + path);
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
  const start = isRelative ? folderOf(from) : 'node_modules/';
  const inside = /^([\\/]|[A-Za-z]:)/.test(base) ? undefined : normalize(start + base);
  if (inside === undefined) return { isUnknown: true };
  const candidates = isRelative ? [inside, `${inside}.json`] : [inside, `${inside}.json`, `${inside}/tsconfig.json`];
  const path = candidates.find(one => reader.folder.status(one) === 'file');
  if (path !== undefined) return { path };
  const isMissing = isRelative && candidates.every(one => reader.folder.status(one) !== 'outside');
  return isMissing ? { problem: `it extends ${JSON.stringify(base)}, which is not there` } : { isUnknown: true };
}
