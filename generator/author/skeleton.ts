// In: a folder with a package.json. Out: whether it is a package of somebody's, or only what `npm init` and its like write for want of
// anything; and a source of the author, where there is one.
import { type Folder, joinPath } from '../../runtime/load/folder.js';
import { isMap } from '../../schema/document.js';
import { readText } from './change-book.js';

type PackageJson = Readonly<Record<string, unknown>>;

/** What `npm init` writes as the script "test". */
export const noTest = 'echo "Error: no test specified" && exit 1';
const emptyScripts: Readonly<Record<string, string>> = { test: noTest, typecheck: 'bun check' };
/** The whole index.ts of `bun init`. */
const helloBun = /^\w+\.log\("Hello via Bun!"\);$/;

/** Keys that say who made a package and for which manager, whatever their values are. */
const anyValue = [
  ...['name', 'version', 'description', 'author', 'license', 'private', 'type', 'repository', 'bugs', 'homepage'],
  ...['packageManager', 'devEngines', 'dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'],
];

/** Keys whose value may be one that stands for none. */
const emptyValue: Readonly<Record<string, (value: unknown, folder: Folder) => boolean>> = {
  main: isMissingFile,
  module: value => value === 'index.ts',
  keywords: value => Array.isArray(value) && value.length === 0,
  scripts: value => isMap(value) && Object.entries(value).every(([name, line]) => emptyScripts[name] === line),
};

/** Nothing in it is the author's, and there are no sources. */
export function isSkeleton(packageJson: PackageJson, folder: Folder): boolean {
  const isEmpty = ([key, value]: readonly [string, unknown]): boolean =>
    anyValue.includes(key) || (Object.hasOwn(emptyValue, key) && emptyValue[key]?.(value, folder) === true);
  return Object.entries(packageJson).every(isEmpty) && findSource(folder) === undefined;
}

/** What is left of a skeleton for a new pack: keys that say nothing, or that name a file that is not there, are gone. */
export function keptOfSkeleton(packageJson: PackageJson, folder: Folder): PackageJson {
  const replaced = ['type', 'keywords', 'scripts'];
  return Object.fromEntries(
    Object.entries(packageJson).filter(
      ([key, value]) => !replaced.includes(key) && value !== '' && !(key === 'main' && isMissingFile(value, folder)),
    ),
  );
}

function isMissingFile(path: unknown, folder: Folder): boolean {
  return typeof path === 'string' && folder.status(path.replace(/^\.\//, '')) === 'missing';
}

const isModule = (name: string): boolean => /\.[cm]?[jt]sx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name);
/** What is installed or made from sources. */
const notSources = ['node_modules', 'dist', 'build', 'out', 'coverage', 'generated'];

/** The first module of the author, an index before others; undefined where there is none. */
export function findSource(folder: Folder): string | undefined {
  const found = modulesIn(folder, '', 3);
  return found.find(path => /^(?:src\/|lib\/)?index\./.test(path)) ?? found[0];
}

function modulesIn(folder: Folder, path: string, depth: number): readonly string[] {
  const entries = (folder.list(path) ?? []).filter(({ name }) => !name.startsWith('.'));
  const files = entries.filter(({ name, type }) => type === 'file' && isModule(name));
  const own = files.map(({ name }) => joinPath(path, name)).filter(file => !isHello(folder, file));
  if (depth === 0) return own;
  const folders = entries.filter(({ name, type }) => type === 'folder' && !notSources.includes(name));
  return [...own, ...folders.flatMap(({ name }) => modulesIn(folder, joinPath(path, name), depth - 1))];
}

function isHello(folder: Folder, file: string): boolean {
  return file === 'index.ts' && helloBun.test(readText(folder, file)?.trim() ?? '');
}
