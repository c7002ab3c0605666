// In: how to start processes that run handlers, and what changed. Out: one surface that always has the newest of them that is
// fit to serve behind it. The story of `toolwright dev`.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Diagnostic, keyOfDiagnostic } from '../../../schema/diagnostics.js';
import type { Request } from '../../call/ports.js';
import { messageOf } from '../../call/print-cause.js';
import { RunLost } from '../../call/run-lost.js';
import { waitAtMost } from '../../call/wait-at-most.js';
import { taskPolicyOf } from '../../load/program.js';
import { type Counts, type DevEvent, reportCalls } from './events.js';
import { createLiveSurface, type LivePorts, type LiveSurface } from './live-surface.js';
import type { Failure, Findings, Method, Opened, Ready, Snapshot } from './messages.js';
import {
  type Channel,
  describeExit,
  openDrain,
  openRemote,
  type RemoteServer,
  ServerGone,
  tellGone,
} from './remote-server.js';
import { emptySnapshot } from './take-snapshot.js';
import { openTaskRuns } from './task-runs.js';

export interface SuperviseOptions {
  /** Starts a process, which then waits for its order. */
  spawn(): Channel;
  /** What server it is to open, and how. */
  order(): unknown;
  /** Done before the packs are looked at: files are generated. Gives what is wrong with that. */
  prepare(causes: readonly string[]): Promise<Findings>;
  emit(event: DevEvent): void;
  /** A process has looked at the packs: these are the files that matter now. */
  onOpened(opened: Opened | Failure): void;
  /** Of the server, while nothing is known of it. */
  readonly name: string;
  readonly tasks?: LivePorts['tasks'];
  /** How long calls of a replaced process may go on. */
  readonly drainMs?: number | undefined;
}

export interface Supervisor {
  readonly surface: LiveSurface;
  /** Looks at everything anew; settled when what comes of it is served, or known not to be fit. */
  reload(causes: readonly string[]): Promise<void>;
  /** Of the server that is served; undefined where none could be yet. */
  served(): Ready | undefined;
  /** The last mistake that nothing could be served for; of the command line, perhaps. */
  failure(): Failure | undefined;
  close(): Promise<void>;
}

/** Calls wait for a change that is being looked at, so that they meet what was saved before them. */
const holdMs = 5000;
/** Changes that come while one is looked at make that look worthless, but not for ever. */
const mostSkipped = 3;
const patienceMs = 2000;
/** A process that ends sooner, without having been asked for anything, would only do so again. */
const soonMs = 1000;

export function supervise(options: SuperviseOptions): Supervisor {
  const { emit } = options;
  let current: { readonly remote: RemoteServer; readonly ready: Ready; readonly isGood: boolean } | undefined;
  let failure: Failure | undefined;
  let isClosed = false;
  let pending: string[] | undefined;
  let working: Promise<void> | undefined;
  let workingSince = 0;
  let onNews = (): void => undefined;
  let candidate: RemoteServer | undefined;
  /** What was reported last, so that no change reports it again. */
  let told = '';
  let known: ReadonlySet<string> = new Set();
  const replaced = openDrain(options.drainMs);

  const report = (text: string): void => emit({ event: 'output', text });
  const runs = openTaskRuns(name => {
    const served = surface.tool(name);
    return served !== undefined && taskPolicyOf(served.tool)?.resumes === true;
  });
  const surface: LiveSurface = createLiveSurface(emptySnapshot(options.name), {
    run: reportCalls(run, emit),
    report,
    tasks: options.tasks,
  });

  async function run(method: Method, params: readonly unknown[], request: Request): Promise<unknown> {
    const left = workingSince + holdMs - performance.now();
    if (working !== undefined && left > 0) await waitAtMost(left, working);
    // It ended by itself, and nobody has changed anything since.
    if (current === undefined && !isClosed && failure === undefined) await reload([]);
    try {
      if (current === undefined)
        throw new ServerGone(failure?.message ?? 'the server has mistakes that must be fixed first');
      const { remote } = current;
      return await (request.task === undefined
        ? remote.call(method, params, request)
        : runs.call(remote, method, params, request));
    } catch (error) {
      if (!(error instanceof ServerGone)) throw error;
      // The task is not over: it is run again, or fails, as after any other crash.
      if (request.task !== undefined) throw new RunLost(error.message, { isCrash: true });
      return tellGone(method, params, error.message);
    }
  }

  function reload(causes: readonly string[]): Promise<void> {
    if (isClosed) return Promise.resolve();
    pending = [...(pending ?? []), ...causes];
    onNews();
    if (working === undefined) {
      workingSince = performance.now();
      working = work().finally(() => {
        working = undefined;
        if (pending !== undefined) void reload([]);
      });
    }
    return working;
  }

  async function work(): Promise<void> {
    for (let skipped = 0; pending !== undefined && !isClosed; skipped += 1) {
      const causes = [...new Set(pending)];
      pending = undefined;
      const news = new Promise<void>(resolve => {
        onNews = resolve;
      });
      const isDone = await renew(
        causes,
        news.then(() => sleep(skipped < mostSkipped ? 0 : patienceMs)),
      );
      // A change that came too late is still a cause.
      if (!isDone) pending = [...causes, ...(pending ?? [])];
      else skipped = 0;
    }
  }

  /** False where it was given up, because `outdated` came first: an `initialize` may never end. */
  async function renew(causes: readonly string[], outdated: Promise<void>): Promise<boolean> {
    const start = performance.now();
    // It starts meanwhile.
    const channel = options.spawn();
    const prepared = await prepare(causes);
    const remote = openRemote(channel, options.order(), {
      onChange: change => {
        if (current?.remote === remote) surface.announce(change);
      },
      onLog: report,
    });
    candidate = remote;
    const giveUp = (): void => {
      candidate = undefined;
      void remote.end();
    };
    const opened = await Promise.race([remote.opened, outdated]);
    if (opened === undefined || isClosed) {
      giveUp();
      return false;
    }
    options.onOpened(opened);
    if (hasBlocking(opened) && current?.isGood === true) {
      giveUp();
      fail(opened);
      return true;
    }
    if (!('failed' in opened)) remote.go();
    const ready = await Promise.race([remote.ready, outdated]);
    if (ready === undefined || isClosed) {
      giveUp();
      return false;
    }
    options.onOpened(ready);
    const isGood = !hasBlocking(opened) && !hasBlocking(ready);
    const found = joinFindings([opened, ready, prepared]);
    if (!('snapshot' in ready)) {
      giveUp();
      fail({ ...ready, ...found });
      return true;
    }
    if (!isGood && current?.isGood === true) {
      giveUp();
      fail(ready);
      return true;
    }
    swap(remote, ready, isGood);
    const { info } = ready.snapshot;
    const changed = surface.replace(ready.snapshot);
    const ms = Math.round(performance.now() - start);
    emit({
      event: 'serving',
      server: info.name,
      version: info.version,
      counts: countsOf(ready.snapshot),
      causes,
      changed,
      ms,
    });
    if (found.diagnostics.length > 0) fail({ ...ready, ...found }, 'rest');
    else fix();
    return true;
  }

  /** What cannot be written down must not keep a server from being served. */
  async function prepare(causes: readonly string[]): Promise<Findings> {
    try {
      return await options.prepare(causes);
    } catch (error) {
      emit({ event: 'note', text: `files could not be generated: ${messageOf(error)}` });
      return { diagnostics: [], folders: [] };
    }
  }

  function swap(remote: RemoteServer, ready: Ready, isGood: boolean): void {
    const before = current?.remote;
    const since = performance.now();
    current = { remote, ready, isGood };
    candidate = undefined;
    failure = undefined;
    if (before !== undefined) {
      runs.handOver(before);
      replaced.add(before, runs.over(before));
    }
    void remote.exited.then(exit => {
      if (current?.remote !== remote || isClosed) return;
      current = undefined;
      emit({ event: 'crashed', message: describeExit(exit) });
      if (remote.calls > 0 || performance.now() - since > soonMs) void reload([]);
    });
  }

  function fail(found: Opened | Failure, instead?: 'rest'): void {
    const { diagnostics, folders } = found;
    const message = 'failed' in found ? found.message : undefined;
    if (current === undefined && 'failed' in found) failure = found;
    // The caller says so, and ends.
    if (failure?.isUsage && message !== undefined) return;
    const serving = instead ?? (current === undefined ? 'nothing' : current.isGood ? 'last' : 'rest');
    const event: Omit<Extract<DevEvent, { event: 'broken' }>, 'fresh'> = {
      event: 'broken',
      ...(message === undefined ? {} : { message }),
      serving,
      diagnostics,
      folders,
    };
    const text = JSON.stringify(event);
    const fresh = diagnostics.filter(one => !known.has(keyOfDiagnostic(one)));
    known = new Set(diagnostics.map(keyOfDiagnostic));
    if (text !== told) emit({ ...event, fresh });
    told = text;
  }

  function fix(): void {
    if (told !== '') emit({ event: 'fixed' });
    told = '';
    known = new Set();
  }

  return {
    surface,
    reload,
    served: () => current?.ready,
    failure: () => failure,
    async close() {
      isClosed = true;
      const last = current?.remote;
      current = undefined;
      await Promise.all([last?.end(), candidate?.end(), replaced.close(), working]);
    },
  };
}

/** Handlers that are not there, or cannot be read, fail alone: what is wrong with a manifest may be anything. */
const ofHandlers: ReadonlySet<string> = new Set(['generate/missing-handler', 'generate/unimportable']);

/** Whether a server that is fit to serve must not be replaced by one with these findings. */
function hasBlocking({ diagnostics }: Findings): boolean {
  return diagnostics.some(({ severity, code }) => severity === 'error' && !ofHandlers.has(code));
}

/** All of them, each once. */
function joinFindings(findings: readonly Findings[]): Findings {
  const known = new Map<string, Diagnostic>();
  for (const { diagnostics } of findings) for (const one of diagnostics) known.set(JSON.stringify(one), one);
  return { diagnostics: [...known.values()], folders: [...new Set(findings.flatMap(({ folders }) => folders))] };
}

function countsOf({ lists }: Snapshot): Counts {
  return {
    tools: lists.tools.length,
    prompts: lists.prompts.length,
    resources: lists.resources.length + lists.resourceTemplates.length,
  };
}
