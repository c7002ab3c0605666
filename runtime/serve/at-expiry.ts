// In: who listens to a stream. Out: the stream ends when the token does; nobody asks for one again while it lasts.
import type { Caller } from '../protocol/caller.js';
import { clockToleranceSeconds } from './auth/access-token.js';

/** Timers cannot wait longer; that is 24 days. */
const longestMs = 2 ** 31 - 1;

/** Runs `end` once requests with this token would be refused. Returns how to stop waiting. */
export function atExpiry(caller: Caller | undefined, end: () => void): () => void {
  const expiresAt = caller?.auth.expiresAt;
  if (expiresAt === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    // By the clock on the wall, which tokens go by.
    const left = (expiresAt + clockToleranceSeconds) * 1000 - Date.now();
    if (left <= 0) end();
    else timer = setTimeout(wait, Math.min(left, longestMs)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
