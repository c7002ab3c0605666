// What both kinds of Node's module hooks do with one specifier or one file. In: a specifier or a URL. Out: where it leads,
// or the source that Node shall run. Files of node_modules are left alone.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { maxCodeBytes, readUtf8 } from '../../load/read-file.js';
import { exportedNames, type Source } from './compile-source.js';
import type { SourceProject } from './source-project.js';

const notFound = new Set([
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_INVALID_MODULE_SPECIFIER',
  'MODULE_NOT_FOUND',
]);

/** Node found nothing; somebody else may know better. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && notFound.has(String(error.code));
}

/** The query of a URL that marks a version of a module; what it imports from the same project is of that version too. */
const versionQuery = /\?toolwright=[\w.-]+$/;

export function withVersion(url: string, parent: string | undefined): string {
  const [version] = versionQuery.exec(parent ?? '') ?? [];
  return version === undefined || url.includes('?') || pathOf(url) === undefined ? url : url + version;
}

/** The path of a file of the project; undefined for anything else, and for dependencies. */
function pathOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url.replace(versionQuery, ''));
  return /[\\/]node_modules[\\/]/.test(path) ? undefined : path;
}

/** The URL that TypeScript or a bundler would find for a specifier. */
export function locate(specifier: string, parent: string | undefined, project: SourceProject): string | undefined {
  const from = pathOf(parent);
  const found = from === undefined ? undefined : project.locate(specifier, from);
  return found === undefined ? undefined : pathToFileURL(found).href;
}

/** The source behind a URL, if it must be compiled. */
export function sourceOf(url: string, project: SourceProject): Source | undefined {
  const path = pathOf(url);
  if (path === undefined || !/\.[cm]?tsx?$/.test(path)) return undefined;
  const text = readUtf8(path, maxCodeBytes);
  return { path, text, format: project.formatOf(path, text) };
}

/**
 * The ES module that Node shall run. A CommonJS module is run by `require`, whose hooks compile it: there must be one
 * instance of it for everyone, and Node gives hooked CommonJS sources a `require` that cannot do everything.
 */
export function moduleOf({ path, format }: Source, code: string): string {
  if (format === 'esm') return code;
  const names = exportedNames(code).filter(name => name !== 'default');
  return [
    "import { createRequire } from 'node:module';",
    `const exported = createRequire(import.meta.url)(${JSON.stringify(path)});`,
    'export default exported;',
    ...names.map((name, index) => `const value${index} = exported.${name};\nexport { value${index} as ${name} };`),
  ].join('\n');
}

/** JSON without an import attribute, as bundlers allow it. */
export function jsonModuleOf(url: string, type: string | undefined): string | undefined {
  const path = type === undefined && url.replace(versionQuery, '').endsWith('.json') ? pathOf(url) : undefined;
  if (path === undefined) return undefined;
  const value: unknown = JSON.parse(readUtf8(path, maxCodeBytes));
  return `export default ${JSON.stringify(value)};`;
}
