// In: requests by id, each with whom it is for. Out: the same on demand; those that take too long, by one timer for all of them, since a
// timer for each would cost as much as all else that is done for it.
import { longestTimer } from '../../call/time-limit.js';

interface Entry<T> {
  readonly waiting: T;
  begun: number;
  readonly isTimed: boolean;
}

export class Waits<T extends { readonly isAsking?: boolean }> {
  readonly #milliseconds: number;
  readonly #expire: (id: number, waiting: T) => void;
  /** In the order in which they began, so that the first is the first to be too slow. */
  readonly #entries = new Map<number, Entry<T>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, expire: (id: number, waiting: T) => void) {
    this.#milliseconds = Math.min(milliseconds, longestTimer);
    this.#expire = expire;
  }

  add(id: number, waiting: T, isTimed: boolean): void {
    this.#entries.set(id, { waiting, begun: performance.now(), isTimed });
    this.#timer ??= this.#wait(this.#milliseconds);
  }

  get(id: number): T | undefined {
    return this.#entries.get(id)?.waiting;
  }

  take(id: number): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    return entry.waiting;
  }

  /** It is alive: its time begins again. */
  restart(id: number): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    entry.begun = performance.now();
    this.#entries.set(id, entry);
    return entry.waiting;
  }

  *all(): Generator<T> {
    for (const { waiting } of this.#entries.values()) yield waiting;
  }

  takeAll(): readonly (readonly [number, T])[] {
    const all = [...this.#entries].map(([id, { waiting }]) => [id, waiting] as const);
    this.#entries.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return all;
  }

  /** The process need not stay for it: the waiting caller keeps it alive by other means. */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), milliseconds).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [id, { waiting, begun, isTimed }] of this.#entries) {
      if (!isTimed) continue;
      const left = begun + this.#milliseconds - now;
      // Timers count whole milliseconds.
      if (left >= 1) {
        this.#timer ??= this.#wait(left);
        return;
      }
      if (waiting.isAsking === true) this.restart(id);
      else {
        this.#entries.delete(id);
        this.#expire(id, waiting);
      }
    }
  }
}
