// In: tokens that were refused, by the address they came from. Out: who guesses must wait, and the operator knows of it.
import type { RareReport } from '../../surface/rare-report.js';

const windowMs = 60_000;
const mostAddresses = 10_000;

interface Attempts {
  /** When the minute of these began. */
  readonly since: number;
  count: number;
}

export class WrongTokens {
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
