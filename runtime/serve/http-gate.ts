// Who may reach the endpoint by the look of a request: Host and Origin against pages that attack local servers, and CORS.
import type { IncomingMessage } from 'node:http';
import { isLoopback } from './auth/check-bind.js';
import { type HeaderValues, noHeaders } from './http-answer.js';

export interface GateOptions {
  /** Where the server listens. */
  readonly host: string;
  /** Nobody is asked for a token. */
  readonly isOpen?: boolean | undefined;
  /**
   * Values of Host, with or without a port; default: loopback names where the server listens on loopback. Else all with a token; without
   * one addresses, localhost and the names of this machine, since a page can have any other name lead here (DNS rebinding).
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Values of Origin, `*` for all; default: loopback, and the server's own. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly cors?: boolean | undefined;
  /** Names of this machine. */
  readonly ownNames?: readonly string[] | undefined;
}

/** What is looked at. */
type Asking = Pick<IncomingMessage, 'headers'>;

export interface Gate {
  /** Why a request may not pass; undefined: it may. */
  refuse(request: Asking): string | undefined;
  /** What browsers of other origins need to see; empty for everybody else. */
  headers(request: Asking): HeaderValues;
  /** What a browser asks before it sends; undefined: nothing is allowed. */
  preflight(request: Asking): HeaderValues | undefined;
}

/** Of the endpoint. */
export const methods = 'GET, POST, DELETE';
const exposed = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after';
const usual =
  'content-type, accept, authorization, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name';

export function makeGate(options: GateOptions): Gate {
  const { host, isOpen = false, allowedHosts, allowedOrigins, cors = false, ownNames = [] } = options;
  const own = new Set(ownNames.map(name => name.toLowerCase()));
  const isHostAllowed = (header: string): boolean => {
    const name = hostName(header);
    if (allowedHosts !== undefined) {
      const wanted = header.toLowerCase();
      return allowedHosts.some(allowed => [wanted, name].includes(allowed.toLowerCase()));
    }
    if (name === undefined) return !isLoopback(host) && !isOpen;
    if (isLoopback(name)) return true;
    return !isLoopback(host) && (!isOpen || isAddress(name) || own.has(name));
  };
  const isOriginAllowed = (origin: string, header: string): boolean => {
    const wanted = origin.toLowerCase();
    if (allowedOrigins !== undefined) {
      return allowedOrigins.some(allowed => allowed === '*' || allowed.toLowerCase().replace(/\/$/, '') === wanted);
    }
    const [, authority = ''] = /^https?:\/\/([^/]+)$/.exec(wanted) ?? [];
    const name = hostName(authority);
    if (name === undefined) return false;
    return isLoopback(name) || (!isLoopback(host) && authority === header.toLowerCase());
  };
  /** A client sends the same with every request. */
  let lastAllowed: string | undefined;
  const headers = (request: Asking): HeaderValues => {
    if (!cors) return noHeaders;
    const { origin } = request.headers;
    const vary = { vary: 'origin' };
    if (origin === undefined) return vary;
    return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed };
  };
  return {
    refuse(request) {
      const { host: header = '', origin } = request.headers;
      if (header === lastAllowed && origin === undefined) return undefined;
      if (!isHostAllowed(header))
        return `Forbidden: Host ${header} is not served here (the server's http.allowedHosts can list more)`;
      if (origin !== undefined && !isOriginAllowed(origin, header))
        return `Forbidden: Origin ${origin} is not served (the server's http.allowedOrigins can list more)`;
      lastAllowed = header;
      return undefined;
    },
    headers,
    preflight(request) {
      if (!cors || request.headers.origin === undefined) return undefined;
      return {
        ...headers(request),
        'access-control-allow-methods': methods,
        // Parameters may have headers of their own (mcp-param-...).
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? usual,
        'access-control-max-age': '7200',
      };
    },
  };
}

/** No page can have another name for it. */
function isAddress(name: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || name.includes(':');
}

/** `[::1]:3000` -> `::1`; undefined where it is not a host at all. */
function hostName(authority: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+))(?::\d+)?$/i.exec(authority) ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}

/** A slash at the end of a path says nothing. */
export function trimPath(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** Of every server: no route answers there. */
export function isReserved(path: string): boolean {
  return path === '/healthz' || /^\/\.well-known(?:\/|$)/.test(path);
}

/** What a machine is called in its own network. */
export function namesOf(name: string): readonly string[] {
  const [short = name] = name.split('.');
  return [name, short, `${short}.local`];
}
