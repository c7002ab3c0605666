// In: the address of a backend as it is written. Out: its origin, and what stands before the path of every request.
import { badValue } from './place-values.js';

export interface Origin {
  readonly isSecure: boolean;
  /** `https://jira.example.com`, without a port that goes without saying. */
  readonly origin: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** For the header. */
  readonly host: string;
}

export interface BaseUrl extends Origin {
  /** Without a slash at the end. */
  readonly path: string;
  /** As it was written, for requests without a path of their own. */
  readonly wholePath: string;
  /** Without `?`; empty where there is none. */
  readonly query: string;
}

/**
 * @example parseBaseUrl('https://jira.example.com/rest/api/3', 'jira').path // '/rest/api/3'
 */
export function parseBaseUrl(text: string, name: string): BaseUrl {
  const url = parseAddress(text.trim(), `The address of ${name}`);
  return {
    ...originOf(url),
    path: url.pathname.replace(/\/+$/, ''),
    wholePath: url.pathname,
    query: url.search.slice(1),
  };
}

/** An address that requests may go to, in principle. */
export function parseAddress(text: string, place: string, base?: string): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url === undefined) throw badValue(place, 'is not an address (it must begin with https:// or http://)');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badValue(place, 'is neither http: nor https:');
  if (url.username !== '' || url.password !== '')
    throw badValue(place, 'has a user or a password in it; credentials belong in auth');
  return url;
}

export function originOf({ protocol, hostname, port, host, origin }: URL): Origin {
  const isSecure = protocol === 'https:';
  return {
    isSecure,
    origin,
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    host,
  };
}
