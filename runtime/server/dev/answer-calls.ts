// In: messages of the process that clients talk to, a surface. Out: its answers; everything a call says on its way goes back too.

import { notifyOf } from '../../call/notify-of.js';
import type { Request, TaskRun } from '../../call/ports.js';
import { printCause } from '../../call/print-cause.js';
import { ProtocolError } from '../../call/protocol-error.js';
import { SentCalls, TakenCalls } from '../../call/threads/calls.js';
import { ClientRequest, SignalledCall, type Wire } from '../../protocol/request.js';
import { ResourceNotFound } from '../../surface/problems.js';
import type { CompletionQuery, Surface } from '../../surface/surface.js';
import type { FromWorker, Kept, ProblemData, RequestData, Told, ToWorker } from './messages.js';
import { answerRoute } from './route-messages.js';

export interface CallReceiver {
  /** A call, that one was taken back, or what a call has asked. */
  receive(message: Extract<ToWorker, { type: 'call' | 'cancel' | 'told' }>): void;
  /** When nothing is under way any more. */
  idle(): Promise<void>;
}

/** `redact` takes secrets out of what nobody foresaw. */
export function answerCalls(
  surface: Surface,
  send: (message: FromWorker) => void,
  redact: (text: string) => string,
): CallReceiver {
  const taken = new TakenCalls();
  const steps = new SentCalls<undefined>();
  surface.onChange(change => send({ type: 'change', change }));

  async function answer(message: Extract<ToWorker, { type: 'call' }>, signal: AbortSignal): Promise<void> {
    const { call, method, params } = message;
    try {
      const opened = openRequest(message.request, { call, signal, send, surface });
      const { task } = message.request;
      const request = task === undefined ? opened : Object.assign(opened, { task: { ...task, ...openRun(call) } });
      const answer = await run(surface, method, params, request);
      send({ type: 'answer', call, answer, roots: message.request.roots });
    } catch (error) {
      send({ type: 'problem', call, problem: toProblem(error, redact) });
    }
  }

  /** T1: whether a step may begin, or with what it gave, is for the process that has the task. */
  function openRun(call: number): Pick<TaskRun, 'mayBegin' | 'keep' | 'note'> {
    const ask = async (kept?: Kept): Promise<boolean> => {
      const post = (step: number): void => send({ type: 'step', step, call, ...(kept && { kept }) });
      return (await steps.send(undefined, new AbortController().signal, { post, cancel: () => undefined })) === true;
    };
    return {
      mayBegin: () => ask(),
      keep: (key, value) => ask({ key, value }),
      note: text => send({ type: 'note', call, text }),
    };
  }

  function settle(told: Told): void {
    if ('problem' in told) steps.fail(told.step, new Error(told.problem));
    else steps.answer(told.step, told.mayGoOn);
  }

  return {
    receive(message) {
      if (message.type === 'cancel') taken.cancel(message.call);
      else if (message.type === 'told') settle(message);
      else taken.run(message.call, signal => answer(message, signal));
    },
    idle: () => taken.idle(),
  };
}

/** The front process knows each method's parameters: it made them. */
function run(
  surface: Surface,
  method: Extract<ToWorker, { type: 'call' }>['method'],
  [first, second]: readonly unknown[],
  request: Request,
): Promise<unknown> {
  switch (method) {
    case 'callTool':
      return surface.callTool(String(first), second ?? undefined, request);
    case 'getPrompt':
      return surface.getPrompt(String(first), second ?? undefined, request);
    case 'readResource':
      return surface.readResource(String(first), request);
    case 'complete':
      return surface.complete(first as CompletionQuery, request);
    case 'listResources':
      return surface.listResources(first === undefined || first === null ? undefined : String(first), request);
    case 'route':
      return answerRoute(surface.route, first, request);
    default:
      return method satisfies never;
  }
}

interface Circumstances {
  readonly call: number;
  readonly signal: AbortSignal;
  readonly send: (message: FromWorker) => void;
  readonly surface: Surface;
}

function openRequest(data: RequestData, { call, signal, send, surface }: Circumstances): Request {
  const wire: Wire = {
    notify: notifyOf(surface),
    // Whether the client wants it, only the front process knows; it tells the operator otherwise.
    logLevel: () => 'debug',
    log: (_, level, message, logged) =>
      send({ type: 'log', call, level, message, ...(logged === undefined ? {} : { data: logged }) }),
    progress: (_, done, total, message) => send({ type: 'progress', call, done, total, message }),
  };
  const { sessionId: id, roots } = data;
  const session = roots && { id, roots };
  return new ClientRequest({ ...data, session }, new SignalledCall(signal), wire, data.answers, data.state);
}

function toProblem(error: unknown, redact: (text: string) => string): ProblemData {
  if (error instanceof ResourceNotFound) return { message: error.message, code: error.code, uri: error.uri };
  if (error instanceof ProtocolError) return { message: error.message, code: error.code, data: error.data };
  return { message: redact(printCause(error)) };
}
