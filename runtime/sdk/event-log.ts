// The last messages of a session, so that a client of 2025 whose connection broke can take up where it was. Bounded.
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** What all sessions together may keep, in characters. */
export interface EventBudget {
  readonly limit: number;
  used: number;
}

interface LoggedEvent {
  readonly number: number;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const mostEvents = 200;
const mostCharacters = 1024 * 1024;

export class EventLog implements EventStore {
  readonly #budget: EventBudget;
  #events: LoggedEvent[] = [];
  #size = 0;
  #last = 0;

  constructor(budget: EventBudget) {
    this.#budget = budget;
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1;
    const size = sizeOf(message, mostCharacters);
    this.#events.push({ number: this.#last, stream, message, size });
    this.#size += size;
    this.#budget.used += size;
    while (this.#isTooMuch()) this.#drop();
    return `${this.#last}.${stream}`;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return parse(id)?.stream;
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = parse(id)?.stream ?? '';
    for (const { number, message } of this.#after(id)) await send(`${number}.${stream}`, message);
    return stream;
  }

  /** The stream of an event that has nothing after it. */
  finishedStream(id: string): string | undefined {
    return this.#after(id).length === 0 ? parse(id)?.stream : undefined;
  }

  clear(): void {
    while (this.#events.length > 0) this.#drop();
  }

  /** Without the empty ones, which only give a client something to come back with. */
  #after(id: string): readonly LoggedEvent[] {
    const place = parse(id);
    if (place === undefined) return [];
    return this.#events.filter(
      ({ number, stream, message }) => stream === place.stream && number > place.number && 'jsonrpc' in message,
    );
  }

  #isTooMuch(): boolean {
    const { used, limit } = this.#budget;
    if (this.#events.length === 0) return false;
    return this.#events.length > mostEvents || this.#size > mostCharacters || used > limit;
  }

  #drop(): void {
    const { size } = this.#events.shift() ?? { size: 0 };
    this.#size -= size;
    this.#budget.used -= size;
  }
}

function parse(id: string): { readonly number: number; readonly stream: string } | undefined {
  const [, number, stream] = /^(\d{1,15})\.(.{1,100})$/.exec(id) ?? [];
  return number === undefined || stream === undefined ? undefined : { number: Number(number), stream };
}

/** About as many characters as its JSON has; it is not looked at beyond `limit`. */
function sizeOf(message: unknown, limit: number): number {
  let size = 0;
  const open: unknown[] = [message];
  while (open.length > 0 && size <= limit) {
    const value = open.pop();
    size += 8;
    if (typeof value === 'string') size += value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        size += key.length;
        open.push(member);
      }
    }
  }
  return size;
}
