// In: a program of a folder and an environment. Out: the pack with its code, imported from that folder on first use.

import { type Folder, joinPath, nodeFolder, readTextIn } from '../../load/folder.js';
import { ownModules, packageFile } from '../../load/own-package.js';
import { definitionHash, type Program, type Tool } from '../../load/program.js';
import type { Catalog } from '../../load/resolve.js';
import { compileValidators } from '../compile-validators.js';
import type { Validate, Validators } from '../ports.js';
import { createLoader, type LoadWatch } from './load-handler.js';
import { type HostOptions, type OpenHost, openHost } from './open-host.js';
import type { PackThreadOrder } from './pack-thread.js';

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
  // Modules of a test runner are in its own thread only.
  const threads = importModule === undefined ? openPackThreads(options, watch === undefined) : undefined;
  return openHost(program, { load, find, validators, checkFiles: watch?.check }, folder, { ...options, threads });
}

/** X10: `isOwn` tells them how to name what goes wrong with its code. */
function openPackThreads(options: PackHostOptions, isOwn: boolean): HostOptions['threads'] {
  return async ({ pack: { at: _, ...pack } }, settings) => {
    const { openWorkers } = await import('../threads/workers.js');
    const order: PackThreadOrder = { pack, env: { ...options.env }, isOwn };
    const file = (): URL => packageFile('dist/runtime/pack-thread.js');
    return openWorkers({ file, order, settings, report: options.report });
  };
}

const support = /^(import \{[^}\n]*\} from )'toolwright\/support';$/m;

/** The generated validators of a tool, if they are of this very definition: a stale module is never even run. */
async function loadValidators(tool: Tool, pack: Program['pack'], folder: Folder): Promise<Validators | undefined> {
  const path = joinPath(pack.generated, 'tools', `${tool.item}.mjs`);
  const text = folder.status(path) === 'file' ? readTextIn(folder, path) : undefined;
  const [, hash] = /^export const hash = '([\w-]+)';$/m.exec(text ?? '') ?? [];
  if (text === undefined || hash === undefined || hash !== definitionHash(tool)) return undefined;
  try {
    return pick(await importText(text), tool);
  } catch {
    // Somebody edited it. Validators made now serve as well.
    return undefined;
  }
}

/**
 * The text that was looked at is what runs, with the running copy of `toolwright/support` (the pack may have none): no
 * hooks are needed, and a changed file is another module.
 */
async function importText(text: string): Promise<Readonly<Record<string, unknown>>> {
  const url = support.test(text) ? ownModules()['toolwright/support'] : undefined;
  const code = text.replace(support, (_, start: string) => `${start}${JSON.stringify(url)};`);
  return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

function pick(
  { validateInput, validateOutput }: Readonly<Record<string, unknown>>,
  tool: Tool,
): Validators | undefined {
  if (!isValidate(validateInput)) return undefined;
  if (tool.outputSchema === undefined) return { input: validateInput };
  return isValidate(validateOutput) ? { input: validateInput, output: validateOutput } : undefined;
}

function isValidate(value: unknown): value is Validate {
  return typeof value === 'function';
}
