// In: a stored program and the modules that were bundled with it. Out: the pack with its code, loaded on first use.

import { HandlerProblem } from '../../call/handler-problem.js';
import { type HostOptions, type OpenHost, openHost } from '../../call/handlers/open-host.js';
import { type ImportedModule, pickExport, wrongExport } from '../../call/handlers/pick-export.js';
import type { Validate, Validators } from '../../call/ports.js';
import { printCause } from '../../call/print-cause.js';
import type { Folder } from '../../load/folder.js';
import { definitionHash, type HandlerRef, type Program, type Tool } from '../../load/program.js';

export type ImportModule = () => Promise<ImportedModule>;

/** The code of one pack inside an artifact. */
export interface BundledCode {
  /** By the path that a manifest names: a file for `load`, or the import itself. */
  readonly modules: Readonly<Record<string, string | ImportModule>>;
  /** By the item name of a tool. */
  readonly validators: Readonly<Record<string, string | ImportModule>>;
  load?(file: string): Promise<ImportedModule>;
}

export interface ArtifactHostOptions extends HostOptions {
  /** Validators for a definition that is not the one that was built; absent: definitions cannot change. */
  readonly compile?: ((tool: Tool) => Promise<Validators>) | undefined;
}

/**
 * Opens a built pack for running.
 *
 * @example const { host } = openArtifactHost(program, parts, folder, { env: process.env, report: printReport });
 */
export function openArtifactHost(
  program: Program,
  code: BundledCode,
  folder: Folder,
  options: ArtifactHostOptions,
): OpenHost {
  const { modules, validators } = code;
  const open = async (found: string | ImportModule): Promise<ImportedModule | undefined> =>
    typeof found === 'string' ? await code.load?.(found) : await found();
  const importOf = async ({ path }: HandlerRef): Promise<ImportedModule> => {
    const found = Object.hasOwn(modules, path) ? modules[path] : undefined;
    if (found === undefined) throw new HandlerProblem('generate/missing-handler', `${path} is not part of this build`);
    try {
      return (await open(found)) ?? {};
    } catch (cause) {
      throw new HandlerProblem('generate/unimportable', `${path} cannot be loaded: ${printCause(cause)}`, { cause });
    }
  };
  const loaded = new WeakMap<HandlerRef, unknown>();
  const loading = {
    async load(ref: HandlerRef) {
      const known = loaded.get(ref);
      if (known !== undefined) return known;
      const exports = await importOf(ref);
      const found = pickExport(exports, ref.export);
      if (typeof found !== 'function') throw wrongExport(ref, ref.path, exports, found);
      loaded.set(ref, found);
      return found;
    },
    find: async (ref: HandlerRef) => pickExport(await importOf(ref), ref.export),
    async validators(tool: Tool): Promise<Validators> {
      const found = Object.hasOwn(validators, tool.item) ? validators[tool.item] : undefined;
      const built = found === undefined ? undefined : await open(found);
      const isCurrent = options.compile === undefined || built?.['hash'] === definitionHash(tool);
      if (built !== undefined && isCurrent) return pick(built, tool);
      if (options.compile !== undefined) return await options.compile(tool);
      throw new Error(`${tool.item} has no validators in this build`);
    },
  };
  return openHost(program, loading, folder, options);
}

function pick({ validateInput, validateOutput }: ImportedModule, tool: Tool): Validators {
  const input = validateInput as Validate;
  return tool.outputSchema === undefined ? { input } : { input, output: validateOutput as Validate };
}
