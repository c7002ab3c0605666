// Who calls, on its way through the SDK: packed into the form that its HTTP entries pass on, and out again.
import type { AuthInfo } from '@modelcontextprotocol/server';
import { Caller } from '../protocol/caller.js';

export function toAuthInfo(caller: Caller): AuthInfo {
  const { token, clientId, scopes, expiresAt } = caller.auth;
  return {
    token,
    clientId,
    scopes: [...scopes],
    ...(expiresAt !== undefined && { expiresAt }),
    extra: { caller },
  };
}

export function callerOf(authInfo: AuthInfo | undefined): Caller | undefined {
  const caller = authInfo?.extra?.['caller'];
  return caller instanceof Caller ? caller : undefined;
}
