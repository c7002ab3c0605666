// `auth: {type: bearer, env: MCP_TOKEN}`: one fixed token, from the environment.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Authorizer, AuthProblem } from './authorizer.js';
import { insufficientScope, unauthorized } from './challenge.js';
import { readToken } from './read-token.js';

/** A fixed token has no scopes: whoever has it may do everything but call tools that need some. */
export function createBearerAuthorizer(variable: string, value: string | undefined): Authorizer {
  const wanted = value?.trim() ?? '';
  if (wanted === '') {
    throw new AuthProblem(
      `the server asks callers for the token in ${variable}, which is not set; set it to the output of \`openssl rand -base64 32\``,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(wanted)) {
    throw new AuthProblem(`the token in ${variable} has characters that no header can carry: use visible ASCII only`);
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
      return { ok: true, auth, principal: 'bearer' };
    },
    refuseScopes: (_, needed) => insufficientScope(needed, {}),
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
