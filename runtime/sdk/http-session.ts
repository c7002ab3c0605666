// In: a blueprint. Out: a session of 2025 over HTTP: one server, its streams, and the calls that are open in it.
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Change } from '../surface/surface.js';
import type { Blueprint } from './blueprint.js';
import type { EventBudget } from './event-log.js';
import type { Reply } from './event-stream.js';
import { shortenWay } from './express-lane.js';
import { type Grant, toAuthInfo } from './grant.js';
import type { HttpRequest } from './http-request.js';
import { cancelledId, type Inbound, type MessageId, makeRefusal, type Refusal, readInbound } from './inbound.js';
import { ManifestServer } from './manifest-server.js';
import { SessionTransport } from './session-transport.js';

export interface SessionOptions {
  readonly id: string;
  readonly budget: EventBudget;
  onClose(): void;
}

/** The first revision whose streams can be resumed from their beginning. */
const resumableSince = '2025-11-25';

export class HttpSession {
  readonly id: string;
  readonly #server: ManifestServer;
  readonly #transport: SessionTransport;
  #isInitialized = false;

  private constructor(id: string, server: ManifestServer, transport: SessionTransport) {
    this.id = id;
    this.#server = server;
    this.#transport = transport;
  }

  static async open(blueprint: Blueprint, { id, budget, onClose }: SessionOptions): Promise<HttpSession> {
    const transport = new SessionTransport(id, budget);
    const server = new ManifestServer(blueprint, 'legacy');
    transport.onclose = onClose;
    await server.connect(transport);
    shortenWay(server, transport);
    return new HttpSession(id, server, transport);
  }

  /** Calls whose answers are not sent yet. */
  get openRequests(): number {
    return this.#transport.openRequests;
  }

  /** False: the first request of the session was refused, so that there is none. */
  serve(request: HttpRequest, body: LegacyBody | undefined, grant: Grant | undefined, reply: Reply): boolean {
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
      return this.#post(body, version ?? '', grant, reply);
    }
    return this.#isInitialized;
  }

  announce(change: Change): void {
    this.#server.announce(change);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #post(body: LegacyBody, version: string, grant: Grant | undefined, reply: Reply): boolean {
    const { messages, ids, cancels, isInitialize } = body;
    const twice = ids.find(id => this.#transport.isOpen(id));
    if (twice !== undefined) {
      reply.sendError(400, `Invalid Request: the id ${twice} is in use`, -32600);
    } else if (isInitialize && (this.#isInitialized || messages.length > 1)) {
      reply.sendError(400, 'Invalid Request: a session is initialized once, and by a message of its own', -32600);
    } else {
      this.#isInitialized = true;
      const canResume = (isInitialize ? body.requestedVersion : version) >= resumableSince;
      this.#transport.post({ messages, ids, canResume, authInfo: grant && toAuthInfo(grant) }, reply);
      for (const id of cancels) this.#transport.cancel(id);
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
  if (!Array.isArray(value)) return toBody([readInbound(value)]);
  if (value.length === 0 || value.length > mostMessages) {
    return makeRefusal(null, -32600, `Invalid Request: a batch has 1 to ${mostMessages} messages`);
  }
  return toBody(value.map(readInbound));
}

function toBody(all: readonly Inbound[]): LegacyBody | Refusal | undefined {
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
    } else if (inbound.kind === 'notification') {
      const id = cancelledId(inbound.message);
      if (id !== undefined) cancels.push(id);
    }
  }
  if (messages.length === 0) return undefined;
  const isInitialize = requestedVersion !== undefined;
  return { messages, ids, cancels, isInitialize, requestedVersion: requestedVersion ?? '' };
}

function versionOf(message: JSONRPCMessage): string {
  const version = 'params' in message ? message.params?.['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : '';
}
