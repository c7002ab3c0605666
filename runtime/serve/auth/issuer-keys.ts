// The keys of an issuer. In: its address. Out: a function that finds the key of a token, by an address that is given or that
// the issuer's metadata names (RFC 8414, OpenID Connect Discovery). Fetched when the first token comes, and again after rotation.

import { isMap } from '../../../schema/document.js';
import type { Jose } from './access-token.js';
import { isLoopback } from './check-bind.js';

type KeySet = ReturnType<Jose['createRemoteJWKSet']>;
type Fetch = typeof fetch;

export interface IssuerOptions {
  readonly issuer: string;
  readonly jwks: string | undefined;
  readonly fetch: Fetch;
  /** Between two looks for a key that is not there. */
  readonly cooldownMs: number;
  readonly now: () => number;
}

export interface IssuerKeys {
  /** Asks the issuer where it has to. */
  readonly remote: KeySet;
  /** What the issuer said not too long ago, for the time that it cannot be asked. */
  known(): ReturnType<Jose['createLocalJWKSet']> | undefined;
}

/** The issuer cannot be asked, or says nothing that can be used. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

const timeoutMs = 5_000;

const longestStaleMs = 3_600_000;

export async function openKeys(jose: Jose, options: IssuerOptions): Promise<IssuerKeys> {
  const { issuer, jwks, fetch, cooldownMs, now } = options;
  const url = jwks ?? (await discover(issuer, fetch));
  let fetchedAt = 0;
  const remote = jose.createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    [jose.customFetch]: async (address: string, init: RequestInit) => {
      const response = await fetch(address, init);
      if (response.ok) fetchedAt = now();
      return response;
    },
  });
  return {
    remote,
    known() {
      const keys = now() - fetchedAt < longestStaleMs ? remote.jwks() : undefined;
      return keys === undefined ? undefined : jose.createLocalJWKSet(keys);
    },
  };
}

/** Where the metadata may be: the path of the issuer goes behind the well-known part, or before it. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

async function discover(issuer: string, fetch: Fetch): Promise<string> {
  const reasons: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const found = response.ok ? readMetadata(await response.json(), issuer) : { problem: `HTTP ${response.status}` };
      if ('keys' in found) return found.keys;
      reasons.push(`${url}: ${found.problem}`);
    } catch (error) {
      reasons.push(`${url}: ${reasonOf(error)}`);
    }
  }
  throw new IssuerUnavailable(reasons.join('; '));
}

function readMetadata(value: unknown, issuer: string): { readonly keys: string } | { readonly problem: string } {
  if (!isMap(value) || typeof value['jwks_uri'] !== 'string') return { problem: 'it names no jwks_uri' };
  // Anyone who can put a file there must not pass for another issuer.
  if (!sameIssuer(value['issuer'], issuer)) return { problem: "it is another issuer's metadata" };
  const wrong = checkAddress(value['jwks_uri']);
  return wrong === undefined ? { keys: value['jwks_uri'] } : { problem: `its jwks_uri ${wrong}` };
}

function sameIssuer(given: unknown, issuer: string): boolean {
  return typeof given === 'string' && given.replace(/\/$/, '') === issuer.replace(/\/$/, '');
}

/** Keys over plain HTTP could be anybody's, but on this machine. */
export function checkAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'is not an address';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  return 'must start with https://';
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
