// The same for `require`: CommonJS modules in TypeScript, and the running copy of this package.
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { maxCodeBytes, readUtf8 } from '../load/read-file.js';
import { compileSourceSync } from './compile-source.js';
import { isNotFound, type OwnModules } from './module-hooks.js';
import type { SourceProject } from './source-project.js';

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

export function hookRequire(project: SourceProject, own: OwnModules): void {
  const loader = nodeModule as unknown as CommonJsLoader;
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function resolve(request, parent, ...rest) {
    const running = Object.hasOwn(own, request) ? own[request] : undefined;
    if (running !== undefined) return fileURLToPath(running);
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
