// X10. In: a pack, and a way to start a thread for it. Out: its handlers run in a few threads, one call at a time in each. A thread is
// started when there is work and none is free, and ends when it has had none for a while.
import { mentionedItem, mentionTag } from '../../../schema/template/mentions.js';
import type { Tool } from '../../load/program.js';
import { inputOf } from '../context/create-context.js';
import type { Isolation, ServedTool, Settings } from '../ports.js';
import { isToolError, ToolError } from '../tool-error.js';
import { Gate } from '../turns.js';
import type { ThreadTool } from './messages.js';
import { dataOf, Thread, type ThreadWorker } from './thread.js';

export interface IsolationOptions {
  readonly settings: Settings;
  start(): ThreadWorker;
  /** How many threads, at most. */
  readonly most: number;
  report(text: string): void;
  /** How long a thread waits for work. */
  readonly idleMs?: number | undefined;
}

const defaultIdleMs = 30_000;

/** @example const isolation = openIsolation({ settings, start: () => new Worker(file), most: 4, report }); */
export function openIsolation(options: IsolationOptions): Isolation {
  const { settings, start, most, idleMs = defaultIdleMs } = options;
  const report = (text: string): void => options.report(settings.redact(text));
  const pool = new ThreadPool({ start, most, idleMs, report });
  const ids = new WeakMap<ServedTool | Tool, number>();
  let lastId = 0;
  const idOf = (key: ServedTool | Tool): number => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    lastId += 1;
    ids.set(key, lastId);
    return lastId;
  };
  return {
    run(served, args, ctx) {
      const { services, request, signal } = inputOf(ctx);
      const { tool, name } = served;
      const id = idOf(served);
      const about = { name, isRead: tool.definition.effect === 'read', tool: id, ctx };
      const render = (text: string): string => services.render(text);
      const running = pool.use(signal, (request.depth ?? 0) > 0, thread => {
        const known = thread.known.has(id) ? undefined : threadTool(served, idOf(tool), render);
        return thread.run({ task: 'run', tool: id, known, args, data: dataOf(ctx, served) }, about, signal);
      });
      return running.catch(error => {
        throw rendered(error, render);
      });
    },
    async initialize(tool) {
      const id = idOf(tool);
      const { signal } = new AbortController();
      const about = { name: tool.name, isRead: false };
      await pool.use(signal, false, thread => {
        const served = { tool, name: tool.name, options: {} };
        const known = thread.known.has(id) ? undefined : threadTool(served, id, text => text);
        return thread.run({ task: 'initialize', tool: id, known }, about, signal);
      });
    },
    close: () => pool.close(),
  };
}

function threadTool(
  { tool, name, options }: Pick<ServedTool, 'tool' | 'name' | 'options'>,
  id: number,
  render: (text: string) => string,
): ThreadTool {
  const { kind, item, name: own, file, handler, filling, outputSchema } = tool;
  const { initialize, errors, tags, result, handler: given } = tool.definition;
  const texts = Object.values(errors ?? {}).flatMap(({ message, suggestedFix = '' }) => [message, suggestedFix]);
  const items = texts.flatMap(text => [...text.matchAll(mentionTag)].map(([, body = '']) => mentionedItem(body)));
  const definition = { initialize, errors, tags, result, handler: given } as ThreadTool['tool']['definition'];
  return {
    id,
    tool: {
      kind,
      item,
      name: own,
      file,
      filling,
      ...(handler && { handler }),
      ...(outputSchema && { outputSchema }),
      definition,
    },
    name,
    options,
    mentioned: Object.fromEntries(items.map(one => [one, render(`{{tool:${one}}}`)])),
  };
}

/** A thread knows the names of the tools that a manifest mentions, and not those that only a handler does. */
function rendered(error: unknown, render: (text: string) => string): unknown {
  if (!isToolError(error) || error.suggestedFix?.includes('{{tool:') !== true) return error;
  const { message, code, status, retryable, meta, cause } = error;
  return new ToolError(message, { code, status, retryable, meta, cause, suggestedFix: render(error.suggestedFix) });
}

interface PoolOptions {
  start(): ThreadWorker;
  readonly most: number;
  readonly idleMs: number;
  report(text: string): void;
}

/** Threads that are alive: each is given to one call, and then to the next. */
class ThreadPool {
  readonly #options: PoolOptions;
  readonly #gate: Gate;
  readonly #all = new Set<Thread>();
  readonly #free = new Map<Thread, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#gate = new Gate(options.most);
  }

  /**
   * Does something in a thread that nobody else uses meanwhile; waits until there is one, or fails with the reason of the signal. A call
   * inside another one never waits: the one around it holds a thread until it is answered.
   */
  async use<T>(signal: AbortSignal, isNested: boolean, work: (thread: Thread) => Promise<T>): Promise<T> {
    if (!isNested) await this.#gate.enter(signal);
    try {
      if (this.#isClosed) throw new Error('the server is shutting down');
      const thread = this.#take();
      try {
        return await work(thread);
      } finally {
        this.#give(thread);
      }
    } finally {
      if (!isNested) this.#gate.leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map(thread => thread.close()));
  }

  /** The one that worked last is the first to work again, so that the others can end. */
  #take(): Thread {
    const [thread, timer] = [...this.#free].at(-1) ?? [];
    clearTimeout(timer);
    if (thread === undefined) return this.#start();
    this.#free.delete(thread);
    return thread;
  }

  #start(): Thread {
    const { start, report } = this.#options;
    const thread = new Thread(start(), { report, onGone: gone => this.#forget(gone) });
    this.#all.add(thread);
    return thread;
  }

  #give(thread: Thread): void {
    if (thread.isEnding) return;
    const isTooMany = this.#all.size > this.#options.most;
    const timer = setTimeout(() => void thread.close(), isTooMany ? 0 : this.#options.idleMs);
    timer.unref();
    this.#free.set(thread, timer);
  }

  #forget(thread: Thread): void {
    clearTimeout(this.#free.get(thread));
    this.#free.delete(thread);
    this.#all.delete(thread);
  }
}
