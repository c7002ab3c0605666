// In: a request that passed the gate. Out: its answer, by the rules of its era: those of 2025 by http-sessions.ts. One address for both.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isMap } from '../../schema/document.js';
import { Caller, challengeFor } from '../protocol/caller.js';
import { EventBudget } from '../protocol/event-log.js';
import { eraOf, type InboundRequest, readInbound } from '../protocol/inbound.js';
import type { HttpAnswer } from '../protocol/plain-calls.js';
import { HttpCall, HttpListening, openPlainHttp, type PlainHttp } from '../protocol/plain-http.js';
import { InFlight } from '../protocol/request.js';
import type { Blueprint } from '../sdk/blueprint.js';
import { openSdkHttp, type SdkHttp } from '../sdk/http.js';
import { classifyEra } from '../sdk/inbound.js';
import type { RareReport } from '../surface/rare-report.js';
import type { Change, Route } from '../surface/surface.js';
import { Admission, atExpiry } from './admission.js';
import { type Authorizer, insufficientScope } from './auth/authorizer.js';
import { CallerUsages, isListening, noCalls, weighCalls } from './caller-usage.js';
import {
  type Exchange,
  firstValue,
  type HeaderValues,
  HttpReply,
  NodeHeaders,
  SlowReaders,
  sendEmpty,
  sendError,
  sendJson,
  sendResponse,
  sendText,
  toHttpRequest,
} from './http-answer.js';
import { type Body, type BodyLimits, Receiving, readBody } from './http-body.js';
import { type HttpLimits, retrySoon } from './http-limits.js';
import { HttpSessions } from './http-sessions.js';
import type { ProtocolName } from './stdio-connection.js';

export interface EndpointOptions {
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  readonly limits: HttpLimits;
  readonly report: RareReport;
  /** `sdk`: everything goes through the SDK. */
  readonly protocol: ProtocolName;
  readonly maxBodyBytes: number;
  readonly authorizer: Authorizer | undefined;
  /** Something went wrong that nobody foresaw. */
  fail(cause: unknown, request: IncomingMessage, response: ServerResponse): void;
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
  /** T1: those who listen to tasks. */
  readonly #listening = new Set<HttpListening>();
  #isDraining = false;
  /** What routes stream never ends by itself. */
  readonly #closing = new AbortController();

  constructor(blueprint: Blueprint, options: EndpointOptions) {
    this.#blueprint = blueprint;
    this.#options = options;
    this.#plain = options.protocol === 'own' ? openPlainHttp(blueprint.surface, blueprint.calls) : undefined;
    this.#sdk = openSdkHttp(blueprint, { legacy: 'reject' });
    const { limits, idleMs, report } = options;
    const usages = new CallerUsages(limits, new EventBudget(limits.events));
    const readers = new SlowReaders(limits, report);
    this.#sessions = new HttpSessions(blueprint, {
      ...{ idleMs, limits, usages, readers, open: this.#open, plain: this.#plain?.base },
      watch: (exchange, serving) => this.#watch(exchange, serving),
    });
    this.#usages = usages;
    this.#readers = readers;
    this.#receiving = new Receiving(limits);
    const { authorizer } = options;
    this.#admission = authorizer && new Admission(authorizer, limits.wrongTokens, report);
  }

  /** Not async, nor is what follows, as far as plain requests go: promises would cost more than all its checks. */
  serve(request: IncomingMessage, response: ServerResponse, headers: HeaderValues, caller?: Caller): void {
    const exchange: Exchange = { request, response, caller, headers, weight: noCalls };
    if (this.#admission === undefined || caller !== undefined) this.#receive(exchange);
    else this.#authorize(this.#admission, exchange, admitted => this.#receive(admitted));
  }

  /** For the author's own code, beside the endpoint, as any other call: behind `auth`, counted, and waited for at the end. */
  serveRoute(exchange: Exchange, route: Route, isReserved: (path: string) => boolean): void {
    if (this.#admission === undefined) this.#route(exchange, route, isReserved);
    else this.#authorize(this.#admission, exchange, admitted => this.#route(admitted, route, isReserved));
  }

  /** C9. */
  announce(change: Change): void {
    this.#sdk.announce(change);
    this.#sessions.announce(change);
  }

  /** Takes no new calls; settles when those under way are answered. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#sessions.leave();
    while (this.#open.count > 0 || this.#blueprint.calls.count > 0) {
      await this.#blueprint.calls.idle();
      await this.#open.idle();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#plain?.close();
    for (const call of this.#calls) call.abort(undefined);
    for (const one of this.#listening) one.leave();
    await Promise.all([this.#sdk.close(), this.#sessions.close()]);
  }

  #authorize(admission: Admission, exchange: Exchange, pass: (admitted: Exchange) => void): void {
    const { request, response, headers } = exchange;
    const asking = admission.admit(request).then(answer => {
      if (answer instanceof Caller) pass({ ...exchange, caller: answer });
      else sendJson(response, answer.status, answer.body, { ...headers, ...answer.headers });
    });
    this.#watch(exchange, asking);
  }

  #route(exchange: Exchange, route: Route, isReserved: (path: string) => boolean): void {
    const { response, headers } = exchange;
    const weight = { calls: 1, bytes: 0 };
    const usage = this.#usages.of(exchange);
    const busy = this.#usages.refuse(usage, weight);
    if (this.#isDraining || busy !== undefined) {
      const { status, message } = busy ?? shuttingDown;
      sendError(response, status, message, { headers: { ...headers, 'retry-after': retrySoon } });
      return;
    }
    const serve = async (): Promise<void> => {
      usage.begin(weight);
      this.#open.begin();
      try {
        const { serveRoute } = await import('./http-routes.js');
        const { maxBodyBytes, limits } = this.#options;
        const report = (text: string): void => this.#blueprint.surface.services.report(text);
        const closing = this.#closing.signal;
        await serveRoute(exchange, route, { maxBodyBytes, answerMs: limits.routeMs, isReserved, report, closing });
      } finally {
        usage.end(weight);
        this.#open.end();
      }
    };
    this.#watch(exchange, serve());
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
    else this.#sessions.listen(exchange);
  }

  /** Whatever fails is reported, and answered where nothing was yet. */
  #watch({ request, response }: Exchange, serving: Promise<void>): void {
    serving.catch((cause: unknown) => this.#options.fail(cause, request, response));
  }

  #post(exchange: Exchange, body: Body): void {
    const { request, response, headers, caller } = exchange;
    if ('status' in body) {
      const { status, message, code } = body;
      const close: HeaderValues = status === 413 ? { connection: 'close' } : {};
      const later: HeaderValues = isLater(status) ? { connection: 'close', 'retry-after': retrySoon } : close;
      sendError(response, status, message, { code, headers: { ...headers, ...later } });
      return;
    }
    const { value } = body;
    const inbound = readInbound(value);
    const weight = weighCalls(body, inbound);
    exchange.weight = weight;
    const isCall = inbound.kind === 'request';
    if (this.#isDraining && isCall) {
      const retry = { ...headers, connection: 'close', 'retry-after': '1' };
      sendError(response, shuttingDown.status, shuttingDown.message, { headers: retry });
      return;
    }
    const names = isCall ? toolOf(inbound) : toolsOf(value);
    const refused = refuseForScopes(names, caller, this.#options.authorizer, this.#blueprint);
    if (refused !== undefined) {
      sendJson(response, refused.status, refused.body, { ...headers, ...refused.headers });
      return;
    }
    const busy = weight.calls > 0 ? this.#usages.refuse(this.#usages.of(exchange), weight) : undefined;
    if (busy !== undefined) {
      sendError(response, busy.status, busy.message, { headers: { ...headers, 'retry-after': retrySoon } });
      return;
    }
    const protocolVersion = firstValue(request.headers['mcp-protocol-version']);
    const era =
      eraOf(inbound, value, protocolVersion) ??
      classifyEra({ protocolVersion, method: firstValue(request.headers['mcp-method']), body: value });
    if (era === 'legacy') this.#sessions.post(exchange, value, inbound);
    else if (!isCall || !this.#take(exchange, inbound)) this.#modern(exchange, value, isCall);
  }

  /** A request of 2026-07-28. False: it is for the SDK. */
  #take(exchange: Exchange, inbound: InboundRequest): boolean {
    const { request, response, caller, headers } = exchange;
    const taken = this.#plain?.take(new NodeHeaders(request.headers), inbound, caller);
    if (taken === undefined) return false;
    if (taken instanceof HttpCall) this.#call(taken, exchange);
    else if (taken instanceof HttpListening) this.#watch(exchange, this.#listen(taken, exchange));
    else this.#send(response, taken, headers);
    return true;
  }

  #send(response: ServerResponse, { text, status }: HttpAnswer, headers: HeaderValues): void {
    sendText(response, text, headers, status);
    this.#readers.answered(response);
  }

  /** T1: ends with its client, its token, or us. */
  async #listen(listening: HttpListening, { response, headers, caller }: Exchange): Promise<void> {
    this.#listening.add(listening);
    const stop = atExpiry(caller, () => listening.leave());
    response.on('close', () => {
      stop();
      this.#listening.delete(listening);
      listening.abort(undefined);
    });
    const answer = await listening.open(new HttpReply(response, headers, this.#readers));
    if (answer !== undefined && !response.destroyed) this.#send(response, answer, headers);
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
}

const shuttingDown = { status: 503, message: 'Service Unavailable: the server is shutting down' };

function toolOf({ method, params }: InboundRequest): readonly string[] {
  return method === 'tools/call' ? [params?.['name'] as string] : [];
}

/** The names of the tools that a body calls, whatever else is wrong with it. */
function toolsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((message: unknown) => {
    const params = isMap(message) && message['method'] === 'tools/call' ? message['params'] : undefined;
    const name = isMap(params) ? params['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/**
 * What a tool needs beyond what the server needs; the first of a batch that lacks something decides. Where nobody has said who
 * calls, a tool with scopes is refused.
 */
function refuseForScopes(
  names: readonly string[],
  caller: Caller | undefined,
  authorizer: Authorizer | undefined,
  { surface }: Pick<Blueprint, 'surface'>,
): ReturnType<Authorizer['refuseScopes']> {
  for (const name of names) {
    const needed = surface.tool(name)?.tool.definition.scopes ?? [];
    if (needed.length === 0) continue;
    if (caller?.needsScopeCheck) {
      const lacking = challengeFor(needed, caller);
      if (lacking === undefined) continue;
      return insufficientScope(lacking.scopes, {});
    }
    if (authorizer === undefined || caller === undefined) return insufficientScope(needed, {});
    const refused = authorizer.refuseScopes(caller.auth, needed);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function isLater(status: number): boolean {
  return status === 429 || status === 503;
}
