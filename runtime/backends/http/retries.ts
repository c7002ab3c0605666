// B6. In: something that can be tried again. Out: its result, or its last failure. It is tried again only where that may help and the
// other side does not ask for more patience than a call has.
import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamFailure } from '../../call/upstream-failure.js';

const longestWaitMs = 30_000;
const firstWaitMs = 200;
const mostBackoffMs = 5_000;
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * @example await tryAgain(2, signal, () => send(request));
 */
export async function tryAgain<T>(retries: number, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt();
    } catch (failure) {
      const wait = tried < retries && !signal.aborted ? waitAfter(failure, tried) : undefined;
      if (wait === undefined) throw failure;
      await pause(wait, signal);
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

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}
