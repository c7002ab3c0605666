// Answers over HTTP: those that are made before or without the SDK, those of a session of 2025 (JSON, nothing, or a stream of events), and
// the way of web-standard answers to Node's.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Weight } from '../protocol/caller.js';
import type { Reply } from '../protocol/event-log.js';
import type { HttpRequest } from '../sdk/http.js';
import type { RareReport } from '../surface/rare-report.js';
import type { HttpLimits } from './http-limits.js';

/** A request, and the way to answer it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller | undefined;
  /** For browsers of other origins. */
  readonly headers: HeaderValues;
  /** What its calls cost; known once its body is read. */
  weight: Weight;
}

/** Of a header that a client may have sent more than once. */
export function firstValue(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header[0];
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: HeaderValues = {}): void {
  sendText(response, JSON.stringify(body), headers, status);
}

/** JSON that is written already. As a string, because Node sends that in one piece with the headers. */
export function sendText(response: ServerResponse, text: string, headers: HeaderValues, status = 200): void {
  const own = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers === noHeaders ? own : { ...headers, ...own }).end(text);
}

/** Nothing but a status. */
export function sendEmpty(response: ServerResponse, status: number, headers: HeaderValues): void {
  response.writeHead(status, { ...headers, ...safeHeaders }).end();
}

/** An error that belongs to no request, in the form that clients of the protocol read. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  { code = -32000, headers = {} }: { readonly code?: number; readonly headers?: HeaderValues } = {},
): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null }, headers);
}

/** Node's headers in the words of the web. */
export class NodeHeaders {
  readonly #values: IncomingHttpHeaders;

  constructor(values: IncomingHttpHeaders) {
    this.#values = values;
  }

  get(name: string): string | null {
    // Nearly everybody asks in lower case.
    const value = this.#values[name] ?? this.#values[name.toLowerCase()];
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  }
}

/** Without its body: that is parsed already. */
export function toHttpRequest({ method = 'GET', headers }: IncomingMessage, signal?: AbortSignal): HttpRequest {
  return { method, signal, headers: new NodeHeaders(headers) };
}

/** Writes an answer; settles when it is out or the client is gone. */
export async function sendResponse(
  response: ServerResponse,
  web: Response,
  headers: HeaderValues,
  readers: SlowReaders,
): Promise<void> {
  if (response.destroyed) {
    await web.body?.cancel().catch(() => undefined);
    return;
  }
  const all: Record<string, string> = { ...headers };
  web.headers.forEach((value, name) => {
    all[name] = value;
  });
  if (web.body === null) {
    sendEmpty(response, web.status, all);
    return;
  }
  if (!(web.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
    const bytes = Buffer.from(await web.arrayBuffer());
    const length = { 'content-length': String(bytes.length) };
    response.writeHead(web.status, { ...all, ...safeHeaders, ...length }).end(bytes);
    readers.answered(response);
    return;
  }
  response.writeHead(web.status, { ...all, ...streamHeaders });
  await sendStream(response, web.body, readers);
}

async function sendStream(
  response: ServerResponse,
  body: ReadableStream<Uint8Array>,
  readers: SlowReaders,
): Promise<void> {
  const reader = body.getReader();
  const gone = (): void => void reader.cancel().catch(() => undefined);
  response.once('close', gone);
  // What comes within one turn goes out in one write: for a quick call that is the whole answer.
  let isHeld = false;
  const hold = (): void => {
    if (isHeld) return;
    isHeld = true;
    response.cork();
    setImmediate(() => {
      isHeld = false;
      if (response.writableEnded) return;
      response.uncork();
      // The client must see at once that it is answered, even if nothing is said for a while.
      response.flushHeaders();
    });
  };
  hold();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      hold();
      if (response.writableEnded) break;
      response.write(read.value);
      // Not at the pace of the client: the SDK keeps without limit what is not taken from it.
      readers.wrote(response);
    }
  } finally {
    response.off('close', gone);
    response.end();
  }
}

/** Header names in lower case. */
export type HeaderValues = Readonly<Record<string, string>>;

/** For nearly every answer. */
export const noHeaders: HeaderValues = Object.freeze({});

/** Answers are for who asked, and what they say they are. */
const safeHeaders: HeaderValues = Object.freeze({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

const streamHeaders: HeaderValues = Object.freeze({ ...safeHeaders, 'cache-control': 'no-store, no-transform' });

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

// Answers that their clients do not read. In: each response that something was written to. Out: nobody makes the server keep more
// than it should: connections of those that read nothing are closed.

type ReaderLimits = Pick<HttpLimits, 'unread' | 'unreadOfAll' | 'writeTimeoutMs'>;

export class SlowReaders {
  readonly #limits: ReaderLimits;
  readonly #report: RareReport;
  readonly #waiting = new Set<ServerResponse>();

  constructor(limits: ReaderLimits, report: RareReport) {
    this.#limits = limits;
    this.#report = report;
  }

  /** The whole answer is written. Nearly always the system has taken it by now. */
  answered(response: ServerResponse): void {
    if (response.writableLength === 0 || response.destroyed) return;
    this.#watch(response);
    // Node starts anew whenever the client has taken a part.
    response.setTimeout(this.#limits.writeTimeoutMs, () => {
      if (response.writableLength > 0) this.#close(response);
    });
    this.#check();
  }

  /** A part of a stream is written. */
  wrote(response: ServerResponse): void {
    const waiting = response.writableLength;
    if (waiting < worthALook || response.destroyed) return;
    this.#watch(response);
    if (waiting > this.#limits.unread) this.#close(response);
    else this.#check();
  }

  #watch(response: ServerResponse): void {
    if (this.#waiting.has(response)) return;
    this.#waiting.add(response);
    response.once('close', () => this.#waiting.delete(response));
  }

  /** Where all together let too much wait, it ends for the one that has the most: anyone who reads has less and less. */
  #check(): void {
    let sum = 0;
    let most: ServerResponse | undefined;
    for (const response of this.#waiting) {
      sum += response.writableLength;
      if (most === undefined || response.writableLength > most.writableLength) most = response;
    }
    if (sum > this.#limits.unreadOfAll && most !== undefined) this.#close(most);
  }

  #close(response: ServerResponse): void {
    this.#waiting.delete(response);
    this.#report.say('reader', 'a client does not read what it asked for: its connection is closed');
    response.destroy();
  }
}

const worthALook = 256 * 1024;
