// T1. The tasks of one server. In: a store, and what calls its tools. Out: what requests for tasks are answered by; meanwhile it runs what is
// due, also what another process or an earlier one has left.

import { notifyOf } from '../call/notify-of.js';
import type { Request } from '../call/ports.js';
import { printCause } from '../call/print-cause.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { taskPolicyOf } from '../load/program.js';
import { journalOf } from './asked-keys.js';
import { closeCursor, openCursor } from './cursor.js';
import { digestsOf } from './digest.js';
import { changedEnd, crashedEnd, goneEnd, lateEnd, stoppedEnd } from './ends.js';
import { type TaskLimits, taskLimits, leaseMs as usualLeaseMs } from './limits.js';
import { Run, type RunInput, type RunWorld } from './run.js';
import { callOf, type FirstRun, makeFirstRun } from './start-task.js';
import { type Store, StoreFailure, type Taken, type TaskCard } from './store.js';
import type { TaskSurface } from './surface.js';
import type { Task, TaskCall, TaskEnd, TaskPage, Tasks } from './tasks.js';
import { toTask } from './to-task.js';
import { makeWatcher } from './watch.js';

export interface TasksInput {
  /** Closed with the tasks. */
  readonly store: Store;
  readonly surface: TaskSurface;
  readonly limits?: Partial<TaskLimits> | undefined;
  /** That of the store. */
  readonly leaseMs?: number | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Whether this process goes on with a task that waits for one; absent: with all. */
  readonly mayTake?: ((id: string) => boolean) | undefined;
}

const pageSize = 50;
const sweepMs = 30_000;
/** Ids whose owner is remembered, so that they can be watched. */
const mostKnown = 10_000;

/**
 * Opens the tasks of a server, and goes on with those that wait for it.
 *
 * @example const tasks = await openTasks({ store: openMemoryStore(), surface });
 */
export async function openTasks(input: TasksInput): Promise<Tasks> {
  const engine = new Engine(input);
  await engine.work();
  return engine;
}

class Engine implements Tasks {
  readonly #store: Store;
  readonly #surface: TaskSurface;
  readonly #world: RunWorld;
  readonly #mayTake: (id: string) => boolean;
  /** By the id of the task. */
  readonly #running = new Map<string, Run>();
  /** Requests that tasks come from, as long as they are not over: progress goes there. */
  readonly #origins = new Map<string, { readonly request: Request; readonly until: number }>();
  readonly #owners = new Map<string, string>();
  /** How often a process that runs handlers for this one has ended with a run of a task, by its id. */
  readonly #crashes = new Map<string, number>();
  readonly #timers: readonly NodeJS.Timeout[];
  /** Tasks that are being accepted. */
  #starting = 0;
  #taking: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;
  #hasFailed = false;

  constructor({ store, surface, limits, leaseMs = usualLeaseMs, now = Date.now, mayTake }: TasksInput) {
    this.#store = store;
    this.#surface = surface;
    this.#mayTake = mayTake ?? (() => true);
    const report = (text: string): void => surface.services.report(text);
    this.#world = { store, limits: { ...taskLimits, ...limits }, leaseMs, now, notify: notifyOf(surface), report };
    // None of them keeps a process alive.
    this.#timers = [
      setInterval(() => void this.work(), leaseMs / 10).unref(),
      setInterval(() => void this.#sweep(), sweepMs).unref(),
    ];
    void this.#sweep();
  }

  async start(call: TaskCall): ReturnType<Tasks['start']> {
    const { tool, request } = call;
    const { limits, now } = this.#world;
    const served = this.#surface.tool(tool);
    if (served === undefined) throw new ProtocolError(protocolCodes.invalidParams, `Unknown tool: ${tool}`);
    const policy = taskPolicyOf(served.tool);
    if (policy === undefined) {
      throw new ProtocolError(protocolCodes.methodNotFound, `${served.name} does not run as a task`);
    }
    if (this.#isClosed) throw new ProtocolError(protocolCodes.internalError, 'The server stops');
    const isBegun = policy.asksBefore || this.#running.size + this.#starting < limits.mostRunning;
    const first = makeFirstRun({ ...call, surface: this.#surface, served, limits, now: now(), isBegun });
    if (policy.asksBefore) return await this.#startFirst(first, request);
    this.#starting += 1;
    try {
      await this.#accept(first, request);
      // Where it stops meanwhile, nobody renews the run, and another process takes it.
      if (isBegun && !this.#isClosed) this.#begin({ ...first, run: 1, origin: request });
    } finally {
      this.#starting -= 1;
    }
    if (!isBegun) void this.work();
    return { task: toTask(first.record) };
  }

  /** Runs it until it asks, or has to be a task. */
  async #startFirst(first: FirstRun, request: Request): ReturnType<Tasks['start']> {
    const run = this.#begin({ ...first, run: 1, origin: request, accept: () => this.#accept(first, request) });
    const cancel = (): void => {
      if (!run.isAccepted) run.stop('the client has cancelled the call');
    };
    request.signal.addEventListener('abort', cancel, { once: true });
    // Where it is over already, that is refused.
    const accept = (): void => void run.accept().catch(() => undefined);
    const timer = setTimeout(accept, this.#world.limits.beforeMs);
    try {
      const asking = await Promise.race([run.asksFirst, run.accepted]);
      if (asking !== undefined) return { asking: first.askFirst(asking) };
      return { task: toTask(first.record) };
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', cancel);
    }
  }

  async #accept({ record }: FirstRun, request: Request): Promise<void> {
    const { mostOpen } = this.#world.limits;
    try {
      const { note: _, asked: _asked, open, answered, once, end, run, updatedAt, ...task } = record;
      if (!(await this.#store.accept(task, mostOpen))) {
        const message = `${mostOpen} tasks of this caller are not over: wait for one of them, or cancel it`;
        throw new ProtocolError(protocolCodes.internalError, message, { mostOpen });
      }
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      this.#world.report(`${error.message}: ${printCause(error.cause)}`);
      throw new ProtocolError(protocolCodes.internalError, error.message);
    }
    this.#remember(record.id, record.owner);
    this.#origins.set(record.id, { request, until: record.createdAt + record.ttlMs });
  }

  #begin(given: Omit<RunInput, 'onOver' | 'onCrash' | 'redact'>): Run {
    const { id, tool } = given.record;
    const run: Run = new Run(
      {
        ...given,
        redact: text => this.#surface.tool(tool)?.host.settings.redact(text) ?? text,
        onCrash: () => void this.#crashes.set(id, (this.#crashes.get(id) ?? 0) + 1),
        onOver: hasEnded => {
          if (hasEnded) this.#crashes.delete(id);
          const wasFull = this.#running.size >= this.#world.limits.mostRunning;
          if (this.#running.get(id) === run) this.#running.delete(id);
          if (hasEnded) this.#origins.delete(id);
          // It may have been left.
          if (wasFull || !hasEnded) void this.work();
        },
      },
      this.#world,
    );
    this.#running.set(id, run);
    return run;
  }

  /** Takes what is due, as long as there is room. */
  work(): Promise<void> {
    this.#isDue = true;
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#isDue && !this.#isClosed) {
        this.#isDue = false;
        while (!this.#isClosed && this.#running.size < this.#world.limits.mostRunning) {
          const taken = await this.#store.take(card => this.#mayRun(card));
          if (taken === undefined) break;
          await this.#resume(taken);
        }
      }
      this.#hasFailed = false;
    } catch (error) {
      this.#reportOnce('tasks that are due cannot be looked for', error);
    }
  }

  #mayRun({ id, tool, settings }: TaskCard): boolean {
    if (this.#running.has(id) || !this.#mayTake(id)) return false;
    const served = this.#surface.tool(tool);
    return served === undefined || digestsOf(served).settings === settings;
  }

  async #resume(taken: Taken): Promise<void> {
    const { record, run } = taken;
    const end = this.#refuse(taken);
    if (end !== undefined) {
      // Where it cannot be written down, the next one to take it does the same.
      await this.#store.finish(record, run, end);
      return;
    }
    if (this.#isClosed) {
      await this.#store.leave(record, run);
      return;
    }
    const call = callOf(this.#surface, record.tool, record.args);
    this.#begin({ record, run, journal: journalOf(record), origin: this.#origins.get(record.id)?.request, call });
  }

  /** What it ends with where it must not run again. */
  #refuse({ record, isCutShort, crashes }: Taken): TaskEnd | undefined {
    const served = this.#surface.tool(record.tool);
    const policy = served && taskPolicyOf(served.tool);
    if (served === undefined || policy === undefined) return goneEnd;
    if (digestsOf(served).means !== record.means) return changedEnd;
    if (isCutShort && !policy.resumes) return stoppedEnd;
    const all = crashes + (this.#crashes.get(record.id) ?? 0);
    return all >= this.#world.limits.mostCrashes ? crashedEnd(all) : undefined;
  }

  async get(id: string, owner: string): Promise<Task | undefined> {
    const record = await this.#store.get({ id, owner });
    if (record === undefined) return undefined;
    this.#remember(id, owner);
    return toTask(record);
  }

  async list(owner: string, cursor?: string): Promise<TaskPage> {
    const after = cursor === undefined ? undefined : openCursor(cursor);
    const records = await this.#store.list(owner, after, pageSize + 1);
    const shown = records.slice(0, pageSize);
    const last = shown.at(-1);
    const hasMore = records.length > pageSize && last !== undefined;
    return { tasks: shown.map(toTask), ...(hasMore && { nextCursor: closeCursor(last.id) }) };
  }

  async cancel(id: string, owner: string): Promise<Task | undefined> {
    const record = await this.#store.cancel({ id, owner });
    if (record === undefined) return undefined;
    this.#running.get(id)?.stop('the task was cancelled');
    this.#origins.delete(id);
    return toTask(record);
  }

  async answer(id: string, owner: string, answers: Readonly<Record<string, unknown>>): Promise<Task | undefined> {
    const record = await this.#store.answer({ id, owner }, answers);
    if (record === undefined) return undefined;
    void this.work();
    return toTask(record);
  }

  watch(id: string, listen: (task: Task) => void): () => void {
    const read = async () => {
      const owner = this.#owners.get(id);
      return owner === undefined ? undefined : await this.#store.get({ id, owner });
    };
    return this.#store.onChange(id, makeWatcher(read, listen));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#taking;
    const left = [...this.#running.values()];
    for (const run of left) run.stop('the server stops');
    await Promise.allSettled(left.filter(run => run.isAccepted).map(run => run.leave()));
    await this.#store.close();
  }

  async #sweep(): Promise<void> {
    const now = this.#world.now();
    for (const [id, { until }] of this.#origins) if (until < now) this.#origins.delete(id);
    try {
      await this.#store.sweep(lateEnd);
    } catch (error) {
      this.#reportOnce('old tasks cannot be removed', error);
    }
  }

  #reportOnce(what: string, error: unknown): void {
    if (!this.#hasFailed && !this.#isClosed) this.#world.report(`${what}: ${printCause(error)}`);
    this.#hasFailed = true;
  }

  /** The oldest are forgotten. */
  #remember(id: string, owner: string): void {
    this.#owners.delete(id);
    this.#owners.set(id, owner);
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > mostKnown && oldest !== undefined) this.#owners.delete(oldest);
  }
}
