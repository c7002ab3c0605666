// Waits for something, but not for ever.
import { setTimeout as sleep } from 'node:timers/promises';

/** Settles with `done`, or after that many milliseconds. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const early = new AbortController();
  const late = sleep(ms, undefined, { signal: early.signal }).catch(() => undefined);
  await Promise.race([done, late]);
  early.abort();
}
