// In: the path of a source file. Out: what the nearest tsconfig.json says about compiling it, with all that it extends.
// A broken one says nothing: `typecheck` reports it, and a server need not.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { isMap } from '../../schema/document.js';
import { toJson } from '../../schema/parse/json.js';
import { readUtf8 } from '../load/read-file.js';

export interface Tsconfig {
  /** Lower case, as written: `nodenext`, `esnext`. */
  readonly module?: string;
  readonly moduleResolution?: string;
  /** Where `paths` start, and what they map. */
  readonly paths?: { readonly from: string; readonly map: Readonly<Record<string, readonly string[]>> };
  /** What the compiler of handlers understands. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

const understood = [
  'jsx',
  'jsxFactory',
  'jsxFragmentFactory',
  'jsxImportSource',
  'experimentalDecorators',
  'useDefineForClassFields',
  'target',
  'verbatimModuleSyntax',
  'importsNotUsedAsValues',
  'preserveValueImports',
  'strict',
  'alwaysStrict',
];
const nothing: Tsconfig = { compilerOptions: {} };

/** Each folder is looked at once. */
export function createTsconfigs(): (file: string) => Tsconfig {
  const known = new Map<string, Tsconfig>();
  const inFolder = (folder: string): Tsconfig => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const path = join(folder, 'tsconfig.json');
    const parent = dirname(folder);
    const config = isFile(path) ? readTsconfig(path, new Set()) : parent === folder ? nothing : inFolder(parent);
    known.set(folder, config);
    return config;
  };
  return file => inFolder(dirname(file));
}

function readTsconfig(path: string, seen: Set<string>): Tsconfig {
  if (seen.has(path)) return nothing;
  seen.add(path);
  const value = readJson(path);
  if (!isMap(value)) return nothing;
  const bases = Array.isArray(value['extends']) ? value['extends'] : [value['extends']];
  let config = nothing;
  for (const base of bases) {
    const found = typeof base === 'string' ? findBase(base, path) : undefined;
    if (found !== undefined) config = merge(config, readTsconfig(found, seen));
  }
  return merge(config, pick(value['compilerOptions'], dirname(path)));
}

function merge(base: Tsconfig, own: Tsconfig): Tsconfig {
  return { ...base, ...own, compilerOptions: { ...base.compilerOptions, ...own.compilerOptions } };
}

function pick(value: unknown, folder: string): Tsconfig {
  if (!isMap(value)) return nothing;
  const { module, moduleResolution, baseUrl, paths } = value;
  const from = typeof baseUrl === 'string' ? resolve(folder, baseUrl) : folder;
  return {
    ...(typeof module === 'string' ? { module: module.toLowerCase() } : {}),
    ...(typeof moduleResolution === 'string' ? { moduleResolution: moduleResolution.toLowerCase() } : {}),
    ...(isMap(paths) ? { paths: { from, map: pickPaths(paths) } } : {}),
    compilerOptions: Object.fromEntries(Object.entries(value).filter(([name]) => understood.includes(name))),
  };
}

function pickPaths(paths: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([pattern, targets]) =>
      Array.isArray(targets) ? [[pattern, targets.filter(target => typeof target === 'string')]] : [],
    ),
  );
}

function findBase(base: string, from: string): string | undefined {
  if (/^\.{0,2}[\\/]/.test(base) || /^[A-Za-z]:/.test(base)) {
    const path = resolve(dirname(from), base);
    return [path, `${path}.json`].find(isFile);
  }
  const require = createRequire(from);
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      const found = require.resolve(name);
      if (found.endsWith('.json')) return found;
    } catch {
      // The next form may be there.
    }
  }
  return undefined;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(toJson(readUtf8(path).replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}

/** Whether a path leads to a regular file. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
