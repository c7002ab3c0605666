// One stream of events to a client of 2025: the answers to one POST, or what a session says on its own. It outlives its
// connection: what is sent meanwhile is kept in the log, and a client that comes back gets it.
import type { EventLog, LoggedEvent } from './event-log.js';

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
