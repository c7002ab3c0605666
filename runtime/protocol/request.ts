// The one Request that calls of a surface take, no matter who sent it: a client over stdio or HTTP, with the SDK or without, code through the
// registry, the other process of `dev`. What differs is the wire. Makes nothing that most calls never ask for.
import type { Auth, Client, Notify } from '../../schema/support/mcp/client.js';
import type { Cancellation, KeptRoots, LogLevel, Request } from '../call/ports.js';
import { logLevels } from './envelope.js';
import type { MessageId, Session } from './ports.js';

/** A request as it came. */
export interface RequestInput {
  readonly id: MessageId;
  readonly client: Client;
  readonly auth?: Auth | undefined;
  /** It came over HTTP. */
  readonly isRemote?: boolean | undefined;
  readonly principal: string;
  /** Of a request of 2025: its connection. */
  readonly session?: Pick<Session, 'id' | 'roots'> | undefined;
  readonly headers?: Request['headers'];
  readonly meta?: Request['meta'];
  /** Of a request of 2026-07-28, which says itself which logs it wants. */
  readonly envelope?: { readonly logLevel: LogLevel | undefined } | undefined;
}

/** The way back to who sent a request, shared by all requests that came over it. */
export interface Wire {
  readonly notify: Notify;
  /** The least level of logs that are taken; undefined: none are. */
  logLevel(input: RequestInput): LogLevel | undefined;
  log(input: RequestInput, level: LogLevel, message: string, data: unknown): void;
  progress(input: RequestInput, done: number, total: number | undefined, message: string | undefined): void;
}

/** What a connection of 2025 begins with. */
export function openSession(id: string | undefined): Session {
  return { id, logLevel: undefined, roots: { answer: undefined, isAsked: false }, tasks: undefined };
}

/** X11: whatever the client named, or is about to name, is old. */
export function forgetRoots({ roots }: Session, method: string): void {
  if (method !== 'notifications/roots/list_changed') return;
  roots.answer = undefined;
  roots.isAsked = false;
}

/** X15: the headers that a server lets through; undefined where there are none of them. */
export function pickHeaders(allowed: readonly string[], headers: HeaderReader): Request['headers'] {
  if (allowed.length === 0) return undefined;
  return Object.fromEntries(
    allowed.flatMap(name => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Names are asked for in lower case; what a client sent twice comes joined, or not at all. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** What a wire to an MCP client needs. */
export interface NotificationPort {
  /** Of a connection of 2025. */
  readonly session: Session;
  readonly notify: Notify;
  /** The name under which logs are sent. */
  readonly logger: string;
  /** May lose it where the client does not read. */
  send(method: string, params: Readonly<Record<string, unknown>>, id: MessageId): void;
}

/** Logs and progress as the protocol has them. */
export function toNotifications({ session, notify, logger, send }: NotificationPort): Wire {
  return {
    notify,
    logLevel: ({ envelope }) => (envelope === undefined ? (session.logLevel ?? 'debug') : envelope.logLevel),
    log({ id }, level, message, data) {
      const params = { level, logger, data: data === undefined ? message : { message, data } };
      send('notifications/message', params, id);
    },
    progress({ id, meta }, done, total, message) {
      const progressToken = meta?.['progressToken'];
      if (progressToken === undefined) return;
      const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      send('notifications/progress', { progressToken, progress: done, ...more }, id);
    },
  };
}

/** To clients that want neither logs nor progress, or that get none. */
export function toSilence({ notify }: Pick<Wire, 'notify'>): Wire {
  return { notify, logLevel: () => undefined, log: () => undefined, progress: () => undefined };
}

type Listener = Parameters<Cancellation['addEventListener']>[1];

/** One call from its request to its answer, over all rounds of questions: whether it is cancelled, and how far it is. */
export class PendingCall implements Cancellation {
  aborted = false;
  reason: unknown;
  /** The largest progress sent so far: the protocol wants it to grow. */
  reached = Number.NEGATIVE_INFINITY;
  /** Nearly always one at most. */
  #listener: Listener | undefined;
  #others: Listener[] | undefined;
  #controller: AbortController | undefined;

  /** Most calls only ever ask whether they are cancelled: a signal costs more than the rest of them. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  get cancellation(): Cancellation {
    return this;
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

/** The same of a call that somebody else can cancel. */
export class SignalledCall {
  readonly signal: AbortSignal;
  reached = Number.NEGATIVE_INFINITY;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  get cancellation(): Cancellation {
    return this.signal;
  }
}

const noAnswers: Request['answers'] = Object.freeze({});

/** One round of a call. */
export class ClientRequest implements Request {
  readonly answers: Request['answers'];
  readonly state: string | undefined;
  readonly #input: RequestInput;
  readonly #call: PendingCall | SignalledCall;
  readonly #wire: Wire;
  /** A handler that goes on after its round must not reach the client any more. */
  #isOpen = true;

  constructor(
    input: RequestInput,
    call: PendingCall | SignalledCall,
    wire: Wire,
    answers: Request['answers'] = noAnswers,
    state?: string,
  ) {
    this.#input = input;
    this.#call = call;
    this.#wire = wire;
    this.answers = answers;
    this.state = state;
  }

  get id(): MessageId {
    return this.#input.id;
  }

  get client(): Client {
    return this.#input.client;
  }

  get auth(): Auth | undefined {
    return this.#input.auth;
  }

  get isRemote(): boolean | undefined {
    return this.#input.isRemote;
  }

  get principal(): string {
    return this.#input.principal;
  }

  get sessionId(): string | undefined {
    return this.#input.session?.id;
  }

  get roots(): KeptRoots | undefined {
    return this.#input.session?.roots;
  }

  get headers(): Request['headers'] {
    return this.#input.headers;
  }

  get meta(): Request['meta'] {
    return this.#input.meta;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get cancellation(): Cancellation {
    return this.#call.cancellation;
  }

  get notify(): Notify {
    return this.#wire.notify;
  }

  end(): void {
    this.#isOpen = false;
  }

  log(level: LogLevel, message: string, data?: unknown): boolean {
    const least = this.#isOpen ? this.#wire.logLevel(this.#input) : undefined;
    if (least === undefined || logLevels.indexOf(level) < logLevels.indexOf(least)) return false;
    this.#wire.log(this.#input, level, message, data);
    return true;
  }

  progress(done: number, total?: number, message?: string): void {
    if (!this.#isOpen || !(done > this.#call.reached)) return;
    this.#call.reached = done;
    this.#wire.progress(this.#input, done, total, message);
  }
}

/** How many calls are running, over all connections of a server: a shutdown waits for them. */
export class InFlight {
  #count = 0;
  #waiters: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** When none is running any more. */
  async idle(): Promise<void> {
    while (this.#count > 0) {
      await new Promise<void>(resolve => {
        this.#waiters.push(resolve);
      });
    }
  }
}
