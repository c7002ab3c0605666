// In: the path of a tsconfig.json. Out: its compiler options with those of all that it extends; of these, what the compiler of
// handlers needs for a source file.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { isMap, type Path } from '../../../schema/document.js';
import { toJson } from '../../../schema/parse/json.js';
import { readUtf8 } from '../../load/read-file.js';

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

/** One of `compilerOptions`, and the folder that a path in it starts from, as the path of its file gives it: '' or with a slash. */
export interface TsconfigOption {
  readonly value: unknown;
  readonly folder: string;
}
export type TsconfigOptions = ReadonlyMap<string, TsconfigOption>;

/** Where tsconfig files are read: anywhere on the disk, or in one folder and nowhere else. */
export interface TsconfigFiles {
  /** What a file holds; undefined where it cannot be read. */
  read(path: string): unknown;
  /** The file that an `extends` means, at `place` in `from`; undefined where it means none. */
  findBase(base: string, from: string, place: Path): string | undefined;
  /** One that leads back to a file that is being read. */
  refuseCircle?(from: string, place: Path): void;
}

/** The options of a file over those of all that it extends. Every file is read once; one that is being read has no options yet. */
export function readTsconfigOptions(
  path: string,
  files: TsconfigFiles,
  known = new Map<string, TsconfigOptions | undefined>(),
): TsconfigOptions {
  known.set(path, undefined);
  const value = files.read(path);
  const options = new Map<string, TsconfigOption>();
  if (isMap(value)) {
    for (const { base, place } of basesOf(value)) {
      const found = files.findBase(base, path, place);
      if (found === undefined) continue;
      const inherited = known.has(found) ? known.get(found) : readTsconfigOptions(found, files, known);
      if (inherited === undefined) files.refuseCircle?.(path, place);
      for (const [name, option] of inherited ?? []) options.set(name, option);
    }
    const own = Object.hasOwn(value, 'compilerOptions') ? value['compilerOptions'] : undefined;
    const folder = path.replace(/[^\\/]*$/, '');
    for (const [name, option] of Object.entries(isMap(own) ? own : {})) options.set(name, { value: option, folder });
  }
  known.set(path, options);
  return options;
}

function basesOf(value: Readonly<Record<string, unknown>>): readonly { readonly base: string; readonly place: Path }[] {
  const given = Object.hasOwn(value, 'extends') ? value['extends'] : undefined;
  if (typeof given === 'string') return [{ base: given, place: ['extends'] }];
  if (!Array.isArray(given)) return [];
  return given.flatMap((base: unknown, index) =>
    typeof base === 'string' ? [{ base, place: ['extends', index] }] : [],
  );
}

/** On the disk, wherever an `extends` leads. A broken file says nothing: `typecheck` reports it, and a server need not. */
export const tsconfigsOnDisk: TsconfigFiles = { read: readJson, findBase };

/** Each folder is looked at once. */
export function createTsconfigs(): (file: string) => Tsconfig {
  const known = new Map<string, Tsconfig>();
  const inFolder = (folder: string): Tsconfig => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const path = join(folder, 'tsconfig.json');
    const parent = dirname(folder);
    const config = isFile(path)
      ? pickOptions(readTsconfigOptions(path, tsconfigsOnDisk))
      : parent === folder
        ? { compilerOptions: {} }
        : inFolder(parent);
    known.set(folder, config);
    return config;
  };
  return file => inFolder(dirname(file));
}

function pickOptions(options: TsconfigOptions): Tsconfig {
  const textOf = (name: string): string | undefined => {
    const value = options.get(name)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const [module, moduleResolution] = [textOf('module'), textOf('moduleResolution')];
  const paths = options.get('paths');
  const base = options.get('baseUrl');
  const from = typeof base?.value === 'string' ? resolve(base.folder, base.value) : paths?.folder;
  return {
    ...(module === undefined ? {} : { module: module.toLowerCase() }),
    ...(moduleResolution === undefined ? {} : { moduleResolution: moduleResolution.toLowerCase() }),
    ...(isMap(paths?.value) && from !== undefined ? { paths: { from, map: pickPaths(paths.value) } } : {}),
    compilerOptions: Object.fromEntries(
      understood.flatMap(name => (options.has(name) ? [[name, options.get(name)?.value]] : [])),
    ),
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
