// In: the requests of one session of 2025 over HTTP. Out: lists and plain calls answered on our own `call`; what it is not sure of is the
// SDK's, and so is a call that asks something: it has run already, and its outcome is handed over.
import type { Auth, Client, Notify } from '../../schema/support/mcp/client.js';
import type { Calling, Cancellation, LogLevel, Request } from '../call/ports.js';
import { canElicit } from '../context/can-elicit.js';
import type { Caller } from './caller.js';
import { logLevels, touchesEnvelope } from './envelope.js';
import { answerStatic, hasRelays } from './handshake.js';
import type { CallBase } from './http-call.js';
import { type InboundRequest, toMessage } from './inbound.js';
import type { CallAnswer, Message, MessageId, Session } from './ports.js';
import { printCallResult, printError, printResult } from './print-answer.js';
import { type CallInput, PendingCall } from './request.js';

/** The rest of the session, as far as its lane has to do with it. */
export interface SessionWire {
  readonly sessionId: string;
  /** What both lanes of a session must agree on. */
  readonly session: Session;
  /** The name under which logs are sent. */
  readonly logger: string;
  /** The answer to a call that has begun. */
  answer(id: MessageId, text: string): void;
  /** On the way to the answer. */
  tell(id: MessageId, message: Message): void;
  /** For the SDK, which makes an answer of the outcome. */
  handOver(message: Message, outcome: Calling, caller: Caller | undefined): void;
}

/** What one request needs beside itself. */
export interface SessionRequest {
  readonly inbound: InboundRequest;
  readonly caller: Caller | undefined;
  /** Something can be answered at once. */
  send(text: string): void;
  /** A call begins, whose answer may take a while. */
  begin(): void;
}

export class SessionLane {
  readonly #base: CallBase;
  readonly #wire: SessionWire;
  readonly #calls = new Map<MessageId, SessionCall>();
  /** Of the handshake; undefined: only the SDK can tell who it is. */
  client: Client | undefined;

  constructor(base: CallBase, wire: SessionWire) {
    this.#base = base;
    this.#wire = wire;
  }

  /** False: it is for the SDK. */
  take(request: SessionRequest): boolean {
    const { id, method, params } = request.inbound;
    const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
    // Rounds of one call share what progress they have made, which the SDK's rounds could not know.
    if (meta !== undefined && (touchesEnvelope(meta) || meta['progressToken'] !== undefined)) return false;
    const handshake = this.#base.handshake();
    if (method === 'tools/call') return handshake.lists.tools !== undefined && this.#call(request);
    if (method === 'initialize') return false;
    // What it lists for this client, only the SDK can tell.
    if (this.client === undefined && hasRelays(handshake)) return false;
    const relays = this.client !== undefined && !canElicit(this.client, 'form');
    const result = answerStatic(handshake, method, params, 'legacy', relays);
    if (result === undefined) return false;
    request.send(printResult(id, result));
    return true;
  }

  cancel(id: MessageId, reason: unknown): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.abort(reason);
  }

  close(): void {
    for (const call of this.#calls.values()) call.abort(new Error('Connection closed'));
    this.#calls.clear();
  }

  #call({ inbound, caller, begin }: SessionRequest): boolean {
    const { client } = this;
    const { id, params = {} } = inbound;
    if (client === undefined) return false;
    for (const key in params) if (key !== 'name' && key !== 'arguments' && key !== '_meta') return false;
    const { port, calls } = this.#base;
    const name = params['name'] as string;
    const args = params['arguments'] ?? {};
    const input = { id, name, args, progressToken: undefined, client, envelope: undefined };
    const call = new SessionCall(input, caller, this.#wire, port.notify);
    this.#calls.set(id, call);
    begin();
    calls.begin();
    // `callTool` never fails.
    void port.callTool(name, args, call, 'legacy').then(answer => {
      call.end();
      if (this.#calls.get(id) === call) this.#calls.delete(id);
      if (!call.aborted) this.#land(inbound, answer, caller);
      calls.end();
    });
    return true;
  }

  #land(inbound: InboundRequest, answer: CallAnswer, caller: Caller | undefined): void {
    const { id } = inbound;
    if ('asking' in answer) this.#wire.handOver(toMessage(inbound), Promise.resolve(answer), caller);
    else if ('error' in answer) this.#wire.answer(id, printError(id, answer.error));
    else this.#wire.answer(id, printCallResult(id, answer.result, undefined));
  }
}

const noAnswers: Request['answers'] = Object.freeze({});

class SessionCall extends PendingCall implements Request {
  readonly id: MessageId;
  readonly client: Client;
  readonly auth: Auth | undefined;
  readonly isRemote = true;
  readonly principal: string;
  readonly answers = noAnswers;
  readonly state = undefined;
  readonly notify: Notify;
  readonly #wire: SessionWire;
  /** A handler that goes on after its answer must not reach the client any more. */
  #isOpen = true;

  constructor(input: CallInput, caller: Caller | undefined, wire: SessionWire, notify: Notify) {
    super(input);
    this.id = input.id;
    this.client = input.client;
    this.auth = caller?.auth;
    this.principal = caller?.principal ?? wire.sessionId;
    this.notify = notify;
    this.#wire = wire;
  }

  get cancellation(): Cancellation {
    return this;
  }

  end(): void {
    this.#isOpen = false;
  }

  log(level: LogLevel, message: string, data?: unknown): boolean {
    const { session, logger } = this.#wire;
    if (!this.#isOpen || logLevels.indexOf(level) < logLevels.indexOf(session.logLevel ?? 'debug')) return false;
    const params = { level, logger, data: data === undefined ? message : { message, data } };
    this.#wire.tell(this.id, { jsonrpc: '2.0', method: 'notifications/message', params });
    return true;
  }

  progress(): void {}
}
