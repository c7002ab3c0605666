// In: the function of a prompt, resource or completion, and what it is called with. Out: what it returns, or the
// questions that must be answered first; within the time limit, and no longer than the client waits.
import type { Desk, Outcome, PackHost, Request } from '../call/ports.js';
import { createBaseContext } from '../context/create-context.js';
import type { HandlerRef } from '../load/program.js';

export interface HandlerCall {
  readonly host: PackHost;
  readonly handler: HandlerRef;
  /** Whom a state belongs to, such as `prompt:issue-text`. */
  readonly subject: string;
  readonly args: Readonly<Record<string, string>>;
  /** What its context has beyond that of every handler. */
  readonly extras?: Readonly<Record<string, unknown>> | undefined;
  /** What stands before the context; the arguments unless it says otherwise. */
  readonly first?: unknown;
}

/** As for tools. */
const mostMilliseconds = 60_000;
const cancelled = 'The request was cancelled';

/** The client went away or took its request back: nobody waits for an answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Throws what the handler throws, Cancelled or TimedOut. */
export async function runHandler(call: HandlerCall, request: Request, desk: Desk): Promise<Outcome<unknown>> {
  return await withinLimits(request.signal, async signal => {
    const { host, subject, args, extras, first = args } = call;
    const handler = await host.load(call.handler);
    if (typeof handler !== 'function') {
      throw new Error(`${call.handler.path}#${call.handler.export} is no function, but ${typeof handler}`);
    }
    const { ctx, questions } = await createBaseContext({ host, subject, args, request, desk, signal });
    const ran = (async (): Promise<Outcome<unknown>> => ({ result: await handler(first, { ...ctx, ...extras }) }))();
    return await Promise.race([ran, questions.suspended.then(() => ({ asking: questions.asking() }))]);
  });
}

async function withinLimits<T>(outer: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (outer.aborted) throw new Cancelled(cancelled);
  const controller = new AbortController();
  const { promise, reject } = makeRefusal();
  const stop = (error: Error): void => {
    controller.abort(error);
    reject(error);
  };
  const cancel = (): void => stop(new Cancelled(cancelled));
  outer.addEventListener('abort', cancel, { once: true });
  const late = (): void => stop(new TimedOut(`It took longer than ${mostMilliseconds / 1000} seconds`));
  const timer = setTimeout(late, mostMilliseconds);
  try {
    return await Promise.race([promise, run(controller.signal)]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', cancel);
  }
}

function makeRefusal(): { readonly promise: Promise<never>; reject(error: Error): void } {
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject: error => reject(error) };
}
