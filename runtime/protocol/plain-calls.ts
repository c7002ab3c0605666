// In: requests of a connection, or of a session. Out: the answers to those that need no SDK. A call that has begun here ends here, whatever
// it asks.

import type { Client } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { ById } from '../call/by-id.js';
import type { Asking } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-error.js';
import { isImplementation } from './envelope.js';
import { type Era, type Handshake, modernMembers, serverInfoKey } from './handshake.js';
import { type InboundRequest, routeRequest } from './inbound.js';
import type { CallAnswer, CallPort, LoadCalls, Message, MessageId, Session, WireError } from './ports.js';
import { askUntilDone, type ClientQuestions, findUndeclared, toInputRequest } from './questions.js';
import { ClientRequest, type InFlight, PendingCall, type RequestInput, type Wire } from './request.js';

/** A call as it came. */
export interface CallInput extends RequestInput {
  readonly name: string;
  readonly args: unknown;
}

/** Who sent a request. */
export type Sender = Omit<RequestInput, 'id' | 'meta' | 'session'>;

/** What runs calls, and the way back to who made them. */
export interface CallRunner {
  readonly port: CallPort;
  readonly wire: Wire;
  /** Counts calls, for those who wait until there are none. */
  readonly calls?: InFlight | undefined;
}

/** Runs one round. Never fails, and takes no promise more than the call itself. */
export function runRound(
  input: CallInput,
  request: ClientRequest,
  { port, calls }: CallRunner,
  done: (answer: CallAnswer) => void,
): void {
  const era: Era = input.envelope === undefined ? 'legacy' : 'modern';
  calls?.begin();
  // `callTool` never fails.
  void port.callTool(input.name, input.args, request, era).then(answer => {
    request.end();
    done(answer);
    calls?.end();
  });
}

export interface PlainCallsOptions {
  /** Both the SDK and we go by it. */
  readonly session: Session;
  readonly load: LoadCalls;
  readonly calls?: InFlight | undefined;
  wire(port: CallPort): Wire;
  /** To clients of 2025. */
  readonly questions: ClientQuestions;
  /** As it is now; asked for again after each change. */
  handshake(): Handshake;
  /** `text`: the JSON of the answer. */
  answer(id: MessageId, text: string): void;
  report(text: string): void;
}

/** Plain requests of one connection, or of one session. */
export class PlainCalls {
  readonly #options: PlainCallsOptions;
  readonly #pending = new ById<MessageId, PendingCall>();
  #handshake: Handshake | undefined;
  #runner: CallRunner | undefined;
  #loading: Promise<CallRunner> | undefined;

  constructor(options: PlainCallsOptions) {
    this.#options = options;
  }

  /** What the server says about itself. */
  get handshake(): Handshake {
    this.#handshake ??= this.#options.handshake();
    return this.#handshake;
  }

  /** The server has another one now. */
  forgetHandshake(): void {
    this.#handshake = undefined;
  }

  /** The answer to a request, or a call that is to be run; undefined: it is for the SDK, and nothing has happened yet. */
  take(request: InboundRequest, from: Sender): string | CallInput | undefined {
    const { id, meta } = request;
    const { client, auth, isRemote, principal, headers, envelope } = from;
    const era: Era = envelope === undefined ? 'legacy' : 'modern';
    const route = routeRequest(request, era, client, this.handshake);
    switch (route.to) {
      case 'call': {
        const { name, args } = route;
        const session = era === 'legacy' ? this.#options.session : undefined;
        return { id, name, args, client, auth, isRemote, principal, session, headers, meta, envelope };
      }
      case 'client':
        return printResult(id, route.result);
      case 'session':
        this.#options.session.logLevel = route.logLevel;
        return printResult(id, '{}');
      case 'nobody':
        return printError(id, { code: protocolCodes.methodNotFound, message: 'Method not found' });
      case 'sdk':
        return undefined;
      default:
        return route satisfies never;
    }
  }

  call(input: CallInput): void {
    const call = new PendingCall();
    this.#pending.set(input.id, call);
    if (this.#runner !== undefined) {
      this.#run(input, call, this.#runner);
      return;
    }
    this.#loading ??= this.#load();
    this.#loading.then(
      runner => this.#run(input, call, runner),
      () => this.#answer(input, call, { error: internalError }),
    );
  }

  /** False: it is not under way here. */
  cancel(id: MessageId, reason: unknown): boolean {
    const call = this.#pending.get(id);
    if (call === undefined) return false;
    this.#pending.delete(id);
    call.abort(reason);
    return true;
  }

  /** Anyone who cancels this id means another request. */
  forget(id: MessageId): void {
    this.#pending.delete(id);
  }

  /** Aborts what is under way; nobody waits for it any more. */
  close(): void {
    for (const id of this.#pending.keys()) this.#pending.get(id)?.abort(new Error('Connection closed'));
    this.#pending.clear();
  }

  async #load(): Promise<CallRunner> {
    const { load, wire, calls, report } = this.#options;
    try {
      const port = await load();
      this.#runner = { port, wire: wire(port), calls };
      return this.#runner;
    } catch (error) {
      // The next call tries again.
      this.#loading = undefined;
      report(`Tools cannot be loaded: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      throw error;
    }
  }

  #run(input: CallInput, call: PendingCall, runner: CallRunner): void {
    if (call.aborted) return;
    runRound(input, new ClientRequest(input, call, runner.wire), runner, answer => {
      if ('asking' in answer && input.envelope === undefined && !call.aborted) {
        void this.#ask(input, call, runner, answer).then(last => this.#answer(input, call, last));
      } else this.#answer(input, call, answer);
    });
  }

  #answer(input: CallInput, call: PendingCall, answer: CallAnswer): void {
    const { id, client, envelope } = input;
    if (this.#pending.get(id) === call) this.#pending.delete(id);
    if (call.aborted) return;
    const handshake = envelope === undefined ? undefined : this.handshake;
    this.#options.answer(id, printCallAnswer(id, answer, client, handshake).text);
  }

  /** 2025: each question is a request to the client, and with the answers the call is made again. */
  #ask(input: CallInput, call: PendingCall, runner: CallRunner, first: CallAnswer): Promise<CallAnswer> {
    const { id, client } = input;
    const { capabilities } = client;
    return askUntilDone<CallAnswer>(first, {
      ask: async asking => {
        if (call.aborted) return { end: { error: internalError } };
        const asked = await this.#options.questions.ask({ id, asking, capabilities, cancellation: call });
        return 'failure' in asked ? { end: failed(asked.failure) } : asked;
      },
      again: (answers, state) => {
        const request = new ClientRequest(input, call, runner.wire, answers, state);
        return new Promise(resolve => runRound(input, request, runner, resolve));
      },
      tooMany: rounds => failed(`The tool still asked after ${rounds} rounds of questions`),
    });
  }
}

function failed(text: string): CallAnswer {
  const result: CallToolResult = { content: [{ type: 'text', text }], isError: true };
  return { result };
}

// In: what a request came to. Out: the line that answers it.

/** An answer of ours over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** What a client gets to know of what nobody foresaw. */
export const internalError: WireError = Object.freeze({ code: protocolCodes.internalError, message: 'Internal error' });

/** `result` is JSON. */
export function printResult(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${printId(id)},"result":${result}}`;
}

export function printError(id: MessageId, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${printId(id)},"error":${JSON.stringify(error)}}`;
}

/** An answer that the SDK has made. */
export function printMessage(message: Message, id: MessageId): string {
  try {
    return JSON.stringify(message);
  } catch {
    // Too deep or not JSON after all: the request must still be answered.
    return printError(id, internalError);
  }
}

function printId(id: MessageId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

/**
 * The answer to a call, with its status over HTTP.
 *
 * @example printCallAnswer(7, { result: { content: [] } }, client, handshake) // with a handshake: as clients of 2026-07-28 get it
 */
export function printCallAnswer(
  id: MessageId,
  answer: CallAnswer,
  { capabilities }: Pick<Client, 'capabilities'>,
  handshake: Handshake | undefined,
): HttpAnswer {
  if ('result' in answer) return { status: 200, text: printCallResult(id, answer.result, handshake) };
  // In 2025 questions are not an answer.
  const asked = 'asking' in answer && handshake !== undefined ? answer.asking : undefined;
  const error = 'error' in answer ? answer.error : asked && findMissingCapability(asked, capabilities);
  if (error !== undefined)
    return { status: error.code === protocolCodes.missingCapability ? 400 : 200, text: printError(id, error) };
  if (asked === undefined || handshake === undefined) return { status: 200, text: printError(id, internalError) };
  return { status: 200, text: printResult(id, printQuestions(asked, handshake)) };
}

/** A result that cannot be written after all is an error. */
function printCallResult(id: MessageId, result: CallToolResult, handshake: Handshake | undefined): string {
  try {
    return printResult(id, handshake === undefined ? JSON.stringify(result) : printModernResult(result, handshake));
  } catch {
    return printError(id, internalError);
  }
}

/** The JSON of a result of 2026-07-28. */
function printModernResult(result: CallToolResult, handshake: Handshake): string {
  const { _meta } = result;
  if (_meta === undefined && !('resultType' in result)) {
    return `${JSON.stringify(result).slice(0, -1)},${modernMembers(handshake)}}`;
  }
  const own = _meta?.[serverInfoKey];
  const info = isImplementation(own) ? own : (JSON.parse(handshake.info) as unknown);
  return JSON.stringify({ ...result, resultType: 'complete', _meta: { ..._meta, [serverInfoKey]: info } });
}

/** The JSON of the result that asks, in 2026-07-28. */
function printQuestions({ questions, state }: Asking, { info }: Handshake): string {
  const entries = Object.entries(questions).map(([key, question]) => [key, toInputRequest(question)]);
  return JSON.stringify({
    resultType: 'input_required',
    inputRequests: Object.fromEntries(entries),
    requestState: state,
    _meta: { [serverInfoKey]: JSON.parse(info) as unknown },
  });
}

/** A client must not be asked what it has not said it can answer. */
function findMissingCapability({ questions }: Asking, capabilities: unknown): WireError | undefined {
  for (const [key, question] of Object.entries(questions)) {
    const request = toInputRequest(question);
    const requiredCapabilities = findUndeclared(request, capabilities);
    if (requiredCapabilities === undefined) continue;
    const message = `Cannot request input '${key}' (${request.method}): the client did not declare the capability`;
    return { code: protocolCodes.missingCapability, message, data: { requiredCapabilities } };
  }
  return undefined;
}
