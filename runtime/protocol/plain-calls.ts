// In: plain calls of tools over stdio. Out: their answers on the pipe. A call that has begun here ends here, whatever it asks.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Asking } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-problem.js';
import type { LinePipe } from '../serve/pipe.js';
import type { ClientQuestions } from './client-questions.js';
import type { Envelope } from './envelope.js';
import type { Handshake } from './handshake.js';
import { findUndeclared, toInputRequest } from './input-requests.js';
import type { CallAnswer, CallPort, LoadCalls, MessageId, Session, WireError } from './ports.js';
import { printCallResult, printError, printQuestions, printResult } from './print-answer.js';
import { type CallInput, ClientRequest, PendingCall, type Wire } from './request.js';

export interface DeskOptions {
  readonly pipe: LinePipe;
  readonly questions: ClientQuestions;
  readonly session: Session;
  handshake(): Handshake;
  readonly load: LoadCalls;
  report(text: string): void;
}

/** A tool may ask often; one that never stops is broken. */
const mostRounds = 100;

export class PlainCalls {
  readonly #options: DeskOptions;
  readonly #flights = new Map<MessageId, PendingCall>();
  #port: CallPort | undefined;
  #base: Wire | undefined;
  #loading: Promise<void> | undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  call(input: CallInput): void {
    const flight = new PendingCall(input);
    this.#flights.set(input.id, flight);
    if (this.#port !== undefined && this.#base !== undefined) {
      this.#run(input, flight, this.#port, this.#base);
      return;
    }
    this.#loading ??= this.#load();
    this.#loading.then(
      () => this.#port !== undefined && this.#base !== undefined && this.#run(input, flight, this.#port, this.#base),
      () => this.#land(flight, input, { error: { code: protocolCodes.internalError, message: 'Internal error' } }),
    );
  }

  /** False: it is not under way here. */
  cancel(id: MessageId, reason: unknown): boolean {
    const flight = this.#flights.get(id);
    if (flight === undefined) return false;
    this.#flights.delete(id);
    flight.abort(reason);
    return true;
  }

  /** Anyone who cancels this id means another request. */
  forget(id: MessageId): void {
    this.#flights.delete(id);
  }

  /** Aborts what is under way; nobody waits for it any more. */
  close(): void {
    for (const flight of this.#flights.values()) flight.abort(new Error('Connection closed'));
    this.#flights.clear();
  }

  async #load(): Promise<void> {
    const { load, pipe, session, handshake, report } = this.#options;
    try {
      const port = await load();
      const { name } = JSON.parse(handshake().info) as { readonly name: string };
      this.#base = {
        session,
        notify: port.notify,
        logger: name,
        send: (method, params) => pipe.offer(() => JSON.stringify({ jsonrpc: '2.0', method, params })),
      };
      this.#port = port;
    } catch (error) {
      // The next call tries again.
      this.#loading = undefined;
      report(`Tools cannot be loaded: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      throw error;
    }
  }

  #run(input: CallInput, flight: PendingCall, port: CallPort, base: Wire): void {
    if (flight.aborted) return;
    const request = new ClientRequest(flight, base);
    const era = input.envelope === undefined ? 'legacy' : 'modern';
    // `callTool` never fails.
    void port.callTool(input.name, input.args, request, era).then(answer => {
      request.end();
      if ('asking' in answer && era === 'legacy' && !flight.aborted) {
        void this.#ask(input, flight, answer.asking, port, base).then(last => this.#land(flight, input, last));
      } else this.#land(flight, input, answer);
    });
  }

  #land(flight: PendingCall, { id, envelope }: CallInput, answer: CallAnswer): void {
    if (this.#flights.get(id) === flight) this.#flights.delete(id);
    if (flight.aborted) return;
    const handshake = envelope === undefined ? undefined : this.#options.handshake();
    this.#options.pipe.answer(id, printAnswer(id, answer, handshake, envelope));
  }

  /** 2025: each question is a request to the client, and with the answers the call is made again. */
  async #ask(
    { name, args, client }: CallInput,
    flight: PendingCall,
    first: Asking,
    port: CallPort,
    base: Wire,
  ): Promise<CallAnswer> {
    let asking = first;
    for (let round = 0; round < mostRounds; round += 1) {
      const { capabilities } = client;
      const asked = await this.#options.questions.ask({ asking, capabilities, cancellation: flight });
      if ('failure' in asked) return { result: failed(asked.failure) };
      const request = new ClientRequest(flight, base, asked.answers, asking.state);
      const answer = await port.callTool(name, args, request, 'legacy');
      request.end();
      if (!('asking' in answer) || flight.aborted) return answer;
      asking = answer.asking;
    }
    return { result: failed(`The tool still asked after ${mostRounds} rounds of questions`) };
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** With a handshake: as clients of 2026-07-28 get it. */
function printAnswer(
  id: MessageId,
  answer: CallAnswer,
  handshake: Handshake | undefined,
  envelope: Envelope | undefined,
): string {
  if ('error' in answer) return printError(id, answer.error);
  if ('result' in answer) return printCallResult(id, answer.result, handshake);
  if (handshake === undefined) return printError(id, { code: protocolCodes.internalError, message: 'Internal error' });
  const missing = findMissingCapability(answer.asking, envelope?.client.capabilities);
  return missing === undefined ? printResult(id, printQuestions(answer.asking, handshake)) : printError(id, missing);
}

/** A client must not be asked what it has not said it can answer. */
function findMissingCapability({ questions }: Asking, capabilities: unknown): WireError | undefined {
  for (const [key, question] of Object.entries(questions)) {
    const request = toInputRequest(question);
    const requiredCapabilities = findUndeclared(request, capabilities);
    if (requiredCapabilities === undefined) continue;
    const message = `Cannot request input '${key}' (${request.method}): the client did not declare the capability`;
    return { code: -32021, message, data: { requiredCapabilities } };
  }
  return undefined;
}
