// The answer to one HTTP request in the words of a session of 2025: JSON, nothing, or a stream of events.
import type { ServerResponse } from 'node:http';
import type { Reply } from '../sdk/event-stream.js';
import type { HeaderValues } from './header-values.js';
import { sendError, sendText } from './http-answer.js';

/** What a client that does not read may let wait; then its connection ends, and it can come back for the rest. */
const mostWaiting = 16 * 1024 * 1024;

export class HttpReply implements Reply {
  readonly #response: ServerResponse;
  readonly #headers: HeaderValues;
  #isHeld = false;

  constructor(response: ServerResponse, headers: HeaderValues) {
    this.#response = response;
    this.#headers = headers;
  }

  sendJson(text: string): void {
    sendText(this.#response, text, this.#headers);
  }

  sendEmpty(status: number): void {
    this.#response.writeHead(status, this.#headers).end();
  }

  sendError(status: number, message: string, code?: number): void {
    sendError(this.#response, status, message, { headers: this.#headers, ...(code !== undefined && { code }) });
  }

  openStream(): void {
    this.#response.writeHead(200, {
      ...this.#headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    this.#hold();
  }

  writeStream(text: string): void {
    this.#hold();
    this.#response.write(text);
    if (this.#response.writableLength > mostWaiting) this.#response.destroy();
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
