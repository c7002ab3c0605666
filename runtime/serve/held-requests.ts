// Requests that wait for their turn, in the order in which they came. Kept as text: parsed, they could take ten times as much.
import type { MessageId } from '../protocol/ports.js';

interface Held {
  readonly id: MessageId;
  readonly text: string;
}

export class HeldRequests {
  #queue: Held[] = [];
  #head = 0;
  /** How many of an id wait; clients may use one twice. */
  readonly #ids = new Map<MessageId, number>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  ids(): readonly MessageId[] {
    return [...this.#ids.keys()];
  }

  /** In characters. */
  get size(): number {
    return this.#size;
  }

  add(id: MessageId, text: string): void {
    this.#queue.push({ id, text });
    this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
    this.#size += text.length;
  }

  /** It will never be asked for. False: none of that id waits. */
  cancel(id: MessageId): boolean {
    return this.#ids.delete(id);
  }

  /** The next that is still wanted. */
  take(): string | undefined {
    while (this.#head < this.#queue.length) {
      const { id, text } = this.#queue[this.#head] as Held;
      this.#head += 1;
      this.#size -= text.length;
      const count = this.#ids.get(id) ?? 0;
      if (count === 0) continue;
      if (count === 1) this.#ids.delete(id);
      else this.#ids.set(id, count - 1);
      this.#tidy();
      return text;
    }
    this.clear();
    return undefined;
  }

  clear(): void {
    this.#queue = [];
    this.#head = 0;
    this.#size = 0;
    this.#ids.clear();
  }

  /** Taking from the front of a list one by one would move the rest each time. */
  #tidy(): void {
    if (this.#head < 1000 || this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}
