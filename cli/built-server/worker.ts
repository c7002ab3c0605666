// What a server built for workers runs. In: its parts. Out: a module with `fetch`. No module of Node is needed: what our own code
// imports of them is replaced by runtime/worker/ when this is bundled.

import type { Environment } from '../../runtime/call/context/config.js';
import { printCause } from '../../runtime/call/print-cause.js';
import type { Server } from '../../runtime/load/program.js';
import { answerStatic } from '../../runtime/protocol/handshake.js';
import { makeHandshake } from '../../runtime/protocol/make-handshake.js';
import { type Gate, isReserved, makeGate, methods, trimPath } from '../../runtime/serve/http-gate.js';
import { usualLimits } from '../../runtime/serve/http-limits.js';
import { answerWithin, countBody, lateText } from '../../runtime/serve/route-limits.js';
import { createFetch, defaultBodyBytes } from '../../runtime/serve/serve-fetch.js';
import { makeAuthorizer } from '../../runtime/server/create-server/make-authorizer.js';
import { openServer } from '../../runtime/server/open-server.js';
import { unpackProgram } from '../../runtime/server/stored/packed-program.js';
import type { ServerParts } from '../../runtime/server/stored/parts.js';
import { openStoredServer, storedSource } from '../../runtime/server/stored/stored-source.js';
import { switchOff } from '../../runtime/server/stored/switches.js';
import type { Route } from '../../runtime/surface/surface.js';
import type { Auth } from '../../schema/support/mcp/client.js';

/** What the validators of its tools are made of. */
export * from '../../schema/support.js';

/** What a host passes with each request: variables, secrets, and things that are not texts. */
type Bindings = Readonly<Record<string, unknown>>;
type Serve = (request: Request) => Promise<Response>;

/** For who builds a worker and wants to know what it lists, without its configuration. */
const describe = Symbol.for('toolwright/describe');

export interface WorkerModule {
  fetch(request: Request, env?: Bindings): Promise<Response>;
  [describe](method: string): unknown;
}

/**
 * The default export of a worker. Configuration is read from the bindings of the first request.
 *
 * @example export default openWorker(parts);
 */
export function openWorker(parts: ServerParts): WorkerModule {
  let opening: Promise<Serve> | undefined;
  return {
    async fetch(request, env = {}) {
      try {
        opening ??= open(parts, env);
        return await (await opening)(request);
      } catch (error) {
        // The next request tries again: a secret may have been set meanwhile.
        opening = undefined;
        report(error instanceof Error ? error.message : String(error));
        return refuse(500, 'Internal error', -32603);
      }
    },
    [describe](method) {
      const { surface } = openParts(parts, { env: {}, report: () => undefined }).resolve();
      return surface && JSON.parse(answerStatic(makeHandshake(surface), method, {}, 'modern') ?? 'null');
    },
  };
}

async function open(parts: ServerParts, bindings: Bindings): Promise<Serve> {
  const env = Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const { server, resolve, start, problems } = openParts(parts, { env, report });
  const { surface, problems: later } = resolve();
  for (const { message } of [problems, later].flatMap(one => [...one.config, ...one.variables])) report(message);
  if (surface === undefined) throw new Error(`${server.name} cannot start as it is configured`);
  const { auth, http = {} } = server.definition;
  const guard = auth && (await makeAuthorizer(auth, surface, { env, report }));
  await start();
  const { fetch } = createFetch(surface, { maxBodyBytes: http.maxBodyBytes });
  const serve: Serve =
    guard === undefined ? fetch : request => guard.fetch(request, known => fetch(request, { auth: known }));
  const { maxBodyBytes = defaultBodyBytes } = http;
  const { route } = surface;
  const pass = route && ((request: Request, known?: Auth) => answerRoute(route, request, known, maxBodyBytes));
  const others: Serve | undefined =
    pass && (guard === undefined ? pass : request => guard.fetch(request, known => pass(request, known)));
  return atAddress(server, serve, others);
}

async function answerRoute(route: Route, request: Request, known: Auth | undefined, limit: number): Promise<Response> {
  const { method, url, signal } = request;
  const { pathname } = new URL(url);
  const tooLarge = (): Response => refuse(413, `Payload Too Large: a body has at most ${limit} bytes`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge();
  const { body, isOver } = countBody(request.body, limit);
  const late = new AbortController();
  const init = { body, signal: AbortSignal.any([signal, late.signal]), duplex: 'half' };
  try {
    const answer = await answerWithin(usualLimits.routeMs, route(new Request(request, init as RequestInit), known));
    if (isOver()) return tooLarge();
    if (answer !== 'late') return answer ?? refuse(404, 'Not found');
    report(lateText(method, pathname, usualLimits.routeMs));
    late.abort();
    return refuse(504, 'Gateway Timeout: the route did not answer in time');
  } catch (error) {
    if (isOver()) return tooLarge();
    // The server itself is fine: it must not be opened again.
    report(`the route for ${method} ${pathname} failed: ${printCause(error)}`);
    return refuse(500, 'Internal error', -32603);
  }
}

function openParts(parts: ServerParts, options: { readonly env: Environment; report(text: string): void }) {
  const { env } = options;
  const built = openStoredServer(unpackProgram(parts.program()), parts);
  // What an operator wants changed or switched off must not be served as it was.
  if ((env['TOOLWRIGHT_OVERLAY'] ?? '') !== '')
    throw new Error('TOOLWRIGHT_OVERLAY names folders, and a worker has none: give the overlays to the build');
  const own = switchOff(built.packs.own, env['TOOLWRIGHT_SETTINGS']);
  if (own === undefined)
    throw new Error(
      'in a worker, TOOLWRIGHT_SETTINGS can only enable and disable tools: {"tools": {"a": {"enabled": false}}}',
    );
  const patched = { ...built, packs: { ...built.packs, own } };
  return { server: built.server, ...openServer(storedSource(patched, parts, options), options) };
}

/** What a server of ours does in front of its endpoint. */
function atAddress(
  { name, version, definition: { http = {} } }: Server,
  serve: Serve,
  others: Serve | undefined,
): Serve {
  const { path = '/mcp', allowedHosts, allowedOrigins, cors } = http;
  // Anyone who reaches a worker has gone through its host: no address is local.
  const gate = makeGate({ host: '', allowedHosts, allowedOrigins, cors });
  return async request => {
    const { pathname, host } = new URL(request.url);
    if (trimPath(pathname) === '/healthz') return Response.json({ status: 'ok', name, version });
    const isMetadata = pathname.startsWith('/.well-known/');
    const isOther = !isMetadata && trimPath(pathname) !== trimPath(path);
    if (isOther && (others === undefined || isReserved(trimPath(pathname)))) return refuse(404, 'Not found');
    const asking = { headers: { ...Object.fromEntries(request.headers), host } };
    const refused = isMetadata ? undefined : gate.refuse(asking);
    if (refused !== undefined) return refuse(403, refused);
    if (request.method === 'OPTIONS' && !isMetadata && (!isOther || gate.preflight(asking) !== undefined))
      return preflight(gate, asking);
    const response = await ((isOther ? others : undefined) ?? serve)(request);
    const headers = Object.entries(gate.headers(asking));
    if (headers.length === 0) return response;
    const open = new Response(response.body, response);
    for (const [header, value] of headers) open.headers.set(header, value);
    return open;
  };
}

function preflight(gate: Gate, asking: Parameters<Gate['preflight']>[0]): Response {
  const allowed = gate.preflight(asking);
  return allowed === undefined
    ? refuse(405, 'Method not allowed', -32000, { allow: methods })
    : new Response(null, { status: 204, headers: allowed });
}

function refuse(
  status: number,
  message: string,
  code = -32000,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

function report(text: string): void {
  console.error(`toolwright: ${text}`);
}
