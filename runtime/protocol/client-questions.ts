// In: the questions of a call in 2025. Out: requests to the client, and its answers; or why there are none. As the SDK's shim asks:
// all at once, and the first that fails takes the others back.
import { isMap } from '../../schema/document.js';
import type { Asking, Cancellation, Request } from '../call/ports.js';
import { findUndeclared, type InputRequest, toInputRequest } from './input-requests.js';
import type { Message } from './ports.js';

/** Ids of our own requests begin with it: those of the SDK are numbers, so that an answer finds who asked. */
const prefix = 'lane-';
/** People answer slowly. */
const longestWaitMs = 600_000;

export type Answers = { readonly answers: Request['answers'] } | { readonly failure: string };

interface Waiting {
  settle(message: Message): void;
  fail(error: Error): void;
  restart(): void;
}

interface AskInput {
  readonly asking: Asking;
  readonly capabilities: object;
  readonly cancellation: Cancellation;
}

/** The questions of one connection that wait for the client. */
export class ClientQuestions {
  readonly #send: (message: Message) => void;
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;

  constructor(send: (message: Message) => void) {
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
  async ask({ asking, capabilities, cancellation }: AskInput): Promise<Answers> {
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
      const answers = await Promise.all(
        requests.map(async ([key, request]) => [key, await this.#askOne(request, takeBack)] as const),
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

  #askOne({ method, params }: InputRequest, takeBack: ((reason: unknown) => void)[]): Promise<unknown> {
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
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: told });
        reject(reason instanceof Error ? reason : new Error(String(reason)));
      };
      const timer = setTimeout(() => take(new Error('Request timed out')), longestWaitMs);
      takeBack.push(take);
      this.#waiting.set(id, {
        restart: () => void timer.refresh(),
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
      const asked = { ...params, ...idOfPage(params), _meta: { progressToken: id } };
      this.#send({ jsonrpc: '2.0', id, method, params: asked });
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
