// One run of a task. In: its record, and what calls its tool. Out: questions or an end in the store, unless another run takes over, somebody
// cancels or its time is over: then its signal is aborted, nobody waits for the handler, and nothing that it does counts any more.
import type { Notify } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { protocolErrorOf } from '../call/failure.js';
import { pause } from '../call/pause.js';
import type { Asking, Outcome, Request, SealedState, TaskRun } from '../call/ports.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { RunLost } from '../call/run-lost.js';
import { longestTimer } from '../call/time-limit.js';
import { nameQuestions } from './asked-keys.js';
import { lateEnd, tooLargeEnd } from './ends.js';
import type { TaskLimits } from './limits.js';
import { makeNotes } from './notes.js';
import { makeRunRequest } from './run-request.js';
import type { Store, TaskRecord } from './store.js';
import type { TaskEnd } from './tasks.js';

export type CallTool = (request: Request) => Promise<Outcome<CallToolResult>>;

/** What all runs of a process share. */
export interface RunWorld {
  readonly store: Store;
  readonly limits: TaskLimits;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly notify: Notify;
  /** For the operator. */
  report(text: string): void;
}

export interface RunInput {
  readonly record: TaskRecord;
  readonly run: number;
  readonly journal: SealedState;
  readonly origin: Request | undefined;
  readonly call: CallTool;
  /** Takes secrets out of what is reported. */
  redact(text: string): string;
  /** Makes a task of what is none yet; throws where it cannot be one. Absent: it is one. */
  readonly accept?: (() => Promise<void>) | undefined;
  /** It is over here. `hasEnded`: so is the task, as far as this process has to do with it. */
  onOver(hasEnded: boolean): void;
  /** It took along the process that its handler ran in, which is not this one. */
  onCrash(): void;
}

const surelyMs = 5000;
const firstRetryMs = 250;
const longestRetryMs = 5000;

export class Run {
  readonly #input: RunInput;
  readonly #world: RunWorld;
  readonly #controller = new AbortController();
  readonly #notes;
  #accepting: Promise<void> | undefined;
  #isOver = false;
  #renewing: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;
  #tellAsking: (asking: Asking) => void = () => undefined;
  /** What it asks before it is a task; nothing is kept of it then. */
  readonly asksFirst = new Promise<Asking>(resolve => {
    this.#tellAsking = resolve;
  });

  #tellAccepted: (accepting: Promise<undefined>) => void = () => undefined;
  /** Settles once somebody has tried to make it a task. */
  readonly accepted = new Promise<undefined>(resolve => {
    this.#tellAccepted = resolve;
  });

  constructor(input: RunInput, world: RunWorld) {
    this.#input = input;
    this.#world = world;
    this.#notes = makeNotes(text => this.#keepNote(text));
    if (input.accept === undefined) this.#accepting = Promise.resolve();
    const task: TaskRun = {
      id: input.record.id,
      attempt: input.run,
      journal: input.journal,
      mayBegin: () => this.#mayBegin(),
      keep: (key, kept) => this.#write(() => world.store.keep(input.record, input.run, key, kept)),
      note: text => this.#notes.add(text),
    };
    const { record, origin } = input;
    const { notify } = world;
    if (this.#accepting !== undefined) this.#watch();
    void this.#begin(makeRunRequest({ record, task, origin, notify, signal: this.#controller.signal }));
  }

  get isAccepted(): boolean {
    return this.#accepting !== undefined;
  }

  /** It is a task when this resolves. Throws where it cannot be one, and then ends nothing but itself. */
  accept(): Promise<void> {
    this.#accepting ??= (async () => {
      try {
        if (this.#isOver)
          throw new ProtocolError(protocolCodes.internalError, 'The call was over before it was a task');
        await this.#input.accept?.();
      } catch (error) {
        this.stop('the call did not become a task');
        throw error;
      }
      if (!this.#isOver) this.#watch();
    })();
    this.#tellAccepted(this.#accepting.then(() => undefined));
    return this.#accepting;
  }

  /** For another process, or the next start. */
  async leave(): Promise<void> {
    await this.#accepting;
    await this.#world.store.leave(this.#input.record, this.#input.run);
  }

  /** Nothing of it counts from here on. */
  stop(reason: string): void {
    if (this.#isOver) return;
    this.#end(false);
    this.#controller.abort(new Error(reason));
  }

  #end(hasEnded: boolean): void {
    this.#isOver = true;
    clearInterval(this.#renewing);
    clearTimeout(this.#late);
    this.#notes.stop();
    this.#input.onOver(hasEnded);
  }

  async #begin(request: Request): Promise<void> {
    try {
      await this.#settle(await this.#input.call(request));
    } catch (cause) {
      if (this.#isOver) return;
      if (cause instanceof RunLost) {
        if (cause.isCrash) this.#input.onCrash();
        await this.#last(false, () => this.#world.store.leave(this.#input.record, this.#input.run));
        return;
      }
      const { report } = this.#world;
      const hiding = {
        name: `the task of ${this.#input.record.tool}`,
        services: { report },
        redact: this.#input.redact,
      };
      await this.#finish({ kind: 'error', error: protocolErrorOf(cause, hiding) });
    }
  }

  async #settle(outcome: Outcome<CallToolResult>): Promise<void> {
    if (this.#isOver) return;
    if ('result' in outcome) {
      await this.#finish(this.#endOf(outcome.result));
      return;
    }
    if (this.#accepting === undefined) {
      this.#tellAsking(outcome.asking);
      this.stop('the answers come first');
      return;
    }
    const { record, run } = this.#input;
    const asked = nameQuestions(record, outcome.asking.questions);
    await this.#last(false, () => this.#world.store.ask(record, run, asked));
  }

  #endOf(result: CallToolResult): TaskEnd {
    const most = this.#world.limits.largestResult;
    const bytes = Buffer.byteLength(JSON.stringify(result));
    return bytes > most ? tooLargeEnd(bytes, most) : { kind: 'result', result };
  }

  async #finish(end: TaskEnd): Promise<void> {
    const { record, run } = this.#input;
    await this.#last(true, () => this.#world.store.finish(record, run, end));
  }

  /** Writes the last word of the run. */
  async #last(hasEnded: boolean, write: () => Promise<boolean>): Promise<void> {
    try {
      await this.accept();
    } catch {
      // The caller that waits for the handle hears why.
      return;
    }
    await this.#notes.flush();
    if (await this.#write(write)) this.#end(hasEnded);
  }

  async #mayBegin(): Promise<boolean> {
    try {
      await this.accept();
    } catch {
      return false;
    }
    return await this.#write(() => this.#world.store.renew(this.#input.record, this.#input.run));
  }

  async #keepNote(text: string): Promise<void> {
    const { record, run } = this.#input;
    try {
      await this.#accepting;
      if (!this.#isOver && this.isAccepted) await this.#world.store.note(record, run, text);
    } catch {
      // A word for people is not worth more.
    }
  }

  /** Keeps others from taking it over, and learns that somebody has, or that it is cancelled. */
  #watch(): void {
    const { record } = this.#input;
    const { leaseMs, store } = this.#world;
    this.#renewing = setInterval(() => {
      store.renew(record, this.#input.run).then(
        mayGoOn => mayGoOn || this.stop('another run has taken over, or the task is over'),
        // The next time may do.
        () => undefined,
      );
    }, leaseMs / 5).unref();
    this.#waitForEnd(this.#input.run === 1 ? 0 : surelyMs);
  }

  /** Of a later run it is the clock that says how much time is left, and clocks jump: then it is looked at once more. */
  #waitForEnd(leastMs: number): void {
    const { createdAt, ttlMs } = this.#input.record;
    const leftMs = Math.min(createdAt + ttlMs - this.#world.now(), ttlMs);
    const waitMs = Math.min(Math.max(leftMs, leastMs), longestTimer);
    const isLast = leftMs <= longestTimer;
    this.#late = setTimeout(() => {
      if (isLast && this.#world.now() >= createdAt + ttlMs - 1) void this.#expire();
      else this.#waitForEnd(1);
    }, waitMs).unref();
  }

  async #expire(): Promise<void> {
    await this.#write(() => this.#world.store.finish(this.#input.record, this.#input.run, lateEnd));
    this.stop('the time to live of the task is over');
  }

  /** Goes on trying while it cannot be kept: to lose it would mean to do it again. False: it does not count any more. */
  async #write(write: () => Promise<boolean>): Promise<boolean> {
    let waitMs = 0;
    while (!this.#isOver) {
      try {
        const isKept = await write();
        if (!isKept) this.stop('another run has taken over, or the task is over');
        return isKept && !this.#isOver;
      } catch (error) {
        if (waitMs === 0) this.#world.report(this.#input.redact(printFailure(this.#input.record.tool, error)));
        waitMs = Math.min(Math.max(waitMs * 2, firstRetryMs), longestRetryMs);
        await pause(waitMs, this.#controller.signal);
      }
    }
    return false;
  }
}

function printFailure(tool: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `the task of ${tool} waits until it can be written down: ${message}`;
}
