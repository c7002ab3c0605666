// In: a request for one of the author's own routes, which has passed the gate and `auth`. Out: what their function answers, as Node
// sends it. Loaded with the first such request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printCause } from '../call/print-cause.js';
import type { Route } from '../surface/surface.js';
import { type Exchange, type HeaderValues, sendError } from './http-answer.js';
import { trimPath } from './http-gate.js';

export interface RouteOptions {
  readonly maxBodyBytes: number;
  /** Paths that no route answers, whatever form they are written in. */
  isReserved(path: string): boolean;
  report(text: string): void;
  /** Aborted when the server ends, and with it what still streams. */
  readonly closing: AbortSignal;
}

/** What a route may take until it has an answer; a stream may then go on for as long as it likes. */
const answerMs = 60_000;

/** Settles when the answer is out, or the client is gone. */
export async function serveRoute(
  { request, response, headers, caller }: Exchange,
  route: Route,
  { maxBodyBytes, isReserved, report, closing }: RouteOptions,
): Promise<void> {
  const url = `http://${request.headers.host}${request.url}`;
  // The form that the function gets to see must not be one of ours either: /x/../mcp.
  if (!URL.canParse(url) || isReserved(trimPath(new URL(url).pathname))) {
    sendError(response, 404, 'Not found', { headers });
    return;
  }
  const tooLarge = (): void =>
    sendError(response, 413, `Payload Too Large: a body has at most ${maxBodyBytes} bytes`, {
      headers: { ...headers, connection: 'close' },
    });
  if (Number(request.headers['content-length']) > maxBodyBytes) {
    tooLarge();
    return;
  }
  if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const end = (): void => void response.destroy();
  closing.addEventListener('abort', end);
  const counted = countBody(request, maxBodyBytes);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), answerMs);
  });
  try {
    const answer = await Promise.race([route(toWeb(request, url, counted.body, gone.signal), caller?.auth), late]);
    if (response.destroyed) {
      if (answer instanceof Response) await answer.body?.cancel().catch(() => undefined);
    } else if (counted.isOver()) {
      tooLarge();
    } else if (answer === 'late') {
      report(`the route for ${request.method} ${request.url} gave no answer within ${answerMs / 1000} seconds`);
      sendError(response, 504, 'Gateway Timeout: the route did not answer in time', { headers });
      gone.abort();
    } else if (answer === undefined) {
      sendError(response, 404, 'Not found', { headers });
    } else {
      await send(request, response, answer, headers);
    }
  } catch (cause) {
    if (gone.signal.aborted) return;
    if (counted.isOver() && !response.headersSent) {
      tooLarge();
      return;
    }
    report(`the route for ${request.method} ${request.url} failed: ${printCause(cause)}`);
    if (response.headersSent) response.destroy();
    else sendError(response, 500, 'Internal error', { code: -32603, headers });
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', end);
    // What nobody has read would keep the connection from its next request.
    request.resume();
  }
}

interface Counted {
  readonly body: ReadableStream<Uint8Array> | null;
  isOver(): boolean;
}

/** A body without a length may be longer than it should be, too. */
function countBody(request: IncomingMessage, limit: number): Counted {
  if (request.method === 'GET' || request.method === 'HEAD') return { body: null, isOver: () => false };
  let size = 0;
  const count = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of request) {
      size += (chunk as Uint8Array).byteLength;
      if (size > limit) throw new Error(`the body has more than ${limit} bytes`);
      yield chunk as Uint8Array;
    }
  };
  return { body: Readable.toWeb(Readable.from(count())) as ReadableStream<Uint8Array>, isOver: () => size > limit };
}

function toWeb(request: IncomingMessage, url: string, body: Counted['body'], signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const init = { method: request.method ?? 'GET', headers, body, signal, duplex: 'half' };
  return new Request(url, init as RequestInit);
}

/** Of one connection only: Node says them itself. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding']);

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  headers: HeaderValues,
): Promise<void> {
  for (const [name, value] of Object.entries({ 'x-content-type-options': 'nosniff', ...headers }))
    response.setHeader(name, value);
  answer.headers.forEach((value, name) => {
    if (!ownHeaders.has(name)) response.setHeader(name, value);
  });
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(answer.status);
  const { body } = answer;
  if (body === null || request.method === 'HEAD') {
    response.end();
    await body?.cancel().catch(() => undefined);
    return;
  }
  response.flushHeaders();
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response);
}
