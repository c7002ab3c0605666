// Who may call over HTTP: what an authorizer is asked and what it answers. Types only, but for the error of a wrong set-up.
import type { Auth } from '../../../schema/support/mcp/client.js';

/** Names in lower case, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Granted {
  readonly ok: true;
  readonly auth: Auth;
  /** Whom sessions and sealed states belong to. */
  readonly principal: string;
  /** One token for all: callers cannot be told apart by it. */
  readonly isShared?: boolean;
}

/** An answer in place of the server's; its headers and its body are ready to be sent. */
export interface Refused {
  readonly ok: false;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** There was a token, and this is wrong with it. */
  readonly wrongToken?: string;
}

export interface Authorizer {
  /** Never throws. `url` is that of the request: a token in its query is refused. */
  authorize(headers: RequestHeaders, url?: string): Promise<Granted | Refused>;
  /** What lies at a path below /.well-known, for callers without a token; undefined: nothing. */
  metadata?(path: string): object | undefined;
  /** What a caller lacks for something that needs these scopes; undefined: nothing. */
  refuseScopes(auth: Auth, needed: readonly string[]): Refused | undefined;
}

/** `auth` cannot work as it is set up: the server must not start. The message is for the operator. */
export class AuthProblem extends Error {
  override readonly name = 'AuthProblem';
}
