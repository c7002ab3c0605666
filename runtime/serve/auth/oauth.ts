// `auth: {type: oauth, ...}`: access tokens (JWT) of an issuer. The server checks them by the issuer's keys; it issues none.
import type { JWTPayload } from 'jose';
import { checkHeader, checksAt, type Jose, principalOf, reasonOfToken, toAuth, verifyWith } from './access-token.js';
import {
  type Authorizer,
  AuthProblem,
  type Challenge,
  type Granted,
  insufficientScope,
  type Refused,
  readToken,
  unauthorized,
  unavailable,
} from './authorizer.js';
import { checkAddress, type IssuerKeys, IssuerUnavailable, openKeys, reasonOf } from './issuer-keys.js';

export interface OAuthOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks: string | undefined;
  /** Every caller needs them. */
  readonly scopes: readonly string[];
  /** Of the server's tools, for the metadata. */
  readonly toolScopes: readonly string[];
  /** The address that the server listens on, once it does. */
  readonly resourceUrl: () => string;
  readonly fetch: typeof fetch;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly cooldownMs: number;
  report(text: string): void;
}

/** After a failure the issuer is left alone for a while, whatever callers send. */
const retrySeconds = 5;

export function createOAuthAuthorizer(options: OAuthOptions): Authorizer {
  const { issuer, audience, scopes, report, now } = options;
  checkOptions(options);
  let known: ProtectedResource | undefined;
  const resource = (): ProtectedResource => {
    known ??= describeResource({
      // An audience that is an address is the name of this server in public; it may listen elsewhere.
      resource: /^https?:\/\//.test(audience) && URL.canParse(audience) ? audience : options.resourceUrl(),
      endpoint: options.resourceUrl(),
      issuer,
      scopes: [...new Set([...scopes, ...options.toolScopes])],
    });
    return known;
  };
  const challenge = (): Challenge => ({ resourceMetadata: resource().url, scopes });
  let opening: Promise<IssuerKeys> | undefined;
  let leftAloneUntil = 0;

  function failed(error: unknown): void {
    leftAloneUntil = now() + retrySeconds * 1000;
    report(`tokens cannot be checked: the keys of ${issuer} cannot be fetched: ${reasonOf(error)}`);
  }

  async function open(jose: Jose): Promise<IssuerKeys> {
    if (opening === undefined && now() < leftAloneUntil) throw new IssuerUnavailable('asked a moment ago');
    opening ??= openKeys(jose, options).catch(error => {
      opening = undefined;
      failed(error);
      throw new IssuerUnavailable(reasonOf(error));
    });
    return await opening;
  }

  /** An issuer that is down must not lock out those whose keys are known. */
  async function payloadOf(jose: Jose, token: string): Promise<JWTPayload> {
    const keys = await open(jose);
    const checks = checksAt(now(), options);
    if (now() >= leftAloneUntil) {
      try {
        return await verifyWith(jose, token, keys.remote, checks);
      } catch (error) {
        if (reasonOfToken(jose, error) !== undefined) throw error;
        failed(error);
      }
    }
    const known = keys.known();
    if (known === undefined) throw new IssuerUnavailable('no keys yet');
    try {
      return await verifyWith(jose, token, known, checks);
    } catch (error) {
      // The issuer may have made new ones.
      if (error instanceof jose.errors.JWKSNoMatchingKey) throw new IssuerUnavailable('an unknown key');
      throw error;
    }
  }

  async function verify(token: string): Promise<Granted | Refused> {
    const { jose } = await import('./token-library.js');
    const wrong = checkHeader(jose, token);
    if (wrong !== undefined) return unauthorized(wrong, challenge());
    try {
      return caller(token, await payloadOf(jose, token));
    } catch (error) {
      const reason = reasonOfToken(jose, error);
      return reason === undefined ? unavailable(retrySeconds) : unauthorized(reason, challenge());
    }
  }

  function caller(token: string, payload: JWTPayload): Granted | Refused {
    const auth = toAuth(token, payload);
    if (scopes.some(scope => !auth.scopes.includes(scope))) return insufficientScope(scopes, challenge());
    return { ok: true, auth, principal: principalOf(auth) };
  }

  return {
    async authorize(headers, url) {
      const read = readToken(headers, url);
      if ('missing' in read) return unauthorized(undefined, challenge());
      return 'wrong' in read ? unauthorized(read.wrong, challenge()) : await verify(read.token);
    },
    metadata: path => resource().metadata(path),
    refuseScopes: (auth, needed) =>
      needed.every(scope => auth.scopes.includes(scope))
        ? undefined
        : insufficientScope([...new Set([...scopes, ...needed])], challenge()),
  };
}

function checkOptions({ issuer, jwks, audience }: OAuthOptions): void {
  const wrongIssuer = checkAddress(issuer);
  if (wrongIssuer !== undefined) throw new AuthProblem(`the issuer ${JSON.stringify(issuer)} ${wrongIssuer}`);
  const wrongKeys = jwks === undefined ? undefined : checkAddress(jwks);
  if (wrongKeys !== undefined) throw new AuthProblem(`jwks ${JSON.stringify(jwks)} ${wrongKeys}`);
  if (audience.trim() === '') throw new AuthProblem('the audience of tokens is empty');
}

const wellKnown = '/.well-known/oauth-protected-resource';

interface ProtectedResource {
  /** The address of the metadata, for challenges. */
  readonly url: string;
  /** Undefined where another path is asked for. */
  metadata(path: string): object | undefined;
}

interface ResourceOptions {
  /** The address under which clients know the server. */
  readonly resource: string;
  /** Where it listens; behind a proxy, the path may be another one. */
  readonly endpoint: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

function describeResource({ resource, endpoint, issuer, scopes }: ResourceOptions): ProtectedResource {
  const { origin, pathname } = new URL(resource);
  const document = {
    resource,
    authorization_servers: [issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  };
  const paths = new Set([wellKnown, ...[pathname, new URL(endpoint).pathname].map(path => wellKnown + trimmed(path))]);
  return {
    url: origin + wellKnown + trimmed(pathname),
    metadata: path => (paths.has(trimmed(path)) ? document : undefined),
  };
}

function trimmed(path: string): string {
  return path.replace(/\/$/, '');
}
