// Who called, on its way through the SDK: packed into the form that its HTTP entries pass on, and out again.
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Auth } from '../../schema/support-client.js';

/** What an authorizer said about a request. */
export class Grant {
  readonly auth: Auth | undefined;
  /** Sessions and sealed states belong to it. */
  readonly principal: string;

  constructor(principal: string, auth?: Auth) {
    this.principal = principal;
    this.auth = auth;
  }
}

/** `resource` is the address that tokens are for; challenges for more scopes then point to its metadata. */
export function toAuthInfo({ auth, principal }: Grant, resource: URL | undefined): AuthInfo | undefined {
  if (auth === undefined) return undefined;
  const { token, clientId, scopes, expiresAt } = auth;
  return {
    token,
    clientId,
    scopes: [...scopes],
    ...(expiresAt !== undefined && { expiresAt }),
    ...(resource !== undefined && { resource }),
    extra: { grant: new Grant(principal, auth) },
  };
}

export function grantOf(authInfo: AuthInfo | undefined): Grant | undefined {
  const grant = authInfo?.extra?.['grant'];
  return grant instanceof Grant ? grant : undefined;
}
