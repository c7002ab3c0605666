// How sources of a project are run as they are. In: paths and specifiers. Out: module formats, compiler options, and the
// files that TypeScript and bundlers would find where Node finds nothing. Runs in the thread of hooks as well.
import { dirname, join, resolve } from 'node:path';
import { isMap } from '../../../schema/document.js';
import { readUtf8 } from '../../load/read-file.js';
import { createTsconfigs, isFile } from './tsconfig.js';

export type ModuleFormat = 'esm' | 'cjs';

export interface SourceProject {
  /** As TypeScript decides by extension, tsconfig and package.json; what only an ES module can do makes it one. */
  formatOf(path: string, text: string): ModuleFormat;
  compilerOptions(path: string): Readonly<Record<string, unknown>>;
  /** The file that a specifier in `from` means where Node knows none. */
  locate(specifier: string, from: string): string | undefined;
}

export function createSourceProject(): SourceProject {
  const tsconfigOf = createTsconfigs();
  const typeOf = createPackageTypes();

  function formatOf(path: string, text: string): ModuleFormat {
    if (/\.[cm]ts$/.test(path)) return path.endsWith('.mts') ? 'esm' : 'cjs';
    const { module = 'node' } = tsconfigOf(path);
    const format = module.startsWith('node') ? typeOf(dirname(path)) : module === 'commonjs' ? 'cjs' : 'esm';
    return format === 'cjs' && needsEsm.test(text) ? 'esm' : format;
  }

  /** Node's own rules for ES modules want whole file names, and so does TypeScript where it follows them. */
  function isLenient(path: string): boolean {
    if (!/\.[cm]?tsx?$/.test(path)) return false;
    const { module, moduleResolution = module ?? '' } = tsconfigOf(path);
    return !/^node(16|18|20|next)$/.test(moduleResolution) || formatOf(path, '') === 'cjs';
  }

  function locate(specifier: string, from: string): string | undefined {
    if (/^\.{1,2}(\/|$)/.test(specifier)) return findSource(resolve(dirname(from), specifier), isLenient(from));
    if (specifier.startsWith('/') || /^[a-z]+:/i.test(specifier)) return undefined;
    const { paths } = tsconfigOf(from);
    if (paths === undefined) return undefined;
    for (const target of mapped(specifier, paths.map)) {
      const path = resolve(paths.from, target);
      const found = isFile(path) ? path : findSource(path, true);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return { formatOf, locate, compilerOptions: path => tsconfigOf(path).compilerOptions };
}

/** `import.meta`, or an `await` at the start of a line or of a variable that starts a line. */
const needsEsm = /\bimport\.meta\b|^(?:await\b|for\s+await\b|(?:export\s+)?(?:const|let|var)\s[^\n;]*?=\s*await\b)/m;

/** The same name with the extension that the source has. */
const written: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const endings = ['.ts', '.tsx', '.js', '.json', '/index.ts', '/index.tsx', '/index.js'];

function findSource(path: string, isLenient: boolean): string | undefined {
  const [extension = ''] = /\.[cm]?jsx?$/.exec(path) ?? [];
  const stem = extension === '' ? path : path.slice(0, -extension.length);
  const candidates = (written[extension] ?? []).map(ending => stem + ending);
  return [...candidates, ...(isLenient ? endings.map(ending => path + ending) : [])].find(isFile);
}

/** What `paths` of a tsconfig make of a specifier, the most precise pattern first. */
function mapped(specifier: string, map: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const exact = map[specifier];
  if (exact !== undefined) return exact;
  const fitting = Object.entries(map).flatMap(([pattern, targets]) => {
    const [start = '', end, ...more] = pattern.split('*');
    if (end === undefined || more.length > 0 || specifier.length < start.length + end.length) return [];
    if (!specifier.startsWith(start) || !specifier.endsWith(end)) return [];
    const middle = specifier.slice(start.length, specifier.length - end.length);
    return [{ length: start.length, paths: targets.map(target => target.replace('*', () => middle)) }];
  });
  return fitting.sort((a, b) => b.length - a.length)[0]?.paths ?? [];
}

/** As Node decides by the nearest package.json, but ES modules where there is none. */
function createPackageTypes(): (folder: string) => ModuleFormat {
  const known = new Map<string, ModuleFormat>();
  return function typeOf(folder): ModuleFormat {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const parent = dirname(folder);
    const type = readType(join(folder, 'package.json')) ?? (parent === folder ? 'esm' : typeOf(parent));
    known.set(folder, type);
    return type;
  };
}

function readType(path: string): ModuleFormat | undefined {
  if (!isFile(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readUtf8(path));
    return isMap(value) && value['type'] === 'module' ? 'esm' : 'cjs';
  } catch {
    return 'esm';
  }
}
