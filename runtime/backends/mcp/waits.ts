// In: requests by id, each with whom it is for. Out: the same on demand; those that take too long, by one timer for all of them, since a
// timer for each would cost as much as all else that is done for it.
import { ById } from '../../call/by-id.js';
import { longestTimer } from '../../call/time-limit.js';

interface Entry<T> {
  readonly id: number;
  readonly waiting: T;
  readonly isTimed: boolean;
  begun: number;
  before: Entry<T> | undefined;
  after: Entry<T> | undefined;
}

export class Waits<T extends { readonly isAsking?: boolean }> {
  readonly #milliseconds: number;
  readonly #expire: (id: number, waiting: T) => void;
  readonly #waiting = new ById<number, Entry<T>>();
  /** A chain in the order in which they began, so that the first is the first to be too slow. */
  #first: Entry<T> | undefined;
  #last: Entry<T> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, expire: (id: number, waiting: T) => void) {
    this.#milliseconds = Math.min(milliseconds, longestTimer);
    this.#expire = expire;
  }

  add(id: number, waiting: T, isTimed: boolean): void {
    const entry = { id, waiting, isTimed, begun: performance.now(), before: undefined, after: undefined };
    this.#waiting.set(id, entry);
    this.#append(entry);
    this.#timer ??= this.#wait(this.#milliseconds);
  }

  get(id: number): T | undefined {
    return this.#waiting.get(id)?.waiting;
  }

  take(id: number): T | undefined {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return undefined;
    this.#waiting.delete(id);
    this.#leave(entry);
    return entry.waiting;
  }

  /** It is alive: its time begins again. */
  restart(id: number): T | undefined {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return undefined;
    this.#leave(entry);
    entry.begun = performance.now();
    this.#append(entry);
    return entry.waiting;
  }

  *all(): Generator<T> {
    for (const { waiting } of this.#entries()) yield waiting;
  }

  takeAll(): readonly (readonly [number, T])[] {
    const all = this.#entries().map(({ id, waiting }) => [id, waiting] as const);
    for (const [id] of all) this.take(id);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return all;
  }

  /** As they are now: each may be taken on the way. */
  #entries(): readonly Entry<T>[] {
    const all: Entry<T>[] = [];
    for (let entry = this.#first; entry !== undefined; entry = entry.after) all.push(entry);
    return all;
  }

  #append(entry: Entry<T>): void {
    const last = this.#last;
    this.#last = entry;
    entry.before = last;
    if (last !== undefined) last.after = entry;
    else this.#first = entry;
  }

  #leave(entry: Entry<T>): void {
    if (entry === this.#first) this.#first = entry.after;
    if (entry === this.#last) this.#last = entry.before;
    if (entry.before !== undefined) entry.before.after = entry.after;
    if (entry.after !== undefined) entry.after.before = entry.before;
    entry.before = undefined;
    entry.after = undefined;
  }

  /** The process need not stay for it: the waiting caller keeps it alive by other means. */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), milliseconds).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const { id, waiting, begun, isTimed } of this.#entries()) {
      if (!isTimed) continue;
      const left = begun + this.#milliseconds - now;
      // Timers count whole milliseconds.
      if (left >= 1) {
        this.#timer ??= this.#wait(left);
        return;
      }
      if (waiting.isAsking === true) this.restart(id);
      else {
        this.take(id);
        this.#expire(id, waiting);
      }
    }
  }
}
