// Who called, on its way through the SDK: packed into the form that its HTTP entries pass on, and out again.
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Auth } from '../../schema/support-client.js';

/** What is known about a caller. */
export class Grant {
  readonly auth: Auth;
  /** Sessions and sealed states belong to it. */
  readonly principal: string;
  /** Nobody has looked yet whether the scopes suffice for what is called. */
  readonly needsScopeCheck: boolean;

  constructor(auth: Auth, principal: string, needsScopeCheck: boolean) {
    this.auth = auth;
    this.principal = principal;
    this.needsScopeCheck = needsScopeCheck;
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
