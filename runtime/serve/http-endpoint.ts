// In: a request that passed the gate. Out: its answer, by the rules of its era. One address for both.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isMap } from '../../schema/document.js';
import type { Calling } from '../call/ports.js';
import { Caller } from '../protocol/caller.js';
import { claimsEnvelope } from '../protocol/envelope.js';
import { EventBudget } from '../protocol/event-log.js';
import { HttpCall } from '../protocol/http-call.js';
import { InFlight, type Weight } from '../protocol/in-flight.js';
import { readInbound } from '../protocol/inbound.js';
import { type HttpLane, openHttpLane } from '../protocol/plain-http.js';
import type { Blueprint } from '../sdk/blueprint.js';
import { eraOf, isModernVersion } from '../sdk/http-era.js';
import { openModernHttp } from '../sdk/http-modern.js';
import { readLegacyBody } from '../sdk/http-session.js';
import type { RareReport } from '../surface/rare-report.js';
import type { Change } from '../surface/surface.js';
import { atExpiry } from './at-expiry.js';
import { Admission } from './auth/admission.js';
import type { Authorizer } from './auth/authorizer.js';
import { type Busy, CallerUsages } from './caller-usage.js';
import { isListening, noCalls, weighCalls } from './count-calls.js';
import type { HeaderValues } from './header-values.js';
import { NodeHeaders, sendEmpty, sendError, sendJson, sendResponse, sendText, toHttpRequest } from './http-answer.js';
import { type Body, type BodyLimits, readBody } from './http-body.js';
import { type HttpLimits, retrySoon } from './http-limits.js';
import { HttpReply } from './http-reply.js';
import { refuseForScopes } from './http-scopes.js';
import { HttpSessions, type SessionLease } from './http-sessions.js';
import { Receiving } from './receiving.js';
import { SlowReaders } from './slow-readers.js';
import type { LaneName } from './stdio-connection.js';

export interface EndpointOptions {
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  readonly limits: HttpLimits;
  readonly report: RareReport;
  /** `sdk`: everything goes through the SDK. */
  readonly lane: LaneName;
  readonly maxBodyBytes: number;
  readonly authorizer: Authorizer | undefined;
  /** Something went wrong that nobody foresaw. */
  fail(cause: unknown, request: IncomingMessage, response: ServerResponse): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller | undefined;
  /** For browsers of other origins. */
  readonly headers: HeaderValues;
  /** What its calls cost. */
  readonly weight: Weight;
}

export class HttpEndpoint {
  readonly #blueprint: Blueprint;
  readonly #options: EndpointOptions;
  readonly #lane: HttpLane | undefined;
  readonly #modern: ReturnType<typeof openModernHttp>;
  readonly #sessions: HttpSessions;
  readonly #usages: CallerUsages;
  readonly #readers: SlowReaders;
  readonly #receiving: Receiving;
  /** Undefined: everybody may call. */
  readonly #admission: Admission | undefined;
  /** Requests whose answers are not out yet; without those that listen, which never end by themselves. */
  readonly #open = new InFlight();
  /** Those of the lane, which nobody else could abort. */
  readonly #calls = new Set<HttpCall>();
  #isDraining = false;

  constructor(blueprint: Blueprint, options: EndpointOptions) {
    this.#blueprint = blueprint;
    this.#options = options;
    this.#lane = options.lane === 'lean' ? openHttpLane(blueprint.surface, blueprint.calls) : undefined;
    this.#modern = openModernHttp(blueprint);
    const { limits, idleMs, report } = options;
    const { sessions: maxSessions, sessionsPerCaller } = limits;
    this.#sessions = new HttpSessions(blueprint, { idleMs, maxSessions, sessionsPerCaller }, this.#lane?.base);
    this.#usages = new CallerUsages(limits, new EventBudget(limits.events));
    this.#readers = new SlowReaders(limits, report);
    this.#receiving = new Receiving(limits);
    const { authorizer } = options;
    this.#admission = authorizer && new Admission(authorizer, limits.wrongTokens, report);
  }

  /** Not async, nor is what follows, as far as the lane goes: promises would cost more than all its checks. */
  serve(request: IncomingMessage, response: ServerResponse, headers: HeaderValues): void {
    const exchange: Exchange = { request, response, caller: undefined, headers, weight: noCalls };
    if (this.#admission === undefined) this.#receive(exchange);
    else this.#authorize(this.#admission, exchange);
  }

  /** C9. */
  announce(change: Change): void {
    this.#modern.announce(change);
    this.#sessions.announce(change);
  }

  /** Takes no new calls; settles when those under way are answered. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#open.count > 0 || this.#blueprint.calls.count > 0) {
      await this.#blueprint.calls.idle();
      await this.#open.idle();
    }
  }

  async close(): Promise<void> {
    this.#lane?.close();
    for (const call of this.#calls) call.abort(undefined);
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }

  #authorize(admission: Admission, exchange: Exchange): void {
    const { request, response, headers } = exchange;
    const asking = admission.admit(request).then(answer => {
      if (answer instanceof Caller) this.#receive({ ...exchange, caller: answer });
      else sendJson(response, answer.status, answer.body, { ...headers, ...answer.headers });
    });
    this.#watch(exchange, asking);
  }

  #receive(exchange: Exchange): void {
    const { request } = exchange;
    const take = (body: Body): void => {
      try {
        this.#post(exchange, body);
      } catch (cause) {
        this.#options.fail(cause, request, exchange.response);
      }
    };
    const limits: BodyLimits = {
      limit: this.#options.maxBodyBytes,
      receiving: this.#receiving,
      refuse: bytes => this.#usages.refuse(this.#usages.of(exchange), { calls: 1, bytes }),
    };
    if (request.method === 'POST') readBody(exchange, limits, take);
    else this.#watch(exchange, this.#session(exchange));
  }

  /** Whatever fails is reported, and answered where nothing was yet. */
  #watch({ request, response }: Exchange, serving: Promise<void>): void {
    serving.catch((cause: unknown) => this.#options.fail(cause, request, response));
  }

  #post(received: Exchange, body: Body): void {
    const { response, headers } = received;
    if ('status' in body) {
      const { status, message, code } = body;
      const close: HeaderValues = status === 413 ? { connection: 'close' } : {};
      const later: HeaderValues = isLater(status) ? { connection: 'close', 'retry-after': retrySoon } : close;
      sendError(response, status, message, { code, headers: { ...headers, ...later } });
      return;
    }
    const { value } = body;
    const exchange: Exchange = { ...received, weight: weighCalls(body) };
    const isCall = isMap(value) && value['method'] !== undefined && Object.hasOwn(value, 'id');
    if (this.#isDraining && isCall) {
      const retry = { ...headers, connection: 'close', 'retry-after': '1' };
      sendError(response, 503, 'Service Unavailable: the server is shutting down', { headers: retry });
      return;
    }
    const refused = refuseForScopes(value, exchange.caller, this.#options.authorizer, this.#blueprint);
    if (refused !== undefined) {
      sendJson(response, refused.status, refused.body, { ...headers, ...refused.headers });
      return;
    }
    const { weight } = exchange;
    const busy = weight.calls > 0 ? this.#usages.refuse(this.#usages.of(exchange), weight) : undefined;
    if (busy !== undefined) {
      this.#sendBusy(exchange, busy);
      return;
    }
    if (this.#take(exchange, value) || this.#takeInSession(exchange, value)) return;
    const serving = this.#dispatch(exchange, value);
    this.#watch(exchange, serving);
    if (isCall && value['method'] !== 'subscriptions/listen') this.#await(serving);
  }

  #sendBusy({ response, headers }: Exchange, { status, message }: Busy): void {
    sendError(response, status, message, { headers: { ...headers, 'retry-after': retrySoon } });
  }

  #await(serving: Promise<void>): void {
    this.#open.begin();
    const end = (): void => this.#open.end();
    serving.then(end, end);
  }

  /** False: not for the lane. */
  #take(exchange: Exchange, value: unknown): boolean {
    const { request, response, caller, headers } = exchange;
    const taken = this.#lane?.take(new NodeHeaders(request.headers), value, caller);
    if (taken === undefined) return false;
    if (taken instanceof HttpCall) this.#call(taken, exchange, value);
    else this.#send(response, taken.text, headers);
    return true;
  }

  #send(response: ServerResponse, text: string, headers: HeaderValues, status?: number): void {
    sendText(response, text, headers, status);
    this.#readers.answered(response);
  }

  /** False: not for the lean lane of a session, or there is no such session. */
  #takeInSession({ request, response, caller, headers, weight }: Exchange, value: unknown): boolean {
    const id = first(request.headers['mcp-session-id']);
    if (this.#lane === undefined || id === undefined || !isMap(value) || claimsEnvelope(value['params'])) return false;
    if (value['method'] === 'initialize' || isModernVersion(first(request.headers['mcp-protocol-version'])))
      return false;
    const inbound = readInbound(value);
    const lease = inbound.kind === 'request' ? this.#sessions.lease(id, caller?.principal ?? '') : undefined;
    if (inbound.kind !== 'request' || lease === undefined) return false;
    const reply = new HttpReply(response, { ...headers, 'mcp-session-id': id }, this.#readers);
    if (!lease.session.take({ request: toHttpRequest(request), inbound, weight, caller, reply })) {
      lease.leave();
      return false;
    }
    this.#open.begin();
    response.on('close', () => {
      lease.leave();
      this.#open.end();
    });
    return true;
  }

  #call(call: HttpCall, exchange: Exchange, value: unknown): void {
    const { response, headers, weight } = exchange;
    const usage = this.#usages.of(exchange);
    usage.begin(weight);
    this.#calls.add(call);
    response.on('close', () => {
      if (!response.writableFinished) call.abort(undefined);
    });
    call.run(answer => {
      this.#calls.delete(call);
      usage.end(weight);
      if (response.destroyed) return;
      if (call.aborted) sendEmpty(response, 499, headers);
      else if (answer !== undefined) this.#send(response, answer.text, headers, answer.status);
      else {
        const serving = this.#modernly(exchange, value, call.outcome);
        this.#watch(exchange, serving);
        this.#await(serving);
      }
    });
  }

  async #dispatch(exchange: Exchange, value: unknown): Promise<void> {
    const { headers } = exchange.request;
    const protocolVersion = first(headers['mcp-protocol-version']);
    const era = eraOf({ protocolVersion, method: first(headers['mcp-method']), body: value });
    await (era === 'legacy' ? this.#session(exchange, value) : this.#modernly(exchange, value));
  }

  /** 2026-07-28 by the SDK; `outcome` is what a call has come to already. */
  async #modernly(exchange: Exchange, value: unknown, outcome?: Calling): Promise<void> {
    const { request, response, caller, headers, weight } = exchange;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const asked = toHttpRequest(request, gone.signal);
    const usage = weight.calls > 0 ? this.#usages.of(exchange) : undefined;
    const stop = isListening(value)
      ? atExpiry(caller, () => {
          if (response.headersSent && !response.writableEnded) response.write(this.#modern.farewell(value['id']));
          response.end();
        })
      : undefined;
    usage?.begin(weight);
    try {
      const answer = await this.#modern.serve(asked, value, caller, outcome);
      await sendResponse(response, answer, headers, this.#readers);
    } finally {
      usage?.end(weight);
      stop?.();
    }
  }

  /** Requests of 2025, and the GET and DELETE of its sessions. Settles when the answer is out. */
  async #session(exchange: Exchange, value?: unknown): Promise<void> {
    const { request, response, caller, headers } = exchange;
    const principal = caller?.principal ?? '';
    const id = first(request.headers['mcp-session-id']);
    const body = value === undefined ? undefined : readLegacyBody(value);
    if (body === undefined && value !== undefined) return sendEmpty(response, 202, headers);
    if (body !== undefined && 'error' in body) {
      // Wrong params are an answer like any other; everything else is a request that HTTP calls bad.
      return sendJson(response, body.error.code === -32602 ? 200 : 400, body, headers);
    }
    let lease: SessionLease | undefined;
    if (id !== undefined) {
      lease = this.#sessions.lease(id, principal);
      if (lease === undefined) return sendError(response, 404, 'Session not found', { code: -32001, headers });
    } else if (body?.isInitialize === true) {
      const opened = await this.#sessions.open(principal, this.#usages.of(exchange));
      if ('status' in opened) {
        const retry = { ...headers, 'retry-after': '60' };
        return sendError(response, opened.status, opened.message, { headers: retry });
      }
      lease = opened;
    } else if (isModernVersion(first(request.headers['mcp-protocol-version']))) {
      return sendError(response, 405, 'Method not allowed', { headers: { ...headers, allow: 'POST' } });
    } else {
      return sendError(response, 400, 'Bad Request: Mcp-Session-Id header is required', { headers });
    }
    const { session, leave } = lease;
    const reply = new HttpReply(response, { ...headers, 'mcp-session-id': session.id }, this.#readers);
    const isThere = session.serve(toHttpRequest(request), body, { weight: exchange.weight, caller, reply });
    if (!isThere) await session.close();
    const stop = request.method === 'GET' ? atExpiry(caller, () => reply.endStream()) : undefined;
    if (!response.closed) await new Promise<void>(resolve => reply.onClose(resolve));
    stop?.();
    leave();
  }
}

function isLater(status: number): boolean {
  return status === 429 || status === 503;
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header[0];
}
