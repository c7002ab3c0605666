// The package's public face: `import { loadPack } from 'toolwright'`.
import type { Diagnostic } from '../schema/diagnostics.js';
import type { Folder } from './load/folder.js';
import { type LoadOptions, load } from './load/load.js';
import type { Program } from './load/program.js';

export type { Code } from '../schema/codes.js';
export type * from '../schema/definitions.js';
export type { Diagnostic, Related, Severity, Site } from '../schema/diagnostics.js';
export { type CheckReport, checkPack } from './load/check.js';
export { type Entry, type EntryType, type Folder, nodeFolder, type PathStatus } from './load/folder.js';
export type { LoadOptions } from './load/load.js';
export type { HandlerRef, Listed, Program, Prompt, Resource, Server, Tool } from './load/program.js';
export type { ParseCache } from './load/read.js';

export interface LoadResult {
  /** Undefined where there is no usable toolwright.yaml. Items with errors are left out of it. */
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Loads a pack: manifests, definitions and overlays become one program. Runs none of the pack's code.
 *
 * @example
 * const { program, diagnostics } = await loadPack('packs/jira', { overlays: ['overlays/quiet'] });
 * console.log(program?.tools.map(tool => tool.name));
 */
export async function loadPack(where: string | Folder, options: LoadOptions = {}): Promise<LoadResult> {
  const { program, diagnostics } = load(where, options);
  return { program, diagnostics };
}
