// One connection to another server, of either era. In: a link. Out: requests under ids of our own, each answered exactly once; what the
// server says by itself goes to the calls that it belongs to, or to the backend.
import { isMap } from '../../../schema/document.js';
import { ProtocolError } from '../../call/protocol-error.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { CallScope } from '../ports.js';
import { type Link, type LinkEvents, NeverSent, type Outgoing, type Sender } from './link.js';
import type { OpenQuestion } from './upstream-call.js';
import { Waits } from './waits.js';
import { type Message, type Params, type ServerFacts, wireCodes } from './wire.js';

/** Who waits for an answer. Either of `done` and `fail` is called, once. */
export interface Waiting {
  /** Undefined: the request is not of a call. */
  readonly scope: CallScope | undefined;
  /** Somebody thinks about a question of the server: that takes as long as it takes. */
  readonly isAsking?: boolean;
  done(result: Params): void;
  fail(problem: unknown): void;
  /** The server asks something while it works on this. */
  asked?(question: Asked): void;
  /** A question that another one was taken to have led to, which is over. */
  adopt?(question: OpenQuestion): void;
  /** The server asks something by another request of the same run of a handler. */
  hold?(): void;
  /** The server no longer wants to know. */
  takenBack?(id: unknown): void;
}

/** A request of the server. */
export interface Asked {
  readonly id: unknown;
  readonly method: string;
  readonly params: Params;
  /** Nothing says which request it belongs to: over a pipe it is taken to be about the newest. */
  readonly isGuess?: boolean;
}

/** What is not the business of a single call. */
export interface ConnectionEvents {
  notified(method: string, params: Params, callers: readonly CallScope[]): void;
  /** No call is under way that it could belong to. `refusal`: why, in the protocol's words. */
  asked(connection: Connection, question: Asked, refusal: string): void;
  gone(connection: Connection, failure: unknown): void;
}

export interface ConnectionInput {
  readonly name: string;
  readonly timeoutMs: number;
  /** It has to start, however long that takes. */
  readonly isProcess: boolean;
  readonly events: ConnectionEvents;
  redact(text: string): string;
  open(events: LinkEvents): Link;
}

export interface RequestOptions extends Pick<Outgoing, 'headers' | 'isListening' | 'sender'> {
  /** Made of the id: a token for progress is the id itself. */
  readonly params: (id: number) => Params | undefined;
  readonly waiting: Waiting;
}

export class Connection implements LinkEvents {
  /** Set once both sides have introduced themselves. */
  facts: ServerFacts | undefined;
  readonly #input: ConnectionInput;
  readonly #link: Link;
  readonly #waits: Waits<Waiting>;
  #ids = 0;
  #failure: unknown;

  constructor(input: ConnectionInput) {
    this.#input = input;
    this.#waits = new Waits(input.timeoutMs, (id, waiting) => this.#expire(id, waiting));
    this.#link = input.open(this);
  }

  get isGone(): boolean {
    return this.#failure !== undefined;
  }

  settle(facts: ServerFacts): void {
    this.facts = facts;
    this.#link.settle(facts);
  }

  /** Gives the id, by which it can be cancelled. */
  request(method: string, { params: make, waiting, headers, isListening, sender }: RequestOptions): number {
    this.#ids += 1;
    const id = this.#ids;
    if (this.#failure !== undefined) {
      waiting.fail(this.#lost(waiting, true));
      return id;
    }
    const params = make(id);
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const isStarting = this.#input.isProcess && this.facts === undefined;
    this.#waits.add(id, waiting, isListening !== true && !isStarting);
    this.#link.send({ text, id, method, params, headers, sender: waiting.scope ?? sender, isListening });
    return id;
  }

  notify(method: string, params: Params | undefined, sender?: Sender): void {
    this.#link.send({ text: JSON.stringify({ jsonrpc: '2.0', method, params }), method, params, sender });
  }

  answer(id: unknown, result: unknown, sender?: Sender): void {
    this.#link.send({ text: JSON.stringify({ jsonrpc: '2.0', id, result }), sender });
  }

  refuse(id: unknown, code: number, message: string, sender?: Sender): void {
    this.#link.send({ text: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }), sender });
  }

  /** Nobody waits any more: the server may stop. */
  cancel(id: number, reason: string): void {
    const waiting = this.#waits.take(id);
    if (waiting !== undefined) this.#stop(id, reason, waiting.scope);
  }

  async close(): Promise<void> {
    // Before the link: what is under way fails with these words, however the link ends.
    this.gone(new UpstreamFailure('UPSTREAM_UNREACHABLE', `${this.#input.name} was closed`), new Set());
    await this.#link.close();
  }

  message(message: Message, of?: number): void {
    const { id, method } = message;
    if (typeof method === 'string') {
      const params = isMap(message['params']) ? message['params'] : {};
      if (id === undefined) this.#notified(method, params, of);
      else this.#asked({ id, method, params }, of);
      return;
    }
    // What nobody waits for was cancelled, or answered before.
    const waiting = typeof id === 'number' ? this.#waits.take(id) : undefined;
    if (waiting === undefined) return;
    const { result, error } = message;
    if (isMap(result)) waiting.done(result);
    else if (isMap(error)) waiting.fail(this.#problemOf(error));
    else waiting.fail(new UpstreamFailure('UPSTREAM_INVALID', `${this.#input.name} answered without a result`));
  }

  failed(id: number, failure: unknown): void {
    this.#waits.take(id)?.fail(failure);
  }

  gone(failure: unknown, unsent: ReadonlySet<number>): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    // First, so that what is sent again finds the next connection.
    this.#input.events.gone(this, failure);
    for (const [id, waiting] of this.#waits.takeAll()) waiting.fail(this.#lost(waiting, unsent.has(id)));
  }

  /** A call may be sent over another connection; what the connection itself has to say may not. */
  #lost({ scope }: Waiting, isUnsent: boolean): unknown {
    return isUnsent && scope !== undefined ? new NeverSent() : this.#failure;
  }

  #expire(id: number, waiting: Waiting): void {
    const { name, timeoutMs } = this.#input;
    this.#stop(id, 'too slow', waiting.scope);
    waiting.fail(new UpstreamFailure('UPSTREAM_TIMEOUT', `${name} did not answer within ${timeoutMs} ms`));
  }

  #stop(id: number, reason: string, sender: Sender | undefined): void {
    if (!this.#link.drop(id)) this.notify('notifications/cancelled', { requestId: id, reason }, sender);
  }

  /** As the server put it: clients get the same error. */
  #problemOf({ code, message, data }: Params): ProtocolError {
    const { redact } = this.#input;
    const text = typeof message === 'string' ? redact(message) : `${this.#input.name} answered with an error`;
    return new ProtocolError(
      Number.isInteger(code) ? Number(code) : wireCodes.internalError,
      text,
      clean(data, redact),
    );
  }

  #notified(method: string, params: Params, of: number | undefined): void {
    switch (method) {
      case 'notifications/progress':
        this.#progressed(params);
        return;
      case 'notifications/cancelled':
        for (const waiting of this.#waits.all()) waiting.takenBack?.(params['requestId']);
        return;
      default:
        this.#input.events.notified(method, params, this.#callers(of));
    }
  }

  #progressed({ progressToken, progress, total, message }: Params): void {
    const waiting = typeof progressToken === 'number' ? this.#waits.restart(progressToken) : undefined;
    if (waiting?.scope === undefined || typeof progress !== 'number') return;
    const text = typeof message === 'string' ? message : undefined;
    waiting.scope.progress(progress, typeof total === 'number' ? total : undefined, text);
  }

  /** Those that something may be about which names no call: all, if they are of one caller, else none. */
  #callers(of: number | undefined): readonly CallScope[] {
    const known = of === undefined ? undefined : this.#waits.get(of)?.scope;
    if (known !== undefined) return [known];
    const scopes = [...this.#waits.all()].flatMap(({ scope }) => (scope === undefined ? [] : [scope]));
    return scopes.every(scope => isSameCaller(scope, scopes[0])) ? scopes : [];
  }

  /** A question that no call can take. */
  askedAlone(question: Asked, refusal: string): void {
    this.#input.events.asked(this, question, refusal);
  }

  #asked(question: Asked, of: number | undefined): void {
    if (question.method === 'ping') {
      this.answer(question.id, {});
      return;
    }
    const known = of === undefined ? undefined : this.#waits.get(of);
    if (known?.asked !== undefined) this.#give(question, [known], one => one.asked?.(question));
    else {
      const guess = { ...question, isGuess: true };
      this.#give(guess, this.#asking(), one => one.asked?.(guess));
    }
  }

  /** The call that it was taken to be about is over: it may be about another one. */
  handOn(open: OpenQuestion): void {
    this.#give(open.asked, this.#asking(), one => one.adopt?.(open));
  }

  /** Those whose work may lead to questions. */
  #asking(): readonly Waiting[] {
    return [...this.#waits.all()].filter(({ asked }) => asked);
  }

  #give(question: Asked, candidates: readonly Waiting[], give: (waiting: Waiting) => void): void {
    const last = candidates.at(-1);
    // Nobody must be asked what another one's call has led to.
    if (last !== undefined && candidates.every(({ scope }) => isSameCaller(scope, last.scope))) {
      for (const waiting of this.#waits.all()) if (waiting.scope === last.scope && waiting !== last) waiting.hold?.();
      give(last);
    } else {
      const why = last === undefined ? 'no call is under way' : 'calls of several users are under way';
      this.askedAlone(question, `Nobody can be asked: ${why}`);
    }
  }
}

/** Without a name, those who came over a network may be anybody. */
function isSameCaller(one: CallScope | undefined, other: CallScope | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  const { principal, isRemote, sessionId } = one.request;
  if (principal !== other.request.principal || sessionId !== other.request.sessionId) return false;
  return isRemote !== true || principal !== '' || sessionId !== undefined;
}

/** Data of an error, without secrets. */
function clean(data: unknown, redact: (text: string) => string): unknown {
  if (data === undefined) return undefined;
  const text = JSON.stringify(data);
  const redacted = redact(text);
  if (redacted === text) return data;
  try {
    return JSON.parse(redacted);
  } catch {
    return undefined;
  }
}
