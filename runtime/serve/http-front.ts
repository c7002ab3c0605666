// In: requests as Node has them, of a server of ours or of a host's. Out: those that may pass reach the endpoint, the others have
// their answer; and all of them end together.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { printCause } from '../call/print-cause.js';
import { protocolCodes } from '../call/protocol-error.js';
import { waitAtMost } from '../call/wait-at-most.js';
import type { Caller } from '../protocol/caller.js';
import { makeBlueprint } from '../sdk/blueprint.js';
import type { Surface } from '../surface/surface.js';
import type { Authorizer } from './auth/authorizer.js';
import { type Busy, noCalls } from './caller-usage.js';
import { type HeaderValues, sendEmpty, sendError, sendJson } from './http-answer.js';
import { HttpEndpoint } from './http-endpoint.js';
import { type Gate, isReserved, methods, trimPath } from './http-gate.js';
import { type HttpLimits, retrySoon } from './http-limits.js';
import type { ProtocolName } from './stdio-connection.js';

export interface FrontOptions {
  /** The path of the endpoint; undefined: a host has chosen which requests come here. */
  readonly served: string | undefined;
  readonly limits: HttpLimits;
  /** Default 4 MiB. */
  readonly maxBodyBytes: number | undefined;
  /** How long a session of 2025 lives without being used; default 30 minutes. */
  readonly idleMs?: number | undefined;
  /** Default `own`. */
  readonly protocol?: ProtocolName | undefined;
  readonly authorizer: Authorizer | undefined;
  /** Why nothing on this connection is served; absent: everything is. */
  busy?(request: IncomingMessage): Busy | undefined;
}

export interface Front {
  /** `path` is without its query; `caller` is known where the host has asked. */
  receive(request: IncomingMessage, response: ServerResponse, path: string, gate: Gate, caller?: Caller): void;
  /** Something went wrong that nobody foresaw. */
  fail(cause: unknown, request: IncomingMessage, response: ServerResponse): void;
  /** Takes no more calls, lets those under way finish within the grace time, ends sessions and streams. */
  close(graceMs: number): Promise<void>;
  /** The process is about to end: every open request gets an error, at once. */
  abandon(reason: string): void;
}

export function openFront(surface: Surface, options: FrontOptions): Front {
  const { served, limits, authorizer, busy: refuseBusy } = options;
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
  const stopListening = surface.onChange(change => endpoint.announce(change));
  const { name, version } = surface.info;

  function fail(cause: unknown, request: IncomingMessage, response: ServerResponse): void {
    surface.services.report(`HTTP ${request.method} failed: ${printCause(cause)}`);
    if (response.headersSent) response.destroy();
    else sendError(response, 500, 'Internal error', { code: -32603 });
  }

  /** Where a host has chosen what comes here, it has routes of its own. */
  const isFree = (path: string): boolean => served !== undefined && path !== served && !isReserved(path);

  /** What is not for the endpoint: probes, metadata, and callers that may not come in. False: it is. */
  const turnAway = (request: IncomingMessage, response: ServerResponse, wanted: string, gate: Gate): boolean => {
    const metadata = wanted.startsWith('/.well-known/') ? authorizer?.metadata?.(wanted) : undefined;
    const busy = refuseBusy?.(request);
    const refused = gate.refuse(request);
    if (hasTwoHosts(request)) {
      sendError(response, 400, 'Bad Request: there is more than one Host header', { headers: goodbye });
      // No secrets in either, and probes call by whatever name they know.
    } else if (wanted === '/healthz' && served !== undefined) {
      if (isRead(request)) sendJson(response, 200, { status: 'ok', name, version });
      else refuseMethod(response, 'GET, HEAD');
    } else if (busy !== undefined) {
      const headers = { 'retry-after': retrySoon, connection: 'close' };
      sendError(response, busy.status, busy.message, { headers });
    } else if (metadata !== undefined) {
      sendMetadata(request, response, metadata);
    } else if (refused !== undefined) {
      sendError(response, 403, refused);
    } else if (wanted !== served && surface.route !== undefined && isFree(wanted)) {
      const allowed = request.method === 'OPTIONS' ? gate.preflight(request) : undefined;
      const headers = gate.headers(request);
      if (allowed !== undefined) sendEmpty(response, 204, allowed);
      else
        endpoint.serveRoute(
          { request, response, caller: undefined, headers, weight: noCalls },
          surface.route,
          path => !isFree(path),
        );
    } else if (wanted !== served && served !== undefined) {
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

  let isClosed = false;
  const responses = new Set<ServerResponse>();
  function forget(this: ServerResponse): void {
    responses.delete(this);
  }
  return {
    fail,
    receive(request, response, path, gate, caller) {
      responses.add(response);
      response.on('close', forget);
      // A client that goes away in the middle is nothing new; of a request Node tells only those who ask.
      response.on('error', ignore);
      try {
        if (isClosed) sendError(response, 503, 'Service Unavailable: the server is closed', { headers: goodbye });
        else if (!turnAway(request, response, path, gate))
          endpoint.serve(request, response, gate.headers(request), caller);
      } catch (cause) {
        fail(cause, request, response);
      }
    },
    async close(graceMs) {
      await waitAtMost(graceMs, endpoint.drain());
      isClosed = true;
      stopListening();
      await endpoint.close();
      // Streams that were ended just now need a moment to say so.
      await waitAtMost(farewellMs, Promise.all([...responses].map(response => once(response, 'close'))));
    },
    abandon(reason) {
      for (const response of responses) {
        // What has begun to stream can only be ended.
        if (response.headersSent) response.end();
        else sendError(response, 500, reason, { code: protocolCodes.internalError });
      }
    },
  };
}

/** The path of an address, without its query. */
export function pathOf(url: string): string {
  return trimPath(url.split('?')[0] ?? '/');
}

const known: ReadonlySet<string> = new Set(methods.split(', '));
const farewellMs = 500;
const goodbye: HeaderValues = { connection: 'close' };

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

/** Node takes the first, and a proxy before it may have looked at the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
