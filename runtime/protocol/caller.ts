// Who calls over HTTP, as an authorizer or a host has found out, and what its requests cost.
import type { Auth } from '../../schema/support/mcp/client.js';

/** What is known about a caller. */
export class Caller {
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

/** As a host says who calls: nobody here has looked at a token. */
export function callerOfHost(auth: Auth): Caller {
  return new Caller(auth, `${auth.clientId} ${auth.subject ?? ''}`, true);
}

/** All scopes that a tool needs, where the caller lacks one of them, or nobody knows who calls. */
export function challengeFor(
  needed: readonly string[] | undefined,
  caller: Caller | undefined,
): { readonly scopes: [string, ...string[]] } | undefined {
  const [first, ...others] = needed ?? [];
  if (first === undefined || caller?.needsScopeCheck === false) return undefined;
  if ([first, ...others].every(scope => caller?.auth.scopes.includes(scope))) return undefined;
  return { scopes: [first, ...others] };
}

/** What a request costs as long as it is not answered. */
export interface Weight {
  /** Handlers that it sets to work. */
  readonly calls: number;
  /** What they work on, as it came. */
  readonly bytes: number;
}

/** Who wants to know how much is under way. */
export interface Load {
  begin(weight: Weight): void;
  end(weight: Weight): void;
}
