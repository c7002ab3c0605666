// In: two pipes, a handshake, and how to load the rest. Out: a connection that serves one client in its era until it leaves. It
// answers handshake, lists and plain calls itself; everything else goes to the SDK. ARCHITECTURE.md says which message goes where.
import type { Client } from '../../schema/support/mcp/client.js';
import { protocolCodes } from '../call/protocol-error.js';
import { waitAtMost } from '../call/wait-at-most.js';
import { type Envelope, readEnvelope, readInitialize, unknownClient } from '../protocol/envelope.js';
import type { Era, Handshake } from '../protocol/handshake.js';
import {
  cancelledId,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  toMessage,
} from '../protocol/inbound.js';
import { internalError, PlainCalls, printError, printMessage } from '../protocol/plain-calls.js';
import type { LoadCalls, LoadSdk, Message, MessageId, Session, WireError } from '../protocol/ports.js';
import { ClientQuestions } from '../protocol/questions.js';
import { forgetRoots, type NotificationPort, openSession, toNotifications } from '../protocol/request.js';
import type { Change } from '../surface/surface.js';
import type { Output } from './lines.js';
import { type Input, LinePipe } from './pipe.js';
import { SdkLink } from './sdk-link.js';

/** Who answers: our own code what it can, or the MCP SDK everything. */
export type ProtocolName = 'own' | 'sdk';

export interface StdioConnectionOptions {
  readonly input: Input;
  readonly output: Output;
  readonly protocol?: ProtocolName | undefined;
  /** As it is now; asked for again after each change. */
  handshake(): Handshake;
  readonly loadCalls: LoadCalls;
  readonly loadSdk: LoadSdk;
  /** For the operator. */
  report(text: string): void;
  /** How long calls may go on after the client has closed its side; default 5000. */
  readonly graceMs?: number | undefined;
  /** The longest message, in bytes; default 10 MiB. */
  readonly maxLineBytes?: number | undefined;
}

export interface StdioConnection {
  /** When the last answer is written and nothing is read any more. */
  readonly closed: Promise<void>;
  /** Reads no more, lets calls finish within the grace time, then ends. */
  close(graceMs?: number): Promise<void>;
  /** C9: tells the client, if it wants to know. */
  announce(change: Change): void;
  /** The process is about to end: every open request gets an error, at once. */
  abandon(reason: string): void;
}

/** What the last answers may take to reach a client that reads slowly. */
const writeMs = 2000;

/**
 * Serves a client over two pipes.
 *
 * @example await openStdioConnection({ input: process.stdin, output, handshake: () => handshake, loadCalls, loadSdk, report }).closed;
 */
export function openStdioConnection(options: StdioConnectionOptions): StdioConnection {
  return new LineConnection(options);
}

class LineConnection implements StdioConnection {
  readonly closed: Promise<void>;
  readonly #options: StdioConnectionOptions;
  readonly #pipe: LinePipe;
  readonly #sdk: SdkLink;
  readonly #calls: PlainCalls;
  readonly #questions: ClientQuestions;
  /** X8: a process has one client, and so one name is enough. */
  readonly #session: Session = openSession('stdio');
  readonly #graceMs: number;
  readonly #opening = new Opening();
  /** The SDK gets everything but calls that have begun here. */
  #isRetired: boolean;
  /** The SDK got something in this turn. */
  #hasPassed = false;
  #ending: Promise<void> | undefined;
  #resolveClosed = (): void => undefined;

  constructor(options: StdioConnectionOptions) {
    const { input, output, maxLineBytes = 10 * 1024 * 1024, graceMs = 5000 } = options;
    this.#options = options;
    this.#graceMs = graceMs;
    this.#isRetired = options.protocol === 'sdk';
    this.closed = new Promise<void>(resolve => {
      this.#resolveClosed = resolve;
    });
    this.#pipe = new LinePipe({
      input,
      output,
      maxLineBytes,
      onMessage: inbound => this.#receive(inbound),
      onEnd: () => void this.close(),
      onGone: () => void this.close(0),
      report: options.report,
    });
    const pipe = this.#pipe;
    this.#sdk = new SdkLink({
      load: options.loadSdk,
      session: this.#session,
      send: message => this.#sendOfSdk(message),
      onFailure: (error, waiting) => this.#sdkFailed(error, waiting),
    });
    this.#questions = new ClientQuestions(message => pipe.write(JSON.stringify(message)));
    this.#calls = new PlainCalls({
      session: this.#session,
      load: options.loadCalls,
      wire: ({ notify }) => {
        const { name: logger } = JSON.parse(this.#calls.handshake.info) as { readonly name: string };
        const send: NotificationPort['send'] = (method, params) =>
          pipe.offer(() => JSON.stringify({ jsonrpc: '2.0', method, params }));
        return toNotifications({ session: this.#session, notify, logger, send });
      },
      questions: this.#questions,
      handshake: () => options.handshake(),
      answer: (id, text) => pipe.answer(id, text),
      report: options.report,
    });
    if (this.#isRetired) this.#sdk.open([]);
    pipe.start();
  }

  announce(change: Change): void {
    this.#calls.forgetHandshake();
    // Who watches a resource, and what clients of 2026-07-28 listen to, only the SDK knows.
    if (this.#isRetired || this.#opening.phase !== 'legacy' || 'uri' in change) {
      if (!this.#sdk.isOpen) return;
      // What came before, such as an end of watching, has its effect in this turn.
      if (this.#hasPassed && !this.#isRetired) setImmediate(() => this.#sdk.announce(change));
      else this.#sdk.announce(change);
      return;
    }
    if (!this.#opening.isReady || this.#calls.handshake.lists[change.list] === undefined) return;
    this.#pipe.note(`{"jsonrpc":"2.0","method":"notifications/${change.list}/list_changed"}`);
  }

  abandon(message: string): void {
    this.#pipe.abandon(id => printError(id, { code: protocolCodes.internalError, message }));
  }

  close(graceMs = this.#graceMs): Promise<void> {
    this.#ending ??= (async () => {
      this.#pipe.stop();
      await waitAtMost(graceMs, this.#pipe.answered());
      this.#questions.close();
      this.#calls.close();
      await this.#sdk.close();
      await waitAtMost(writeMs, this.#pipe.close());
      this.#resolveClosed();
    })();
    return this.#ending;
  }

  #receive(inbound: InboundRequest | InboundNotification | InboundResponse): void {
    try {
      switch (inbound.kind) {
        case 'request':
          if (this.#isRetired || !this.#serve(inbound)) this.#pass(inbound);
          return;
        case 'notification':
          this.#hear(inbound);
          return;
        case 'response':
          if (this.#questions.answer(inbound.id, inbound.message)) return;
          // Before the first request nobody can have asked.
          if (this.#sdk.isOpen) this.#sdk.pass(inbound.message);
          return;
        default:
          inbound satisfies never;
      }
    } catch (error) {
      // Not the caller's fault, and no reason to leave it without an answer.
      this.#options.report(`The connection failed: ${String(error)}`);
      if (inbound.kind === 'request') this.#refuse(inbound.id, internalError);
    }
  }

  /** False: it is for the SDK. */
  #serve(request: InboundRequest): boolean {
    const { id, method } = request;
    const origin = this.#opening.admit(request);
    if (origin === 'unsure') this.#isRetired = true;
    if (origin === 'unsure' || origin === 'sdk') return false;
    const isLegacy = origin === 'legacy';
    const [client, envelope] = isLegacy ? [this.#opening.client, undefined] : [origin.client, origin];
    if (method === 'initialize' && this.#sdk.isOpen) this.#sdk.tell(toMessage(request));
    const taken = this.#calls.take(request, { client, principal: '', envelope });
    if (taken === undefined) return false;
    if (typeof taken === 'string') this.#pipe.answer(id, taken);
    else this.#calls.call(taken);
    return true;
  }

  #hear(inbound: InboundNotification): void {
    const { method, params } = inbound;
    const id = cancelledId(inbound);
    forgetRoots(this.#session, method);
    if (id !== undefined && this.#calls.cancel(id, params?.['reason'])) return;
    if (method === 'notifications/progress' && this.#questions.progress(params?.['progressToken'])) return;
    if (!this.#isRetired && !this.#opening.hear(inbound)) this.#isRetired = true;
    if (this.#sdk.isOpen || this.#isRetired) this.#pass(inbound);
  }

  #pass(inbound: InboundRequest | InboundNotification): void {
    if (!this.#hasPassed && !this.#isRetired) {
      this.#hasPassed = true;
      setImmediate(() => {
        this.#hasPassed = false;
      });
    }
    if (!this.#sdk.isOpen) this.#sdk.open(this.#opening.past());
    // A call of the same id that is under way here can no longer be meant.
    if (inbound.kind === 'request') this.#calls.forget(inbound.id);
    this.#sdk.pass(toMessage(inbound));
  }

  #sendOfSdk(message: Message): void {
    const { id, method } = message;
    if (method === undefined && id !== undefined) {
      this.#pipe.answer(id as MessageId, printMessage(message, id as MessageId));
    } else if (method === 'notifications/message' || method === 'notifications/progress') {
      this.#pipe.offer(() => JSON.stringify(message));
    } else if (id === undefined) {
      this.#pipe.note(JSON.stringify(message));
    } else {
      this.#pipe.write(JSON.stringify(message));
    }
  }

  #sdkFailed(error: unknown, waiting: readonly Message[]): void {
    if (error !== undefined) this.#options.report(`The MCP SDK cannot be loaded: ${String(error)}`);
    for (const { id } of waiting) {
      if (id !== undefined) this.#refuse(id as MessageId, internalError);
    }
  }

  #refuse(id: MessageId, error: WireError): void {
    this.#pipe.answer(id, printError(id, error));
  }
}

/** Where a request comes from: its era, and in 2026-07-28 who sent it. */
type Origin = 'legacy' | Envelope;

/** The first messages of a client decide which era its connection has, exactly as in the SDK. */
class Opening {
  /** `probe`: the client looks around before it decides. */
  phase: 'opening' | 'probe' | Era = 'opening';
  /** Of a handshake. */
  client: Client = unknownClient;
  /** The handshake is over: the client may be notified of changes. */
  isReady = false;
  /** The request that decided, for the SDK to see. */
  #opener: InboundRequest | undefined;

  get #isDecided(): boolean {
    return this.phase === 'legacy' || this.phase === 'modern';
  }

  /**
   * The origin of a request. `sdk`: this one is for the SDK. `unsure`: only the SDK can tell what this does to the
   * connection, so that everything is for it from here on.
   */
  admit(request: InboundRequest): Origin | 'sdk' | 'unsure' {
    const { method, meta, isClaimed } = request;
    const isModern = this.phase === 'modern' || (isClaimed && !this.#isDecided);
    if (!isModern) return this.#admitLegacy(request);
    const envelope = readEnvelope(meta);
    if (this.phase === 'modern') return envelope ?? 'sdk';
    // A mistake decides nothing.
    if (envelope === undefined || method === 'initialize') return 'unsure';
    this.phase = method === 'server/discover' ? 'probe' : 'modern';
    this.#opener = request;
    return envelope;
  }

  /** False: only the SDK can tell what this does to the connection. */
  hear({ method, isClaimed }: InboundNotification): boolean {
    if (!this.#isDecided) {
      // So rare that the SDK may as well take over.
      if (isClaimed && this.phase === 'opening') return false;
      if (!isClaimed) this.phase = 'legacy';
    }
    if (method === 'notifications/initialized' && this.phase === 'legacy') this.isReady = true;
    return true;
  }

  /** What brings the SDK to where the connection is. */
  past(): readonly Message[] {
    const opener = this.#opener;
    switch (this.phase) {
      case 'opening':
        return [];
      case 'probe':
        return opener === undefined ? [] : [toMessage(opener)];
      case 'modern':
        // There is no such method in this era, but it opens one.
        return [{ jsonrpc: '2.0', id: 0, method: 'ping', params: { _meta: opener?.params?.['_meta'] } }];
      case 'legacy':
        return [
          // Whatever says nothing about an era opens the old one, and a handshake may claim the other.
          { jsonrpc: '2.0', method: 'notifications/toolwright/opened' },
          ...(opener?.method === 'initialize' ? [toMessage(opener)] : []),
          ...(this.isReady ? [{ jsonrpc: '2.0', method: 'notifications/initialized' }] : []),
        ];
      default:
        return this.phase satisfies never;
    }
  }

  #admitLegacy(request: InboundRequest): Origin | 'unsure' {
    if (request.method === 'initialize') {
      const client = readInitialize(request.params);
      if (client === undefined) return 'unsure';
      this.client = client;
      this.#opener = request;
    }
    this.phase = 'legacy';
    return 'legacy';
  }
}
