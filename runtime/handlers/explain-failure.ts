// In: what was thrown while a module was imported. Out: a HandlerProblem that says what is wrong and where, without a stack.
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnose, type Site } from '../../schema/diagnostics.js';
import { findSyntaxPlace, type SyntaxPlace, syntaxPlaceOf } from './compile-source.js';
import { HandlerProblem } from './handler-problem.js';
import { modulesBehind } from './module-graph.js';

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
    const reason = `it imports ${JSON.stringify(missing.name)}, which ${missing.isPackage ? 'is not installed' : 'does not exist'}`;
    const site = siteOf(missing.from ?? path, 1, 1, failure);
    return problem(reason, site, failure, missing.isPackage ? 'install the dependencies of the pack' : undefined);
  }
  const place = syntaxPlaceOf(error) ?? (error instanceof SyntaxError ? await findSyntaxError(error, path) : undefined);
  if (place !== undefined) {
    const { reason, line, column } = place;
    const hint = /top-level await/i.test(reason) ? 'set "type": "module" in package.json' : undefined;
    return problem(reason, siteOf(place.path, line, column, failure), failure, hint);
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
  const params = { path: site?.file ?? insideOf(path, folder), reason };
  const diagnostic = diagnose('generate/unimportable', params, site ?? siteOf(path, 1, 1, failure), { hint });
  return new HandlerProblem('generate/unimportable', diagnostic.message, { hint, diagnostic, cause });
}

function siteOf(path: string, line: number, column: number, { folder }: Failure): Site {
  return { file: insideOf(path, folder), line, column, endLine: line, endColumn: column };
}

function insideOf(path: string, folder: string): string {
  return relative(folder, path).split(sep).join('/');
}

interface Missing {
  readonly name: string;
  readonly isPackage: boolean;
  readonly from: string | undefined;
}

function missingModule(error: unknown): Missing | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!(error instanceof Error) || (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND')) return undefined;
  const [, wanted] = /^Cannot find (?:package|module) '([^']+)'/.exec(error.message) ?? [];
  if (wanted === undefined) return undefined;
  const stack = 'requireStack' in error && Array.isArray(error.requireStack) ? error.requireStack : [];
  const from = / imported from (.+)$/m.exec(error.message)?.[1] ?? stack[0];
  const isPackage = !/^(?:[./\\]|[A-Za-z]:)/.test(wanted);
  const name = typeof from === 'string' && !isPackage ? shorten(wanted, from) : wanted;
  return { name, isPackage, from: typeof from === 'string' ? from.replace(/^file:\/\/.*/, fileURLToPath) : undefined };
}

/** Node names the file that it looked for; the author wrote the way to it. */
function shorten(path: string, from: string): string {
  if (path.startsWith('.')) return path;
  const way = relative(dirname(from), path).split(sep).join('/');
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
    const inside = insideOf(path, failure.folder);
    if (!inside.startsWith('..') && !inside.includes('node_modules/')) {
      return siteOf(path, Number(line), Number(column), failure);
    }
  }
  return undefined;
}
