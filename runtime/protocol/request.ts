// In: a call of a tool that came over stdio. Out: the Request that calls of a surface take, and how to cancel it. Makes nothing
// that most calls never ask for.
import type { Auth, Client, Notify } from '../../schema/support/mcp/client.js';
import type { Cancellation, LogLevel, Request } from '../call/ports.js';
import { type Envelope, logLevels } from './envelope.js';
import type { MessageId, Session } from './ports.js';

/** What a call needs of its lane. */
export interface Wire {
  /** Of a connection of 2025. */
  readonly session: Session;
  readonly notify: Notify;
  /** The name under which logs are sent. */
  readonly logger: string;
  send(method: string, params: Readonly<Record<string, unknown>>): void;
}

/** A call as it came. */
export interface CallInput {
  readonly id: MessageId;
  readonly name: string;
  readonly args: unknown;
  readonly progressToken: unknown;
  readonly client: Client;
  /** Of a request of 2026-07-28. */
  readonly envelope: Envelope | undefined;
}

type Listener = Parameters<Cancellation['addEventListener']>[1];

/** One call from its request to its answer, over all rounds of questions. */
export class PendingCall implements Cancellation {
  readonly input: CallInput;
  aborted = false;
  reason: unknown;
  /** The largest progress sent so far: the protocol wants it to grow. */
  reached = Number.NEGATIVE_INFINITY;
  /** Nearly always one at most. */
  #listener: Listener | undefined;
  #others: Listener[] | undefined;
  #controller: AbortController | undefined;

  constructor(input: CallInput) {
    this.input = input;
  }

  /** Most calls only ever ask whether they are cancelled: a signal costs more than the rest of them. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
    this.#controller?.abort(this.reason);
    const listeners = [this.#listener, ...(this.#others ?? [])];
    this.#listener = undefined;
    this.#others = undefined;
    for (const listener of listeners) listener?.handleEvent();
  }

  addEventListener(_: 'abort', listener: Listener): void {
    if (this.#listener === undefined) this.#listener = listener;
    else this.#others = [...(this.#others ?? []), listener];
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others = this.#others?.filter(other => other !== listener);
  }
}

const noAnswers: Request['answers'] = Object.freeze({});

/** One round of a call. */
export class ClientRequest implements Request {
  readonly auth: Auth | undefined = undefined;
  readonly principal = '';
  readonly answers: Request['answers'];
  readonly state: string | undefined;
  readonly #flight: PendingCall;
  readonly #base: Wire;
  /** A handler that goes on after its round must not reach the client any more. */
  #isOpen = true;

  constructor(flight: PendingCall, base: Wire, answers = noAnswers, state?: string) {
    this.#flight = flight;
    this.#base = base;
    this.answers = answers;
    this.state = state;
  }

  get id(): MessageId {
    return this.#flight.input.id;
  }

  get client(): Client {
    return this.#flight.input.client;
  }

  get signal(): AbortSignal {
    return this.#flight.signal;
  }

  get cancellation(): Cancellation {
    return this.#flight;
  }

  get notify(): Notify {
    return this.#base.notify;
  }

  end(): void {
    this.#isOpen = false;
  }

  log(level: LogLevel, message: string, data?: unknown): boolean {
    if (!this.#isOpen) return false;
    const { envelope } = this.#flight.input;
    const least = envelope === undefined ? (this.#base.session.logLevel ?? 'debug') : envelope.logLevel;
    if (least === undefined || logLevels.indexOf(level) < logLevels.indexOf(least)) return false;
    const { logger } = this.#base;
    this.#base.send('notifications/message', { level, logger, data: data === undefined ? message : { message, data } });
    return true;
  }

  progress(done: number, total?: number, message?: string): void {
    const { progressToken } = this.#flight.input;
    if (!this.#isOpen || progressToken === undefined || !(done > this.#flight.reached)) return;
    this.#flight.reached = done;
    this.#base.send('notifications/progress', {
      progressToken,
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }
}
