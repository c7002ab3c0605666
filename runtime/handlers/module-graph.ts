// In: a JavaScript module. Out: it and the modules of its project behind it, by a quick look that needs no parser.
import { dirname, resolve } from 'node:path';
import { maxCodeBytes, readUtf8 } from '../load/read-file.js';

export interface GraphModule {
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
export function targetOf(specifier: string, from: string): string | undefined {
  return /^\.{1,2}\//.test(specifier) ? resolve(dirname(from), specifier) : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readUtf8(path, maxCodeBytes);
  } catch {
    return undefined;
  }
}
