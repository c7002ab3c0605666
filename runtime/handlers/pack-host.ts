// In: a program and an environment. Out: the pack with its code: handlers, validators, shared context, initialize.
// Nothing of the pack is run before it is needed (W61).
import type { Diagnostic } from '../../schema/diagnostics.js';
import { compileValidators } from '../call/compile-validators.js';
import type { PackHost, Validators } from '../call/ports.js';
import { type Environment, readConfig } from '../context/config.js';
import { type Folder, nodeFolder } from '../load/folder.js';
import type { Program, Server, Tool } from '../load/program.js';
import type { Catalog } from '../load/resolve.js';
import { HandlerProblem } from './handler-problem.js';
import { createLoader } from './load-handler.js';
import { loadValidators } from './load-validators.js';
import { runOnce } from './run-once.js';
import { createSetup } from './setup.js';
import { createSharedApp } from './shared-app.js';
import { handlerRefOf } from './wanted-handlers.js';

export interface PackHostOptions {
  /** Where `config:` is read from. */
  readonly env: Environment;
  /** For the operator: one line or several, without a line break at the end. */
  report(text: string): void;
  /** In place of what `context:` builds: tests pass their own, and dispose of it themselves. */
  readonly app?: unknown;
  /** Absent: the pack's folder on disk. Modules are always imported from there. */
  readonly folder?: Folder | undefined;
  /** Where items are declared, for the places of mistakes. */
  readonly catalog?: Catalog | undefined;
  /** Imports all modules anew for each version. */
  readonly version?: string | undefined;
}

export interface OpenHost {
  readonly host: PackHost;
  /** What is wrong with `config:` in this environment; an error among them must stop the start. */
  readonly problems: readonly Diagnostic[];
  /** Runs `initialize` of a server; throws what it throws, and the server must not start then (W63). */
  startServer(server: Server): Promise<void>;
  /** Runs `initialize` of tools that ask for it at start; a failure is reported, and tried again by the first call. */
  startTools(tools: readonly Tool[]): Promise<void>;
}

/**
 * Opens a pack for running.
 *
 * @example
 * const { host, problems } = createPackHost(program, { env: process.env, report: text => console.error(text) });
 */
export function createPackHost(program: Program, options: PackHostOptions): OpenHost {
  const { pack } = program;
  const { report, env } = options;
  const folder = options.folder ?? nodeFolder(pack.folder);
  const { settings, diagnostics } = readConfig(pack.config, env, pack.at);
  const closing = new AbortController();
  const setup = createSetup({ settings, report, signal: closing.signal });
  const { load, find } = createLoader(program, { folder, catalog: options.catalog, version: options.version });

  const hasOwnApp = Object.hasOwn(options, 'app');
  const app = createSharedApp({
    ref: pack.context,
    load,
    find,
    setup: () => setup,
    failed: error => report(settings.redact(`the context of ${pack.name} was not disposed of: ${reasonOf(error)}`)),
  });
  const getApp = async (): Promise<unknown> => (hasOwnApp ? options.app : await app.get());

  async function runInitialize(given: Initialize): Promise<void> {
    const ref = given === undefined ? undefined : handlerRefOf(typeof given === 'string' ? given : given.handler);
    if (ref === undefined) return;
    const run = (await load(ref)) as (ctx?: object) => unknown;
    // A function that takes nothing needs no context to be built.
    await (run.length === 0 ? run() : run({ ...setup, app: await getApp() }));
  }

  const initialize = runOnce((tool: Tool): Promise<void> => runInitialize(tool.definition.initialize));
  const validators = runOnce(
    async (tool: Tool): Promise<Validators> =>
      (await loadValidators(tool, pack, folder)) ?? (await compileValidators(tool)),
  );

  const host: PackHost = {
    program,
    folder,
    settings,
    load,
    validators,
    app: getApp,
    initialize,
    async close() {
      closing.abort();
      await app.close();
    },
  };
  return {
    host,
    problems: diagnostics,
    startServer: server => runInitialize(server.definition.initialize),
    async startTools(tools) {
      for (const tool of tools) {
        const { initialize: given } = tool.definition;
        if (typeof given !== 'object' || given.when !== 'start') continue;
        await initialize(tool).catch(error => {
          report(settings.redact(`initialize of the tool ${tool.item} failed: ${reasonOf(error)}`));
        });
      }
    },
  };
}

type Initialize = Tool['definition']['initialize'];

/** Of an error only what it says: where it comes from is no news to an operator. */
function reasonOf(error: unknown): string {
  if (error instanceof HandlerProblem) return error.text;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
