// In: a program, an environment, and where its code comes from. Out: the pack with its code: handlers, validators, shared
// context, initialize. Nothing of the pack is run before it is needed (W61).

import { sep } from 'node:path';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import type { Log } from '../../../schema/support/mcp/client.js';
import type { SetupContext } from '../../../schema/support/mcp/context.js';
import { type Folder, handlerRefOf } from '../../load/folder.js';
import { type HandlerRef, isIsolated, type Program, type Server, type Tool } from '../../load/program.js';
import type { OpenPack } from '../../packs/open-pack.js';
import { type Environment, readConfig } from '../context/config.js';
import { loadProblemOf } from '../handler-problem.js';
import type { Isolation, PackHost, ServedTool, Settings, Validators } from '../ports.js';
import { hostItems } from './host-items.js';
import { runOnce } from './run-once.js';

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
  /** Where relative paths of programs and databases start; default: the folder of the pack. */
  readonly home?: string | undefined;
  /** In place of what `context:` builds: tests pass their own, and dispose of it themselves. */
  readonly app?: unknown;
  /** X10: what runs handlers of this pack in threads; absent where there are none. */
  readonly threads?: ((program: Program, settings: Settings) => Promise<Isolation>) | undefined;
}

export interface OpenHost {
  readonly host: PackHost;
  /** What functions are given that no client has called. */
  readonly setup: SetupContext;
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
    failed: error => report(settings.redact(`the context for ${pack.name} was not disposed of: ${reasonOf(error)}`)),
  });
  const getApp = async (): Promise<unknown> => (hasOwnApp ? options.app : await app.get());

  async function runInitialize(given: Initialize): Promise<void> {
    const ref = given === undefined ? undefined : handlerRefOf(typeof given === 'string' ? given : given.handler);
    if (ref === undefined) return;
    const run = (await load(ref)) as (ctx?: object) => unknown;
    // A function that takes nothing needs no context to be built.
    await (run.length === 0 ? run() : run({ ...setup, app: await getApp() }));
  }

  // Each thread builds what handlers share for itself: where the caller has given it, they stay with it.
  const makeThreads = hasOwnApp ? undefined : options.threads;
  let threads: Promise<Isolation> | undefined;
  const items = hostItems(program, { settings, env, report, home: options.home });
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
    work: items.work,
    items: items.items,
    threads:
      makeThreads &&
      (() => {
        threads ??= makeThreads(program, settings);
        return threads;
      }),
    async close() {
      closing.abort();
      await Promise.all([app.close(), items.close(), threads?.then(all => all.close())]);
    },
  };
  const prepare = async (tool: Tool): Promise<void> => {
    if (host.threads !== undefined && isIsolated(tool, program)) await (await host.threads()).initialize(tool);
    else await initialize(tool);
  };
  return {
    host,
    setup,
    problems: diagnostics,
    startServer: server => runInitialize(server.definition.initialize),
    async startTools(tools) {
      for (const tool of tools) {
        const { initialize: given } = tool.definition;
        if (typeof given !== 'object' || given.when !== 'start') continue;
        await prepare(tool).catch(error => {
          report(settings.redact(`initialize for the tool ${tool.item} in ${pack.name} failed: ${reasonOf(error)}`));
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

// What `context:` builds for all handlers (M33, W61b). In: how to load and call it. Out: one object, built when it is
// first needed and disposed of at the end.

export interface AppOptions {
  readonly ref: HandlerRef | undefined;
  load(ref: HandlerRef): Promise<unknown>;
  /** An export of the same module that need not be there. */
  find(ref: HandlerRef): Promise<unknown>;
  /** What the function is given. */
  setup(): object;
  /** Something went wrong while disposing; nobody waits for an answer any more. */
  failed(error: unknown): void;
}

export interface SharedApp {
  get(): Promise<unknown>;
  close(): Promise<void>;
}

function createSharedApp({ ref, load, find, setup, failed }: AppOptions): SharedApp {
  let built: { readonly app: unknown } | undefined;
  let isClosed = false;
  const build = runOnce(async (where: HandlerRef): Promise<unknown> => {
    const create = (await load(where)) as (ctx: object) => unknown;
    const app = await create(setup());
    built = { app };
    return app;
  });
  let building: Promise<unknown> = Promise.resolve();
  return {
    async get() {
      if (isClosed) throw new Error('the server is shutting down');
      if (ref === undefined) return undefined;
      building = build(ref);
      return await building;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // What is only half built may hold a connection already.
      await building.catch(() => {});
      if (built === undefined || ref === undefined) return;
      try {
        await dispose(built.app, await find({ path: ref.path, export: 'dispose' }));
      } catch (error) {
        failed(error);
      }
    },
  };
}

/**
 * The object's own way first (`await using` of JavaScript, then a method `dispose`), else `dispose(app)` that the module of
 * the context exports.
 */
async function dispose(app: unknown, exported: unknown): Promise<void> {
  if (typeof app === 'object' && app !== null) {
    for (const key of [Symbol.asyncDispose, Symbol.dispose, 'dispose']) {
      const own = (app as Record<string | symbol, unknown>)[key];
      if (typeof own !== 'function') continue;
      await own.call(app);
      return;
    }
  }
  if (typeof exported === 'function') await exported(app);
}

// What the functions of `context:` and `initialize` are given: configuration, a log for the operator, the end of the server.

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export interface SetupOptions {
  readonly settings: Settings;
  report(text: string): void;
  readonly signal: AbortSignal;
}

/** There is no client yet, so that the log is the operator's. Secrets are taken out. */
export function createSetup({ settings, report, signal }: SetupOptions): SetupContext {
  const write = (level: string, message: string, data: unknown): void => {
    report(settings.redact(`${level}: ${message}${data === undefined ? '' : ` ${print(data)}`}`));
  };
  const log = Object.fromEntries(
    levels.map(level => [level, (message: string, data?: unknown) => write(level, message, data)]),
  ) as unknown as Log;
  return { config: settings.values, log, signal };
}

function print(data: unknown): string {
  try {
    return JSON.stringify(data) ?? String(data);
  } catch {
    return String(data);
  }
}

// In: a way to open the host of a pack. Out: the hosts of all packs of a server, each opened once.

export interface Hosts {
  /** Opens the host of a pack that has none yet. */
  of(pack: OpenPack): PackHost;
  /** The same with what runs at start. */
  open(pack: OpenPack): OpenHost;
  /** What is wrong with the configuration of all packs so far; those of other packs have full paths. */
  problems(): readonly Diagnostic[];
  /** Runs `initialize` of the tools that ask for it at start, in order. */
  startTools(tools: readonly ServedTool[]): Promise<void>;
  /** A string without the secrets of any pack. */
  redact(text: string): string;
  close(): Promise<void>;
}

/** `own` is the pack of the server. */
export function keepHosts(own: OpenPack | undefined, make: (pack: OpenPack) => OpenHost): Hosts {
  const opened = new Map<OpenPack, OpenHost>();
  const open = (pack: OpenPack): OpenHost => {
    const host = opened.get(pack) ?? make(pack);
    opened.set(pack, host);
    return host;
  };
  return {
    open,
    of: pack => open(pack).host,
    problems: () =>
      [...opened].flatMap(([pack, { problems }]) => (pack === own ? problems : withFullPaths(pack, problems))),
    async startTools(tools) {
      for (const { tool, host } of tools) {
        const found = [...opened.values()].find(one => one.host === host);
        await found?.startTools([tool]);
      }
    },
    redact: text => [...opened.values()].reduce((rest, { host }) => host.settings.redact(rest), text),
    async close() {
      await Promise.all([...opened.values()].map(({ host }) => host.close()));
    },
  };
}

function withFullPaths({ program }: OpenPack, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const start = program.pack.folder.split(sep).join('/');
  return diagnostics.map(one => ({ ...one, file: `${start}/${one.file}` }));
}
