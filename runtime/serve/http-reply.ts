// The answer to one HTTP request in the words of a session of 2025: JSON, nothing, or a stream of events.
import type { ServerResponse } from 'node:http';
import type { Reply } from '../protocol/event-stream.js';
import { type HeaderValues, streamHeaders } from './header-values.js';
import { sendEmpty, sendError, sendText } from './http-answer.js';
import type { SlowReaders } from './slow-readers.js';

export class HttpReply implements Reply {
  readonly #response: ServerResponse;
  readonly #headers: HeaderValues;
  readonly #readers: SlowReaders;
  #isHeld = false;

  constructor(response: ServerResponse, headers: HeaderValues, readers: SlowReaders) {
    this.#response = response;
    this.#headers = headers;
    this.#readers = readers;
  }

  sendJson(text: string): void {
    sendText(this.#response, text, this.#headers);
    this.#readers.answered(this.#response);
  }

  sendEmpty(status: number): void {
    sendEmpty(this.#response, status, this.#headers);
  }

  sendError(status: number, message: string, code?: number): void {
    sendError(this.#response, status, message, { headers: this.#headers, ...(code !== undefined && { code }) });
  }

  openStream(): void {
    this.#response.writeHead(200, {
      ...this.#headers,
      'content-type': 'text/event-stream',
      ...streamHeaders,
      'x-accel-buffering': 'no',
    });
    this.#hold();
  }

  writeStream(text: string): void {
    if (this.#response.writableEnded) return;
    this.#hold();
    this.#response.write(text);
    // A client whose connection ends can come back for the rest.
    this.#readers.wrote(this.#response);
  }

  endStream(): void {
    this.#response.end();
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  /** What is said within one turn goes out in one write. */
  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    const response = this.#response;
    response.cork();
    setImmediate(() => {
      this.#isHeld = false;
      if (response.writableEnded || response.destroyed) return;
      response.uncork();
      // The client must see at once that it is answered, even if nothing is said for a while.
      response.flushHeaders();
    });
  }
}
