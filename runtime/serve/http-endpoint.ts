// In: a request that passed the gate. Out: its answer, by the rules of its era. One address for both.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { protocolCodes } from '../call/protocol-problem.js';
import { Caller, type Weight } from '../protocol/caller.js';
import { EventBudget } from '../protocol/event-log.js';
import { modernVersion } from '../protocol/handshake.js';
import {
  eraOf,
  type Inbound,
  type InboundRequest,
  makeRefusal,
  type Refusal,
  readInbound,
} from '../protocol/inbound.js';
import type { HttpAnswer } from '../protocol/plain-calls.js';
import { HttpCall, openPlainHttp, type PlainHttp } from '../protocol/plain-http.js';
import { InFlight } from '../protocol/request.js';
import type { Blueprint } from '../sdk/blueprint.js';
import { openSdkHttp, type SdkHttp } from '../sdk/http.js';
import { classifyEra, type LegacyBody, toLegacyBody } from '../sdk/inbound.js';
import type { RareReport } from '../surface/rare-report.js';
import type { Change } from '../surface/surface.js';
import { Admission, atExpiry, refuseForScopes, toolsOf } from './admission.js';
import type { Authorizer } from './auth/authorizer.js';
import { CallerUsages, isListening, noCalls, weighCalls } from './caller-usage.js';
import {
  type HeaderValues,
  HttpReply,
  NodeHeaders,
  sendEmpty,
  sendError,
  sendJson,
  sendResponse,
  sendText,
  toHttpRequest,
} from './http-answer.js';
import { type Body, type BodyLimits, Receiving, readBody } from './http-body.js';
import { type HttpLimits, retrySoon, SlowReaders } from './http-limits.js';
import { HttpSessions, type SessionLease } from './http-sessions.js';
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
  readonly #plain: PlainHttp | undefined;
  readonly #sdk: SdkHttp;
  readonly #sessions: HttpSessions;
  readonly #usages: CallerUsages;
  readonly #readers: SlowReaders;
  readonly #receiving: Receiving;
  /** Undefined: everybody may call. */
  readonly #admission: Admission | undefined;
  /** Requests whose answers are not out yet; without those that listen, which never end by themselves. */
  readonly #open = new InFlight();
  /** Those of 2026-07-28 without the SDK, which nobody else could abort. */
  readonly #calls = new Set<HttpCall>();
  #isDraining = false;

  constructor(blueprint: Blueprint, options: EndpointOptions) {
    this.#blueprint = blueprint;
    this.#options = options;
    this.#plain = options.lane === 'lean' ? openPlainHttp(blueprint.surface, blueprint.calls) : undefined;
    this.#sdk = openSdkHttp(blueprint, { legacy: 'reject' });
    const { limits, idleMs, report } = options;
    const { sessions: maxSessions, sessionsPerCaller } = limits;
    this.#sessions = new HttpSessions(blueprint, { idleMs, maxSessions, sessionsPerCaller }, this.#plain?.base);
    this.#usages = new CallerUsages(limits, new EventBudget(limits.events));
    this.#readers = new SlowReaders(limits, report);
    this.#receiving = new Receiving(limits);
    const { authorizer } = options;
    this.#admission = authorizer && new Admission(authorizer, limits.wrongTokens, report);
  }

  /** Not async, nor is what follows, as far as plain requests go: promises would cost more than all its checks. */
  serve(request: IncomingMessage, response: ServerResponse, headers: HeaderValues): void {
    const exchange: Exchange = { request, response, caller: undefined, headers, weight: noCalls };
    if (this.#admission === undefined) this.#receive(exchange);
    else this.#authorize(this.#admission, exchange);
  }

  /** C9. */
  announce(change: Change): void {
    this.#sdk.announce(change);
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
    this.#plain?.close();
    for (const call of this.#calls) call.abort(undefined);
    await Promise.all([this.#sdk.close(), this.#sessions.close()]);
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
    else this.#listen(exchange);
  }

  /** Whatever fails is reported, and answered where nothing was yet. */
  #watch({ request, response }: Exchange, serving: Promise<void>): void {
    serving.catch((cause: unknown) => this.#options.fail(cause, request, response));
  }

  #post(received: Exchange, body: Body): void {
    const { request, response, headers, caller } = received;
    if ('status' in body) {
      const { status, message, code } = body;
      const close: HeaderValues = status === 413 ? { connection: 'close' } : {};
      const later: HeaderValues = isLater(status) ? { connection: 'close', 'retry-after': retrySoon } : close;
      sendError(response, status, message, { code, headers: { ...headers, ...later } });
      return;
    }
    const { value } = body;
    const inbound = readInbound(value);
    const exchange: Exchange = { ...received, weight: weighCalls(body, inbound) };
    const isCall = inbound.kind === 'request';
    if (this.#isDraining && isCall) {
      const retry = { ...headers, connection: 'close', 'retry-after': '1' };
      sendError(response, 503, 'Service Unavailable: the server is shutting down', { headers: retry });
      return;
    }
    const names = isCall ? toolOf(inbound) : toolsOf(value);
    const refused = refuseForScopes(names, caller, this.#options.authorizer, this.#blueprint);
    if (refused !== undefined) {
      sendJson(response, refused.status, refused.body, { ...headers, ...refused.headers });
      return;
    }
    const { weight } = exchange;
    const busy = weight.calls > 0 ? this.#usages.refuse(this.#usages.of(exchange), weight) : undefined;
    if (busy !== undefined) {
      sendError(response, busy.status, busy.message, { headers: { ...headers, 'retry-after': retrySoon } });
      return;
    }
    const protocolVersion = first(request.headers['mcp-protocol-version']);
    const era =
      eraOf(inbound, value, protocolVersion) ??
      classifyEra({ protocolVersion, method: first(request.headers['mcp-method']), body: value });
    if (era === 'legacy') this.#legacy(exchange, value, inbound);
    else if (!isCall || !this.#take(exchange, inbound)) this.#modern(exchange, value, isCall);
  }

  /** A request of 2026-07-28. False: it is for the SDK. */
  #take(exchange: Exchange, inbound: InboundRequest): boolean {
    const { request, response, caller, headers } = exchange;
    const taken = this.#plain?.take(new NodeHeaders(request.headers), inbound, caller);
    if (taken === undefined) return false;
    if (taken instanceof HttpCall) this.#call(taken, exchange);
    else this.#send(response, taken, headers);
    return true;
  }

  #send(response: ServerResponse, { text, status }: HttpAnswer, headers: HeaderValues): void {
    sendText(response, text, headers, status);
    this.#readers.answered(response);
  }

  #call(call: HttpCall, exchange: Exchange): void {
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
      else this.#send(response, answer, headers);
    });
  }

  /** 2026-07-28 by the SDK. */
  #modern(exchange: Exchange, value: unknown, isCall: boolean): void {
    const { request, response, caller, headers, weight } = exchange;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const usage = weight.calls > 0 ? this.#usages.of(exchange) : undefined;
    const listener = isListening(value) ? value : undefined;
    const stop =
      listener &&
      atExpiry(caller, () => {
        if (response.headersSent && !response.writableEnded) response.write(this.#sdk.farewell(listener['id']));
        response.end();
      });
    const serve = async (): Promise<void> => {
      usage?.begin(weight);
      try {
        const answer = await this.#sdk.serve(toHttpRequest(request, gone.signal), value, caller);
        await sendResponse(response, answer, headers, this.#readers);
      } finally {
        usage?.end(weight);
        stop?.();
      }
    };
    const serving = serve();
    this.#watch(exchange, serving);
    // Those that listen never end by themselves.
    if (!isCall || listener !== undefined) return;
    this.#open.begin();
    const end = (): void => this.#open.end();
    serving.then(end, end);
  }

  /** 2025: a message in a session, or the one that opens it. */
  #legacy(exchange: Exchange, value: unknown, inbound: Inbound): void {
    const { request, response, headers } = exchange;
    const id = first(request.headers['mcp-session-id']);
    const isPlain = inbound.kind === 'request' && inbound.method !== 'initialize' && id !== undefined;
    const body = isPlain ? inbound : readLegacyBody(value, inbound);
    if (body === undefined) {
      sendEmpty(response, 202, headers);
    } else if ('error' in body) {
      // Wrong params are an answer like any other; everything else is a request that HTTP calls bad.
      sendJson(response, body.error.code === -32602 ? 200 : 400, body, headers);
    } else if (id === undefined && 'isInitialize' in body && body.isInitialize) {
      this.#watch(exchange, this.#openSession(exchange, body));
    } else {
      const lease = this.#leaseOf(exchange, id);
      if (lease !== undefined) this.#serve(exchange, body, lease);
    }
  }

  async #openSession(exchange: Exchange, body: LegacyBody): Promise<void> {
    const { response, headers, caller } = exchange;
    const lease = await this.#sessions.open(caller?.principal ?? '', this.#usages.of(exchange));
    if ('status' in lease) {
      sendError(response, lease.status, lease.message, { headers: { ...headers, 'retry-after': '60' } });
      return;
    }
    if (!this.#serve(exchange, body, lease)) await lease.session.close();
  }

  /** Undefined: there is none for this request, and its client has heard so. */
  #leaseOf({ request, response, headers, caller }: Exchange, id: string | undefined): SessionLease | undefined {
    const lease = id === undefined ? undefined : this.#sessions.lease(id, caller?.principal ?? '');
    if (lease !== undefined) return lease;
    if (id !== undefined) {
      sendError(response, 404, 'Session not found', { code: -32001, headers });
    } else if (isModernVersion(first(request.headers['mcp-protocol-version']))) {
      sendError(response, 405, 'Method not allowed', { headers: { ...headers, allow: 'POST' } });
    } else {
      sendError(response, 400, 'Bad Request: Mcp-Session-Id header is required', { headers });
    }
    return undefined;
  }

  /** Keeps the session in use until the answer is out. False: the session is not opened after all. */
  #serve(exchange: Exchange, body: InboundRequest | LegacyBody, { session, leave }: SessionLease): boolean {
    const { request, response, caller, headers, weight } = exchange;
    const reply = new HttpReply(response, { ...headers, 'mcp-session-id': session.id }, this.#readers);
    const isThere = session.post(body, { headers: new NodeHeaders(request.headers), weight, caller, reply });
    const isCall = !('isInitialize' in body) || body.ids.length > 0;
    if (isCall) this.#open.begin();
    onClosed(response, () => {
      leave();
      if (isCall) this.#open.end();
    });
    return isThere;
  }

  /** The GET and DELETE of a session. */
  #listen(exchange: Exchange): void {
    const { request, response, caller, headers } = exchange;
    const lease = this.#leaseOf(exchange, first(request.headers['mcp-session-id']));
    if (lease === undefined) return;
    const { session, leave } = lease;
    const reply = new HttpReply(response, { ...headers, 'mcp-session-id': session.id }, this.#readers);
    let stop: (() => void) | undefined;
    if (request.method === 'DELETE') {
      reply.sendEmpty(200);
      this.#watch(exchange, session.close());
    } else {
      session.listen({ headers: new NodeHeaders(request.headers), weight: noCalls, caller, reply });
      stop = atExpiry(caller, () => reply.endStream());
    }
    onClosed(response, () => {
      stop?.();
      leave();
    });
  }
}

function toolOf({ method, params }: InboundRequest): readonly string[] {
  return method === 'tools/call' ? [params?.['name'] as string] : [];
}

const mostMessages = 100;

/** One message, or several as revisions before 2025-06-18 allow. */
function readLegacyBody(value: unknown, inbound: Inbound): LegacyBody | Refusal | undefined {
  if (!Array.isArray(value)) return toLegacyBody([inbound]);
  if (value.length > 0 && value.length <= mostMessages) return toLegacyBody(value.map(readInbound));
  return makeRefusal(null, protocolCodes.invalidRequest, `Invalid Request: a batch has 1 to ${mostMessages} messages`);
}

/** Whether a header names a revision without sessions. */
function isModernVersion(protocolVersion: string | undefined): boolean {
  return protocolVersion !== undefined && protocolVersion >= modernVersion;
}

function onClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}

function isLater(status: number): boolean {
  return status === 429 || status === 503;
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header[0];
}
