// In: the pack's folder. Out: what its tsconfig.json says about modules, with everything that it extends.
// Files outside the folder are never read; what they say is unknown.
import { readTsconfigOptions, type TsconfigOption } from '../../../runtime/call/handlers/tsconfig.js';
import { normalizePath } from '../../../runtime/load/folder.js';
import type { Reader } from '../../../runtime/load/read.js';
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import type { Document, Path } from '../../../schema/document.js';
import { toJson } from '../../../schema/parse/json.js';
import { parse } from '../../../schema/parse/parse.js';

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
  return path === undefined ? undefined : readOptions(path, reader, diagnostics);
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
