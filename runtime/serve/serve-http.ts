// In: a surface and an address. Out: a server that answers clients of both eras there, until it is closed.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { printCause } from '../call/print-cause.js';
import { protocolCodes } from '../call/protocol-problem.js';
import { waitAtMost } from '../protocol/request.js';
import { makeBlueprint } from '../sdk/blueprint.js';
import type { Surface } from '../surface/surface.js';
import type { Authorizer } from './auth/authorizer.js';
import { isLoopback } from './auth/check-bind.js';
import { Connections } from './caller-usage.js';
import { type HeaderValues, sendEmpty, sendError, sendJson } from './http-answer.js';
import { HttpEndpoint } from './http-endpoint.js';
import { type GateOptions, makeGate, methods, trimPath } from './http-gate.js';
import { type HttpLimits, retrySoon, usualLimits } from './http-limits.js';
import type { ProtocolName } from './stdio-connection.js';

export interface ServeHttpOptions extends Omit<GateOptions, 'host' | 'isOpen'> {
  /** Default 127.0.0.1. Whether another address is a good idea is for the caller to check (checkBind). */
  readonly host?: string | undefined;
  /** Default 0: any free one. */
  readonly port?: number | undefined;
  /** Default /mcp. */
  readonly path?: string | undefined;
  /** Default 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** What a client may take to send a request; default 30 seconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a session of 2025 lives without being used; default 30 minutes. */
  readonly idleMs?: number | undefined;
  /** Sessions of 2025 at the same time; default 1000. */
  readonly maxSessions?: number | undefined;
  /** What clients may take; default: `usualLimits`. */
  readonly limits?: Partial<HttpLimits> | undefined;
  /** How long calls may go on after `close`; default 5 seconds. */
  readonly graceMs?: number | undefined;
  /** Default `own`; `sdk`: every request goes through the SDK. */
  readonly protocol?: ProtocolName | undefined;
  /** Absent: everybody may call. */
  readonly authorizer?: Authorizer | undefined;
  /** Runs when the last call is over, before `close` is settled: dispose of things here. */
  readonly onClose?: (() => void | Promise<void>) | undefined;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** When `close` is done. */
  readonly closed: Promise<void>;
  /** Takes no more calls, lets those under way finish within the grace time, ends every stream. */
  close(): Promise<void>;
  /** The process is about to end: every open request gets an error, at once. */
  abandon(reason: string): void;
}

/**
 * Serves over HTTP: 2026-07-28 without sessions, older revisions with them, on one address.
 *
 * @example const { url, close } = await serveHttp(surface, { port: 3000 });
 */
export async function serveHttp(surface: Surface, options: ServeHttpOptions = {}): Promise<HttpServer> {
  const {
    host = '127.0.0.1',
    port = 0,
    path = '/mcp',
    requestTimeoutMs = 30_000,
    graceMs = 5000,
    authorizer,
  } = options;
  const { allowedHosts, allowedOrigins, cors } = options;
  const isOpen = authorizer === undefined;
  const ownNames = [...namesOf(hostname()), ...namesOf(host)];
  const gate = makeGate({ host, isOpen, allowedHosts, allowedOrigins, cors, ownNames });
  const limits = { ...usualLimits, ...options.limits, ...(options.maxSessions && { sessions: options.maxSessions }) };
  const blueprint = makeBlueprint(surface);
  const endpoint = new HttpEndpoint(blueprint, {
    maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024,
    idleMs: options.idleMs ?? 30 * 60_000,
    limits,
    report: blueprint.rareReport,
    protocol: options.protocol ?? 'own',
    authorizer,
    fail,
  });
  const { name, version } = surface.info;
  const served = trimPath(path);

  function fail(cause: unknown, request: IncomingMessage, response: ServerResponse): void {
    surface.services.report(`HTTP ${request.method} failed: ${printCause(cause)}`);
    if (response.headersSent) response.destroy();
    else sendError(response, 500, 'Internal error', { code: -32603 });
  }

  /** What is not for the endpoint: probes, metadata, and callers that may not come in. False: it is. */
  const turnAway = (request: IncomingMessage, response: ServerResponse, wanted: string): boolean => {
    const metadata = wanted.startsWith('/.well-known/') ? authorizer?.metadata?.(wanted) : undefined;
    const busy = connections.refuse(request.socket);
    const refused = gate.refuse(request);
    if (hasTwoHosts(request)) {
      sendError(response, 400, 'Bad Request: there is more than one Host header', { headers: { connection: 'close' } });
      // No secrets in either, and probes call by whatever name they know.
    } else if (wanted === '/healthz') {
      if (isRead(request)) sendJson(response, 200, { status: 'ok', name, version });
      else refuseMethod(response, 'GET, HEAD');
    } else if (busy !== undefined) {
      const headers = { 'retry-after': retrySoon, connection: 'close' };
      sendError(response, busy.status, busy.message, { headers });
    } else if (metadata !== undefined) {
      sendMetadata(request, response, metadata);
    } else if (refused !== undefined) {
      sendError(response, 403, refused);
    } else if (wanted !== served) {
      sendError(response, 404, 'Not found', { headers: gate.headers(request) });
    } else if (request.method === 'OPTIONS') {
      const allowed = gate.preflight(request);
      if (allowed === undefined) refuseMethod(response, methods);
      else sendEmpty(response, 204, allowed);
    } else if (known.has(request.method ?? '')) {
      return false;
    } else {
      refuseMethod(response, methods, gate.headers(request));
    }
    return true;
  };

  const responses = new Set<ServerResponse>();
  function forget(this: ServerResponse): void {
    responses.delete(this);
  }
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    responses.add(response);
    response.on('close', forget);
    // A client that goes away in the middle is nothing new; of a request Node tells only those who ask.
    response.on('error', ignore);
    try {
      const { url = '/' } = request;
      const wanted = url === served ? served : trimPath(url.split('?')[0] ?? '/');
      if (!turnAway(request, response, wanted)) endpoint.serve(request, response, gate.headers(request));
    } catch (cause) {
      fail(cause, request, response);
    }
  };
  const server = createServer(
    {
      headersTimeout: Math.min(10_000, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, requestTimeoutMs),
      keepAliveTimeout: 65_000,
    },
    receive,
  );
  // Whether the client may send its body is said by who reads it.
  server.on('checkContinue', receive);
  const connections = new Connections(server, limits);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (isOpen && allowedHosts === undefined && !isLoopback(host)) {
    surface.services.report(
      `without auth, requests are accepted only if their Host is an IP address, localhost or ${hostname()}; ` +
        "the server's http.allowedHosts can list others",
    );
  }
  const stopListening = surface.onChange(change => endpoint.announce(change));
  const { port: bound } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>(resolve => {
    resolveClosed = resolve;
  });
  const close = async (): Promise<void> => {
    server.close();
    server.closeIdleConnections();
    await waitAtMost(graceMs, endpoint.drain());
    stopListening();
    await endpoint.close();
    // Streams that were ended just now need a moment to say so.
    await waitAtMost(farewellMs, Promise.all([...responses].map(response => once(response, 'close'))));
    server.closeAllConnections();
    await options.onClose?.();
    resolveClosed();
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}`,
    port: bound,
    closed,
    abandon(reason) {
      for (const response of responses) {
        // What has begun to stream can only be ended.
        if (response.headersSent) response.end();
        else sendError(response, 500, reason, { code: protocolCodes.internalError });
      }
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

const known: ReadonlySet<string> = new Set(methods.split(', '));
const farewellMs = 500;

function ignore(): void {}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function refuseMethod(response: ServerResponse, allow: string, headers: HeaderValues = {}): void {
  sendError(response, 405, 'Method not allowed', { headers: { ...headers, allow } });
}

/** Public by nature: clients read it before they have a token, browsers from any origin. */
function sendMetadata(request: IncomingMessage, response: ServerResponse, metadata: object): void {
  const headers = { 'access-control-allow-origin': '*' };
  if (isRead(request)) {
    sendJson(response, 200, metadata, headers);
  } else if (request.method === 'OPTIONS') {
    const asked = request.headers['access-control-request-headers'];
    const allowed = { 'access-control-allow-methods': 'GET', ...(asked && { 'access-control-allow-headers': asked }) };
    sendEmpty(response, 204, { ...headers, ...allowed });
  } else {
    refuseMethod(response, 'GET, HEAD, OPTIONS', headers);
  }
}

/** What a machine is called in its own network. */
function namesOf(name: string): readonly string[] {
  const [short = name] = name.split('.');
  return [name, short, `${short}.local`];
}

/** Node takes the first, and a proxy before it may have looked at the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
