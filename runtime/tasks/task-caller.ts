// In: the request that made a task. Out: what its runs know of the caller, as data that outlives the connection.
import type { Auth, Client } from '../../schema/support/mcp/client.js';
import type { Request } from '../call/ports.js';

export interface TaskCaller {
  /** As the handle was asked for; a client that answers questions may be able to do other things. */
  readonly client: Client;
  readonly auth?: Auth | undefined;
  readonly isRemote?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

export function callerOf({ client, auth, isRemote, headers, meta }: Request): TaskCaller {
  return { client, auth, isRemote, headers, meta };
}

const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The same without what lets somebody else call in its name. */
export function withoutSecrets(caller: TaskCaller): TaskCaller {
  const { auth, headers } = caller;
  return {
    ...caller,
    ...(auth && { auth: { ...auth, token: '' } }),
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name))),
    }),
  };
}
