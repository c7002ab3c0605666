// In: a program of a folder and an environment. Out: the pack with its code, imported from that folder on first use.
import { compileValidators } from '../call/compile-validators.js';
import { type Folder, nodeFolder } from '../load/folder.js';
import type { Program, Tool } from '../load/program.js';
import type { Catalog } from '../load/resolve.js';
import { createLoader, type LoadWatch } from './load-handler.js';
import { loadValidators } from './load-validators.js';
import { type HostOptions, type OpenHost, openHost } from './open-host.js';

export type { OpenHost } from './open-host.js';

export interface PackHostOptions extends HostOptions {
  /** Absent: the pack's folder on disk. Modules are always imported from there. */
  readonly folder?: Folder | undefined;
  /** Where items are declared, for the places of mistakes. */
  readonly catalog?: Catalog | undefined;
  /** Imports all modules anew for each version. */
  readonly version?: string | undefined;
  /** In place of Node, which loads TypeScript through hooks: test runners have modules of their own. */
  readonly importModule?: ((path: string) => Promise<object>) | undefined;
  /** Of a pack that may vanish or change while its host is used. */
  readonly watch?: LoadWatch | undefined;
}

/**
 * Opens a pack for running.
 *
 * @example
 * const { host, problems } = createPackHost(program, { env: process.env, report: text => console.error(text) });
 */
export function createPackHost(program: Program, options: PackHostOptions): OpenHost {
  const { pack } = program;
  const { catalog, version, watch, importModule } = options;
  const folder = options.folder ?? nodeFolder(pack.folder);
  const { load, find } = createLoader(program, { folder, catalog, version, watch, importModule });
  const validators = async (tool: Tool) =>
    (await loadValidators(tool, pack, folder)) ?? (await compileValidators(tool));
  return openHost(program, { load, find, validators, checkFiles: watch?.check }, folder, options);
}
