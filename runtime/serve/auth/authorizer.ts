// Who may call over HTTP: what an authorizer is asked and what it answers.
import type { Auth } from '../../../schema/support/mcp/client.js';

/** Names in lower case, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Granted {
  readonly ok: true;
  readonly auth: Auth;
  /** Whom sessions and sealed states belong to. */
  readonly principal: string;
  /** One token for all: callers cannot be told apart by it. */
  readonly isShared?: boolean;
}

/** An answer in place of the server's; its headers and its body are ready to be sent. */
export interface Refused {
  readonly ok: false;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** There was a token, and this is wrong with it. */
  readonly wrongToken?: string;
}

export interface Authorizer {
  /** Never throws. `url` is that of the request: a token in its query is refused. */
  authorize(headers: RequestHeaders, url?: string): Promise<Granted | Refused>;
  /** What lies at a path below /.well-known, for callers without a token; undefined: nothing. */
  metadata?(path: string): object | undefined;
  /** What a caller lacks for something that needs these scopes; undefined: nothing. */
  refuseScopes(auth: Auth, needed: readonly string[]): Refused | undefined;
}

/** `auth` cannot work as it is set up: the server must not start. The message is for the operator. */
export class AuthProblem extends Error {
  override readonly name = 'AuthProblem';
}

// The header of a bearer token: read from a request, or why there is none; and answers to callers that may not pass, 401, 403 and 503 as
// RFC 6750 and RFC 9728 want them.

export interface Challenge {
  /** The address of the protected-resource metadata. */
  readonly resourceMetadata?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** Without a token: no error yet, only what is needed. With one: what is wrong with it. */
export function unauthorized(reason: string | undefined, { resourceMetadata, scopes }: Challenge): Refused {
  const parameters = [
    ...(reason === undefined ? [] : [parameter('error', 'invalid_token'), parameter('error_description', reason)]),
    ...(scopes === undefined || scopes.length === 0 ? [] : [parameter('scope', scopes.join(' '))]),
    ...(resourceMetadata === undefined ? [] : [parameter('resource_metadata', resourceMetadata)]),
  ];
  const body =
    reason === undefined
      ? { error: 'unauthorized', error_description: 'An access token is needed: Authorization: Bearer ...' }
      : { error: 'invalid_token', error_description: reason };
  const refused = refuse(401, body, parameters);
  return reason === undefined ? refused : { ...refused, wrongToken: reason };
}

export function insufficientScope(scopes: readonly string[], { resourceMetadata }: Challenge): Refused {
  const reason = `The token lacks a scope; needed: ${scopes.join(' ')}`;
  return refuse(403, { error: 'insufficient_scope', error_description: reason }, [
    parameter('error', 'insufficient_scope'),
    parameter('error_description', reason),
    parameter('scope', scopes.join(' ')),
    ...(resourceMetadata === undefined ? [] : [parameter('resource_metadata', resourceMetadata)]),
  ]);
}

/** The issuer cannot be asked: that is not the caller's fault, and may be over soon. */
export function unavailable(retryAfterSeconds: number): Refused {
  const body = {
    error: 'temporarily_unavailable',
    error_description: "Tokens cannot be checked at the moment: the issuer's keys cannot be fetched",
  };
  return { ok: false, status: 503, headers: { 'retry-after': String(retryAfterSeconds) }, body };
}

function refuse(status: number, body: object, parameters: readonly string[]): Refused {
  const value = parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`;
  return { ok: false, status, headers: { 'www-authenticate': value }, body };
}

/** A quoted string of HTTP: visible ASCII, quotes escaped. */
function parameter(name: string, value: string): string {
  const text = value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
  return `${name}="${text}"`;
}

/** Tokens with many claims have some 4,000 characters; Node takes 16,384 for all headers. */
const longestToken = 12_000;

type ReadToken =
  | { readonly token: string }
  /** No token at all: the caller may not know yet that one is needed. */
  | { readonly missing: true }
  | { readonly wrong: string };

export function readToken(headers: RequestHeaders, url: string | undefined): ReadToken {
  if (url !== undefined && /[?&]access_token=/i.test(url)) {
    return { wrong: 'tokens belong in the Authorization header, not in the address' };
  }
  const given = headers['authorization'];
  const values = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  const [value, ...others] = values;
  if (value === undefined) return { missing: true };
  if (others.length > 0) return { wrong: 'there is more than one Authorization header' };
  if (!/^bearer(\s|$)/i.test(value)) return { missing: true };
  if (value.length > longestToken) return { wrong: 'the token is too long' };
  const [, token] = /^bearer +([\x21-\x7e]+) *$/i.exec(value) ?? [];
  return token === undefined ? { wrong: 'the Authorization header is malformed' } : { token };
}
