// `auth: {type: bearer, env: MCP_TOKEN}`: one fixed token, from the environment.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Authorizer, AuthProblem } from './authorizer.js';
import { insufficientScope, readToken, unauthorized } from './challenge.js';
import { isLoopback } from './check-bind.js';

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
    report(`${short}, by other programs of this machine; ${better}`);
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
