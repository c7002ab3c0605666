// The last messages of a session, so that a client of 2025 whose connection broke can take up where it was. Bounded.

/** What all sessions together may keep, in characters. */
export interface EventBudget {
  readonly limit: number;
  used: number;
}

export interface LoggedEvent {
  readonly number: number;
  readonly stream: number;
  /** The JSON of a message. */
  readonly text: string;
}

const mostEvents = 200;
const mostCharacters = 1024 * 1024;

export class EventLog {
  readonly #budget: EventBudget;
  #events: LoggedEvent[] = [];
  #size = 0;
  #last = 0;

  constructor(budget: EventBudget) {
    this.#budget = budget;
  }

  /** An id for an event that has nothing to be sent again. */
  mark(stream: number): string {
    this.#last += 1;
    return `${stream}-${this.#last}`;
  }

  /** Keeps a message, and what came before it only as long as there is room; gives the id of its event. */
  add(stream: number, text: string): string {
    const id = this.mark(stream);
    this.#events.push({ number: this.#last, stream, text });
    this.#size += text.length;
    this.#budget.used += text.length;
    while (this.#isTooMuch()) this.#drop();
    return id;
  }

  /** What followed an event on its stream, as far as it is still known. */
  after({ stream, number }: EventPlace): readonly LoggedEvent[] {
    return this.#events.filter(event => event.stream === stream && event.number > number);
  }

  clear(): void {
    while (this.#events.length > 0) this.#drop();
  }

  #isTooMuch(): boolean {
    if (this.#events.length === 0) return false;
    const { used, limit } = this.#budget;
    return this.#events.length > mostEvents || this.#size > mostCharacters || used > limit;
  }

  #drop(): void {
    const length = this.#events.shift()?.text.length ?? 0;
    this.#size -= length;
    this.#budget.used -= length;
  }
}

export interface EventPlace {
  readonly stream: number;
  readonly number: number;
}

/** `3-17` -> stream 3, event 17; undefined where no event of ours has such an id. */
export function parseEventId(id: string): EventPlace | undefined {
  const [, stream, number] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined || number === undefined ? undefined : { stream: Number(stream), number: Number(number) };
}
