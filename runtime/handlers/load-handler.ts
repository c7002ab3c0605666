// In: `path#export` of a manifest. Out: the function, imported once; or a HandlerProblem with the manifest's position.
import { join } from 'node:path';
import { diagnose, startOf } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import type { Folder } from '../load/folder.js';
import type { HandlerRef, Program } from '../load/program.js';
import type { Catalog } from '../load/resolve.js';
import { explainFailure } from './explain-failure.js';
import { HandlerProblem } from './handler-problem.js';
import { exportOf, importModule, type ModuleExports } from './import-module.js';
import { diagnoseMissing, modulesOf } from './missing-handlers.js';
import { runOnce } from './run-once.js';
import { wantedHandlers } from './wanted-handlers.js';

export interface LoaderOptions {
  readonly folder: Folder;
  readonly catalog: Catalog | undefined;
  readonly version: string | undefined;
}

export interface Loader {
  load(ref: HandlerRef): Promise<unknown>;
  /** An export that need not be there, of a module that must. */
  find(ref: HandlerRef): Promise<unknown>;
}

export function createLoader(program: Program, { folder, catalog, version }: LoaderOptions): Loader {
  const { pack } = program;
  const find = createFinder(program, folder, catalog);
  const importOnce = runOnce(async (path: string): Promise<ModuleExports> => {
    const absolute = join(pack.folder, path);
    try {
      return await importModule(absolute, { version });
    } catch (error) {
      throw await explainFailure({ error, path: absolute, folder: pack.folder });
    }
  });
  const loaded = new WeakMap<HandlerRef, unknown>();
  return {
    async load(ref) {
      const known = loaded.get(ref);
      if (known !== undefined) return known;
      const path = find(ref);
      const exports = await importOnce(path);
      const found = exportOf(exports, ref.export);
      if (typeof found === 'function') {
        loaded.set(ref, found);
        return found;
      }
      throw wrongExport(ref, path, exports, found);
    },
    find: async ref => exportOf(await importOnce(find(ref)), ref.export),
  };
}

/** What is not there is looked for again: it may have been written since. */
function createFinder(program: Program, folder: Folder, catalog: Catalog | undefined): (ref: HandlerRef) => string {
  let modules = modulesOf(program, folder);
  return ref => {
    let found = modules.find(ref.path);
    if (found.found !== 'module') {
      modules = modulesOf(program, folder);
      found = modules.find(ref.path);
    }
    if (found.found === 'module') return found.path;
    const wanted = wantedHandlers({ program, ...(catalog === undefined ? {} : { catalog }) }).find(
      ({ path, export: name }) => path === ref.path && name === ref.export,
    );
    const { path } = ref;
    const diagnostic = diagnoseMissing(wanted ?? { what: 'A function', path, site: () => startOf(path) }, found);
    const { code, message, hint } = diagnostic;
    throw new HandlerProblem(code, message, { hint, diagnostic });
  };
}

function wrongExport(ref: HandlerRef, path: string, exports: ModuleExports, found: unknown): HandlerProblem {
  const names = namesOf(exports).filter(name => typeof exportOf(exports, name) === 'function');
  const near = didYouMean(ref.export, names);
  const known = names.length === 0 ? 'it exports no function' : `it exports ${names.join(', ')}`;
  const hint = found === undefined ? (near ?? known) : `it is ${describe(found)}, not a function; ${known}`;
  const diagnostic = diagnose('generate/missing-export', { path, name: ref.export }, startOf(path), { hint });
  return new HandlerProblem(diagnostic.code, diagnostic.message, { hint, diagnostic });
}

/** Of a CommonJS module also what is in its whole. */
function namesOf(exports: ModuleExports): readonly string[] {
  const { default: whole } = exports;
  const inner = typeof whole === 'object' && whole !== null ? Object.keys(whole) : [];
  return [...new Set([...Object.keys(exports), ...inner])];
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
