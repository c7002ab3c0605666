// In: a channel to a process that runs handlers. Out: that process as something that opens, answers calls, and ends; what was
// under way when it ends gets an error that says so.
import { visible } from '../../../schema/print/visible.js';
import { toFailure } from '../../call/failure.js';
import type { Request, TaskRun } from '../../call/ports.js';
import { messageOf } from '../../call/print-cause.js';
import { ProtocolError, protocolCodes } from '../../call/protocol-error.js';
import { SentCalls } from '../../call/threads/calls.js';
import { ToolError } from '../../call/tool-error.js';
import { waitAtMost } from '../../call/wait-at-most.js';
import { ResourceNotFound } from '../../surface/problems.js';
import type { Change } from '../../surface/surface.js';
import type {
  Failure,
  FromWorker,
  Method,
  Opened,
  ProblemData,
  Ready,
  RequestData,
  Told,
  ToWorker,
} from './messages.js';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Channel {
  send(message: ToWorker): void;
  onMessage(listen: (message: FromWorker) => void): void;
  onExit(listen: (exit: Exit) => void): void;
  kill(): void;
}

/** What is left of a call whose process is gone. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

export interface RemoteServer {
  /** The packs are loaded, or cannot be. */
  readonly opened: Promise<Opened | Failure>;
  readonly ready: Promise<Ready | Failure>;
  readonly exited: Promise<Exit>;
  /** How many calls it has been given. */
  readonly calls: number;
  go(): void;
  /** Throws a ServerGone where the process ends before it has answered. */
  call(method: Method, params: readonly unknown[], request: Request): Promise<unknown>;
  /** When everything is answered. */
  idle(): Promise<void>;
  /** Ends it now; what is under way fails. Settled when it is gone. */
  end(): Promise<void>;
}

export interface RemotePorts {
  onChange(change: Change): void;
  /** Of a message that the client does not want. */
  onLog(text: string): void;
}

interface Waiting {
  readonly request: Request;
  /** As they were when the call was sent. */
  readonly roots: Request['roots'];
  readonly name: string;
}

/** A process that is asked to end and has nothing to answer any more gets this long to dispose of things. */
const disposeMs = 3000;

export function openRemote(channel: Channel, order: unknown, ports: RemotePorts): RemoteServer {
  const sent = new SentCalls<Waiting>();
  let isGone = false;
  const opened = settleable<Opened | Failure>();
  const ready = settleable<Ready | Failure>();
  const exited = settleable<Exit>();

  channel.onMessage(message => receive(message));
  channel.onExit(exit => {
    isGone = true;
    const nothing = { diagnostics: [], folders: [], packs: [] };
    const failure: Failure = { ...nothing, failed: true, message: describeExit(exit) };
    opened.settle(failure);
    ready.settle(failure);
    sent.failAll(() => new ServerGone(describeExit(exit)));
    exited.settle(exit);
  });
  channel.send({ type: 'open', order });

  function receive(message: FromWorker): void {
    switch (message.type) {
      case 'opened':
        opened.settle(message.opened);
        break;
      case 'ready':
        ready.settle(message.ready);
        break;
      case 'failed':
        opened.settle(message.failure);
        ready.settle(message.failure);
        break;
      case 'answer': {
        const found = sent.about(message.call);
        if (found !== undefined) keepRoots(found, message.roots);
        sent.answer(message.call, message.answer);
        break;
      }
      case 'problem':
        sent.fail(message.call, toError(message.problem));
        break;
      case 'log':
        passLog(message);
        break;
      case 'progress':
        sent.about(message.call)?.request.progress(message.done, message.total, message.message);
        break;
      case 'note':
        sent.about(message.call)?.request.task?.note(message.text);
        break;
      case 'step':
        void takeStep(sent.about(message.call)?.request.task, message).then(told => isGone || channel.send(told));
        break;
      case 'change':
        ports.onChange(message.change);
        break;
      default:
        message satisfies never;
    }
  }

  function passLog({ call, level, message, data }: Extract<FromWorker, { type: 'log' }>): void {
    const found = sent.about(call);
    if (found === undefined || found.request.log(level, message, data)) return;
    ports.onLog(visible(`[${level}] ${found.name}: ${message}${data === undefined ? '' : ` ${JSON.stringify(data)}`}`));
  }

  return {
    opened: opened.promise,
    ready: ready.promise,
    exited: exited.promise,
    get calls() {
      return sent.count;
    },
    go: () => channel.send({ type: 'go' }),
    call(method, params, request) {
      if (isGone) return Promise.reject(new ServerGone('the process that runs handlers has ended'));
      const { id, client, auth, isRemote, principal, sessionId, headers, meta, answers, state } = request;
      const roots = request.roots && { ...request.roots };
      const from = { id, client, auth, isRemote, principal, sessionId, roots, headers, meta };
      const task = taskData(request.task);
      const data = { ...from, answers, state, ...(task && { task }) };
      return sent.send({ request, roots, name: String(params[0]) }, request.signal, {
        post: call => channel.send({ type: 'call', call, method, params, request: data }),
        cancel: call => channel.send({ type: 'cancel', call }),
      });
    },
    idle: () => sent.idle(),
    async end() {
      // Asked nicely, it would wait for what is under way.
      if (!sent.isIdle) channel.kill();
      else channel.send({ type: 'close' });
      await waitAtMost(disposeMs, exited.promise);
      if (!isGone) channel.kill();
      await exited.promise;
    },
  };
}

/** X11: what a call learnt of the client's folders, unless these changed meanwhile. */
function keepRoots({ request: { roots: now }, roots: before }: Waiting, after: Request['roots']): void {
  const isSame = now?.answer === before?.answer && now?.isAsked === before?.isAsked;
  if (now !== undefined && isSame) Object.assign(now, after);
}

function taskData(task: TaskRun | undefined): RequestData['task'] {
  return task && { id: task.id, attempt: task.attempt, journal: task.journal };
}

/** T1: of a call that nobody waits for any more, nothing is kept. */
async function takeStep(
  task: TaskRun | undefined,
  { step, kept }: Extract<FromWorker, { type: 'step' }>,
): Promise<Told> {
  try {
    const going = kept === undefined ? task?.mayBegin() : task?.keep(kept.key, kept.value);
    return { type: 'told', step, mayGoOn: (await going) === true };
  } catch (error) {
    return { type: 'told', step, problem: messageOf(error) };
  }
}

export function describeExit({ code, signal }: Exit): string {
  const how = signal === null ? `with exit code ${code ?? 0}` : `by ${signal}`;
  return `the process that runs handlers ended ${how}`;
}

function toError({ message, code, data, uri }: ProblemData): Error {
  if (uri !== undefined) return new ResourceNotFound(uri);
  if (code !== undefined) return new ProtocolError(code, message, data);
  // Its stack is the other process's, which is the one that helps.
  return Object.assign(new Error(message), { stack: message });
}

interface Settleable<T> {
  readonly promise: Promise<T>;
  settle(value: T): void;
}

function settleable<T>(): Settleable<T> {
  let settle = (_: T): void => undefined;
  const promise = new Promise<T>(resolve => {
    settle = resolve;
  });
  return { promise, settle: value => settle(value) };
}

/** As long as a tool may take where it says nothing else. */
const drainMs = 60_000;
/** More than this do not stay, whatever they still do. */
const mostDraining = 3;

interface Drain {
  /** `longer`: what it may stay for beyond its time. */
  add(remote: RemoteServer, longer?: Promise<void>): void;
  /** Ends all of them now; settled when they are gone. */
  close(): Promise<void>;
}

/** Processes that were replaced while they had calls to answer: each ends when they are answered, or when it is time. */
export function openDrain(milliseconds: number = drainMs): Drain {
  const all = new Map<Promise<void>, () => void>();
  const endOldest = (): void => {
    const [oldest] = all;
    oldest?.[1]();
  };
  return {
    add(remote, longer) {
      let end = (): void => undefined;
      const early = new Promise<void>(resolve => {
        end = resolve;
      });
      const calls = waitAtMost(milliseconds, Promise.race([early, remote.idle()]));
      const done = Promise.all([calls, Promise.race([early, longer])]).then(() => remote.end());
      all.set(done, end);
      void done.then(() => all.delete(done));
      if (all.size > mostDraining) endOldest();
    },
    async close() {
      for (const end of all.values()) end();
      await Promise.all(all.keys());
    },
  };
}

const plainNames = { text: (text: string) => text, value: (value: unknown) => value, base64: (data: string) => data };

/** What the client of a call that no process can answer reads. Throws for everything that has no results of its own for errors. */
export function tellGone(method: Method, [name]: readonly unknown[], why: string): unknown {
  if (method !== 'callTool') throw new ProtocolError(protocolCodes.internalError, `Not answered: ${why}`);
  const error = new ToolError(`${String(name)} was not answered: ${why}`, {
    code: 'SERVER_UNAVAILABLE',
    status: 503,
    suggestedFix: 'Look at what toolwright dev says, fix it, and call again.',
  });
  const services = { report: () => undefined, showCauses: true };
  return { result: toFailure(error, { name: String(name), isRead: false, services, redaction: plainNames }) };
}
