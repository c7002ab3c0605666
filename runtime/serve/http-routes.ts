// In: a request for one of the author's own routes, which has passed the gate and `auth`. Out: what their function answers, as Node
// sends it. Loaded with the first such request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printCause } from '../call/print-cause.js';
import type { Route } from '../surface/surface.js';
import { type Exchange, type HeaderValues, sendError } from './http-answer.js';
import { trimPath } from './http-gate.js';
import { answerWithin, type CountedBody, countBody, lateText } from './route-limits.js';

export interface RouteOptions {
  readonly maxBodyBytes: number;
  /** Until there is an answer; a stream may then go on for as long as it likes. */
  readonly answerMs: number;
  /** Paths that no route answers, whatever form they are written in. */
  isReserved(path: string): boolean;
  report(text: string): void;
  /** Aborted when the server ends, and with it what still streams. */
  readonly closing: AbortSignal;
}

/** Settles when the answer is out, or the client is gone. */
export async function serveRoute(
  { request, response, headers, caller }: Exchange,
  route: Route,
  { maxBodyBytes, answerMs, isReserved, report, closing }: RouteOptions,
): Promise<void> {
  const url = urlOf(request);
  if (url === undefined) {
    sendError(response, 400, 'Bad Request: Host and path make no address', { headers });
    return;
  }
  if (request.method === 'TRACE') {
    sendError(response, 405, 'Method not allowed', { headers });
    return;
  }
  // The form that the function gets to see must not be one of ours either: /x/../mcp.
  if (isReserved(trimPath(url.pathname))) {
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
  const counted = countBody(bodyOf(request), maxBodyBytes);
  try {
    const asking = route(toWeb(request, url, counted.body, gone.signal), caller?.auth);
    const answer = await answerWithin(answerMs, asking);
    if (response.destroyed) {
      if (answer instanceof Response) await answer.body?.cancel().catch(() => undefined);
    } else if (counted.isOver()) {
      tooLarge();
    } else if (answer === 'late') {
      report(lateText(request.method, request.url, answerMs));
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
    closing.removeEventListener('abort', end);
    // What nobody has read would keep the connection from its next request; who listens still would have it wait.
    request.removeAllListeners('data');
    request.resume();
  }
}

/** Undefined: there is none, or one where a Host such as `a/b?` would be a part of the path. */
function urlOf({ headers: { host = '' }, url = '' }: IncomingMessage): URL | undefined {
  const text = `http://${host}${url}`;
  return url.startsWith('/') && !/[/?#@\\]/.test(host) && URL.canParse(text) ? new URL(text) : undefined;
}

function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> | null {
  return request.method === 'GET' || request.method === 'HEAD'
    ? null
    : (Readable.toWeb(request) as ReadableStream<Uint8Array>);
}

function toWeb(request: IncomingMessage, url: URL, body: CountedBody['body'], signal: AbortSignal): Request {
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
  if (answer.bodyUsed) throw new TypeError('the body of the answer was read already');
  for (const [name, value] of Object.entries({ 'x-content-type-options': 'nosniff', ...headers }))
    response.setHeader(name, value);
  answer.headers.forEach((value, name) => {
    if (!ownHeaders.has(name)) response.setHeader(name, value);
  });
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  const { body } = answer;
  const hasBody = body !== null && request.method !== 'HEAD';
  // A wrong one would be read as the start of the next answer, or be waited for. Node sends chunks instead.
  if (hasBody) response.removeHeader('content-length');
  response.writeHead(answer.status);
  if (!hasBody) {
    response.end();
    await body?.cancel().catch(() => undefined);
    return;
  }
  response.flushHeaders();
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response);
}
