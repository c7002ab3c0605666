// Teaches Node to import TypeScript and to find the running copy of this package, once per thread and only when needed.
import nodeModule, {
  type LoadFnOutput,
  type LoadHookContext,
  type ResolveFnOutput,
  type ResolveHookContext,
  register,
} from 'node:module';
import { fileURLToPath } from 'node:url';
import { type OwnModules, ownModules, packageFile } from '../../load/own-package.js';
import { maxCodeBytes, readUtf8 } from '../../load/read-file.js';
import { compileSourceSync } from './compile-source.js';
import {
  isNotFound,
  jsonModuleOf,
  moduleOf,
  resolveMissing,
  resolveOwn,
  sourceOf,
  withVersion,
} from './module-hooks.js';
import { createSourceProject, type SourceProject } from './source-project.js';

/** Hooks that run in the thread that imports; the types of Node 20 do not know them. */
interface SyncHooks {
  registerHooks?(hooks: {
    resolve(specifier: string, context: ResolveHookContext, next: NextResolve): ResolveFnOutput;
    load(url: string, context: LoadHookContext, next: NextLoad): LoadFnOutput;
  }): unknown;
}
type NextResolve = (specifier: string, context: ResolveHookContext) => ResolveFnOutput;
type NextLoad = (url: string, context: LoadHookContext) => LoadFnOutput;

// Node's hooks belong to the thread, not to the code that asks for them.
let registered: SourceProject | undefined;

export function hooksAreRegistered(): boolean {
  return registered !== undefined;
}

/** Returns what the hooks know about sources. */
export function registerHooks(): SourceProject {
  if (registered !== undefined) return registered;
  const own = ownModules();
  const project = createSourceProject();
  hookRequire(project, own);
  // Stacks in the operator's log then show lines of the source.
  process.setSourceMapsEnabled(true);
  // Node has these since 22.15; without them hooks live in a thread, which takes far longer to start.
  const hooks = nodeModule as SyncHooks;
  if (hooks.registerHooks !== undefined) hookImport(hooks, project, own);
  else register('./dist/runtime/typescript-loader.js', packageFile(), { data: { own } });
  registered = project;
  return project;
}

function hookImport(hooks: SyncHooks, project: SourceProject, own: OwnModules): void {
  hooks.registerHooks?.({
    resolve(specifier, context, next) {
      // `require` has its own hooks.
      if (context.conditions.includes('require')) return next(specifier, context);
      try {
        return resolveOwn(specifier, own) ?? withVersion(next(specifier, context), context);
      } catch (error) {
        return resolveMissing(error, specifier, context, project);
      }
    },
    load(url, context, next) {
      if (context.conditions.includes('require')) return next(url, context);
      const source = sourceOf(url, project);
      if (source !== undefined) return moduleOf(source, compileSourceSync(source, project));
      return jsonModuleOf(url, context) ?? next(url, context);
    },
  });
}

/** What every tool of this kind has relied on for ten years, though no type says so. */
interface CommonJsLoader {
  readonly _extensions: Record<string, LoadFile | undefined>;
  _resolveFilename(
    request: string,
    parent: { readonly filename?: string | null } | undefined,
    ...rest: unknown[]
  ): string;
}
type LoadFile = (module: { _compile(code: string, path: string): unknown }, path: string) => unknown;

/** The same for `require`: CommonJS modules in TypeScript, and the running copy of this package. */
function hookRequire(project: SourceProject, own: OwnModules): void {
  const loader = nodeModule as unknown as CommonJsLoader;
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function resolve(request, parent, ...rest) {
    const running = resolveOwn(request, own);
    if (running !== undefined) return fileURLToPath(running.url);
    try {
      return resolveFilename.call(this, request, parent, ...rest);
    } catch (error) {
      const from = parent?.filename ?? undefined;
      const isOurs = isNotFound(error) && from !== undefined && !isDependency(from);
      const found = isOurs ? project.locate(request, from) : undefined;
      if (found === undefined) throw error;
      return found;
    }
  };
  for (const extension of ['.ts', '.cts', '.tsx']) {
    const before = loader._extensions[extension];
    loader._extensions[extension] = (module, path) => {
      if (isDependency(path) && before !== undefined) return before(module, path);
      const source = { path, text: readUtf8(path, maxCodeBytes), format: 'cjs' } as const;
      return module._compile(compileSourceSync(source, project), path);
    };
  }
}

function isDependency(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}
