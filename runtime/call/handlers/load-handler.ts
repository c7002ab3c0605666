// In: `path#export` of a manifest. Out: the function, imported once; or a HandlerProblem with the manifest's position.
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startOf } from '../../../schema/diagnostics.js';
import type { Folder } from '../../load/folder.js';
import type { HandlerRef, Program } from '../../load/program.js';
import { maxCodeBytes, readUtf8, refuseOdd } from '../../load/read-file.js';
import type { Catalog } from '../../load/resolve.js';
import { HandlerProblem } from '../handler-problem.js';
import { explainFailure, needsHooks } from './explain-failure.js';
import { isTypeScript, wantedHandlers } from './find-handler.js';
import { diagnoseMissing, inLanguage, modulesOf } from './missing-handlers.js';
import { type ImportedModule, pickExport, wrongExport } from './pick-export.js';
import { hooksAreRegistered, registerHooks } from './register-hooks.js';
import { runOnce } from './run-once.js';

export interface LoaderOptions {
  readonly folder: Folder;
  readonly catalog: Catalog | undefined;
  readonly version: string | undefined;
  readonly watch?: LoadWatch | undefined;
  /** In place of ours. */
  readonly importModule?: ((path: string) => Promise<object>) | undefined;
}

/** Of code that may vanish or change while it is used. */
export interface LoadWatch {
  /** Throws where what would be imported now is not what was meant. */
  check(): void;
  /** What to throw in place of an error. */
  explain(error: unknown): unknown;
}

export interface Loader {
  load(ref: HandlerRef): Promise<unknown>;
  /** An export that need not be there, of a module that must. */
  find(ref: HandlerRef): Promise<unknown>;
}

export function createLoader(program: Program, options: LoaderOptions): Loader {
  const { folder, catalog, version, watch } = options;
  const { pack } = program;
  const find = createFinder(program, folder, catalog);
  const importOnce = runOnce(async (path: string): Promise<ImportedModule> => {
    const absolute = join(pack.folder, path);
    try {
      if (options.importModule !== undefined) return { ...(await options.importModule(absolute)) };
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
      const [path, exports] = await importWatched(ref);
      const found = pickExport(exports, ref.export);
      if (typeof found === 'function') {
        loaded.set(ref, found);
        return found;
      }
      throw explained(wrongExport(ref, path, exports, found));
    },
    // Asked of modules that are loaded already.
    find: async ref => pickExport(await importOnce(find(ref)), ref.export),
  };

  async function importWatched(ref: HandlerRef): Promise<readonly [string, ImportedModule]> {
    watch?.check();
    try {
      const path = find(ref);
      return [path, await importOnce(path)];
    } catch (error) {
      throw explained(error);
    }
  }

  function explained(error: unknown): unknown {
    return watch === undefined ? error : watch.explain(error);
  }
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
    const all = wantedHandlers({ program, ...(catalog === undefined ? {} : { catalog }) });
    const wanted = all.find(({ path, export: name }) => path === ref.path && name === ref.export);
    const { path } = ref;
    const shown = wanted === undefined ? undefined : inLanguage(wanted, folder);
    const diagnostic = diagnoseMissing(shown ?? { what: 'A function', path, site: () => startOf(path) }, found, {
      pack: program.pack,
      wanted: all,
    });
    const { code, message, hint } = diagnostic;
    throw new HandlerProblem(code, message, { hint, diagnostic });
  };
}

interface ImportOptions {
  /** Imports the module anew for each version, and with it what it imports from its project. */
  readonly version?: string | undefined;
}

/**
 * Imports a module by its absolute path. Throws what the module or Node throws; `explainFailure` makes sense of it.
 *
 * @example const { default: handler } = await importModule('/packs/jira/src/tools/get-issue.ts');
 */
async function importModule(path: string, { version }: ImportOptions = {}): Promise<ImportedModule> {
  // Node reads it by itself.
  refuseOdd(dirname(path), 'package.json');
  if (isTypeScript(path)) {
    const project = registerHooks();
    // Node gives hooked CommonJS sources a `require` that cannot do everything, so that they are required from the start.
    if (project.formatOf(path, readUtf8(path, maxCodeBytes)) === 'cjs') return requireModule(path, version);
  } else if (!hooksAreRegistered() && (version !== undefined || needsHooks(path))) registerHooks();
  const url = pathToFileURL(path).href;
  return (await import(version === undefined ? url : `${url}?toolwright=${version}`)) as ImportedModule;
}

let required: string | undefined;

function requireModule(path: string, version: string | undefined): ImportedModule {
  const require = createRequire(path);
  if (version !== undefined && version !== required) {
    required = version;
    for (const file of Object.keys(require.cache)) {
      if (!file.includes(`${sep}node_modules${sep}`)) delete require.cache[file];
    }
  }
  const exported: unknown = require(path);
  // As `import()` of a CommonJS module: the whole is the default export.
  const named = typeof exported === 'object' || typeof exported === 'function' ? exported : {};
  return { ...named, default: exported };
}
