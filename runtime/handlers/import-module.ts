// In: the path of a module of a pack. Out: what it exports. JavaScript is imported natively, TypeScript through hooks.
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { maxCodeBytes, readUtf8, refuseOdd } from '../load/read-file.js';
import { isTypeScript } from './find-handler.js';
import type { ModuleExports } from './module-exports.js';
import { needsHooks } from './needs-hooks.js';
import { hooksAreRegistered, registerHooks } from './register-hooks.js';

export interface ImportOptions {
  /** Imports the module anew for each version, and with it what it imports from its project. */
  readonly version?: string | undefined;
}

/**
 * Imports a module by its absolute path. Throws what the module or Node throws; `explainFailure` makes sense of it.
 *
 * @example const { default: handler } = await importModule('/packs/jira/src/tools/get-issue.ts');
 */
export async function importModule(path: string, { version }: ImportOptions = {}): Promise<ModuleExports> {
  // Node reads it by itself.
  refuseOdd(dirname(path), 'package.json');
  if (isTypeScript(path)) {
    const project = registerHooks();
    // Node gives hooked CommonJS sources a `require` that cannot do everything, so that they are required from the start.
    if (project.formatOf(path, readUtf8(path, maxCodeBytes)) === 'cjs') return requireModule(path, version);
  } else if (!hooksAreRegistered() && (version !== undefined || needsHooks(path))) registerHooks();
  const url = pathToFileURL(path).href;
  return (await import(version === undefined ? url : `${url}?toolwright=${version}`)) as ModuleExports;
}

let required: string | undefined;

function requireModule(path: string, version: string | undefined): ModuleExports {
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
