// In: the function of a prompt, resource or completion, and what it is called with. Out: what it returns, or the
// questions that must be answered first; within the time limit, and no longer than the client waits.

import type { BaseContext } from '../../schema/support/mcp/context.js';
import { scopeOf } from '../call/context/call-scope.js';
import { createBaseContext } from '../call/context/create-context.js';
import type { CallServices, Outcome, PackHost, Request } from '../call/ports.js';
import { redactAsking, redactionOf } from '../call/redact.js';
import { runWork } from '../call/run-work.js';
import { CallClock, TimeLimit } from '../call/time-limit.js';
import { isToolError, ToolError } from '../call/tool-error.js';
import type { HandlerRef, Prompt, Resource } from '../load/program.js';

export interface HandlerCall {
  readonly host: PackHost;
  /** Its function, or the item whose work is done without one. */
  readonly handler: HandlerRef | Prompt | Resource;
  /** What failed, as messages call it. */
  readonly name: string;
  /** Whom a state belongs to, such as `prompt:issue-text`. */
  readonly subject: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What stands before the context; the arguments unless it says otherwise. */
  readonly first?: unknown;
  /** It is given its context only. */
  readonly isAlone?: true;
  /** What its context has beyond that of every handler. */
  readonly extras?: Readonly<Record<string, unknown>> | undefined;
}

/** As for tools. */
const mostMilliseconds = 60_000;
/** One for all handlers that share services. */
const clocks = new WeakMap<CallServices, CallClock>();

/** Throws what the handler throws, or a ToolError where it is too slow or nobody waits any more. */
export async function runHandler(
  call: HandlerCall,
  request: Request,
  services: CallServices,
): Promise<Outcome<unknown>> {
  const limit = new TimeLimit(request.signal, clockOf(services), { tooSlow: () => tooSlow(call.name, services) });
  services.running?.begin(call.name);
  try {
    if (limit.problem !== undefined) throw limit.problem;
    return await limit.race(runWithin(call, request, services, limit));
  } finally {
    services.running?.end(call.name);
    limit.end();
  }
}

async function runWithin(
  call: HandlerCall,
  request: Request,
  services: CallServices,
  limit: TimeLimit,
): Promise<Outcome<unknown>> {
  const { host, subject, args, first = args, isAlone, extras } = call;
  const handler = await functionOf(call);
  const { ctx, questions } = await createBaseContext({ host, subject, args, request, services, signal: limit.signal });
  const given = { ...ctx, ...extras };
  const start = async (): Promise<Outcome<unknown>> => ({
    result: await (isAlone ? handler(given) : handler(first, given)),
  });
  const ran = start();
  const asked = new Promise<void>(resolve => questions.onSuspended(resolve)).then(() => {
    const asking = questions.asking();
    if (asking === undefined) return ran;
    limit.leave();
    const redaction = redactionOf(host);
    return { asking: redaction === undefined ? asking : redactAsking(asking, redaction) };
  });
  return await Promise.race([ran, asked]);
}

async function functionOf({ host, handler: found }: HandlerCall): Promise<Run> {
  if ('item' in found) {
    const work = await host.work?.(found);
    if (work === undefined) throw new Error(`nothing does the work of ${found.item}`);
    return (args, ctx) => runWork(work, args, scopeOf(ctx as BaseContext));
  }
  const handler = await host.load(found);
  if (typeof handler !== 'function') throw new Error(`${found.path}#${found.export} is not a function`);
  return handler as Run;
}

type Run = (...given: readonly unknown[]) => unknown;

function clockOf(services: CallServices): CallClock {
  const clock = clocks.get(services) ?? new CallClock(mostMilliseconds);
  clocks.set(services, clock);
  return clock;
}

function tooSlow(name: string, services: CallServices): ToolError {
  const message = `${name} took longer than ${mostMilliseconds} ms`;
  services.report(message);
  return new ToolError(message, { code: 'TIMEOUT', status: 504 });
}

/** The client went away or took its request back: nobody waits for an answer. */
export function isCancelled(error: unknown): boolean {
  return isToolError(error) && error.code === 'CANCELLED';
}
