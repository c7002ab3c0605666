// In: a blueprint. Out: a session of 2025 over HTTP: one server, its streams, and the calls that are open in it.
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Calling } from '../call/ports.js';
import type { Caller } from '../protocol/caller.js';
import { readInitialize } from '../protocol/envelope.js';
import type { Reply } from '../protocol/event-stream.js';
import type { CallBase } from '../protocol/http-call.js';
import type { Weight } from '../protocol/in-flight.js';
import { type InboundRequest, makeRefusal, type Refusal } from '../protocol/inbound.js';
import type { MessageId, Session } from '../protocol/ports.js';
import { SessionLane } from '../protocol/session-calls.js';
import type { Change, Surface } from '../surface/surface.js';
import { toAuthInfo } from './auth-info.js';
import type { Blueprint } from './blueprint.js';
import { shortenWay } from './dispatch-shortcut.js';
import type { HttpRequest } from './http-request.js';
import { readForSdk, type SdkInbound } from './inbound.js';
import { ManifestServer } from './manifest-server.js';
import { type SessionShare, SessionTransport } from './session-transport.js';

export interface SessionOptions {
  readonly id: string;
  readonly share: SessionShare;
  /** What the lean lane needs; undefined: everything goes through the SDK. */
  readonly lane: CallBase | undefined;
  onClose(): void;
}

/** A request that may be for the lean lane, and how to answer it. */
export interface PlainRequest {
  readonly request: HttpRequest;
  readonly inbound: InboundRequest;
  /** What it costs as long as it is not answered. */
  readonly weight: Weight;
  readonly caller: Caller | undefined;
  readonly reply: Reply;
}

/** What is known of any request beside what it says. */
export type Serving = Pick<PlainRequest, 'weight' | 'caller' | 'reply'>;

/** The first revision whose streams can be resumed from their beginning. */
const resumableSince = '2025-11-25';

export class HttpSession {
  readonly id: string;
  readonly #server: ManifestServer;
  readonly #transport: SessionTransport;
  readonly #lane: SessionLane | undefined;
  #isInitialized = false;

  private constructor(id: string, server: ManifestServer, transport: SessionTransport, lane: SessionLane | undefined) {
    this.id = id;
    this.#server = server;
    this.#transport = transport;
    this.#lane = lane;
  }

  static async open(blueprint: Blueprint, { id, share, lane, onClose }: SessionOptions): Promise<HttpSession> {
    const transport = new SessionTransport(id, share);
    const session: Session = { logLevel: undefined };
    const outcomes = new Map<unknown, Calling>();
    const server = new ManifestServer(withOutcomes(blueprint, outcomes), 'legacy', { session });
    transport.onclose = onClose;
    await server.connect(transport);
    shortenWay(server, transport);
    const opened =
      lane &&
      new SessionLane(lane, {
        sessionId: id,
        session,
        logger: blueprint.info.name,
        answer: (call, text) => transport.answer(call, text),
        // A client that is gone, or data that is not JSON: neither is the handler's business.
        tell: (call, message) =>
          void transport.send(message as unknown as JSONRPCMessage, { relatedRequestId: call }).catch(() => undefined),
        handOver(message, outcome, caller) {
          const call = message['id'] as MessageId;
          if (!transport.isOpen(call)) return;
          outcomes.set(call, outcome);
          transport.onmessage?.(message as unknown as JSONRPCMessage, caller && { authInfo: toAuthInfo(caller) });
        },
      });
    return new HttpSession(id, server, transport, opened);
  }

  /** False: not for the lean lane; nothing has happened yet. */
  take({ request, inbound, weight, caller, reply }: PlainRequest): boolean {
    const version = request.headers.get('mcp-protocol-version');
    const accept = request.headers.get('accept');
    if (this.#lane === undefined || !this.#isInitialized || this.#transport.isOpen(inbound.id)) return false;
    if (accept === null || !accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false;
    return this.#lane.take({
      inbound,
      caller,
      send: text => reply.sendJson(text),
      begin: () => {
        const canResume = (version ?? '') >= resumableSince;
        this.#transport.begin(inbound.id, { canResume, weight }, reply);
      },
    });
  }

  /** Calls whose answers are not sent yet. */
  get openRequests(): number {
    return this.#transport.openRequests;
  }

  /** False: the first request of the session was refused, so that there is none. */
  serve(request: HttpRequest, body: LegacyBody | undefined, { weight, caller, reply }: Serving): boolean {
    const accept = request.headers.get('accept') ?? '';
    const wanted = body === undefined ? ['text/event-stream'] : ['application/json', 'text/event-stream'];
    const version = request.headers.get('mcp-protocol-version');
    if (request.method === 'DELETE') {
      reply.sendEmpty(200);
      void this.close();
    } else if (!wanted.every(type => accept.includes(type))) {
      reply.sendError(406, `Not Acceptable: Client must accept ${wanted.join(' and ')}`);
    } else if (version !== null && !body?.isInitialize && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      reply.sendError(400, `Bad Request: Unsupported protocol version: ${version}`);
    } else if (body === undefined) {
      this.#transport.listen(request.headers.get('last-event-id'), reply);
    } else {
      return this.#post(body, version ?? '', { weight, caller, reply });
    }
    return this.#isInitialized;
  }

  announce(change: Change): void {
    this.#server.announce(change);
  }

  async close(): Promise<void> {
    this.#lane?.close();
    await this.#server.close();
  }

  #post(body: LegacyBody, version: string, { weight, caller, reply }: Serving): boolean {
    const { messages, ids, cancels, isInitialize } = body;
    const twice = ids.find(id => this.#transport.isOpen(id));
    if (twice !== undefined) {
      reply.sendError(400, `Invalid Request: the id ${twice} is in use`, -32600);
    } else if (isInitialize && (this.#isInitialized || messages.length > 1)) {
      reply.sendError(400, 'Invalid Request: a session is initialized once, and by a message of its own', -32600);
    } else {
      this.#isInitialized = true;
      if (isInitialize && this.#lane !== undefined) this.#lane.client = readInitialize(paramsOf(messages[0]));
      const canResume = (isInitialize ? body.requestedVersion : version) >= resumableSince;
      this.#transport.post({ messages, ids, canResume, weight, authInfo: caller && toAuthInfo(caller) }, reply);
      for (const id of cancels) {
        this.#lane?.cancel(id, reasonFor(id, messages));
        this.#transport.cancel(id);
      }
    }
    return this.#isInitialized;
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
  /** Of the handshake; else empty. */
  readonly requestedVersion: string;
}

const mostMessages = 100;

/**
 * Checks the JSON of a POST. Undefined: there is nothing in it to answer.
 *
 * @example const body = readLegacyBody(JSON.parse(text)); if (body && 'error' in body) refuse(body);
 */
export function readLegacyBody(value: unknown): LegacyBody | Refusal | undefined {
  if (!Array.isArray(value)) return toBody([readForSdk(value)]);
  if (value.length === 0 || value.length > mostMessages) {
    return makeRefusal(null, -32600, `Invalid Request: a batch has 1 to ${mostMessages} messages`);
  }
  return toBody(value.map(readForSdk));
}

function toBody(all: readonly SdkInbound[]): LegacyBody | Refusal | undefined {
  const messages: JSONRPCMessage[] = [];
  const ids: MessageId[] = [];
  const cancels: MessageId[] = [];
  let requestedVersion: string | undefined;
  for (const inbound of all) {
    if (inbound.kind === 'refused') return inbound.refusal;
    if (inbound.kind === 'ignored') continue;
    messages.push(inbound.message);
    if (inbound.kind === 'request') {
      if (ids.includes(inbound.id)) return makeRefusal(inbound.id, -32600, 'Invalid Request: an id is used twice');
      ids.push(inbound.id);
      if (inbound.method === 'initialize') requestedVersion = versionOf(inbound.message);
    } else if (inbound.kind === 'notification' && inbound.cancels !== undefined) {
      cancels.push(inbound.cancels);
    }
  }
  if (messages.length === 0) return undefined;
  const isInitialize = requestedVersion !== undefined;
  return { messages, ids, cancels, isInitialize, requestedVersion: requestedVersion ?? '' };
}

function versionOf(message: JSONRPCMessage): string {
  const version = paramsOf(message)?.['protocolVersion'];
  return typeof version === 'string' ? version : '';
}

function paramsOf(message: JSONRPCMessage | undefined): Readonly<Record<string, unknown>> | undefined {
  return message !== undefined && 'params' in message ? message.params : undefined;
}

/** Why a request is cancelled, as far as its client says. */
function reasonFor(id: MessageId, messages: readonly JSONRPCMessage[]): unknown {
  const cancelling = messages.find(message => paramsOf(message)?.['requestId'] === id);
  return paramsOf(cancelling)?.['reason'];
}

/** The same, but that calls which have come to something already are not made again. */
function withOutcomes(blueprint: Blueprint, outcomes: Map<unknown, Calling>): Blueprint {
  const { surface } = blueprint;
  const callTool: Surface['callTool'] = (name, args, request) => {
    const outcome = outcomes.get(request.id);
    outcomes.delete(request.id);
    return outcome ?? surface.callTool(name, args, request);
  };
  return Object.create(blueprint, { surface: { value: Object.create(surface, { callTool: { value: callTool } }) } });
}
