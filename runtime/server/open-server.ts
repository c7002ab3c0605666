// The one way to an open server. In: where it comes from (a pack, a stored program or code) and what its operator sets. Out: the
// server: what is wrong with its settings, what runs at start, its surface, its end. What holds for every server belongs here.
import { type Diagnostic, diagnose, hasErrors } from '../../schema/diagnostics.js';
import type { Environment } from '../call/context/config.js';
import { type Options, optionsVariable, readOptions, type SettablePack } from '../call/context/options.js';
import { readRoots } from '../call/context/roots.js';
import { createSeal, readStateKey } from '../call/context/seal.js';
import type { Hosts } from '../call/handlers/open-host.js';
import type { CallServices } from '../call/ports.js';
import { printCause } from '../call/print-cause.js';
import { handlerRefOf } from '../load/folder.js';
import type { HandlerRef, Server } from '../load/program.js';
import type { OpenPack } from '../packs/open-pack.js';
import type { OpenTasks } from '../surface/create-surface.js';
import type { Surface } from '../surface/surface.js';
import { type AboutServer, type ServedItems, type Stage, surfaceOf } from './surface-of.js';

/** What is served, once it is looked up. A source may tell more about it. */
export interface Composition {
  readonly about: AboutServer;
  readonly items: ServedItems;
  /** All that the items are from; their configuration is read. */
  readonly packs: readonly OpenPack[];
  /** False: the server names something that is not there. */
  readonly isComplete: boolean;
}

/** Where a server comes from: pack-source.ts, stored/stored-source.ts or create-server/create-server.ts makes one. */
export interface ServerSource<C extends Composition = Composition> {
  readonly hosts: Hosts;
  /** Packs that are known before anything is looked up. */
  readonly packs: readonly OpenPack[];
  /** Whose `initialize` runs at start. */
  readonly server?: { readonly pack: OpenPack; readonly server: Server } | undefined;
  /** What TOOLWRIGHT_OPTIONS may speak of; absent: the packs of what is served. */
  settable?(): readonly SettablePack[];
  /** Items may come while it runs. */
  readonly mayGrow?: boolean | undefined;
  /** In place of `routes` in the server's definition. */
  readonly routes?: Routes | undefined;
  /** W60: called once, after `initialize` of the server. */
  compose(): C;
}

/** A function for HTTP beside the endpoint, and the pack whose context it gets. */
interface Routes {
  readonly pack: OpenPack;
  readonly ref: HandlerRef;
}

/** What the operator decides. Overlays and settings of an install are part of loading: see runtime/load/overlay.ts. */
export interface Operator extends Pick<CallServices, 'running' | 'report'> {
  /** For TOOLWRIGHT_*; `config:` was read from the same by the hosts. */
  readonly env: Environment;
  readonly mode?: string | undefined;
  readonly showCauses?: boolean | undefined;
  /** In place of what the server's definition says. */
  readonly strictArguments?: boolean | undefined;
  /** In place of the items as their packs have them: mocks. */
  readonly stage?: Stage | undefined;
  /** T1: absent: no tool runs as a task. */
  readonly tasks?: TaskKeeper | undefined;
}

/** T1, T2: what keeps the tasks of a server. */
export interface TaskKeeper {
  readonly open: OpenTasks;
  /** Whether an earlier process left something to go on with; absent: nothing outlives a process. */
  isWaiting?(): Promise<boolean>;
}

/** What is wrong with what the operator has set; an error among it must stop the start. */
export interface SettingsProblems {
  /** Of `config:`, with the place in the pack that declares it. */
  readonly config: readonly Diagnostic[];
  /** Of variables, which have no place in a pack. */
  readonly variables: readonly Diagnostic[];
}

export interface Resolved<C extends Composition = Composition> {
  readonly composition: C;
  /** Beyond what was known when the server was opened. */
  readonly problems: SettingsProblems;
  /** Undefined where the server cannot be served, because of its composition or its problems. */
  readonly surface: Surface | undefined;
}

export interface OpenServer<C extends Composition = Composition> {
  readonly hosts: Hosts;
  /** Nothing of any pack has run yet. */
  readonly problems: SettingsProblems;
  /** What it serves gets its final names, once. */
  resolve(): Resolved<C>;
  /**
   * Everything that runs at start, in order (W60, W63): `initialize` of the server, which throws what it throws; then names are
   * resolved, of which `tell` learns before more code runs, and may refuse it; then `initialize` of each tool that is offered.
   */
  start(tell?: (resolved: Resolved<C>) => boolean): Promise<Resolved<C>>;
  /** The operator's options for tools of a pack that comes later. */
  optionsFor(pack: SettablePack): Options['optionsOf'];
  /** T3: goes on with tasks that wait, where nothing else is started (`start` does it as well). */
  resume(): void;
  close(): Promise<void>;
}

/**
 * Opens a server.
 *
 * @example
 * const open = openServer(packSource(pack, server, around), { env, report });
 * const { surface } = await open.start();
 */
export function openServer<C extends Composition>(source: ServerSource<C>, operator: Operator): OpenServer<C> {
  const { hosts, server, packs } = source;
  const { env, report, mode, showCauses = false, strictArguments, running, stage, tasks } = operator;
  let opened: ReturnType<OpenTasks> | undefined;
  for (const pack of packs) hosts.open(pack);
  const key = readStateKey(env['TOOLWRIGHT_STATE_KEY']);
  const problems: SettingsProblems = { config: hosts.problems(), variables: key.diagnostics };
  let resolved: Resolved<C> | undefined;
  return {
    hosts,
    problems,
    resolve: () => {
      resolved ??= resolveNow();
      return resolved;
    },
    async start(tell) {
      if (server !== undefined) await hosts.open(server.pack).startServer(server.server);
      resolved ??= resolveNow();
      const isAccepted = tell?.(resolved) ?? true;
      const { surface, composition } = resolved;
      if (isAccepted && surface !== undefined)
        await hosts.startTools(composition.items.tools.flatMap(({ name }) => surface.tool(name) ?? []));
      if (isAccepted) resume(resolved);
      return resolved;
    },
    optionsFor: pack => readOptions(env[optionsVariable], [pack]).optionsOf,
    resume: () => {
      resolved ??= resolveNow();
      resume(resolved);
    },
    async close() {
      // First: what runs needs the code of packs to its end.
      await (await opened?.catch(() => undefined))?.close();
      await hosts.close();
    },
  };

  /** T3: what an earlier process left is gone on with, and not only when somebody asks for it. */
  function resume({ surface }: Resolved<C>): void {
    const openNow = surface?.tasks;
    if (openNow === undefined) return;
    void (async () => {
      try {
        if (await tasks?.isWaiting?.()) await openNow();
      } catch (error) {
        report(`Tasks cannot be opened: ${printCause(error)}`);
      }
    })();
  }

  function resolveNow(): Resolved<C> {
    const composition = source.compose();
    const { about, items, isComplete } = composition;
    if (!isComplete) return { composition, problems: { config: [], variables: [] }, surface: undefined };
    for (const pack of composition.packs) hosts.open(pack);
    const text = env[optionsVariable];
    const settable = source.settable ?? (() => composition.packs.map(({ program }) => program));
    const options = readOptions(text, text === undefined ? [] : settable());
    // Those of packs that were known are reported already.
    const config = hosts.problems().slice(problems.config.length);
    const later: SettingsProblems = { config, variables: options.diagnostics };
    if (hasErrors([...problems.config, ...problems.variables, ...config, ...options.diagnostics]))
      return { composition, problems: later, surface: undefined };
    const surface = surfaceOf(about, items, hosts.of, {
      seal: createSeal({ key: key.value, now: Date.now }),
      roots: readRoots(env['TOOLWRIGHT_ROOTS']),
      optionsOf: options.optionsOf,
      showCauses,
      strictArguments,
      running,
      report,
      mode,
      stage,
      mayGrow: source.mayGrow,
      openTasks:
        tasks &&
        (own => {
          opened = tasks.open(own);
          return opened;
        }),
      // What plays from examples runs no code of the pack.
      route: stage === undefined ? routeOf(source, hosts) : undefined,
    });
    const unfit = findUnfit(items, surface);
    if (unfit.length > 0)
      return { composition, problems: { ...later, config: [...config, ...unfit] }, surface: undefined };
    return { composition, problems: later, surface };
  }
}

/** X14: what the operator has set, and a tool that is offered cannot take. */
function findUnfit({ tools }: ServedItems, surface: Surface): readonly Diagnostic[] {
  return tools.flatMap(({ name, item, pack: { program } }) => {
    const { tool, bound } = surface.tool(name) ?? {};
    // Another one may be offered under the name.
    if (tool?.item !== item.item) return [];
    return (bound?.unfit ?? []).map(({ key, parameter, reason }) => {
      const params = { name: key, tool: item.item, parameter, reason };
      return diagnose('config/unfit', params, program.pack.at.site(['config', key], 'key'));
    });
  });
}

function routeOf({ server, routes = ownRoutes(server) }: ServerSource, hosts: Hosts): Surface['route'] {
  if (routes === undefined) return undefined;
  return async (request, auth) => {
    const { host, setup } = hosts.open(routes.pack);
    const run = (await host.load(routes.ref)) as (request: globalThis.Request, ctx: object) => unknown;
    const answer = await run(request, { ...setup, app: await host.app(), auth });
    if (answer === undefined || answer instanceof Response) return answer;
    throw new TypeError(`${routes.ref.path} returned neither a Response nor undefined`);
  };
}

function ownRoutes(own: ServerSource['server']): Routes | undefined {
  const ref = own?.server.definition.routes === undefined ? undefined : handlerRefOf(own.server.definition.routes);
  return own && ref && { pack: own.pack, ref };
}
