// In: a client's abort signal and a clock. Out: a race that a call loses once it is cancelled or too slow.
import { setMaxListeners } from 'node:events';
import { ToolError } from './tool-error.js';

/** Timers cannot wait longer; that is 24 days. */
const longest = 2 ** 31 - 1;

/**
 * Times the calls of one tool with one timer: all have the same limit, so that the first to begin is the first to be too
 * slow. A timer for each call would cost as much as everything else that is done for it.
 *
 * @example const clock = new CallClock(60_000);
 */
export class CallClock {
  readonly milliseconds: number;
  /** In the order in which they began. */
  readonly #running = new Map<TimeLimit, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.milliseconds = Math.min(milliseconds, longest);
  }

  start(limit: TimeLimit): void {
    this.#running.set(limit, performance.now());
    if (this.#timer === undefined) this.#wait(this.milliseconds);
    else if (this.#running.size === 1) this.#timer.ref();
  }

  stop(limit: TimeLimit): void {
    // Nothing to wait for: the process may end before the timer does.
    if (this.#running.delete(limit) && this.#running.size === 0) this.#timer?.unref();
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    this.#timer = undefined;
    for (const [limit, begun] of this.#running) {
      const left = begun + this.milliseconds - performance.now();
      // Timers count whole milliseconds.
      if (left >= 1) {
        this.#wait(left);
        return;
      }
      this.#running.delete(limit);
      limit.expire();
    }
  }
}

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
 * const limit = new TimeLimit(request.signal, clock, () => new ToolError('too slow'));
 * try { return await limit.race(run(limit.signal)); } finally { limit.end(); }
 */
export class TimeLimit {
  /** Set once the call was cancelled or too slow. */
  problem: ToolError | undefined;
  readonly #client: AbortSignal;
  readonly #clock: CallClock;
  readonly #tooSlow: () => ToolError;
  #controller: AbortController | undefined;
  #reason: unknown;
  #lose: ((problem: unknown) => void) | undefined;

  constructor(client: AbortSignal, clock: CallClock, tooSlow: () => ToolError) {
    this.#client = client;
    this.#clock = clock;
    this.#tooSlow = tooSlow;
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

  /** The clock calls it. */
  expire(): void {
    this.#stop(this.#tooSlow());
  }

  /** The client's signal calls it. */
  handleEvent(): void {
    const cancelled = new ToolError('the call was cancelled', { code: 'CANCELLED', status: 499 });
    this.#stop(cancelled, this.#client.reason);
  }

  race<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#lose = reject;
      // Both ways are handled, so that what is left behind cannot end the process.
      running.then(resolve, reject);
      if (this.problem !== undefined) reject(this.problem);
    });
  }

  /** The call goes on in another run of the handler: what this one still holds is to be released, and nobody is told. */
  leave(): void {
    this.#reason ??= new LeftBehind();
    this.#controller?.abort(this.#reason);
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
    // Before the signal: what listens to it may fail at once, and that is no answer.
    this.#lose?.(problem);
    this.#controller?.abort(reason);
  }
}
