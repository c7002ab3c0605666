// In: a client's abort signal and a number of milliseconds. Out: a race that a call loses once it is cancelled or too slow.
import { ToolError } from './tool-error.js';

/**
 * Ends one call early: its signal is aborted and `race` fails. What still runs is left behind, and may fail unheard.
 *
 * @example
 * const limit = new TimeLimit(request.signal, 60_000, () => new ToolError('too slow'));
 * try { return await limit.race(run(limit.signal)); } finally { limit.end(); }
 */
export class TimeLimit {
  /** Set once the call was cancelled or too slow. */
  problem: ToolError | undefined;
  readonly #client: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #controller: AbortController | undefined;
  #reason: unknown;
  #lose: ((problem: unknown) => void) | undefined;

  constructor(client: AbortSignal, milliseconds: number, tooSlow: () => ToolError) {
    this.#client = client;
    // Timers cannot wait longer than 2 ** 31 ms; that is 24 days.
    this.#timer = setTimeout(() => this.#stop(tooSlow()), Math.min(milliseconds, 2 ** 31 - 1));
    if (client.aborted) this.handleEvent();
    else client.addEventListener('abort', this);
  }

  /** Made when it is first asked for: most handlers never do, and it is the costliest part of a call. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.problem !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
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

  end(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this);
  }

  #stop(problem: ToolError, reason: unknown = problem): void {
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.#reason = reason;
    this.end();
    // Before the signal: what listens to it may fail at once, and that is no answer.
    this.#lose?.(problem);
    this.#controller?.abort(reason);
  }
}
