// What a session of 2025 has sent: streams of events that outlive their connection, and the last messages, so that a client whose connection
// broke can take up where it was. Bounded.

/** What all sessions together may keep, in characters. Where that is not enough, who has the most gives. */
export class EventBudget {
  readonly #limit: number;
  readonly #shares = new Set<EventShare>();
  used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Of a share whose size has changed. */
  settle(share: EventShare, length: number): void {
    this.used += length;
    if (share.used > 0) this.#shares.add(share);
    else this.#shares.delete(share);
    while (this.used > this.#limit && this.#shares.size > 0) largest(this.#shares)?.give();
  }
}

/** What the sessions of one caller keep. */
export class EventShare {
  readonly #budget: EventBudget;
  readonly #logs = new Set<EventLog>();
  used = 0;

  constructor(budget: EventBudget) {
    this.#budget = budget;
  }

  settle(log: EventLog, length: number): void {
    this.used += length;
    if (log.used > 0) this.#logs.add(log);
    else this.#logs.delete(log);
    this.#budget.settle(this, length);
  }

  give(): void {
    largest(this.#logs)?.give();
  }
}

function largest<T extends { readonly used: number }>(all: Iterable<T>): T | undefined {
  let found: T | undefined;
  for (const one of all) if (found === undefined || one.used > found.used) found = one;
  return found;
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
  readonly #share: EventShare;
  #events: LoggedEvent[] = [];
  /** In characters. */
  used = 0;
  #last = 0;

  constructor(share: EventShare) {
    this.#share = share;
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
    this.#count(text.length);
    while (this.#events.length > mostEvents || this.used > mostCharacters) this.give();
    return id;
  }

  /** What followed an event on its stream, as far as it is still known. */
  after({ stream, number }: EventPlace): readonly LoggedEvent[] {
    return this.#events.filter(event => event.stream === stream && event.number > number);
  }

  clear(): void {
    while (this.#events.length > 0) this.give();
  }

  /** Forgets the oldest. */
  give(): void {
    this.#count(-(this.#events.shift()?.text.length ?? 0));
  }

  #count(length: number): void {
    this.used += length;
    this.#share.settle(this, length);
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

/** The answer to one HTTP request, as far as a session has to do with it. */
export interface Reply {
  /** The whole answer at once. */
  sendJson(text: string): void;
  /** Nothing to say. */
  sendEmpty(status: number): void;
  sendError(status: number, message: string, code?: number): void;
  /** Begins a stream of events; nothing else may be sent from then on. */
  openStream(): void;
  writeStream(text: string): void;
  endStream(): void;
  /** When it is out, or the client is gone. */
  onClose(listener: () => void): void;
}

export class EventStream {
  readonly id: number;
  readonly #log: EventLog;
  #reply: Reply | undefined;

  constructor(id: number, log: EventLog) {
    this.id = id;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#reply !== undefined;
  }

  /** `first` goes out before anything else. */
  connect(reply: Reply, first = ''): void {
    this.#reply = reply;
    reply.openStream();
    if (first !== '') reply.writeStream(first);
    reply.onClose(() => {
      if (this.#reply === reply) this.#reply = undefined;
    });
  }

  send(text: string): void {
    const id = this.#log.add(this.id, text);
    this.#reply?.writeStream(frame(id, text));
  }

  replay(events: readonly LoggedEvent[]): void {
    for (const { number, text } of events) this.#reply?.writeStream(frame(`${this.id}-${number}`, text));
  }

  /** A line that clients overlook, so that nobody takes the connection for dead. */
  keepAlive(): void {
    this.#reply?.writeStream(': keepalive\n\n');
  }

  end(): void {
    this.#reply?.endStream();
    this.#reply = undefined;
  }
}

function frame(id: string, text: string): string {
  return `event: message\nid: ${id}\ndata: ${text}\n\n`;
}
