// B1. In: `auth:` of a backend. Out: what a request carries to prove who asks. Values come from the configuration, from a token service,
// or from the caller's own token; never from arguments.
import type { BackendAuth } from '../../../schema/definitions.js';
import type { Auth as CallerAuth } from '../../../schema/support/mcp/client.js';
import { ToolError } from '../../call/tool-error.js';
import type { BackendScope, CallScope } from '../ports.js';
import { configText, fillConfig } from './config-values.js';
import { headerName, headerValue } from './header-values.js';
import { percentEncode } from './place-values.js';
import type { TokenSource } from './token-source.js';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Encoded: `key=value`. */
  readonly query: string | undefined;
  /** One that settings do not know, and texts are cleaned of. */
  readonly token: string | undefined;
}

export interface Auth {
  of(call: Pick<CallScope, 'request'>): Credentials | Promise<Credentials>;
  /** Where nothing has to be waited for, and nothing else can be had. */
  now(call: Pick<CallScope, 'request'>): Credentials | undefined;
  /** They were refused: whether others may be had. */
  renew(refused: Credentials): boolean;
  /** Secrets beside those of the configuration. */
  tokensOf(call: Pick<CallScope, 'request'>): readonly string[];
}

export interface AuthScope {
  readonly name: string;
  readonly scope: Pick<BackendScope, 'settings'>;
  /** Of `clientCredentials`. */
  readonly tokens: TokenSource | undefined;
}

const none: Credentials = { headers: {}, query: undefined, token: undefined };

/** Configuration is read with the first request. */
export function makeAuth(auth: BackendAuth | undefined, { name, scope, tokens }: AuthScope): Auth {
  const renew = (): boolean => false;
  const tokensOf = (): readonly string[] => [];
  if (auth === undefined) return { of: () => none, now: () => none, renew, tokensOf };
  if (tokens !== undefined) {
    return {
      async of(call) {
        return bearer(await tokens.get(call), name);
      },
      now: () => undefined,
      renew: ({ token }) => tokens.forget(token),
      tokensOf: () => tokens.known(),
    };
  }
  if ('caller' in auth) {
    const audienceOf = (): string => fillConfig(auth.caller.audience, key => configText(name, key, scope));
    const of = ({ request }: Pick<CallScope, 'request'>): Credentials =>
      bearer(callerToken(name, audienceOf(), request.auth), name);
    return {
      of,
      now: of,
      renew,
      tokensOf: ({ request: { auth: caller } }) => (caller === undefined || caller.token === '' ? [] : [caller.token]),
    };
  }
  let kept: Credentials | undefined;
  const of = (): Credentials => {
    kept ??= fixedCredentials(auth, key => configText(name, key, scope).trim());
    return kept;
  };
  return { of, now: of, renew, tokensOf };
}

/** `textOfKey` gives the value of a key: also a mask, for who only looks. */
export function fixedCredentials(auth: BackendAuth, textOfKey: (key: string) => string): Credentials {
  if ('bearer' in auth) return inHeader('authorization', `Bearer ${textOfKey(auth.bearer)}`, auth.bearer);
  if ('basic' in auth) {
    const [user, password] = auth.basic;
    const pair = Buffer.from(`${textOfKey(user)}:${textOfKey(password)}`).toString('base64');
    return inHeader('authorization', `Basic ${pair}`, user);
  }
  if ('header' in auth) return inHeader(headerName(auth.header), textOfKey(auth.value), auth.value);
  if ('query' in auth) {
    const [key, value] = [auth.query, textOfKey(auth.value)].map(text =>
      percentEncode(text, `${auth.value} of the configuration`),
    );
    return { ...none, query: `${key}=${value}` };
  }
  return none;
}

function inHeader(header: string, value: string, key: string): Credentials {
  return { ...none, headers: { [header]: headerValue(value, `${key} of the configuration`) } };
}

function bearer(token: string, name: string): Credentials {
  return { ...none, headers: { authorization: headerValue(`Bearer ${token}`, `The token for ${name}`) }, token };
}

/** A token goes only to the service that it was made for: any other one could use it against the caller. */
function callerToken(name: string, audience: string, auth: CallerAuth | undefined): string {
  if (auth === undefined || auth.token === '')
    throw identityMissing(`${name} acts for the caller, and this connection says nothing about who that is`, audience);
  const { aud } = auth.claims;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(audience))
    throw identityMissing(`${name} acts for the caller, whose token is for another service`, audience);
  return auth.token;
}

function identityMissing(message: string, audience: string): ToolError {
  return new ToolError(message, {
    code: 'IDENTITY_MISSING',
    status: 401,
    suggestedFix: `Connect over HTTP with a token for ${audience}. No argument can replace it.`,
    meta: { audience },
  });
}
