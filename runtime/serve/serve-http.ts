// In: a surface and an address. Out: a server that answers clients of both eras there, until it is closed.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Surface } from '../surface/surface.js';
import type { Authorizer } from './auth/authorizer.js';
import { isLoopback } from './auth/check-bind.js';
import { Connections } from './caller-usage.js';
import { openFront, pathOf } from './http-front.js';
import { type GateOptions, makeGate, namesOf, trimPath } from './http-gate.js';
import { type HttpLimits, usualLimits } from './http-limits.js';
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
  const served = trimPath(path);
  const front = openFront(surface, {
    ...{ served, limits, authorizer },
    maxBodyBytes: options.maxBodyBytes,
    idleMs: options.idleMs,
    protocol: options.protocol,
    busy: request => connections.refuse(request.socket),
  });
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '/' } = request;
    front.receive(request, response, url === served ? served : pathOf(url), gate);
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
  }).catch(async (error: unknown) => {
    await front.close(0);
    throw error;
  });
  if (isOpen && allowedHosts === undefined && !isLoopback(host)) {
    surface.services.report(
      `without auth, requests are accepted only if their Host is an IP address, localhost or ${hostname()}; ` +
        "the server's http.allowedHosts can list others",
    );
  }
  const { port: bound } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>(resolve => {
    resolveClosed = resolve;
  });
  const close = async (): Promise<void> => {
    server.close();
    server.closeIdleConnections();
    await front.close(graceMs);
    server.closeAllConnections();
    await options.onClose?.();
    resolveClosed();
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}`,
    port: bound,
    closed,
    abandon: front.abandon,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
