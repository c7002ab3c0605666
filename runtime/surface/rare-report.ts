// In: things that may happen a thousand times a second. Out: a line about each kind of them now and then, for the operator.

const everyMs = 60_000;
/** Kinds may have addresses of clients in them: a client with many must not fill the memory. */
const mostKinds = 200;

export class RareReport {
  readonly #report: (text: string) => void;
  /** When a kind was reported, and how often it happened since. */
  readonly #kinds = new Map<string, { at: number; since: number }>();

  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  /** Reported at once if nothing of its kind was within the last minute; else only counted. */
  say(kind: string, text: string): void {
    const now = performance.now();
    const known = this.#kinds.get(kind);
    if (known !== undefined && now - known.at < everyMs) {
      known.since += 1;
      return;
    }
    if (known === undefined && this.#kinds.size >= mostKinds) this.#forget(now);
    if (known === undefined && this.#kinds.size >= mostKinds) return;
    this.#kinds.set(kind, { at: now, since: 0 });
    const more = known?.since ?? 0;
    this.#report(more === 0 ? text : `${text} (and ${more} more like it)`);
  }

  #forget(now: number): void {
    for (const [kind, { at }] of this.#kinds) if (now - at >= everyMs) this.#kinds.delete(kind);
  }
}
