// In: signals and a time. Out: attempts, each of which ends once: by its answer, by the clock, by who called, or with the backend.
import { timedOut } from './network-failure.js';

/** One request on its way, with its redirects and the body of its answer. */
export class Attempt {
  /** Why it ended early. */
  failure: { readonly reason: unknown } | undefined;
  /** What is under way is stopped by this, with the reason in `failure`; one thing at a time. */
  onStop: (() => void) | undefined;
  readonly begun = performance.now();
  hasLimit = true;
  readonly #all: Attempts;
  readonly #signal: AbortSignal;
  readonly #onEnd: (() => void) | undefined;
  #isOver = false;

  constructor(all: Attempts, signal: AbortSignal, onEnd: (() => void) | undefined) {
    this.#all = all;
    this.#signal = signal;
    this.#onEnd = onEnd;
    if (signal.aborted) this.failure = { reason: signal.reason };
    else signal.addEventListener('abort', this);
  }

  /** The signal calls it. */
  handleEvent(): void {
    this.stop(this.#signal.reason);
  }

  stop(reason: unknown): void {
    if (this.#isOver || this.failure !== undefined) return;
    this.failure = { reason };
    this.onStop?.();
  }

  /** It is over, and others may begin. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal.removeEventListener('abort', this);
    this.#all.remove(this);
    this.#onEnd?.();
  }
}

/** The attempts of one backend. All have the same limit, so that one timer serves them: the first to begin is the first to be late. */
export class Attempts {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #running = new Set<Attempt>();
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string, timeoutMs: number) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
  }

  begin(signal: AbortSignal, onEnd: (() => void) | undefined): Attempt {
    const attempt = new Attempt(this, signal, onEnd);
    this.#running.add(attempt);
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#stopLate(), this.#timeoutMs);
    else if (this.#running.size === 1) this.#timer.ref();
    return attempt;
  }

  remove(attempt: Attempt): void {
    this.#running.delete(attempt);
    // Nothing to wait for: the process may end before the timer does.
    if (this.#running.size === 0) this.#timer?.unref();
  }

  stopAll(makeReason: () => unknown): void {
    for (const attempt of this.#running) attempt.stop(makeReason());
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #stopLate(): void {
    // Timers count whole milliseconds.
    const latest = performance.now() - this.#timeoutMs + 1;
    const limited = [...this.#running].filter(({ hasLimit, failure }) => hasLimit && failure === undefined);
    for (const attempt of limited) {
      if (attempt.begun < latest) attempt.stop(timedOut(this.#name, this.#timeoutMs));
    }
    const next = limited.find(({ failure }) => failure === undefined);
    this.#timer = next === undefined ? undefined : setTimeout(() => this.#stopLate(), next.begun - latest + 1);
  }
}

/** Waits for something that does not know about attempts. It fails at once where the attempt is stopped. */
export async function during<T>(attempt: Attempt, work: Promise<T>): Promise<T> {
  try {
    return await new Promise((resolve, reject) => {
      const stop = (): void => reject(attempt.failure?.reason);
      attempt.onStop = stop;
      if (attempt.failure !== undefined) stop();
      // Also where nobody waits any more: its failure is then nobody's.
      work.then(resolve, reject);
    });
  } finally {
    attempt.onStop = undefined;
  }
}
