// In: a request that passed the gate. Out: its answer, by the rules of its era. One address for both.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isMap } from '../../schema/document.js';
import type { Blueprint } from '../sdk/blueprint.js';
import { Grant } from '../sdk/grant.js';
import { eraOf, isModernVersion } from '../sdk/http-era.js';
import { openModernHttp } from '../sdk/http-modern.js';
import { readLegacyBody } from '../sdk/http-session.js';
import type { Change } from '../surface/surface.js';
import type { Authorizer } from './auth/authorizer.js';
import { type HeaderValues, sendError, sendJson, sendResponse, toHttpRequest } from './http-answer.js';
import { readBody } from './http-body.js';
import { HttpReply } from './http-reply.js';
import { HttpSessions, type SessionsOptions, type Visit } from './http-sessions.js';

export interface EndpointOptions extends SessionsOptions {
  readonly maxBodyBytes: number;
  readonly authorizer: Authorizer | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly grant: Grant | undefined;
  /** For browsers of other origins. */
  readonly headers: HeaderValues;
}

export class HttpEndpoint {
  readonly #blueprint: Blueprint;
  readonly #options: EndpointOptions;
  readonly #modern: ReturnType<typeof openModernHttp>;
  readonly #sessions: HttpSessions;
  /** Requests whose answers are not out yet; without those that listen, which never end by themselves. */
  readonly #open = new Set<Promise<void>>();
  #isDraining = false;

  constructor(blueprint: Blueprint, options: EndpointOptions) {
    this.#blueprint = blueprint;
    this.#options = options;
    this.#modern = openModernHttp(blueprint);
    this.#sessions = new HttpSessions(blueprint, options);
  }

  async serve(request: IncomingMessage, response: ServerResponse, headers: HeaderValues): Promise<void> {
    const { authorizer } = this.#options;
    let grant: Grant | undefined;
    if (authorizer !== undefined) {
      const answer = await authorizer.authorize(request.headers, request.url);
      if (!answer.ok) {
        sendJson(response, answer.status, answer.body, { ...headers, ...answer.headers });
        return;
      }
      grant = new Grant(answer.auth, answer.principal, false);
    }
    const exchange: Exchange = { request, response, grant, headers };
    if (request.method === 'POST') await this.#post(exchange);
    else await this.#session(exchange);
  }

  /** C9. */
  announce(change: Change): void {
    this.#modern.announce(change);
    this.#sessions.announce(change);
  }

  /** Takes no new calls; settles when those under way are answered. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#open.size > 0 || this.#blueprint.calls.count > 0) {
      await this.#blueprint.calls.idle();
      await Promise.allSettled(this.#open);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }

  async #post(exchange: Exchange): Promise<void> {
    const { request, response, headers } = exchange;
    const body = await readBody(request, this.#options.maxBodyBytes);
    if (body === undefined) return;
    if ('status' in body) {
      const close: HeaderValues = body.status === 413 ? { connection: 'close' } : {};
      sendError(response, body.status, body.message, { code: body.code, headers: { ...headers, ...close } });
      return;
    }
    const { value } = body;
    const isCall = isMap(value) && value['method'] !== undefined && Object.hasOwn(value, 'id');
    if (this.#isDraining && isCall) {
      const retry = { ...headers, connection: 'close', 'retry-after': '1' };
      sendError(response, 503, 'Service Unavailable: the server is shutting down', { headers: retry });
      return;
    }
    if (this.#lacksScopes(exchange, value)) return;
    const serving = this.#dispatch(exchange, value);
    if (!isCall || value['method'] === 'subscriptions/listen') return serving;
    this.#open.add(serving);
    try {
      await serving;
    } finally {
      this.#open.delete(serving);
    }
  }

  /** C14: what a tool needs beyond what the server needs. */
  #lacksScopes({ grant, response, headers }: Exchange, value: unknown): boolean {
    const { authorizer } = this.#options;
    if (grant === undefined || authorizer === undefined) return false;
    for (const message of Array.isArray(value) ? value : [value]) {
      const params = isMap(message) && message['method'] === 'tools/call' ? message['params'] : undefined;
      const name = isMap(params) ? params['name'] : undefined;
      if (typeof name !== 'string') continue;
      const needed = this.#blueprint.surface.tool(name)?.tool.definition.scopes ?? [];
      const refused = needed.length === 0 ? undefined : authorizer.refuseScopes(grant.auth, needed);
      if (refused === undefined) continue;
      sendJson(response, refused.status, refused.body, { ...headers, ...refused.headers });
      return true;
    }
    return false;
  }

  async #dispatch(exchange: Exchange, value: unknown): Promise<void> {
    const { request, response, grant, headers } = exchange;
    const protocolVersion = first(request.headers['mcp-protocol-version']);
    const era = eraOf({ protocolVersion, method: first(request.headers['mcp-method']), body: value });
    if (era === 'legacy') return this.#session(exchange, value);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    await sendResponse(response, await this.#modern.serve(toHttpRequest(request, gone.signal), value, grant), headers);
  }

  /** Requests of 2025, and the GET and DELETE of its sessions. Settles when the answer is out. */
  async #session(exchange: Exchange, value?: unknown): Promise<void> {
    const { request, response, grant, headers } = exchange;
    const principal = grant?.principal ?? '';
    const id = first(request.headers['mcp-session-id']);
    const body = value === undefined ? undefined : readLegacyBody(value);
    if (body === undefined && value !== undefined) return void response.writeHead(202, headers).end();
    if (body !== undefined && 'error' in body) {
      // Wrong params are an answer like any other; everything else is a request that HTTP calls bad.
      return sendJson(response, body.error.code === -32602 ? 200 : 400, body, headers);
    }
    let visit: Visit | undefined;
    if (id !== undefined) {
      visit = this.#sessions.visit(id, principal);
      if (visit === undefined) return sendError(response, 404, 'Session not found', { code: -32001, headers });
    } else if (body?.isInitialize === true) {
      visit = await this.#sessions.open(principal);
      if (visit === undefined) {
        const retry = { ...headers, 'retry-after': '60' };
        return sendError(response, 503, 'Service Unavailable: too many sessions', { headers: retry });
      }
    } else if (isModernVersion(first(request.headers['mcp-protocol-version']))) {
      return sendError(response, 405, 'Method not allowed', { headers: { ...headers, allow: 'POST' } });
    } else {
      return sendError(response, 400, 'Bad Request: Mcp-Session-Id header is required', { headers });
    }
    const { session, leave } = visit;
    const reply = new HttpReply(response, { ...headers, 'mcp-session-id': session.id });
    const isThere = session.serve(toHttpRequest(request), body, grant, reply);
    if (!isThere) await session.close();
    if (!response.closed) await new Promise<void>(resolve => reply.onClose(resolve));
    leave();
  }
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header[0];
}
