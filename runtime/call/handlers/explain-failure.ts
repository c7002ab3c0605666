// In: what was thrown while a module was imported. Out: a HandlerProblem that says what is wrong and where, without a stack.

import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnose, type Site } from '../../../schema/diagnostics.js';
import { codeOf, relativePath } from '../../load/folder.js';
import { maxCodeBytes, readUtf8 } from '../../load/read-file.js';
import { HandlerProblem } from '../handler-problem.js';
import { findSyntaxPlace, type SyntaxPlace, syntaxPlaceOf } from './compile-source.js';
import { isTypeScript } from './find-handler.js';
import { isFile } from './tsconfig.js';

export interface Failure {
  readonly error: unknown;
  /** The module that was to be imported, absolute. */
  readonly path: string;
  /** The pack's folder, absolute. */
  readonly folder: string;
}

export async function explainFailure(failure: Failure): Promise<HandlerProblem> {
  const { error, path } = failure;
  if (error instanceof HandlerProblem) return error;
  const missing = missingModule(error);
  if (missing !== undefined) {
    const { name, target, from = path } = missing;
    const wrong = target === undefined ? 'is not installed' : missing.isFolder ? 'is a folder' : 'does not exist';
    const hint = target === undefined ? "install the pack's dependencies" : rightName(name, target);
    return problem(`it imports ${JSON.stringify(name)}, which ${wrong}`, siteOf(from, 1, 1, failure), failure, hint);
  }
  const place = syntaxPlaceOf(error) ?? (error instanceof SyntaxError ? await findSyntaxError(error, path) : undefined);
  if (place !== undefined) {
    const { reason, line, column } = place;
    const hint = /top-level await/i.test(reason) ? 'set "type": "module" in package.json' : syntaxHint(place);
    return problem(reason, siteOf(place.path, line, column, failure), failure, hint);
  }
  // Of the reader, which looked at it before Node did.
  if (codeOf(error) === 'ENOTFILE' || codeOf(error) === 'EFBIG') {
    const odd = error instanceof Error && 'path' in error ? String(error.path) : path;
    const wrong = codeOf(error) === 'EFBIG' ? 'is too large' : 'is not a file that can be read';
    return problem(`"${relativePath(failure.folder, odd)}" ${wrong}`, siteOf(path, 1, 1, failure), failure);
  }
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const frame = frameIn(error, failure);
  return problem(`it throws ${thrown}`, frame, { ...failure, cause: error });
}

function problem(
  reason: string,
  site: Site | undefined,
  failure: Failure & { readonly cause?: unknown },
  hint?: string,
): HandlerProblem {
  const { path, folder, cause } = failure;
  const params = { path: site?.file ?? relativePath(folder, path), reason };
  const diagnostic = diagnose('generate/unimportable', params, site ?? siteOf(path, 1, 1, failure), { hint });
  return new HandlerProblem('generate/unimportable', diagnostic.message, { hint, diagnostic, cause });
}

/** For what a parser refuses. */
export function syntaxHint({ line, column }: { readonly line: number; readonly column: number }): string {
  return `fix the syntax error in line ${line}, column ${column}`;
}

function siteOf(path: string, line: number, column: number, { folder }: Failure): Site {
  return { file: relativePath(folder, path), line, column, endLine: line, endColumn: column };
}

interface Missing {
  readonly name: string;
  /** The path that was looked for; undefined for a package. */
  readonly target: string | undefined;
  /** ES modules are files. */
  readonly isFolder: boolean;
  readonly from: string | undefined;
}

const notFound: ReadonlySet<unknown> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'MODULE_NOT_FOUND',
]);

function missingModule(error: unknown): Missing | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!(error instanceof Error) || !notFound.has(code)) return undefined;
  const [, wanted] = /^(?:Cannot find (?:package|module)|Directory import) '([^']+)'/.exec(error.message) ?? [];
  if (wanted === undefined) return undefined;
  const stack = 'requireStack' in error && Array.isArray(error.requireStack) ? error.requireStack : [];
  const importer: unknown = / imported from (.+)$/m.exec(error.message)?.[1] ?? stack[0];
  const from = typeof importer === 'string' ? importer.replace(/^file:\/\/.*/, fileURLToPath) : undefined;
  const isFolder = code === 'ERR_UNSUPPORTED_DIR_IMPORT';
  if (!/^(?:[./\\]|[A-Za-z]:)/.test(wanted)) return { name: wanted, target: undefined, isFolder, from };
  const name = from === undefined ? wanted : shorten(wanted, from);
  return { name, target: from === undefined ? wanted : resolve(dirname(from), wanted), isFolder, from };
}

/** What Node would have found, had the author written all of it: the name of the file once it is compiled. */
function rightName(name: string, target: string): string | undefined {
  const written = /\.[cm]?tsx?$/.test(name) ? name.replace(/\.([cm]?)tsx?$/, '.$1js') : undefined;
  const names = written === undefined ? [`${name}.js`, `${name.replace(/\/$/, '')}/index.js`] : [written];
  const right = names.find(one => {
    const path = join(target, relative(name, one));
    return [path, path.replace(/js$/, 'ts'), path.replace(/js$/, 'tsx')].some(isFile);
  });
  return right === undefined ? undefined : `write '${right}'`;
}

/** Node names the file that it looked for; the author wrote the way to it. */
function shorten(path: string, from: string): string {
  if (path.startsWith('.')) return path;
  const way = relativePath(dirname(from), path);
  return way.startsWith('.') ? way : `./${way}`;
}

/** Node often does not say where: the parser of esbuild does, for the module itself or for what it imports. */
async function findSyntaxError(error: SyntaxError, entry: string): Promise<SyntaxPlace | undefined> {
  const [head = '', , caret = ''] = (error.stack ?? '').split('\n');
  const [, file, line] = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)$/.exec(head) ?? [];
  if (file !== undefined) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return { path, line: Number(line), column: Math.max(caret.indexOf('^'), 0) + 1, reason: error.message };
  }
  for (const module of modulesBehind(entry)) {
    const place = await findSyntaxPlace(module.path, module.text);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The first line of the stack that is in the pack. */
function frameIn(error: unknown, failure: Failure): Site | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, file = '', line, column] of stack.matchAll(
    /^\s+at .*?\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]+?):(\d+):(\d+)\)?$/gm,
  )) {
    const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file;
    const inside = relativePath(failure.folder, path);
    if (!inside.startsWith('..') && !inside.includes('node_modules/')) {
      return siteOf(path, Number(line), Number(column), failure);
    }
  }
  return undefined;
}

// In: a JavaScript module. Out: it and the modules of its project behind it, by a quick look that needs no parser; and whether Node
// can import them as they are.

interface GraphModule {
  readonly path: string;
  readonly text: string;
  /** Everything that it seems to import. */
  readonly specifiers: readonly string[];
}

const imports = /\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;
/** A project with more modules behind one handler is better built ahead. */
const mostModules = 1000;

/** What cannot be read is left out: Node says what is wrong with it. */
function* modulesBehind(entry: string): Generator<GraphModule> {
  const pending = [entry];
  const seen = new Set(pending);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const text = textOf(path);
    if (text === undefined) continue;
    const specifiers = [...text.matchAll(imports)].map(([, specifier = '']) => specifier);
    yield { path, text, specifiers };
    for (const specifier of specifiers) {
      const target = targetOf(specifier, path);
      if (target === undefined || seen.has(target) || seen.size >= mostModules) continue;
      seen.add(target);
      if (/\.[cm]?js$/.test(target)) pending.push(target);
    }
  }
}

/** The path that a relative specifier names. */
function targetOf(specifier: string, from: string): string | undefined {
  return /^\.{1,2}\//.test(specifier) ? resolve(dirname(from), specifier) : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readUtf8(path, maxCodeBytes);
  } catch {
    return undefined;
  }
}

/**
 * True where a module of the project imports TypeScript, or this package where Node would not find it. A failed import cannot be tried
 * again in the same process, so that this must be known before.
 */
export function needsHooks(entry: string): boolean {
  for (const { path, specifiers } of modulesBehind(entry)) {
    for (const specifier of specifiers) {
      if (/^toolwright(\/|$)/.test(specifier) && !isInstalledFor(path)) return true;
      const target = targetOf(specifier, path);
      if (target !== undefined && leadsToTypeScript(target)) return true;
    }
  }
  return false;
}

function leadsToTypeScript(target: string): boolean {
  if (isTypeScript(target)) return true;
  const source = target.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== target && !isFile(target) && isFile(source);
}

function isInstalledFor(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', 'toolwright', 'package.json'))) return true;
    if (dirname(folder) === folder) return false;
  }
}
