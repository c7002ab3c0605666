// In: bytes of an event stream, as servers answer requests with over HTTP. Out: its events.
import { LineReader } from './line-reader.js';

export interface EventStreamEvents {
  /** The data of one event of the type `message`, which is also the default. */
  data(text: string): void;
  tooLong(): void;
}

export class EventReader {
  /** Of the last event that had one: where the stream can be taken up again. */
  lastId: string | undefined;
  /** How long the server wants us to wait before that. */
  retryMs: number | undefined;
  readonly #most: number;
  readonly #events: EventStreamEvents;
  readonly #lines: LineReader;
  #data: string | undefined;
  #type = '';

  constructor(most: number, events: EventStreamEvents) {
    this.#most = most;
    this.#events = events;
    this.#lines = new LineReader(most, { line: text => this.#line(text), tooLong: () => events.tooLong() });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
  }

  #line(text: string): void {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    // A comment, which keeps the connection alive.
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    switch (field) {
      case 'data':
        this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
        // Each line has its limit; so have all lines of an event together.
        if (this.#data.length <= this.#most) return;
        this.#data = undefined;
        this.#events.tooLong();
        return;
      case 'event':
        this.#type = value;
        return;
      case 'id':
        if (value !== '' && !/[\0\r\n]/.test(value)) this.lastId = value;
        return;
      case 'retry':
        if (/^\d{1,9}$/.test(value)) this.retryMs = Number(value);
        return;
      default:
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const type = this.#type;
    this.#data = undefined;
    this.#type = '';
    if (data !== undefined && data.trim() !== '' && (type === '' || type === 'message')) this.#events.data(data);
  }
}
