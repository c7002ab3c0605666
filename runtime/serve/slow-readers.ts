// Answers that their clients do not read. In: each response that something was written to. Out: nobody makes the server keep more
// than it should: connections of those that read nothing are closed.
import type { ServerResponse } from 'node:http';
import type { RareReport } from '../surface/rare-report.js';
import type { HttpLimits } from './http-limits.js';

export class SlowReaders {
  readonly #limits: Pick<HttpLimits, 'unread' | 'unreadOfAll' | 'writeTimeoutMs'>;
  readonly #report: RareReport;
  readonly #waiting = new Set<ServerResponse>();

  constructor(limits: SlowReaders['limits'], report: RareReport) {
    this.#limits = limits;
    this.#report = report;
  }

  get limits(): Pick<HttpLimits, 'unread' | 'unreadOfAll' | 'writeTimeoutMs'> {
    return this.#limits;
  }

  /** The whole answer is written. Nearly always the system has taken it by now. */
  answered(response: ServerResponse): void {
    if (response.writableLength === 0 || response.destroyed) return;
    this.#watch(response);
    // Node starts anew whenever the client has taken a part.
    response.setTimeout(this.#limits.writeTimeoutMs, () => {
      if (response.writableLength > 0) this.#close(response);
    });
    this.#check();
  }

  /** A part of a stream is written. */
  wrote(response: ServerResponse): void {
    const waiting = response.writableLength;
    if (waiting < worthALook || response.destroyed) return;
    this.#watch(response);
    if (waiting > this.#limits.unread) this.#close(response);
    else this.#check();
  }

  #watch(response: ServerResponse): void {
    if (this.#waiting.has(response)) return;
    this.#waiting.add(response);
    response.once('close', () => this.#waiting.delete(response));
  }

  /** Where all together let too much wait, it ends for the one that has the most: anyone who reads has less and less. */
  #check(): void {
    let sum = 0;
    let most: ServerResponse | undefined;
    for (const response of this.#waiting) {
      sum += response.writableLength;
      if (most === undefined || response.writableLength > most.writableLength) most = response;
    }
    if (sum > this.#limits.unreadOfAll && most !== undefined) this.#close(most);
  }

  #close(response: ServerResponse): void {
    this.#waiting.delete(response);
    this.#report.say('reader', 'a client does not read what it asked for: its connection is closed');
    response.destroy();
  }
}

const worthALook = 256 * 1024;
