// What clients may take of a server over HTTP. Docs: docs/serving.md, "Limits". One caller gets half of what all get together, so
// that nobody can lock the others out alone.
import type { ServerResponse } from 'node:http';
import type { RareReport } from '../surface/rare-report.js';

export interface HttpLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Requests that handlers work on. */
  readonly calls: number;
  readonly callsPerCaller: number;
  /** Their bodies, as they came: parsed, each may be ten times as large. */
  readonly callBytes: number;
  readonly callBytesPerCaller: number;
  /** Bodies that are not complete yet, in bytes. */
  readonly receiving: number;
  readonly receivingPerAddress: number;
  /** Of 2025. */
  readonly sessions: number;
  readonly sessionsPerCaller: number;
  /** What one answer or stream may let wait that its client does not read, in bytes. */
  readonly unread: number;
  readonly unreadOfAll: number;
  /** Without any progress of an answer. */
  readonly writeTimeoutMs: number;
  /** What all sessions keep for clients that come back, in characters. */
  readonly events: number;
  /** Wrong tokens of one address within a minute. */
  readonly wrongTokens: number;
}

export const usualLimits: HttpLimits = {
  connections: 1024,
  connectionsPerAddress: 512,
  calls: 512,
  callsPerCaller: 256,
  callBytes: 16 * 1024 * 1024,
  callBytesPerCaller: 8 * 1024 * 1024,
  receiving: 64 * 1024 * 1024,
  receivingPerAddress: 32 * 1024 * 1024,
  sessions: 1000,
  sessionsPerCaller: 500,
  unread: 16 * 1024 * 1024,
  unreadOfAll: 64 * 1024 * 1024,
  writeTimeoutMs: 30_000,
  events: 64 * 1024 * 1024,
  wrongTokens: 60,
};

/** In seconds, for `retry-after`. */
export const retrySoon = '1';

// Answers that their clients do not read. In: each response that something was written to. Out: nobody makes the server keep more
// than it should: connections of those that read nothing are closed.

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
