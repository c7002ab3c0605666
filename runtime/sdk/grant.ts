// Who called, on its way through the SDK: packed into the form that its HTTP entries pass on, and out again.
import type { AuthInfo, ScopeChallenge } from '@modelcontextprotocol/server';
import type { Auth } from '../../schema/support/mcp/client.js';

/** What is known about a caller. */
export class Grant {
  readonly auth: Auth;
  /** Sessions and sealed states belong to it. */
  readonly principal: string;
  /** Nobody has looked yet whether the scopes suffice for what is called. */
  readonly needsScopeCheck: boolean;
  /** All callers have the same principal. */
  readonly isShared: boolean;

  constructor(auth: Auth, principal: string, needsScopeCheck: boolean, isShared = false) {
    this.auth = auth;
    this.principal = principal;
    this.needsScopeCheck = needsScopeCheck;
    this.isShared = isShared;
  }
}

export function toAuthInfo(grant: Grant): AuthInfo {
  const { token, clientId, scopes, expiresAt } = grant.auth;
  return {
    token,
    clientId,
    scopes: [...scopes],
    ...(expiresAt !== undefined && { expiresAt }),
    extra: { grant },
  };
}

export function grantOf(authInfo: AuthInfo | undefined): Grant | undefined {
  const grant = authInfo?.extra?.['grant'];
  return grant instanceof Grant ? grant : undefined;
}

/** All scopes that a tool needs, where the caller lacks one of them, or nobody knows who calls. */
export function challengeFor(
  needed: readonly string[] | undefined,
  grant: Grant | undefined,
): ScopeChallenge | undefined {
  const [first, ...others] = needed ?? [];
  if (first === undefined || grant?.needsScopeCheck === false) return undefined;
  if ([first, ...others].every(scope => grant?.auth.scopes.includes(scope))) return undefined;
  return { scopes: [first, ...others] };
}
