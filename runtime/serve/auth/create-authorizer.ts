// In: `auth` of a server's definition. Out: what decides about each request.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerDefinition } from '../../../schema/definitions.js';
import { type Authorizer, AuthProblem, insufficientScope, readToken, unauthorized } from './authorizer.js';
import { isLoopback } from './check-bind.js';
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

// `auth: {type: bearer, env: MCP_TOKEN}`: one fixed token, from the environment.

/** What cannot be guessed, if it is random: 96 bits in base64. */
const shortest = 16;

export interface BearerOptions {
  /** The name and the value of the environment variable. */
  readonly variable: string;
  readonly value: string | undefined;
  /** Where the server listens. */
  readonly host: string;
  report(text: string): void;
}

/** A fixed token has no scopes: anyone who has it may do everything but call tools that need some. */
export function createBearerAuthorizer({ variable, value, host, report }: BearerOptions): Authorizer {
  const wanted = value?.trim() ?? '';
  if (wanted === '') {
    throw new AuthProblem(
      `the server asks callers for the token in ${variable}, which is not set; set it to the output of \`openssl rand -base64 32\``,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(wanted)) {
    throw new AuthProblem(`the token in ${variable} has characters that no header can carry: use visible ASCII only`);
  }
  if (wanted.length < shortest) {
    const short = `the token in ${variable} has fewer than ${shortest} characters and can be guessed`;
    const better = 'set it to the output of `openssl rand -base64 32`';
    if (!isLoopback(host)) throw new AuthProblem(`${short}; ${better}`);
    report(`${short} by other programs on this machine; ${better}`);
  }
  const expected = digest(wanted);
  return {
    async authorize(headers, url) {
      const read = readToken(headers, url);
      if ('missing' in read) return unauthorized(undefined, {});
      if ('wrong' in read) return unauthorized(read.wrong, {});
      // Digests have one length, so that the comparison tells nothing about the token.
      if (!timingSafeEqual(digest(read.token), expected)) return unauthorized('the token is not valid', {});
      const auth = { token: read.token, clientId: 'bearer', scopes: [], claims: {} };
      return { ok: true, auth, principal: 'bearer', isShared: true };
    },
    refuseScopes: (_, needed) => insufficientScope(needed, {}),
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
