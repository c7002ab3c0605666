// In: a surface. Out: a function that answers requests of Node's, for hosts that listen themselves: Express, plain http.
// The checks are those of serve-http.ts; what only a server that listens can do is left to the host: connections, time to send.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import type { Auth } from '../../schema/support/mcp/client.js';
import { callerOfHost } from '../protocol/caller.js';
import type { Surface } from '../surface/surface.js';
import type { Authorizer } from './auth/authorizer.js';
import { isLoopback } from './auth/check-bind.js';
import { openFront, pathOf } from './http-front.js';
import { type Gate, type GateOptions, makeGate, namesOf } from './http-gate.js';
import { type HttpLimits, usualLimits } from './http-limits.js';

export interface NodeHandlerOptions extends Pick<GateOptions, 'allowedHosts' | 'allowedOrigins' | 'cors'> {
  readonly maxBodyBytes?: number | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly authorizer?: Authorizer | undefined;
  /** Hears under which address requests come: only the host knows it. */
  readonly learn?: ((origin: string, path: string) => void) | undefined;
  /** How long calls may go on after `close`; default 5 seconds. */
  readonly graceMs?: number | undefined;
}

export interface NodeHandler {
  /** `auth`: the host knows who calls, and the authorizer is not asked. */
  handle(request: IncomingMessage, response: ServerResponse, auth: Auth | undefined): void;
  /** Takes no more calls, lets those under way finish within the grace time, ends sessions and streams. */
  close(): Promise<void>;
}

/** What frameworks add to a request of Node's: Express has the whole address, though a part of it is taken off, and knows its proxies. */
type Routed = IncomingMessage & { readonly originalUrl?: unknown; readonly protocol?: unknown };

/**
 * Serves a surface in a server of somebody else's.
 *
 * @example createServer((request, response) => handler.handle(request, response, undefined)).listen(3000);
 */
export function createNodeHandler(surface: Surface, options: NodeHandlerOptions = {}): NodeHandler {
  const { maxBodyBytes, authorizer, learn, allowedHosts, allowedOrigins, cors, graceMs = 5000 } = options;
  const limits = { ...usualLimits, ...options.limits };
  const front = openFront(surface, { served: undefined, limits, maxBodyBytes, authorizer });
  const gates = new Map<string, Gate>();
  let closing: Promise<void> | undefined;

  /** By where the request arrived: the host listens, and does not tell where. */
  const gateFor = ({ socket }: IncomingMessage, isOpen: boolean): Gate => {
    const isLocal = isLoopback(socket.localAddress ?? '');
    const key = `${isLocal} ${isOpen}`;
    const known = gates.get(key);
    if (known !== undefined) return known;
    const host = isLocal ? '127.0.0.1' : '';
    const gate = makeGate({ host, isOpen, allowedHosts, allowedOrigins, cors, ownNames: namesOf(hostname()) });
    gates.set(key, gate);
    return gate;
  };

  return {
    handle(request, response, auth) {
      try {
        const { originalUrl, url = '/' } = request as Routed;
        const path = pathOf(typeof originalUrl === 'string' ? originalUrl : url);
        const gate = gateFor(request, authorizer === undefined && auth === undefined);
        // A name that is refused must not become the address in challenges and metadata.
        if (learn !== undefined && gate.refuse(request) === undefined) learn(originOf(request), path);
        front.receive(request, response, path, gate, auth && callerOfHost(auth));
      } catch (cause) {
        front.fail(cause, request, response);
      }
    },
    close() {
      closing ??= front.close(graceMs);
      return closing;
    },
  };
}

function originOf(request: Routed): string {
  const isSecure = request.protocol === 'https' || 'encrypted' in request.socket;
  return `${isSecure ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
}
