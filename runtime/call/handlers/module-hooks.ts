// What both kinds of Node's module hooks do with one specifier or one file. In: a specifier or a URL. Out: where it leads,
// or the source that Node shall run. Files of node_modules are left alone.
import type { LoadFnOutput, LoadHookContext, ResolveFnOutput, ResolveHookContext } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OwnModules } from '../../load/own-package.js';
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

export function withVersion(found: ResolveFnOutput, { parentURL = '' }: ResolveHookContext): ResolveFnOutput {
  const [version] = versionQuery.exec(parentURL) ?? [];
  const { url } = found;
  return version === undefined || url.includes('?') || pathOf(url) === undefined
    ? found
    : { ...found, url: url + version };
}

/** The running copy of this package; undefined for the names of anything else. */
export function resolveOwn(specifier: string, own: OwnModules): ResolveFnOutput | undefined {
  const url = Object.hasOwn(own, specifier) ? own[specifier] : undefined;
  return url === undefined ? undefined : { url, shortCircuit: true };
}

/** The path of a file of the project; undefined for anything else, and for dependencies. */
function pathOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url.replace(versionQuery, ''));
  return /[\\/]node_modules[\\/]/.test(path) ? undefined : path;
}

/** What TypeScript or a bundler would find for a specifier where Node found nothing; throws Node's error where they know no more. */
export function resolveMissing(
  error: unknown,
  specifier: string,
  context: ResolveHookContext,
  project: SourceProject,
): ResolveFnOutput {
  const from = isNotFound(error) ? pathOf(context.parentURL) : undefined;
  const found = from === undefined ? undefined : project.locate(specifier, from);
  if (found === undefined) throw error;
  return withVersion({ url: pathToFileURL(found).href, shortCircuit: true }, context);
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
export function moduleOf({ path, format }: Source, code: string): LoadFnOutput {
  if (format === 'esm') return toModule(code);
  const names = exportedNames(code).filter(name => name !== 'default');
  return toModule(
    [
      "import { createRequire } from 'node:module';",
      `const exported = createRequire(import.meta.url)(${JSON.stringify(path)});`,
      'export default exported;',
      ...names.map((name, index) => `const value${index} = exported.${name};\nexport { value${index} as ${name} };`),
    ].join('\n'),
  );
}

/** JSON without an import attribute, as bundlers allow it. */
export function jsonModuleOf(url: string, { importAttributes }: LoadHookContext): LoadFnOutput | undefined {
  const isPlain = importAttributes?.['type'] === undefined && url.replace(versionQuery, '').endsWith('.json');
  const path = isPlain ? pathOf(url) : undefined;
  if (path === undefined) return undefined;
  const value: unknown = JSON.parse(readUtf8(path, maxCodeBytes));
  return toModule(`export default ${JSON.stringify(value)};`);
}

function toModule(source: string): LoadFnOutput {
  return { format: 'module', source, shortCircuit: true };
}
