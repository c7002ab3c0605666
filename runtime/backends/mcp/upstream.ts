// The one connection of a backend. In: how it is opened. Out: a connection that works, opened with the first call and again when it has
// ended; a process that keeps dying is started less and less often.
import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { Connection, type ConnectionInput } from './connection.js';
import type { Sender } from './link.js';
import { negotiate } from './negotiate.js';
import type { ServerFacts, UpstreamEra } from './wire.js';

export interface UpstreamInput extends Omit<ConnectionInput, 'open' | 'events'> {
  readonly events: Omit<ConnectionInput['events'], 'gone'>;
  /** What is tried first: most programs are of 2025; at an address 2026 needs no session. */
  readonly firstEra: UpstreamEra;
  open(events: Parameters<ConnectionInput['open']>[0], call: Sender | undefined): ReturnType<ConnectionInput['open']>;
  /** It works: what is to be heard from it can be asked for. */
  opened(connection: Connection, facts: ServerFacts, call: Sender | undefined): void;
}

const shortestPauseMs = 100;
const longestPauseMs = 30_000;
/** What has lived this long is not what died before. */
const healthyMs = 10_000;
/** A package may have to be downloaded first. */
const longestStartMs = 300_000;

export class Upstream {
  readonly #input: UpstreamInput;
  readonly #closing = new AbortController();
  #era: UpstreamEra | undefined;
  #ready: Connection | undefined;
  #readyAt = 0;
  #opening: Promise<Connection> | undefined;
  #current: Connection | undefined;
  #hasTriedBoth = false;
  #deaths = 0;
  #diedAt = 0;

  constructor(input: UpstreamInput) {
    this.#input = input;
  }

  /** All calls share it. A start that fails, fails for all that wait; the next call tries again. */
  connect(call: Sender | undefined): Connection | Promise<Connection> {
    if (this.#ready !== undefined) return this.#ready;
    this.#opening ??= this.#open(call).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#current?.close();
    await this.#opening?.catch(() => undefined);
  }

  async #open(call: Sender | undefined): Promise<Connection> {
    await this.#pause();
    const first = this.#era ?? this.#input.firstEra;
    try {
      return await this.#openAs(first, call);
    } catch (error) {
      // Some programs end when they do not know what they are asked. Which era it is must not depend on luck: it is asked the other way once.
      const isLast = this.#era !== undefined || this.#hasTriedBoth || this.#closing.signal.aborted;
      if (!this.#input.isProcess || isLast || !isEarlyEnd(error)) throw error;
      this.#hasTriedBoth = true;
      return await this.#openAs(first === 'legacy' ? 'modern' : 'legacy', call).catch(() => {
        throw error;
      });
    }
  }

  async #openAs(era: UpstreamEra, call: Sender | undefined): Promise<Connection> {
    const { events, opened, name, open, isProcess } = this.#input;
    if (this.#closing.signal.aborted) throw closed(name);
    const connection = new Connection({
      ...this.#input,
      events: { ...events, gone: gone => this.#gone(gone) },
      open: linkEvents => open(linkEvents, call),
    });
    this.#current = connection;
    const late = new UpstreamFailure('UPSTREAM_TIMEOUT', `${name} was not ready within ${longestStartMs} ms`);
    const timer = isProcess ? setTimeout(() => connection.gone(late, new Set()), longestStartMs).unref() : undefined;
    try {
      const facts = await negotiate(connection, name, era, call);
      this.#era = facts.era;
      this.#ready = connection;
      this.#readyAt = performance.now();
      opened(connection, facts, call);
      return connection;
    } catch (error) {
      // Nobody waits for the end of it.
      void connection.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get #leftMs(): number {
    if (!this.#input.isProcess || this.#deaths === 0) return 0;
    const pauseMs = Math.min(shortestPauseMs * 2 ** (this.#deaths - 1), longestPauseMs);
    return this.#diedAt + pauseMs - performance.now();
  }

  async #pause(): Promise<void> {
    const left = this.#leftMs;
    if (left <= 0) return;
    await sleep(left, undefined, { signal: this.#closing.signal }).catch(() => {
      throw closed(this.#input.name);
    });
  }

  #gone(connection: Connection): void {
    const wasReady = this.#ready === connection;
    if (wasReady) this.#ready = undefined;
    if (this.#closing.signal.aborted) return;
    const now = performance.now();
    this.#deaths = wasReady && now - this.#readyAt >= healthyMs ? 1 : this.#deaths + 1;
    this.#diedAt = now;
    if (wasReady && this.#input.isProcess) this.#startAgain();
  }

  /** Before anybody waits for it: it was in use. One that does not even get ready is left alone until it is called for. */
  #startAgain(): void {
    const start = (): void => {
      if (!this.#closing.signal.aborted) Promise.resolve(this.connect(undefined)).catch(() => undefined);
    };
    setTimeout(start, Math.max(this.#leftMs, 1)).unref();
  }
}

function isEarlyEnd(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.code === 'UPSTREAM_UNREACHABLE' && error.retryable === true;
}

function closed(name: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} was closed`, { retryable: false });
}
