// One request to another server, for one call of ours. In: a connection. Out: its result. Where a server of 2025 asks something
// meanwhile, the question goes to our client, for which the call is run again from the top: the request waits for that, parked under a name
// that travels with the sealed state of the round.
import { randomUUID } from 'node:crypto';
import { canPass } from '../../call/context/questions.js';
import type { Cancellation, Question } from '../../call/ports.js';
import { messageOf } from '../../call/print-cause.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { CallScope } from '../ports.js';
import type { Asked, Connection, RequestOptions, Waiting } from './connection.js';
import { type Params, wireCodes } from './wire.js';

/** How long a server is kept waiting for an answer. */
const longestParkedMs = 300_000;

/** Requests whose servers wait for an answer, by name. Of one backend. */
export type Parked = Map<string, UpstreamCall>;

export interface OpenQuestion {
  readonly asked: Asked;
  readonly key: string;
  readonly question: Question;
}

type Ending = { readonly result: Params } | { readonly problem: unknown };

export class UpstreamCall implements Waiting {
  scope: CallScope;
  readonly #connection: Connection;
  readonly #parked: Parked;
  readonly #key: string;
  /** Most calls ask nothing. */
  #open: Map<unknown, OpenQuestion> | undefined;
  #id = 0;
  #asked = 0;
  #parkedAs: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ending: Ending | undefined;
  #resolve: ((result: Params) => void) | undefined;
  #reject: ((problem: unknown) => void) | undefined;

  /** `key` is the same for the same request in every round. */
  constructor(connection: Connection, scope: CallScope, parked: Parked, key: string) {
    this.#connection = connection;
    this.scope = scope;
    this.#parked = parked;
    this.#key = key;
  }

  get isAsking(): boolean {
    return this.#open !== undefined && this.#open.size > 0;
  }

  send(method: string, params: RequestOptions['params'], headers?: RequestOptions['headers']): Promise<Params> {
    return this.#follow(() => {
      this.#id = this.#connection.request(method, { params, headers, waiting: this });
    });
  }

  /** The next round of the same call: it brings answers, or asks the same again. */
  rejoin(scope: CallScope): Promise<Params> {
    this.#detach();
    this.scope = scope;
    return this.#follow(() => {
      if (this.#ending !== undefined) this.#finish(this.#ending);
      else for (const question of [...(this.#open?.values() ?? [])]) void this.#ask(question);
    });
  }

  done(result: Params): void {
    this.#finish({ result });
  }

  fail(problem: unknown): void {
    this.#finish({ problem });
  }

  asked(asked: Asked): void {
    const { id, method, params } = asked;
    const question = toQuestion(method, params);
    const { request, questions } = this.scope;
    // A server keeps the folders, and all callers share it: nobody who comes over a network opens folders of this machine for everybody.
    if (question?.kind === 'roots' && (questions?.pass === undefined || request.isRemote === true)) {
      this.#connection.askedAlone(asked, '');
      return;
    }
    if (question === undefined || questions?.pass === undefined || !canPass(question, request)) {
      // As a client answers that cannot do it.
      this.#connection.refuse(id, wireCodes.methodNotFound, `Method not found: ${method}`, this.scope);
      return;
    }
    this.#asked += 1;
    this.adopt({ asked, key: `${this.#key}:${this.#asked}`, question });
  }

  /** It keeps its key, so that nobody is asked twice. */
  adopt(open: OpenQuestion): void {
    this.#open ??= new Map();
    this.#open.set(open.asked.id, open);
    void this.#ask(open);
  }

  /** Another request of the same run has asked something: this one has to wait for the next round, too. */
  hold(): void {
    const { questions } = this.scope;
    if (questions?.pass === undefined || questions.isOver()) return;
    const name = this.#park();
    questions.once(parkedKey(this.#key), () => name).catch(() => undefined);
  }

  takenBack(id: unknown): void {
    this.#open?.delete(id);
  }

  /** Never fails: a question that cannot be asked is answered with that. */
  async #ask({ asked: { id }, key, question }: OpenQuestion): Promise<void> {
    const { scope } = this;
    try {
      const name = this.#park();
      await scope.questions?.once(parkedKey(this.#key), () => name);
      const answer = await scope.questions?.pass?.(key, question);
      if (this.#open?.delete(id) === true) this.#connection.answer(id, answer, scope);
    } catch (error) {
      if (this.#open?.delete(id) === true)
        this.#connection.refuse(id, wireCodes.internalError, messageOf(error), scope);
    }
  }

  #park(): string {
    this.#parkedAs ??= randomUUID();
    this.#parked.set(this.#parkedAs, this);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), longestParkedMs).unref();
    return this.#parkedAs;
  }

  #giveUp(): void {
    this.#forget();
    this.#connection.cancel(this.#id, 'nobody answered');
    this.#handOn();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    if (this.#parkedAs !== undefined) this.#parked.delete(this.#parkedAs);
  }

  #follow(begin: () => void): Promise<Params> {
    const signal = cancellationOf(this.scope);
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        this.#leave(signal.reason);
        reject(signal.reason);
        return;
      }
      this.#resolve = resolve;
      this.#reject = reject;
      signal.addEventListener('abort', this);
      begin();
    });
  }

  /** The signal of the call calls it. */
  handleEvent(): void {
    const { reason } = cancellationOf(this.scope);
    const reject = this.#reject;
    this.#detach();
    this.#leave(reason);
    reject?.(reason);
  }

  #detach(): void {
    cancellationOf(this.scope).removeEventListener('abort', this);
    this.#resolve = undefined;
    this.#reject = undefined;
  }

  /** A call that is run again with an answer comes back; any other is over. */
  #leave(reason: unknown): void {
    if (this.#parkedAs !== undefined && isLeftBehind(reason)) return;
    this.#forget();
    if (this.#id > 0) this.#connection.cancel(this.#id, 'the call was cancelled');
    this.#handOn();
  }

  /** Questions may be about another call than this one, which is over. */
  #handOn(): void {
    const open = this.#open;
    this.#open = undefined;
    for (const one of open?.values() ?? []) if (one.asked.isGuess === true) this.#connection.handOn(one);
  }

  /** What was parked stays there for a while: every further round runs from the top, and comes by here again. */
  #finish(ending: Ending): void {
    this.#ending = ending;
    this.#handOn();
    if (this.#parkedAs !== undefined) {
      this.#park();
      if (this.scope.questions?.isOver() === true) return;
    }
    const resolve = this.#resolve;
    const reject = this.#reject;
    this.#detach();
    if ('result' in ending) resolve?.(ending.result);
    else reject?.(ending.problem);
  }
}

/** Under which the name of a parked request is kept from round to round. */
export function parkedKey(key: string): string {
  return `${key}:parked`;
}

/** The request that an earlier round left waiting. */
export function findParked(parked: Parked, name: string, backend: string): UpstreamCall {
  const found = parked.get(name);
  if (found !== undefined) return found;
  throw new UpstreamFailure('UPSTREAM_UNREACHABLE', `${backend} no longer waits for this answer`, {
    suggestedFix: 'Call again without the answer.',
  });
}

/** To ask for the signal is to make it: not even by taking the call apart. */
function cancellationOf(call: CallScope): Cancellation {
  return call.cancellation ?? call.signal;
}

/** By its name: a built server may have two copies of the class. */
function isLeftBehind(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'LeftBehind';
}

/** A request of a server as a question to a client; undefined where it is not one. */
export function toQuestion(method: unknown, params: Params): Question | undefined {
  switch (method) {
    case 'elicitation/create':
      return { kind: 'elicit', params: withoutToken(params) };
    case 'sampling/createMessage':
      return { kind: 'sample', params: withoutToken(params) };
    case 'roots/list':
      return { kind: 'roots' };
    default:
      return undefined;
  }
}

/** A token for progress belongs to the connection that it came over. */
function withoutToken(params: Params): Params {
  const { _meta, ...rest } = params;
  if (typeof _meta !== 'object' || _meta === null) return params;
  const { progressToken, ...meta } = _meta as Params;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}
