// In: a blueprint. Out: a session of 2025 over HTTP: one server, its streams, and the calls that are open in it.
import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Change } from '../surface/surface.js';
import type { Blueprint } from './blueprint.js';
import { type EventBudget, EventLog } from './event-log.js';
import { type Grant, toAuthInfo } from './grant.js';
import { asRequest, type HttpRequest } from './http-request.js';
import { cancelledId, type Inbound, type MessageId, makeRefusal, readInbound } from './inbound.js';
import { ManifestServer } from './manifest-server.js';

export interface SessionOptions {
  readonly id: string;
  readonly budget: EventBudget;
  /** After how many milliseconds a client whose stream broke should come back. */
  readonly retryMs: number;
  onClose(): void;
}

/** What the SDK keeps about open requests is private, but a cancelled one has no other way to end its stream. */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  get #streams(): Map<MessageId, string> {
    const streams: unknown = Reflect.get(this, '_requestToStreamMapping');
    return streams instanceof Map ? streams : new Map();
  }

  get openRequests(): number {
    return this.#streams.size;
  }

  isOpen(id: MessageId): boolean {
    return this.#streams.has(id);
  }

  isLive(stream: string): boolean {
    return stream === '_GET_stream' || [...this.#streams.values()].includes(stream);
  }

  /** A cancelled request gets no answer, so that the SDK would keep its stream for ever. */
  forget(id: MessageId): void {
    this.closeSSEStream(id);
    this.#streams.delete(id);
  }
}

export class HttpSession {
  readonly id: string;
  readonly #server: ManifestServer;
  readonly #transport: SessionTransport;
  readonly #log: EventLog;

  private constructor(id: string, server: ManifestServer, transport: SessionTransport, log: EventLog) {
    this.id = id;
    this.#server = server;
    this.#transport = transport;
    this.#log = log;
  }

  static async open(blueprint: Blueprint, { id, budget, retryMs, onClose }: SessionOptions): Promise<HttpSession> {
    const log = new EventLog(budget);
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      eventStore: log,
      retryInterval: retryMs,
    });
    const server = new ManifestServer(blueprint, 'legacy');
    transport.onclose = () => {
      log.clear();
      onClose();
    };
    await server.connect(transport);
    return new HttpSession(id, server, transport, log);
  }

  /** Calls whose answers are not sent yet. */
  get openRequests(): number {
    return this.#transport.openRequests;
  }

  /** `body` is what `readBody` made of the JSON of a POST. */
  async serve(request: HttpRequest, body: LegacyBody | undefined, grant: Grant | undefined): Promise<Response> {
    const resumed = request.headers.get('last-event-id');
    if (request.method === 'GET' && resumed !== null && this.#isOver(resumed)) {
      // In the language of event streams: do not come back. Old clients would, every second.
      return new Response(null, { status: 204 });
    }
    const twice = body?.ids.find(id => this.#transport.isOpen(id));
    if (twice !== undefined) {
      return Response.json(makeRefusal(twice, -32600, 'Invalid Request: this id is in use'), { status: 400 });
    }
    const response = await this.#transport.handleRequest(asRequest(request), {
      ...(body && { parsedBody: body.messages.length === 1 ? body.messages[0] : body.messages }),
      ...(grant && { authInfo: toAuthInfo(grant) }),
    });
    for (const id of body?.cancels ?? []) this.#transport.forget(id);
    return response;
  }

  announce(change: Change): void {
    this.#server.announce(change);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #isOver(eventId: string): boolean {
    const stream = this.#log.finishedStream(eventId);
    return stream !== undefined && !this.#transport.isLive(stream);
  }
}

/** A checked body: one message, or several as revisions before 2025-06-18 allow. */
export interface LegacyBody {
  readonly messages: readonly JSONRPCMessage[];
  /** Of requests. */
  readonly ids: readonly MessageId[];
  /** Of requests that are cancelled. */
  readonly cancels: readonly MessageId[];
  readonly isInitialize: boolean;
}

const mostMessages = 100;

/**
 * Checks the JSON of a POST; what is wrong with it is told as a response.
 *
 * @example const body = readLegacyBody(JSON.parse(text)); if (body instanceof Response) return body;
 */
export function readLegacyBody(value: unknown): LegacyBody | Response {
  if (Array.isArray(value) && (value.length === 0 || value.length > mostMessages)) {
    return refuse(makeRefusal(null, -32600, `Invalid Request: a batch has 1 to ${mostMessages} messages`));
  }
  const all: readonly Inbound[] = (Array.isArray(value) ? value : [value]).map(readInbound);
  for (const inbound of all) if (inbound.kind === 'refused') return refuse(inbound.refusal);
  const known = all.filter(inbound => 'message' in inbound);
  const ids = known.flatMap(inbound => (inbound.kind === 'request' ? [inbound.id] : []));
  if (new Set(ids).size < ids.length) return refuse(makeRefusal(null, -32600, 'Invalid Request: an id is used twice'));
  if (known.length === 0) return new Response(null, { status: 202 });
  return {
    messages: known.map(({ message }) => message),
    ids,
    cancels: known.flatMap(({ message }) => cancelledId(message) ?? []),
    isInitialize: known.some(inbound => inbound.kind === 'request' && inbound.method === 'initialize'),
  };
}

/** Wrong params are an answer like any other; everything else is a request that HTTP calls bad. */
function refuse(refusal: ReturnType<typeof makeRefusal>): Response {
  return Response.json(refusal, { status: refusal.error.code === -32602 ? 200 : 400 });
}
