// X10. The main thread's end of one thread that runs handlers. In: tasks. Out: their answers; what a handler asks on its way is done by
// the context of its call. A call that nobody waits for any more gets a moment to end by itself; then its thread is ended.
import type { ToolContext } from '../../../schema/support/mcp/context.js';
import type { ServedTool } from '../ports.js';
import { ToolError } from '../tool-error.js';
import { waitAtMost } from '../wait-at-most.js';
import { SentCalls } from './calls.js';
import { Errors } from './errors.js';
import type { Answer, CallData, FromThread, Task, ToThread, Wish } from './messages.js';

/** What is needed of a worker thread. */
export interface ThreadWorker {
  postMessage(message: ToThread): void;
  on(event: 'message', listen: (message: FromThread) => void): unknown;
  on(event: 'error', listen: (error: unknown) => void): unknown;
  on(event: 'exit', listen: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

/** What a task is done for. */
interface About {
  readonly name: string;
  readonly isRead: boolean;
  /** Its number. */
  readonly tool?: number | undefined;
  readonly ctx?: ToolContext | undefined;
}

export interface ThreadEvents {
  report(text: string): void;
  onGone(thread: Thread): void;
}

/** A thread that does not hear that its call is over is in a loop, or blocked. */
const hearMs = 100;
/** For a handler that hears it: enough to undo something, too little to be in the way. */
const graceMs = 1000;
/** What loads code or builds what handlers share is not ended for one impatient call: the next would have to start it again. */
const loadMs = 30_000;
const disposeMs = 3000;

export class Thread {
  /** The tools that it has heard of. */
  readonly known = new Set<number>();
  /** Those whose handlers it has loaded. */
  readonly #loaded = new Set<number>();
  /** It takes no more calls. */
  isEnding = false;
  readonly #worker: ThreadWorker;
  readonly #events: ThreadEvents;
  readonly #sent = new SentCalls<About>();
  readonly #errors = new Errors('main');
  readonly #exited: Promise<void>;
  readonly #closed: Promise<void>;
  #wasClosed: () => void = () => undefined;
  #cause: unknown;
  #late: NodeJS.Timeout | undefined;

  constructor(worker: ThreadWorker, events: ThreadEvents) {
    this.#worker = worker;
    this.#events = events;
    worker.unref();
    worker.on('message', message => this.#receive(message));
    worker.on('error', error => {
      this.#cause = error;
    });
    this.#closed = new Promise(resolve => {
      this.#wasClosed = resolve;
    });
    this.#exited = new Promise(resolve => {
      worker.on('exit', code => {
        this.#end(code);
        resolve();
      });
    });
  }

  async run(body: Exclude<Task, { task: 'effect' }>, about: About, signal: AbortSignal): Promise<unknown> {
    this.#errors.forget();
    this.#worker.ref();
    try {
      return await this.#sent.send(about, signal, {
        post: call => this.#post(call, body, about),
        cancel: call => {
          this.#worker.postMessage({ type: 'cancel', call, reason: this.#errors.carry(signal.reason) });
          this.#killAfter(this.#loaded.has(body.tool) ? hearMs : loadMs);
        },
      });
    } finally {
      clearTimeout(this.#late);
      this.#worker.unref();
    }
  }

  /** Lets it dispose of what it has built. */
  async close(): Promise<void> {
    this.isEnding = true;
    this.#events.onGone(this);
    this.#worker.postMessage({ type: 'close' });
    await waitAtMost(disposeMs, Promise.race([this.#exited, this.#closed]));
    this.kill();
    await this.#exited;
  }

  /** Ends it, whatever it does. */
  kill(): void {
    this.isEnding = true;
    this.#events.onGone(this);
    void this.#worker.terminate();
  }

  #killAfter(milliseconds: number): void {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.kill(), milliseconds);
  }

  #post(call: number, body: Task, { name }: About): void {
    try {
      this.#worker.postMessage({ type: 'call', call, body });
      if (body.task !== 'effect') this.known.add(body.tool);
    } catch (cause) {
      throw new TypeError(
        `${name} runs in a thread (isolate: thread), and something that it is called with cannot be sent there`,
        {
          cause,
        },
      );
    }
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'answer':
        this.#sent.answer(message.call, message.answer);
        return;
      case 'problem':
        this.#sent.fail(message.call, this.#errors.revive(message.problem));
        return;
      case 'wishes':
        for (const wish of message.wishes) void this.#grant(wish.call, wish);
        return;
      case 'heard':
        if (this.#loaded.has(this.#sent.about(message.call)?.tool ?? 0)) this.#killAfter(graceMs);
        return;
      case 'loaded':
        this.#loaded.add(message.tool);
        return;
      case 'log':
        this.#context(message.call)?.log[message.level](message.message, message.data);
        return;
      case 'progress':
        this.#context(message.call)?.progress(message.done, message.total, message.message);
        return;
      case 'note':
        this.#context(message.call)?.task?.note(message.text);
        return;
      case 'notify': {
        const notify = this.#context(message.call)?.notify;
        if (message.what === 'resourceUpdated') notify?.resourceUpdated(message.uri ?? '');
        else notify?.[message.what]();
        return;
      }
      case 'closed':
        this.#wasClosed();
        return;
      case 'report':
        this.#events.report(message.text);
        return;
      default:
        message satisfies never;
    }
  }

  /** Undefined: the call is over, and whatever is left of its handler is not heard. */
  #context(call: number): ToolContext | undefined {
    return this.#sent.about(call)?.ctx;
  }

  async #grant(call: number, wish: Wish): Promise<void> {
    const ctx = this.#context(wish.of);
    if (ctx === undefined) return;
    const answer = await grant(wish, ctx, () => this.#effect(call)).then(
      (value): Answer => ({ type: 'answer', call, answer: value }),
      (error): Answer => ({ type: 'problem', call, problem: this.#errors.carry(error) }),
    );
    this.#worker.postMessage(answer);
  }

  #effect(effect: number): Promise<unknown> {
    const about = { name: 'ctx.once', isRead: false };
    return this.#sent.send(about, new AbortController().signal, {
      post: call => this.#worker.postMessage({ type: 'call', call, body: { task: 'effect', effect } }),
      cancel: () => undefined,
    });
  }

  #end(code: number): void {
    const isAwaited = this.isEnding;
    this.isEnding = true;
    this.#events.onGone(this);
    const isIdle = this.#sent.isIdle;
    this.#sent.failAll(about => this.#goneWith(about, code));
    if (isIdle && !isAwaited) this.#events.report(`a thread that runs handlers ended: ${this.#why(code)}`);
  }

  #goneWith({ name, isRead }: About, code: number): ToolError {
    return new ToolError(`${name} was not answered: the thread that ran it ended`, {
      code: 'THREAD_ENDED',
      status: 500,
      // What it had done by then nobody knows.
      retryable: isRead,
      cause: this.#cause ?? this.#why(code),
    });
  }

  #why(code: number): string {
    return this.#cause === undefined ? `exit code ${code}` : String(this.#cause);
  }
}

/** The context of the call does what its handler wishes; it answers nothing that is left open. */
async function grant({ wish, params }: Wish, ctx: ToolContext, effect: () => Promise<unknown>): Promise<unknown> {
  const [first, second] = params as [string, never];
  switch (wish) {
    case 'elicit':
      return await ctx.elicit(first, second);
    case 'sample':
      return await ctx.sample(first, second);
    case 'roots':
      return await ctx.roots(first);
    case 'once':
      return await ctx.once(first, effect);
    case 'call':
      return await ctx.call(first, second);
    default:
      return wish satisfies never;
  }
}

const capabilities = ['sampling', 'elicitation', 'roots', 'tasks'];

/** The part of a context that is data. */
export function dataOf(ctx: ToolContext, { host }: ServedTool): CallData {
  const { client, auth, requestId, sessionId, request } = ctx;
  const task = ctx.task && { id: ctx.task.id, attempt: ctx.task.attempt };
  const names = [...Object.keys(host.program.pack.config), ...capabilities];
  return { client, auth, requestId, sessionId, request, task, has: names.filter(name => ctx.has(name)) };
}
