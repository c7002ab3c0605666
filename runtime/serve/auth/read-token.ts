// In: the headers of a request. Out: its bearer token, or why there is none.
import type { RequestHeaders } from './authorizer.js';

/** Tokens with many claims have some 4,000 characters; Node takes 16,384 for all headers. */
const longestToken = 12_000;

export type ReadToken =
  | { readonly token: string }
  /** No token at all: the caller may not know yet that one is needed. */
  | { readonly missing: true }
  | { readonly wrong: string };

export function readToken(headers: RequestHeaders, url: string | undefined): ReadToken {
  if (url !== undefined && /[?&]access_token=/i.test(url)) {
    return { wrong: 'tokens belong into the Authorization header, not into the address' };
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
