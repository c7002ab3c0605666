// In: a blueprint. Out: a session of 2025 over HTTP: one server, its streams, and the calls that are open in it. Lists and plain calls
// are answered without the SDK; whatever is odd is the SDK's.
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Client } from '../../schema/support/mcp/client.js';
import type { Caller, Weight } from '../protocol/caller.js';
import { readInitialize } from '../protocol/envelope.js';
import type { Reply } from '../protocol/event-log.js';
import { legacyVersion, taskCapability, taskVersion } from '../protocol/handshake.js';
import type { InboundRequest } from '../protocol/inbound.js';
import { PlainCalls } from '../protocol/plain-calls.js';
import type { PlainBase } from '../protocol/plain-http.js';
import type { MessageId, Session } from '../protocol/ports.js';
import { ClientQuestions } from '../protocol/questions.js';
import { forgetRoots, type HeaderReader, openSession, pickHeaders, toNotifications } from '../protocol/request.js';
import type { Change } from '../surface/surface.js';
import type { Blueprint } from './blueprint.js';
import { shortenWay } from './dispatch-shortcut.js';
import { type LegacyBody, toLegacyBody } from './inbound.js';
import { ManifestServer } from './manifest-server.js';
import { toAuthInfo } from './request.js';
import { type SessionShare, SessionTransport } from './session-transport.js';

export interface SessionOptions {
  readonly id: string;
  readonly share: SessionShare;
  /** What plain requests need; undefined: everything goes through the SDK. */
  readonly plain: PlainBase | undefined;
  onClose(): void;
}

/** What is known of a request beside what it says. */
export interface Serving {
  readonly headers: HeaderReader;
  /** What it costs as long as it is not answered. */
  readonly weight: Weight;
  readonly caller: Caller | undefined;
  readonly reply: Reply;
}

/** The first revision whose streams can be resumed from their beginning. */
const resumableSince = '2025-11-25';

export class HttpSession {
  readonly id: string;
  readonly #server: ManifestServer;
  readonly #transport: SessionTransport;
  readonly #plain: PlainBase | undefined;
  readonly #questions: ClientQuestions;
  readonly #calls: PlainCalls;
  /** Both the SDK and we go by it. */
  readonly #session: Session;
  /** Names of headers that handlers see. */
  readonly #allowed: readonly string[];
  /** Of the handshake; undefined: only the SDK can tell who it is. */
  #client: Client | undefined;
  #isInitialized = false;

  private constructor(blueprint: Blueprint, { id, share, plain, onClose }: SessionOptions) {
    this.id = id;
    this.#plain = plain;
    this.#session = openSession(id);
    this.#allowed = blueprint.surface.requestHeaders;
    const transport = new SessionTransport(id, share);
    this.#transport = transport;
    transport.onclose = onClose;
    transport.onlost = () => this.#calls.tasks.lookLater();
    this.#server = new ManifestServer(blueprint, 'legacy', { session: this.#session });
    // A client that is gone, or data that is not JSON: neither is the handler's business.
    const send = (message: object, call: MessageId | undefined): void =>
      void transport
        .send(message as JSONRPCMessage, call === undefined ? {} : { relatedRequestId: call })
        .catch(() => undefined);
    this.#questions = new ClientQuestions(send);
    this.#calls = new PlainCalls({
      session: this.#session,
      load: async () => (plain as PlainBase).port,
      calls: plain?.calls,
      wire: ({ notify }) =>
        toNotifications({
          session: this.#session,
          notify,
          logger: blueprint.info.name,
          send: (method, params, call) => send({ jsonrpc: '2.0', method, params }, call),
        }),
      questions: this.#questions,
      way: { reaches: via => transport.reaches(via), offer: send },
      handshake: () => (plain as PlainBase).handshake(),
      answer: (call, text) => transport.answer(call, text),
      report: text => blueprint.surface.services.report(text),
    });
  }

  static async open(blueprint: Blueprint, options: SessionOptions): Promise<HttpSession> {
    const session = new HttpSession(blueprint, options);
    await session.#server.connect(session.#transport);
    shortenWay(session.#server, session.#transport);
    return session;
  }

  /** Calls whose answers are not sent yet. */
  get openRequests(): number {
    return this.#transport.openRequests;
  }

  /** A POST. False: the first request of the session was refused, so that there is none. */
  post(body: InboundRequest | LegacyBody, serving: Serving): boolean {
    const { headers, reply } = serving;
    const version = headers.get('mcp-protocol-version');
    const isInitialize = 'isInitialize' in body && body.isInitialize;
    const fits = accepts(serving, ['application/json', 'text/event-stream']) && (isInitialize || this.#knows(serving));
    if (!fits) return this.#isInitialized;
    if ('isInitialize' in body) return this.#pass(body, version ?? '', serving);
    if (this.#take(body, version ?? '', serving)) return true;
    const checked = toLegacyBody([body]);
    if (checked === undefined) reply.sendEmpty(202);
    else if ('error' in checked) reply.sendJson(JSON.stringify(checked));
    else return this.#pass(checked, version ?? '', serving);
    return this.#isInitialized;
  }

  /** A GET. */
  listen(serving: Serving): void {
    if (!accepts(serving, ['text/event-stream']) || !this.#knows(serving)) return;
    this.#transport.listen(serving.headers.get('last-event-id'), serving.reply);
    this.#calls.tasks.look();
  }

  /** The server is about to end: who waits for a task hears so. */
  leave(): void {
    this.#calls.tasks.leave();
  }

  announce(change: Change): void {
    this.#calls.forgetHandshake();
    this.#server.announce(change);
  }

  async close(): Promise<void> {
    this.#questions.close();
    this.#calls.close();
    await this.#server.close();
  }

  /** Whether the revision is one of those with sessions; else the client hears of it. */
  #knows({ headers, reply }: Serving): boolean {
    const version = headers.get('mcp-protocol-version');
    if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return true;
    reply.sendError(400, `Bad Request: Unsupported protocol version: ${version}`);
    return false;
  }

  /** False: it is for the SDK; nothing has happened yet. */
  #take(inbound: InboundRequest, version: string, { headers, weight, caller, reply }: Serving): boolean {
    const { id, method } = inbound;
    const client = this.#client;
    if (this.#plain === undefined || client === undefined || method === 'initialize') return false;
    if (this.#transport.isOpen(id)) return false;
    const { auth, principal = this.id } = caller ?? {};
    const seen = pickHeaders(this.#allowed, headers);
    const owner = caller?.principal ?? '';
    const taken = this.#calls.take(inbound, { client, auth, principal, owner, headers: seen, isRemote: true });
    if (taken === undefined) return false;
    if (typeof taken === 'string') {
      reply.sendJson(taken);
    } else {
      this.#transport.begin(id, { canResume: version >= resumableSince, weight }, reply);
      this.#calls.call(taken);
    }
    return true;
  }

  #pass(body: LegacyBody, version: string, { headers, weight, caller, reply }: Serving): boolean {
    const { ids, cancels, isInitialize } = body;
    const twice = ids.find(id => this.#transport.isOpen(id));
    if (twice !== undefined) {
      reply.sendError(400, `Invalid Request: the id ${twice} is in use`, -32600);
    } else if (isInitialize && (this.#isInitialized || body.messages.length > 1)) {
      reply.sendError(400, 'Invalid Request: a session is initialized once, by a separate message', -32600);
    } else {
      this.#isInitialized = true;
      if (isInitialize) {
        this.#client = readInitialize(paramsOf(body.messages[0]));
        this.#offerTasks(body.requestedVersion, caller);
      }
      for (const message of body.messages) if ('method' in message) forgetRoots(this.#session, message.method);
      const messages = body.messages.filter(message => !this.#isAnswer(message));
      const canResume = (isInitialize ? body.requestedVersion : version) >= resumableSince;
      const extra = { request: { headers } as Request, ...(caller && { authInfo: toAuthInfo(caller) }) };
      this.#transport.post({ messages, ids, canResume, weight, extra }, reply);
      for (const { id, reason } of cancels) {
        this.#calls.cancel(id, reason);
        this.#transport.cancel(id);
      }
    }
    return this.#isInitialized;
  }

  /** T1: the SDK answers the handshake, and knows nothing of tasks: those are our own, as is what it says of them. */
  #offerTasks(wanted: string, caller: Caller | undefined): void {
    const isOffered = this.#client !== undefined && this.#plain?.handshake().tasks !== undefined;
    if (!isOffered || legacyVersion(wanted) !== taskVersion) return;
    // Everybody with the same token, or with none, is one: their lists would be one as well.
    const offer = { canList: caller !== undefined && !caller.isShared };
    this.#session.tasks = offer;
    this.#transport.capabilities = { tasks: taskCapability(offer) };
  }

  /** Whether it answers a question of ours, or says that the client works on one. */
  #isAnswer(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return this.#questions.answer(message.id, { ...message });
    if (message.method !== 'notifications/progress') return false;
    return this.#questions.progress(paramsOf(message)?.['progressToken']);
  }
}

/** Whether the client takes all of these; else it hears of it. */
function accepts({ headers, reply }: Serving, wanted: readonly string[]): boolean {
  const accept = headers.get('accept') ?? '';
  if (wanted.every(type => accept.includes(type))) return true;
  reply.sendError(406, `Not Acceptable: Client must accept ${wanted.join(' and ')}`);
  return false;
}

function paramsOf(message: JSONRPCMessage | undefined): Readonly<Record<string, unknown>> | undefined {
  return message !== undefined && 'params' in message ? message.params : undefined;
}
