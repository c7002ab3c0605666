// In: `auth` of a server's definition. Out: what decides about each request.
import type { ServerDefinition } from '../../../schema/definitions.js';
import type { Authorizer } from './authorizer.js';
import { createBearerAuthorizer } from './bearer.js';
import { createOAuthAuthorizer } from './oauth.js';

export interface AuthorizerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the server listens: what is too weak for the world may do on loopback. */
  readonly host: string;
  /** The address of the server's endpoint, such as http://127.0.0.1:3000/mcp; a function where it is not known yet. */
  readonly resourceUrl: string | (() => string);
  /** Scopes of the server's tools, for the metadata that clients read before they ask for a token. */
  readonly toolScopes?: readonly string[] | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly now?: (() => number) | undefined;
  /** Between two looks for a key that the issuer did not have. */
  readonly cooldownMs?: number | undefined;
  /** For the operator; never has a token in it. */
  report?(text: string): void;
}

/**
 * Throws an AuthProblem where the set-up cannot work: a variable that is not set, an issuer without https.
 *
 * @example
 * const { authorize } = createAuthorizer({ type: 'bearer', env: 'MCP_TOKEN' }, { env: process.env, host, resourceUrl });
 * const answer = await authorize(request.headers);
 */
export function createAuthorizer(auth: NonNullable<ServerDefinition['auth']>, options: AuthorizerOptions): Authorizer {
  const { env, host, resourceUrl, toolScopes = [], now = Date.now, cooldownMs = 10_000, report = () => {} } = options;
  if (auth.type === 'bearer') {
    return createBearerAuthorizer({ variable: auth.env, value: env[auth.env], host, report: text => report(text) });
  }
  const { issuer, audience, jwks, scopes = [] } = auth;
  const ask = options.fetch ?? fetch;
  return createOAuthAuthorizer({
    ...{ issuer, audience, jwks, scopes, toolScopes, now, cooldownMs },
    resourceUrl: typeof resourceUrl === 'string' ? () => resourceUrl : resourceUrl,
    fetch: ask,
    report: text => report(text),
  });
}
