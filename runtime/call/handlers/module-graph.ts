// In: a JavaScript module. Out: it and the modules of its project behind it, by a quick look that needs no parser; and whether Node
// can import them as they are.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { maxCodeBytes, readUtf8 } from '../../load/read-file.js';
import { isTypeScript } from './find-handler.js';
import { isFile } from './tsconfig.js';

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
export function* modulesBehind(entry: string): Generator<GraphModule> {
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
