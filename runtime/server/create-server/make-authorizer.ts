// In: `auth` of a server. Out: what decides about requests, for servers of ours and for those of others.
import type { ServerDefinition } from '../../../schema/definitions.js';
import type { Auth } from '../../../schema/support/mcp/client.js';
import type { Authorizer } from '../../serve/auth/authorizer.js';
import type { Surface } from '../../surface/surface.js';
import { offeredTools } from '../offered-tools.js';
import type { SettledOptions } from './server-options.js';

export interface Guard {
  readonly authorizer: Authorizer;
  /** Tells the address under which clients reach the server, once it is known. Throws where `auth` cannot work. */
  settle(url: string): void;
  /** The same where only a host knows it: from the first request that comes. */
  learn(origin: string, pathname: string): void;
  /** Answers a request that may not pass, and those for metadata; passes the others on. */
  fetch(request: Request, pass: (auth: Auth) => Promise<Response>): Promise<Response>;
}

export async function makeAuthorizer(
  auth: NonNullable<ServerDefinition['auth']>,
  surface: Surface,
  { env, report }: Pick<SettledOptions, 'env' | 'report'>,
): Promise<Guard> {
  const { createAuthorizer } = await import('../../serve/auth/create-authorizer.js');
  const toolScopes = [...new Set(offeredTools(surface).flatMap(({ served }) => served.tool.definition.scopes ?? []))];
  let settled: Authorizer | undefined;
  const settle = (url: string): void => {
    const { hostname: host } = new URL(url);
    // The second time only the port is another one.
    const told = settled === undefined ? report : () => undefined;
    settled = createAuthorizer(auth, { env, host, resourceUrl: url, toolScopes, report: told });
  };
  const current = (): Authorizer => {
    if (settled === undefined) throw new Error("the server's address is not known");
    return settled;
  };
  const learn = (origin: string, pathname: string): void => {
    if (settled === undefined) settle(pathname.startsWith('/.well-known/') ? `${origin}/mcp` : origin + pathname);
  };
  return {
    settle,
    learn,
    authorizer: {
      authorize: (headers, url) => current().authorize(headers, url),
      metadata: path => current().metadata?.(path),
      refuseScopes: (caller, needed) => current().refuseScopes(caller, needed),
    },
    async fetch(request, pass) {
      const { origin, pathname } = new URL(request.url);
      const isMetadata = pathname.startsWith('/.well-known/');
      learn(origin, pathname);
      const metadata = isMetadata && request.method === 'GET' ? current().metadata?.(pathname) : undefined;
      if (metadata !== undefined) return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } });
      const answer = await current().authorize(Object.fromEntries(request.headers), request.url);
      if (answer.ok) return await pass(answer.auth);
      return Response.json(answer.body, { status: answer.status, headers: answer.headers });
    },
  };
}
