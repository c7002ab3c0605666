// In: a surface and the options of a server. Out: the ways to serve it. What speaks MCP is loaded when it is first used.
import { enumerate } from '../../../schema/codes/entry.js';
import { printCause } from '../../call/print-cause.js';
import { checksScopes } from '../../load/link-checks.js';
import type { FetchHandler } from '../../serve/serve-fetch.js';
import type { NodeHandler } from '../../serve/serve-node.js';
import type { Surface } from '../../surface/surface.js';
import { offeredTools } from '../offered-tools.js';
import { makeAuthorizer } from './make-authorizer.js';
import type { ToolServer } from './server.js';
import type { SettledOptions } from './server-options.js';

export type Serving = Pick<ToolServer, 'serveStdio' | 'serveHttp' | 'fetch' | 'handle' | 'close'>;

export function makeServing(surface: Surface, settled: SettledOptions): Serving {
  const open = new Set<{ close(): Promise<void> }>();
  let fetching: Promise<FetchHandler['fetch']> | undefined;
  let handling: Promise<NodeHandler> | undefined;
  let handler: NodeHandler | undefined;
  let isOnStdio = false;
  let isClosed = false;
  return {
    async serveStdio(options = {}) {
      const { serveStdio } = await import('../../serve/serve-stdio.js');
      refuseIfClosed();
      if (isOnStdio) throw new Error('Another server in this process already uses stdin and stdout');
      isOnStdio = true;
      return track(serveStdio(surface, options));
    },
    async serveHttp(options = {}) {
      const [{ serveHttp }, { checkBind }] = await Promise.all([
        import('../../serve/serve-http.js'),
        import('../../serve/auth/check-bind.js'),
      ]);
      refuseIfClosed();
      const { auth = settled.auth, insecure = false, ...given } = options;
      const http = { host: '127.0.0.1', port: 0, path: '/mcp', ...settled.http, ...defined(given) };
      const allow = '`insecure: true`';
      const refused = checkBind({ host: http.host, hasAuth: auth !== undefined, insecure, allow });
      if (refused !== undefined) throw new Error(refused);
      refuseUnchecked(auth);
      const guard = auth && (await makeAuthorizer(auth, surface, settled));
      guard?.settle(`http://${http.host.includes(':') ? `[${http.host}]` : http.host}:${http.port}${http.path}`);
      const serving = track(await serveHttp(surface, { ...http, authorizer: guard?.authorizer }));
      if (http.port === 0) guard?.settle(serving.url);
      return serving;
    },
    async fetch(request, options) {
      refuseIfClosed();
      fetching ??= openFetch();
      return await (await fetching)(request, options);
    },
    handle(request, response, options) {
      const auth = typeof options === 'function' ? undefined : options?.auth;
      if (handler !== undefined) {
        handler.handle(request, response, auth);
        return;
      }
      if (isClosed) {
        response.writeHead(503).end();
        return;
      }
      handling ??= openHandler();
      handling.then(
        opened => opened.handle(request, response, auth),
        (cause: unknown) => {
          // The next request tries again.
          handling = undefined;
          settled.report(`HTTP ${request.method} failed: ${printCause(cause)}`);
          response.writeHead(500).end();
        },
      );
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([fetching, handling]);
      await Promise.all([...open].map(serving => serving.close()));
    },
  };

  /** Where the server has `auth`, requests are checked here, too, unless the host has done it. */
  async function openFetch(): Promise<FetchHandler['fetch']> {
    const { createFetch } = await import('../../serve/serve-fetch.js');
    const { auth, http } = settled;
    const guard = auth && (await makeAuthorizer(auth, surface, settled));
    const handler = track(createFetch(surface, { maxBodyBytes: http?.maxBodyBytes }));
    if (guard === undefined) return handler.fetch;
    return async (request, options) =>
      options?.auth === undefined
        ? await guard.fetch(request, known => handler.fetch(request, { auth: known }))
        : await handler.fetch(request, options);
  }

  async function openHandler(): Promise<NodeHandler> {
    const { createNodeHandler } = await import('../../serve/serve-node.js');
    const { auth, http } = settled;
    const guard = auth && (await makeAuthorizer(auth, surface, settled));
    const { allowedHosts, allowedOrigins, cors, maxBodyBytes } = http ?? {};
    handler = track(
      createNodeHandler(surface, {
        ...{ allowedHosts, allowedOrigins, cors, maxBodyBytes },
        ...(guard && { authorizer: guard.authorizer, learn: guard.learn }),
      }),
    );
    return handler;
  }

  /** F4: a tool that comes later is refused call by call. */
  function refuseUnchecked(auth: SettledOptions['auth']): void {
    if (checksScopes(auth)) return;
    const scoped = offeredTools(surface).filter(({ served }) => (served.tool.definition.scopes ?? []).length > 0);
    if (scoped.length === 0) return;
    const names = enumerate(scoped.map(({ entry }) => String(entry['name'])));
    throw new Error(
      `The server ${settled.name} cannot check the scopes that ${names} require: give it \`auth: { type: 'oauth', issuer, audience }\`, or remove \`scopes\``,
    );
  }

  function track<S extends { close(): Promise<void> }>(serving: S): S {
    open.add(serving);
    return serving;
  }

  function refuseIfClosed(): void {
    if (isClosed) throw new Error(`The server ${settled.name} is closed`);
  }
}

/** What code leaves out by undefined does not replace what is there. */
function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
