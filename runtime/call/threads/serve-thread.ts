// X10. The end of a thread that runs handlers. In: tasks of the main thread. Out: shaped results, or what was thrown; what a handler
// asks, logs and calls on its way goes to the main thread.
import { setMaxListeners } from 'node:events';
import { type Site, startOf } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import type { Notify } from '../../../schema/support/mcp/client.js';
import type { ToolContext } from '../../../schema/support/mcp/context.js';
import { renderMentions } from '../../../schema/template/mentions.js';
import { locatorOf, type Tool } from '../../load/program.js';
import { createToolContext } from '../context/create-context.js';
import { type AskedQuestions, askedInsideOnce } from '../context/questions.js';
import { quietly, toOnceJson } from '../context/round.js';
import { type DeclaredErrors, declareErrors, type ErrorFactories } from '../declared-errors.js';
import { type LoadedHandler, loadHandler } from '../load-work.js';
import type { CallServices, PackHost, Request, ServedTool } from '../ports.js';
import { printCause } from '../print-cause.js';
import { shapeResult } from '../shape-result.js';
import { LeftBehind } from '../time-limit.js';
import { SentCalls, TakenCalls } from './calls.js';
import { Errors } from './errors.js';
import type { CallData, FromThread, Task, ThreadOrder, ThreadResult, ThreadTool, ToThread, Wish } from './messages.js';

/** The thread's side of a channel; the port of a worker thread is one. */
export interface ThreadPort {
  postMessage(message: FromThread): void;
  on(type: 'message', listen: (message: ToThread) => void): unknown;
}

export interface ThreadPorts {
  readonly port: ThreadPort;
  /** Opens the pack; of its items nothing is known but the tools that are called. */
  open(order: ThreadOrder, tools: readonly Tool[], report: (text: string) => void): PackHost | Promise<PackHost>;
}

interface KnownTool {
  readonly served: ServedTool;
  readonly declared: DeclaredErrors;
}

type Run = Extract<Task, { task: 'run' }>;
type Effect = () => unknown;

/** @example serveThread(workerData.order, { port: parentPort, open }); */
export function serveThread(order: ThreadOrder, { port, open }: ThreadPorts): void {
  const send = (message: FromThread): void => port.postMessage(message);
  const report = (text: string): void => send({ type: 'report', text });
  const tools: Tool[] = [];
  const isLoaded = new Set<number>();
  const toolsById = new Map<number, Tool>();
  const known = new Map<number, KnownTool>();
  const errors = new Errors('thread');
  const taken = new TakenCalls();
  const sent = new SentCalls<undefined>();
  const effects = new Map<number, Effect>();
  const asking: (Wish & { readonly call: number })[] = [];
  const opening = new Promise<PackHost>(resolve => resolve(open(order, tools, report)));
  // The first call learns why.
  opening.catch(() => undefined);

  port.on('message', message => {
    switch (message.type) {
      case 'call':
        taken.run(message.call, signal => perform(message.call, message.body, signal));
        return;
      case 'cancel':
        send({ type: 'heard', call: message.call });
        taken.cancel(message.call, errors.revive(message.reason));
        return;
      case 'answer':
        sent.answer(message.call, message.answer);
        return;
      case 'problem':
        sent.fail(message.call, errors.revive(message.problem));
        return;
      case 'close':
        void close();
        return;
      default:
        message satisfies never;
    }
  });

  async function close(): Promise<void> {
    await taken.idle();
    await opening.then(host => host.close()).catch(() => undefined);
    send({ type: 'closed' });
  }

  async function perform(call: number, task: Task, signal: AbortSignal): Promise<void> {
    try {
      const answer = await (task.task === 'effect' ? effects.get(task.effect)?.() : work(call, task, signal));
      send({ type: 'answer', call, answer });
    } catch (error) {
      send({ type: 'problem', call, problem: errors.carry(error) });
    }
  }

  async function work(call: number, task: Exclude<Task, { task: 'effect' }>, signal: AbortSignal): Promise<unknown> {
    errors.forget();
    const host = await opening;
    const tool = knownTool(task, host);
    const loaded = task.task === 'run' ? await loadHandler(tool.served) : await host.initialize(tool.served.tool);
    return task.task === 'run' && loaded !== undefined ? await runTool(call, task, tool, loaded, signal) : undefined;
  }

  function knownTool({ tool: id, known: given }: Exclude<Task, { task: 'effect' }>, host: PackHost): KnownTool {
    if (given !== undefined) {
      const tool = toolsById.get(given.id) ?? toTool(given);
      if (!toolsById.has(given.id)) tools.push(tool);
      toolsById.set(given.id, tool);
      known.set(id, toKnown(given, tool, host));
    }
    const found = known.get(id);
    if (found === undefined) throw new Error(`the thread does not know its tool ${id}`);
    return found;
  }

  async function runTool(
    call: number,
    { tool: id, args, data }: Run,
    { served, declared }: KnownTool,
    { handler, app, clients }: LoadedHandler,
    signal: AbortSignal,
  ): Promise<ThreadResult | undefined> {
    const { tool, name, host } = served;
    const output = tool.outputSchema === undefined ? undefined : (await host.validators(tool)).output;
    const factories = declared.factories(isMap(args) ? { ...args } : args);
    if (!isLoaded.has(id)) send({ type: 'loaded', tool: id });
    isLoaded.add(id);
    // Nobody waits for it any more: better not begin.
    signal.throwIfAborted();
    // A handler may hand it to a hundred requests at once.
    setMaxListeners(0, signal);
    const ctx = contextOf(call, { served, args, data, signal, errors: factories, app, clients });
    // It waits for an answer that comes to another run of it: nobody wants what it still does.
    const left = new Promise<typeof leftBehind>(resolve => {
      signal.addEventListener('abort', () => signal.reason instanceof LeftBehind && resolve(leftBehind));
    });
    const value = await Promise.race([handler(args, ctx), left]);
    if (value === leftBehind) return undefined;
    let removed: readonly string[] | undefined;
    const shaped = await shapeResult(value, {
      ...{ tool, name, output },
      removed(pointers) {
        removed = pointers;
      },
    });
    return { shaped, removed };
  }

  function contextOf(
    call: number,
    input: {
      readonly served: ServedTool;
      readonly args: unknown;
      readonly data: CallData;
      readonly signal: AbortSignal;
      readonly errors: ErrorFactories;
      readonly app: unknown;
      readonly clients: LoadedHandler['clients'];
    },
  ): ToolContext {
    const { served, args, data, signal, app, clients } = input;
    const wish = makeWish(call, served.name);
    const ctx = createToolContext(
      {
        ...{ served, args, signal, errors: input.errors },
        request: requestOf(call, data, signal),
        services: { ...noServices, report, call: (other, given) => wish('call', [other, given]) },
        questions: questionsOf(wish),
      },
      app,
      clients,
    );
    return Object.assign(ctx, { has: (name: string) => data.has.includes(name) });
  }

  function makeWish(of: number, name: string): MakeWish {
    return async <T>(wish: Wish['wish'], params: readonly unknown[], effect?: Effect): Promise<T> => {
      const never = new AbortController().signal;
      let id = 0;
      const post = (call: number): void => {
        id = call;
        if (effect !== undefined) effects.set(call, effect);
        const body = { call, of, wish, params };
        // What cannot be sent is the mistake of this one alone.
        if (!canBeSent(body))
          throw new TypeError(
            `ctx.${wish} in ${name} was given a value that cannot leave its thread (isolate: thread)`,
          );
        if (wish === 'once' || wish === 'call') send({ type: 'wishes', wishes: [body] });
        else askSoon(body);
      };
      try {
        return (await sent.send(undefined, never, { post, cancel: () => undefined })) as T;
      } finally {
        effects.delete(id);
      }
    };
  }

  /** Branches that run at the same time ask together, as in the main thread (`Round`): those of this turn and of the next. */
  function askSoon(wish: Wish & { readonly call: number }): void {
    asking.push(wish);
    const count = asking.length;
    setImmediate(() =>
      setImmediate(() => {
        if (count === asking.length) send({ type: 'wishes', wishes: asking.splice(0) });
      }),
    );
  }

  function requestOf(call: number, data: CallData, signal: AbortSignal): Request {
    const { client, auth, requestId: id, sessionId, request } = data;
    const tell = (what: Exclude<keyof Notify, 'resourceUpdated'>) => () => send({ type: 'notify', call, what });
    return {
      ...{ id, signal, client, auth, sessionId, headers: request.headers as Request['headers'], meta: request.meta },
      ...{ principal: '', answers: {}, state: undefined },
      ...(data.task && { task: { ...data.task, ...keptElsewhere, note: text => send({ type: 'note', call, text }) } }),
      notify: {
        toolsChanged: tell('toolsChanged'),
        promptsChanged: tell('promptsChanged'),
        resourcesChanged: tell('resourcesChanged'),
        resourceUpdated: uri => send({ type: 'notify', call, what: 'resourceUpdated', uri: String(uri) }),
      },
      // Whether the client takes it is known in the main thread, which tells the operator otherwise.
      log(level, message, logged) {
        send({ type: 'log', call, level, message, ...(logged === undefined ? {} : { data: logged }) });
        return true;
      },
      progress: (done, total, message) => send({ type: 'progress', call, done, total, message }),
    };
  }
}

const leftBehind = Symbol('left behind');

/** What only the main thread has: its context is asked instead. */
const noServices: Omit<CallServices, 'report' | 'call'> = {
  seal: { close: nowhere, open: nowhere },
  strictArguments: false,
  showCauses: false,
  render: text => text,
};

const keptElsewhere = { journal: { answers: {}, once: {} }, mayBegin: nowhere, keep: nowhere };

function canBeSent(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

function nowhere(): never {
  throw new Error('only the main thread seals and keeps');
}

type MakeWish = <T>(wish: Wish['wish'], params: readonly unknown[], effect?: Effect) => Promise<T>;

/** The main thread has the round; it never answers a question that is left open, or whose round is over. */
function questionsOf(wish: MakeWish): AskedQuestions {
  let isInside = false;
  const ask = async <T>(kind: Wish['wish'], key: string | undefined, more: readonly unknown[]): Promise<T> => {
    if (isInside) throw askedInsideOnce(String(key));
    return await wish<T>(kind, [key, ...more]);
  };
  return {
    isOver: () => false,
    elicit: (key, asked) => quietly(() => ask('elicit', key, [asked])),
    sample: (key, asked) => quietly(() => ask('sample', key, [asked])),
    roots: key => quietly(() => ask('roots', key, [])),
    once<T>(key: string, run: () => T | Promise<T>) {
      const enter = (): T | Promise<T> => {
        isInside = true;
        try {
          return run();
        } finally {
          isInside = false;
        }
      };
      const effect = async (): Promise<unknown> => {
        const result = await enter();
        return result === undefined ? undefined : toOnceJson(key, result);
      };
      return quietly(() => wish<T>('once', [key], effect));
    },
  };
}

function toTool({ tool }: ThreadTool): Tool {
  const site = (): Site => startOf(tool.file);
  return { ...tool, description: '', inputSchema: {}, at: locatorOf(site), inputSite: site } as Tool;
}

function toKnown({ name, options, mentioned }: ThreadTool, tool: Tool, host: PackHost): KnownTool {
  const render = (text: string): string =>
    renderMentions(text, item => (Object.hasOwn(mentioned, item) ? (mentioned[item] ?? item) : `{{tool:${item}}}`));
  return { served: { tool, name, host, options }, declared: declareErrors(tool.definition.errors, render) };
}

/** What a handler forgot to await must not end other calls of its thread: the same as in the main thread. */
export function reportRejections(report: (text: string) => void): (reason: unknown) => void {
  return reason => {
    if (!(reason instanceof LeftBehind)) report(`a promise that nobody awaited was rejected: ${printCause(reason)}`);
  };
}
