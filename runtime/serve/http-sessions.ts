// In: requests of clients of 2025. Out: their answers, in the session that they name. Sessions are bound to who opened them, and end when
// nobody uses them.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { modernVersion } from '../protocol/handshake.js';
import type { Inbound, InboundRequest } from '../protocol/inbound.js';
import type { PlainBase } from '../protocol/plain-http.js';
import type { InFlight } from '../protocol/request.js';
import type { Blueprint } from '../sdk/blueprint.js';
import { HttpSession } from '../sdk/http-session.js';
import { type LegacyBody, readLegacyBody } from '../sdk/inbound.js';
import type { Change } from '../surface/surface.js';
import { atExpiry } from './admission.js';
import { type Busy, type CallerUsage, type CallerUsages, noCalls } from './caller-usage.js';
import {
  type Exchange,
  firstValue,
  HttpReply,
  NodeHeaders,
  type SlowReaders,
  sendEmpty,
  sendError,
  sendJson,
} from './http-answer.js';
import type { HttpLimits } from './http-limits.js';

export interface SessionsOptions {
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  readonly limits: Pick<HttpLimits, 'sessions' | 'sessionsPerCaller'>;
  readonly usages: CallerUsages;
  readonly readers: SlowReaders;
  /** Requests whose answers are not out yet. */
  readonly open: InFlight;
  /** What plain requests need; undefined: everything goes through the SDK. */
  readonly plain: PlainBase | undefined;
  /** Whatever fails is reported, and answered where nothing was yet. */
  watch(exchange: Exchange, serving: Promise<void>): void;
}

interface Entry {
  readonly session: HttpSession;
  readonly principal: string;
  readonly usage: CallerUsage;
  /** By a clock that nobody can set. */
  usedAt: number;
  /** Requests and streams that are open. */
  streams: number;
}

export class HttpSessions {
  readonly #blueprint: Blueprint;
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(blueprint: Blueprint, options: SessionsOptions) {
    this.#blueprint = blueprint;
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(Math.max(options.idleMs / 4, 10), 60_000));
    this.#sweeper.unref();
  }

  /** A message in a session, or the one that opens it. */
  post(exchange: Exchange, value: unknown, inbound: Inbound): void {
    const { request, response, headers } = exchange;
    const id = firstValue(request.headers['mcp-session-id']);
    const isPlain = inbound.kind === 'request' && inbound.method !== 'initialize' && id !== undefined;
    const body = isPlain ? inbound : readLegacyBody(value, inbound);
    if (body === undefined) {
      sendEmpty(response, 202, headers);
    } else if ('error' in body) {
      // Wrong params are an answer like any other; everything else is a request that HTTP calls bad.
      sendJson(response, body.error.code === -32602 ? 200 : 400, body, headers);
    } else if (id === undefined && 'isInitialize' in body && body.isInitialize) {
      this.#options.watch(exchange, this.#initialize(exchange, body));
    } else {
      const entry = this.#find(exchange, id);
      if (entry !== undefined) this.#serve(exchange, body, entry);
    }
  }

  /** The GET and DELETE of a session. */
  listen(exchange: Exchange): void {
    const { request, response, caller } = exchange;
    const entry = this.#find(exchange, firstValue(request.headers['mcp-session-id']));
    if (entry === undefined) return;
    const { session } = entry;
    const reply = this.#replyTo(exchange, session);
    let stop: (() => void) | undefined;
    if (request.method === 'DELETE') {
      reply.sendEmpty(200);
      this.#options.watch(exchange, session.close());
    } else {
      session.listen({ headers: new NodeHeaders(request.headers), weight: noCalls, caller, reply });
      stop = atExpiry(caller, () => reply.endStream());
    }
    this.#use(entry, response, () => stop?.());
  }

  /** Those who wait for tasks hear that we leave. */
  leave(): void {
    for (const { session } of this.#entries.values()) session.leave();
  }

  announce(change: Change): void {
    for (const { session } of this.#entries.values()) session.announce(change);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#entries.values()].map(({ session }) => session.close()));
  }

  async #initialize(exchange: Exchange, body: LegacyBody): Promise<void> {
    const { response, headers, caller } = exchange;
    const entry = await this.#open(caller?.principal ?? '', this.#options.usages.of(exchange));
    if ('status' in entry) {
      sendError(response, entry.status, entry.message, { headers: { ...headers, 'retry-after': '60' } });
      return;
    }
    if (!this.#serve(exchange, body, entry)) await entry.session.close();
  }

  /** Undefined: there is none for this request, and its client has heard so. Another's is none: nobody learns which. */
  #find({ request, response, headers, caller }: Exchange, id: string | undefined): Entry | undefined {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (entry !== undefined && entry.principal === (caller?.principal ?? '')) return entry;
    if (id !== undefined) {
      sendError(response, 404, 'Session not found', { code: -32001, headers });
    } else if ((firstValue(request.headers['mcp-protocol-version']) ?? '') >= modernVersion) {
      // A revision without sessions.
      sendError(response, 405, 'Method not allowed', { headers: { ...headers, allow: 'POST' } });
    } else {
      sendError(response, 400, 'Bad Request: Mcp-Session-Id header is required', { headers });
    }
    return undefined;
  }

  /** False: the session is not opened after all. */
  #serve(exchange: Exchange, body: InboundRequest | LegacyBody, entry: Entry): boolean {
    const { request, response, caller, weight } = exchange;
    const { open } = this.#options;
    const reply = this.#replyTo(exchange, entry.session);
    const isThere = entry.session.post(body, { headers: new NodeHeaders(request.headers), weight, caller, reply });
    const isCall = !('isInitialize' in body) || body.ids.length > 0;
    if (isCall) open.begin();
    this.#use(entry, response, () => {
      if (isCall) open.end();
    });
    return isThere;
  }

  #replyTo({ response, headers }: Exchange, { id }: HttpSession): HttpReply {
    return new HttpReply(response, { ...headers, 'mcp-session-id': id }, this.#options.readers);
  }

  /** Keeps the session in use until the answer is out. */
  #use(entry: Entry, response: ServerResponse, done: () => void): void {
    entry.streams += 1;
    entry.usedAt = performance.now();
    const leave = (): void => {
      entry.streams -= 1;
      entry.usedAt = performance.now();
      done();
    };
    if (response.closed) leave();
    else response.once('close', leave);
  }

  /** One more; or why not: there are too many, and all of them are in use. */
  async #open(principal: string, usage: CallerUsage): Promise<Entry | Busy> {
    const refused = this.#makeRoom(usage);
    if (refused !== undefined) return refused;
    const id = randomUUID();
    usage.sessions += 1;
    const session = await HttpSession.open(this.#blueprint, {
      id,
      share: { events: usage.events, load: usage },
      plain: this.#options.plain,
      onClose: () => {
        usage.sessions -= 1;
        this.#entries.delete(id);
      },
    });
    const entry: Entry = { session, principal, usage, usedAt: performance.now(), streams: 0 };
    this.#entries.set(id, entry);
    return entry;
  }

  #isIdle({ streams, session }: Entry): boolean {
    return streams === 0 && session.openRequests === 0;
  }

  #sweep(): void {
    const latest = performance.now() - this.#options.idleMs;
    for (const entry of this.#entries.values()) {
      if (entry.usedAt <= latest && this.#isIdle(entry)) void entry.session.close();
    }
  }

  /** Who has many sessions ends one of its own, before anybody else's is ended. */
  #makeRoom(usage: CallerUsage): Busy | undefined {
    const { sessions, sessionsPerCaller } = this.#options.limits;
    if (usage.sessions >= sessionsPerCaller && !this.#evict(entry => entry.usage === usage)) {
      const message = `Too Many Requests: a caller has at most ${sessionsPerCaller} sessions, and all of yours are in use`;
      return { status: 429, message };
    }
    if (this.#entries.size < sessions || this.#evict(() => true)) return undefined;
    return { status: 503, message: 'Service Unavailable: too many sessions' };
  }

  /** Ends one that nobody uses: of who has the most, the one that was not used for the longest time. Its client gets 404 and starts anew. */
  #evict(mayEnd: (entry: Entry) => boolean): boolean {
    let chosen: Entry | undefined;
    for (const entry of this.#entries.values()) {
      if (!mayEnd(entry) || !this.#isIdle(entry)) continue;
      if (chosen === undefined || isBefore(entry, chosen)) chosen = entry;
    }
    if (chosen === undefined) return false;
    this.#entries.delete(chosen.session.id);
    void chosen.session.close();
    return true;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  const more = one.usage.sessions - other.usage.sessions;
  return more > 0 || (more === 0 && one.usedAt < other.usedAt);
}
