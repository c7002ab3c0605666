// Who may call. In: a request, and what decides about its token. Out: who called, or the answer in place of the server's: to those who only
// guess, who are not even looked at for a while. Streams end when their token does.

import type { IncomingMessage } from 'node:http';
import { longestTimer } from '../call/time-limit.js';
import { Caller } from '../protocol/caller.js';
import type { RareReport } from '../surface/rare-report.js';
import { clockToleranceSeconds } from './auth/access-token.js';
import type { Authorizer, Refused } from './auth/authorizer.js';
import { addressOf } from './caller-usage.js';

export class Admission {
  readonly #authorizer: Authorizer;
  readonly #wrongTokens: WrongTokens;

  constructor(authorizer: Authorizer, mostWrong: number, report: RareReport) {
    this.#authorizer = authorizer;
    this.#wrongTokens = new WrongTokens(mostWrong, report);
  }

  async admit({ headers, url, socket }: IncomingMessage): Promise<Caller | Refused> {
    const address = addressOf(socket.remoteAddress);
    const wait = this.#wrongTokens.waitOf(address);
    if (wait !== undefined) return tooMany(wait);
    const answer = await this.#authorizer.authorize(headers, url);
    if (answer.ok) return new Caller(answer.auth, answer.principal, false, answer.isShared);
    if (answer.wrongToken !== undefined) this.#wrongTokens.note(address, answer.wrongToken);
    return answer;
  }
}

function tooMany(seconds: number): Refused {
  const body = { error: 'too_many_requests', error_description: 'Too many wrong tokens came from this address' };
  return { ok: false, status: 429, headers: { 'retry-after': String(seconds) }, body };
}

const windowMs = 60_000;
const mostAddresses = 10_000;

interface Attempts {
  /** When the minute of these began. */
  readonly since: number;
  count: number;
}

class WrongTokens {
  readonly #most: number;
  readonly #report: RareReport;
  readonly #attempts = new Map<string, Attempts>();

  constructor(most: number, report: RareReport) {
    this.#most = most;
    this.#report = report;
  }

  /** The seconds that callers from there have to wait; undefined: none. */
  waitOf(address: string): number | undefined {
    const attempts = this.#attempts.get(address);
    if (attempts === undefined || attempts.count < this.#most) return undefined;
    const left = attempts.since + windowMs - performance.now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  /** `reason` has nothing of the token in it. */
  note(address: string, reason: string): void {
    const now = performance.now();
    const before = this.#attempts.get(address);
    const attempts = before !== undefined && now - before.since < windowMs ? before : { since: now, count: 0 };
    attempts.count += 1;
    // At the end again, so that the front has those of long ago.
    this.#attempts.delete(address);
    this.#attempts.set(address, attempts);
    if (this.#attempts.size > mostAddresses) {
      for (const oldest of this.#attempts.keys()) {
        this.#attempts.delete(oldest);
        break;
      }
    }
    this.#report.say(`token ${address}`, `a caller from ${address} was refused: ${reason}`);
    if (attempts.count !== this.#most) return;
    this.#report.say(
      `tokens ${address}`,
      `${attempts.count} wrong tokens within a minute from ${address}: its callers get 429 until that minute is over`,
    );
  }
}

/** Runs `end` once requests with this token would be refused. Returns how to stop waiting. */
export function atExpiry(caller: Caller | undefined, end: () => void): () => void {
  const expiresAt = caller?.auth.expiresAt;
  if (expiresAt === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    // By the clock on the wall, which tokens go by.
    const left = (expiresAt + clockToleranceSeconds) * 1000 - Date.now();
    if (left <= 0) end();
    else timer = setTimeout(wait, Math.min(left, longestTimer)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
