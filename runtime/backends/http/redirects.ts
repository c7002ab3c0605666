// B7. In: an answer that names another address. Out: the request that goes there, by the rules of fetch, or a refusal: what is sent to
// a backend stays at its origin.
import type { IncomingMessage } from 'node:http';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { type Origin, originOf, parseAddress } from './base-url.js';

/** A request on its way; a redirect makes another one of it. */
export interface Hop {
  readonly origin: Origin;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const mostRedirects = 5;

/** All that another origin learns. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Undefined: it is not a redirect. */
export function locationOf({ statusCode, headers }: IncomingMessage): string | undefined {
  return statuses.has(statusCode ?? 0) ? headers.location : undefined;
}

/** `canLeave` where there is no backend, and so nothing that is only for its origin. */
export function redirect(
  hop: Hop,
  to: { readonly status: number; readonly location: string; readonly canLeave: boolean },
  name: string,
): Hop {
  const url = parseLocation(to.location, hop, name);
  const origin = originOf(url);
  const leaves = origin.origin !== hop.origin.origin;
  if (leaves && !to.canLeave) throw leavesOrigin(name, 'redirects to', origin.origin);
  const isGet = becomesGet(to.status, hop.method);
  const headers = Object.entries(hop.headers).filter(
    ([key]) => (!isGet || !key.startsWith('content-')) && (!leaves || harmless.has(key)),
  );
  return {
    origin,
    target: url.pathname + url.search,
    method: isGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: isGet ? undefined : hop.body,
  };
}

function parseLocation(location: string, hop: Hop, name: string): URL {
  try {
    return parseAddress(location, 'It', hop.origin.origin + hop.target);
  } catch (cause) {
    throw new UpstreamFailure('UPSTREAM_REDIRECT', `${name} redirects to an address that cannot be used`, { cause });
  }
}

/** The rest of the address stays out of the message: it may have credentials in it. */
export function leavesOrigin(name: string, verb: string, origin: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_REDIRECT', `${name} ${verb} ${origin}, which is another origin`, {
    suggestedFix: 'If that is where it is now, the address of the backend has to be changed.',
  });
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}
