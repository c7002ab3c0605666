// B6. In: something that can be tried again. Out: its result, or its last failure. It is tried again only where that may help and the
// other side does not ask for more patience than a call has.
import { UpstreamFailure } from '../../call/upstream-failure.js';

const longestWaitMs = 30_000;
const firstWaitMs = 200;
const mostBackoffMs = 5_000;
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The waits between the attempts of one backend. */
export class Pauses {
  readonly #running = new Set<() => void>();

  /** Fails with the reason of the signal. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#running.delete(end);
        signal.removeEventListener('abort', end);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#running.add(end);
      signal.addEventListener('abort', end);
    });
  }

  /** The backend is closed: the next attempts are now, and fail. */
  endAll(): void {
    for (const end of this.#running) end();
  }
}

/**
 * @example await tryAgain(2, { signal, pauses }, () => send(request));
 */
export async function tryAgain<T>(
  retries: number,
  { signal, pauses }: { readonly signal: AbortSignal; readonly pauses: Pauses },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt();
    } catch (failure) {
      const wait = tried < retries && !signal.aborted ? waitAfter(failure, tried) : undefined;
      if (wait === undefined) throw failure;
      await pauses.wait(wait, signal);
    }
  }
}

/** Undefined: trying again does not help. */
function waitAfter(failure: unknown, tried: number): number | undefined {
  if (!(failure instanceof UpstreamFailure) || !failure.retryable || !isTransient(failure)) return undefined;
  const { retryAfterMs } = failure.meta;
  // All that were refused at once must not come back at once.
  const backoff = Math.min(firstWaitMs * 2 ** tried, mostBackoffMs) * (0.5 + Math.random() / 2);
  if (typeof retryAfterMs !== 'number') return backoff;
  return retryAfterMs > longestWaitMs ? undefined : Math.max(retryAfterMs, backoff);
}

function isTransient({ code, status, upstream }: UpstreamFailure): boolean {
  if (code === 'UPSTREAM_ERROR') return transient.has(status);
  return code === 'UPSTREAM_UNREACHABLE' || (code === 'UPSTREAM_DNS' && upstream === 'EAI_AGAIN');
}
