// In: a client's abort signal and a clock. Out: a race that a call loses once it is cancelled or too slow.
import { setMaxListeners } from 'node:events';
import type { Cancellation } from './ports.js';
import { ToolError } from './tool-error.js';

type Listener = Parameters<Cancellation['addEventListener']>[1];

/** Timers cannot wait longer; that is 24 days. */
export const longestTimer = 2 ** 31 - 1;

/**
 * Times the calls of one tool with one timer: all have the same limit, so that the first to begin is the first to be too
 * slow. A timer for each call would cost as much as everything else that is done for it.
 *
 * @example const clock = new CallClock(60_000);
 */
export class CallClock {
  readonly milliseconds: number;
  /** A chain in the order in which they began: the ends of a map cost more to add and remove. */
  #first: TimeLimit | undefined;
  #last: TimeLimit | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.milliseconds = Math.min(milliseconds, longestTimer);
  }

  start(limit: TimeLimit): void {
    limit.begun = performance.now();
    limit.before = this.#last;
    if (this.#last === undefined) this.#first = limit;
    else this.#last.after = limit;
    this.#last = limit;
    if (this.#timer === undefined) this.#wait(this.milliseconds);
    else if (this.#first === limit) this.#timer.ref();
  }

  stop(limit: TimeLimit): void {
    const { before, after } = limit;
    if (before === undefined && this.#first !== limit) return;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    limit.before = undefined;
    limit.after = undefined;
    // Nothing to wait for: the process may end before the timer does.
    if (this.#first === undefined) this.#timer?.unref();
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    this.#timer = undefined;
    for (let limit = this.#first; limit !== undefined; limit = this.#first) {
      const left = limit.begun + this.milliseconds - performance.now();
      // Timers count whole milliseconds.
      if (left >= 1) {
        this.#wait(left);
        return;
      }
      this.stop(limit);
      limit.expire();
    }
  }
}

/** T1: the clock of runs of tasks, which last as long as they last. */
export const endlessClock: Pick<CallClock, 'start' | 'stop'> = { start: () => undefined, stop: () => undefined };

/** Why the signal of a handler is aborted that waits for an answer: with the answer it is run again from the top. */
export class LeftBehind extends Error {
  override readonly name = 'LeftBehind';

  constructor() {
    super('the question is being asked; with its answer the handler runs again');
  }
}

/**
 * Ends one call early: its signal is aborted and `race` fails. What still runs is left behind, and may fail unheard.
 *
 * @example
 * const limit = new TimeLimit(request.signal, clock, { tooSlow: () => new ToolError('too slow') });
 * try { return await limit.race(run(limit.signal)); } finally { limit.end(); }
 */
export class TimeLimit implements Cancellation {
  /** Set once the call was cancelled or too slow. */
  problem: ToolError | undefined;
  /** The clock's: when the call began, and its neighbours. */
  begun = 0;
  before: TimeLimit | undefined;
  after: TimeLimit | undefined;
  readonly #client: Cancellation;
  readonly #clock: Pick<CallClock, 'start' | 'stop'>;
  readonly #call: { tooSlow(): ToolError };
  #controller: AbortController | undefined;
  #reason: unknown;
  #lose: ((problem: unknown) => void) | undefined;
  #listeners: Set<Listener> | undefined;

  constructor(client: Cancellation, clock: Pick<CallClock, 'start' | 'stop'>, call: { tooSlow(): ToolError }) {
    this.#client = client;
    this.#clock = clock;
    this.#call = call;
    clock.start(this);
    if (client.aborted) this.handleEvent();
    else client.addEventListener('abort', this);
  }

  /** Made when it is first asked for: most handlers never do, and it is the costliest part of a call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // A handler may hand it to a hundred requests at once.
      setMaxListeners(0, this.#controller.signal);
    }
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** The same as its signal for those who only listen: backends do so in every call. */
  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(_: 'abort', listener: Listener): void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    this.#listeners?.delete(listener);
  }

  /** The clock calls it. */
  expire(): void {
    this.#stop(this.#call.tooSlow());
  }

  /** The client's signal calls it. */
  handleEvent(): void {
    const cancelled = new ToolError('the call was cancelled', { code: 'CANCELLED', status: 499 });
    this.#stop(cancelled, this.#client.reason);
  }

  /** Tells when the call is lost; false: it is already, and has been said. */
  watch(lose: (problem: unknown) => void): boolean {
    this.#lose = lose;
    if (this.problem === undefined) return true;
    lose(this.problem);
    return false;
  }

  race<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#lose = reject;
      // Both ways are handled, so that what is left behind cannot end the process.
      running.then(resolve, reject);
      if (this.problem !== undefined) reject(this.problem);
    });
  }

  /** The call goes on in another run of the handler: what this one still holds is to be released, in silence. */
  leave(): void {
    this.#reason ??= new LeftBehind();
    this.#abort(this.#reason);
  }

  end(): void {
    this.#clock.stop(this);
    this.#client.removeEventListener('abort', this);
  }

  #stop(problem: ToolError, reason: unknown = problem): void {
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.#reason ??= reason ?? problem;
    this.end();
    // Before the signal: what listens to it may fail at once, and that is not an answer.
    this.#lose?.(problem);
    this.#abort(reason);
  }

  #abort(reason: unknown): void {
    this.#controller?.abort(reason);
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener.handleEvent();
  }
}
