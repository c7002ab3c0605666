// In: a program, an environment, and where its code comes from. Out: the pack with its code: handlers, validators, shared
// context, initialize. Nothing of the pack is run before it is needed (W61).
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { type Folder, handlerRefOf } from '../../load/folder.js';
import type { HandlerRef, Program, Server, Tool } from '../../load/program.js';
import { type Environment, readConfig } from '../context/config.js';
import { loadProblemOf } from '../handler-problem.js';
import type { PackHost, Validators } from '../ports.js';
import { runOnce } from './run-once.js';
import { createSetup } from './setup.js';
import { createSharedApp } from './shared-app.js';

/** Modules of a pack, wherever they are kept. */
export interface PackCode {
  /** A function that a manifest names; throws a HandlerProblem where there is none. */
  load(ref: HandlerRef): Promise<unknown>;
  /** An export that need not be there, of a module that must. */
  find(ref: HandlerRef): Promise<unknown>;
  validators(tool: Tool): Promise<Validators>;
  /** Throws where the files of the pack are no longer those that were loaded. */
  readonly checkFiles?: (() => void) | undefined;
}

export interface HostOptions {
  /** Where `config:` is read from. */
  readonly env: Environment;
  /** For the operator: one line or several, without a line break at the end. */
  report(text: string): void;
  /** In place of what `context:` builds: tests pass their own, and dispose of it themselves. */
  readonly app?: unknown;
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
 * @example const { host, problems } = openHost(program, code, folder, { env, report: printReport });
 */
export function openHost(program: Program, code: PackCode, folder: Folder, options: HostOptions): OpenHost {
  const { pack } = program;
  const { report, env } = options;
  const { load, find } = code;
  const { settings, diagnostics } = readConfig(pack.config, env, pack.at);
  const closing = new AbortController();
  const setup = createSetup({ settings, report, signal: closing.signal });

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
  const host: PackHost = {
    program,
    folder,
    checkFiles: code.checkFiles,
    settings,
    load,
    validators: runOnce(code.validators),
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
          report(settings.redact(`initialize of the tool ${tool.item} of ${pack.name} failed: ${reasonOf(error)}`));
        });
      }
    },
  };
}

type Initialize = Tool['definition']['initialize'];

/** Of an error only what it says: the operator knows where it comes from. */
function reasonOf(error: unknown): string {
  return loadProblemOf(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
