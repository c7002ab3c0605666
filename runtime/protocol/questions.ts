// Questions of a call. One loop for everybody: ask, get the answers, run again from the top. A client of 2025 gets each question as a request,
// as the SDK's shim asks: all at once, and the first that fails takes the others back; in 2026-07-28 they are the result.
import { isMap } from '../../schema/document.js';
import type { Asking, Cancellation, Question, Request } from '../call/ports.js';
import type { Message, MessageId } from './ports.js';

/** A tool may ask often; one that never stops is broken. */
export const mostRounds = 100;

/** How the questions of a call are answered, for `T`, what it comes to. */
export interface Rounds<T> {
  /** `end`: nobody answers, and the call comes to this. */
  ask(asking: Asking): Promise<{ readonly answers: Request['answers'] } | { readonly end: T }>;
  again(answers: Request['answers'], state: string): Promise<T | { readonly asking: Asking }>;
  /** What a call comes to that still asks after so many rounds. */
  tooMany(rounds: number): T;
}

/**
 * Runs a call to its end.
 *
 * @example const { result } = await askUntilDone(await send(first), { ask, again, tooMany });
 */
export async function askUntilDone<T extends object>(
  first: T | { readonly asking: Asking },
  { ask, again, tooMany }: Rounds<T>,
): Promise<T> {
  let outcome = first;
  for (let round = 0; 'asking' in outcome; round += 1) {
    if (round === mostRounds) return tooMany(mostRounds);
    const { asking } = outcome as { readonly asking: Asking };
    const asked = await ask(asking);
    if ('end' in asked) return asked.end;
    outcome = await again(asked.answers, asking.state);
  }
  return outcome as T;
}

export interface InputRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** As 2026-07-28 embeds it into a result, and as a client of 2025 gets it. */
export function toInputRequest(question: Question): InputRequest {
  switch (question.kind) {
    case 'elicit': {
      const mode = question.params['mode'] ?? (question.params['url'] === undefined ? 'form' : 'url');
      return { method: 'elicitation/create', params: { ...question.params, mode } };
    }
    case 'sample':
      return { method: 'sampling/createMessage', params: question.params };
    case 'roots':
      return { method: 'roots/list' };
    default:
      return question satisfies never;
  }
}

/**
 * The capabilities that a request needs and a client has not declared, in the protocol's shape; undefined where all are there.
 *
 * @example findUndeclared({ method: 'roots/list' }, {}) // { roots: {} }
 */
export function findUndeclared({ method, params }: InputRequest, declared: unknown): object | undefined {
  const [name, member] = neededFor(method, params);
  const own = isMap(declared) ? declared[name] : undefined;
  if (own === undefined) return { [name]: member === undefined ? {} : { [member]: {} } };
  if (member === undefined || !isMap(own) || own[member] !== undefined) return undefined;
  // Who says nothing about forms and addresses takes forms.
  if (member === 'form' && own['url'] === undefined) return undefined;
  return { [name]: { [member]: {} } };
}

function neededFor(
  method: string,
  params: InputRequest['params'],
): readonly [capability: string, member: string | undefined] {
  switch (method) {
    case 'elicitation/create':
      return ['elicitation', params?.['mode'] === 'url' ? 'url' : 'form'];
    case 'sampling/createMessage':
      return [
        'sampling',
        params?.['tools'] === undefined && params?.['toolChoice'] === undefined ? undefined : 'tools',
      ];
    default:
      return ['roots', undefined];
  }
}

/** Ids of our own requests begin with it: those of the SDK are numbers, so that an answer finds who asked. */
const prefix = 'question-';
/** People answer slowly. */
const longestWaitMs = 600_000;

export type Answers = { readonly answers: Request['answers'] } | { readonly failure: string };

interface Waiting {
  settle(message: Message): void;
  fail(error: Error): void;
  restart(): void;
}

interface AskInput {
  /** Of the call. */
  readonly id: MessageId;
  readonly asking: Asking;
  readonly capabilities: object;
  readonly cancellation: Cancellation;
}

/** A message that belongs to a call, lost where that is over; undefined: to none. */
type SendForCall = (message: Message, call: MessageId | undefined) => void;

/** T1: a question that belongs to no call. */
interface AskOneInput {
  readonly request: InputRequest;
  /** The open request with whose answer it goes out; undefined: with none. */
  readonly via: MessageId | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Takes it back. There is no other limit to its time. */
  readonly cancellation: Cancellation;
}

/** The questions of one connection that wait for the client. */
export class ClientQuestions {
  readonly #send: SendForCall;
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;

  constructor(send: SendForCall) {
    this.#send = send;
  }

  /** False: nobody here waits for it. */
  answer(id: unknown, message: Message): boolean {
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    waiting?.settle(message);
    return waiting !== undefined;
  }

  /** The client works on an answer. False: not on one of ours. */
  progress(token: unknown): boolean {
    const waiting = typeof token === 'string' ? this.#waiting.get(token) : undefined;
    waiting?.restart();
    return waiting !== undefined;
  }

  /** Nobody is there any more to answer, or to hear of it. */
  close(): void {
    for (const { fail } of [...this.#waiting.values()]) fail(new Error('Connection closed'));
  }

  /** Asks everything, and waits. A call that is cancelled meanwhile has a failure that nobody hears of. */
  async ask({ id, asking, capabilities, cancellation }: AskInput): Promise<Answers> {
    const requests = Object.entries(asking.questions).map(
      ([key, question]) => [key, toInputRequest(question)] as const,
    );
    for (const [key, request] of requests) {
      if (findUndeclared(request, capabilities) === undefined) continue;
      const why = 'the client did not declare the capability that it needs';
      return { failure: `Cannot request input '${key}' (${request.method}): ${why}` };
    }
    const takeBack: ((reason: unknown) => void)[] = [];
    const onAbort = { handleEvent: () => takeBack.forEach(take => void take(cancellation.reason)) };
    cancellation.addEventListener('abort', onAbort);
    try {
      const about = { via: id, meta: {}, waitMs: longestWaitMs };
      const answers = await Promise.all(
        requests.map(async ([key, request]) => [key, await this.#put(request, about, takeBack)] as const),
      );
      return { answers: Object.fromEntries(answers) };
    } catch (error) {
      for (const take of takeBack) take(error);
      const why = error instanceof Error ? error.message : String(error);
      return { failure: `Fulfilling input required by 'tools/call' failed: ${why}` };
    } finally {
      cancellation.removeEventListener('abort', onAbort);
    }
  }

  /** Fails where the client answers with an error, or it is taken back. */
  async askOne({ request, via, meta, cancellation }: AskOneInput): Promise<unknown> {
    const takeBack: ((reason: unknown) => void)[] = [];
    const onAbort = { handleEvent: () => takeBack.forEach(take => void take(cancellation.reason)) };
    cancellation.addEventListener('abort', onAbort);
    try {
      return await this.#put(request, { via, meta, waitMs: undefined }, takeBack);
    } finally {
      cancellation.removeEventListener('abort', onAbort);
    }
  }

  #put(
    { method, params }: InputRequest,
    { via, meta, waitMs }: Pick<AskOneInput, 'via' | 'meta'> & { readonly waitMs: number | undefined },
    takeBack: ((reason: unknown) => void)[],
  ): Promise<unknown> {
    this.#count += 1;
    const id = `${prefix}${this.#count}`;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
      };
      const take = (reason: unknown): void => {
        if (!this.#waiting.has(id)) return;
        done();
        const told = { requestId: id, reason: String(reason) };
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: told }, via);
        reject(reason instanceof Error ? reason : new Error(String(reason)));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(() => take(new Error('Request timed out')), waitMs);
      takeBack.push(take);
      this.#waiting.set(id, {
        restart: () => void timer?.refresh(),
        fail(error) {
          done();
          reject(error);
        },
        settle({ error, result }) {
          done();
          if (isMap(error)) reject(new Error(String(error['message'])));
          else if (isAnswer(method, result)) resolve(result);
          else reject(new Error(`Invalid result for ${method}`));
        },
      });
      const asked = { ...params, ...idOfPage(params), _meta: { ...meta, progressToken: id } };
      this.#send({ jsonrpc: '2.0', id, method, params: asked }, via);
    });
  }
}

/** Clients of 2025 want a name for a page that a user is sent to. */
function idOfPage(params: InputRequest['params']): { readonly elicitationId?: string } {
  if (params?.['mode'] !== 'url' || params['elicitationId'] !== undefined) return {};
  return { elicitationId: crypto.randomUUID() };
}

/** What is inside is looked at by the call, which knows what it asked. */
function isAnswer(method: string, result: unknown): boolean {
  if (!isMap(result)) return false;
  const { action, content, roots, role, model } = result;
  switch (method) {
    case 'elicitation/create':
      return (
        (action === 'accept' || action === 'decline' || action === 'cancel') &&
        (content === undefined || content === null || (isMap(content) && Object.values(content).every(isValue)))
      );
    case 'sampling/createMessage':
      return (role === 'user' || role === 'assistant') && typeof model === 'string' && typeof content === 'object';
    default:
      return Array.isArray(roots) && roots.every(isRoot);
  }
}

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isRoot(root: unknown): boolean {
  if (!isMap(root)) return false;
  const { uri, name } = root;
  return typeof uri === 'string' && uri.startsWith('file://') && (name === undefined || typeof name === 'string');
}
