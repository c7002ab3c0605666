// In: a tool as a server offers it. Out: what all its calls share, made for the first one, and what does its work: a function of the
// arguments and the context. Whatever can run a tool is chosen here, by `loadWork`, and nowhere else.
import { type Fill, makeFill } from '../../schema/template/template.js';
import { text } from '../call/content.js';
import { scopeWithout } from '../call/context/call-scope.js';
import { createToolContext, type ToolContextInput } from '../call/context/create-context.js';
import { type DeclaredErrors, declareErrors, type ErrorFactories } from '../call/declared-errors.js';
import type { FailedCall } from '../call/failure.js';
import { defaultResultChars, type Finishing } from '../call/finish-result.js';
import { type LoadedHandler, loadHandler } from '../call/load-work.js';
import type { CallServices, ItemWork, ServedTool, Validators } from '../call/ports.js';
import { makeRedaction, redactionOf } from '../call/redact.js';
import { Preview, runWork } from '../call/run-work.js';
import { type Shaped, shapeResult } from '../call/shape-result.js';
import type { ThreadResult } from '../call/threads/messages.js';
import { CallClock } from '../call/time-limit.js';
import { type Turns, turnsOf } from '../call/turns.js';
import { isIsolated } from '../load/program.js';

export interface Work {
  /** What the call needs is made at once; what it gives runs it. */
  begin(call: ToolContextInput): (args: unknown) => unknown;
  /** Makes a result of what it returns. */
  readonly shape: typeof shapeResult;
}

/** What all calls of a tool have in common. */
export interface PreparedTool extends Finishing {
  readonly served: ServedTool;
  readonly services: CallServices;
  readonly declared: DeclaredErrors;
  /** Of calls that fill no arguments into errors. */
  readonly errors: ErrorFactories;
  /** `resultText` of the tool. */
  readonly resultText: Fill | undefined;
  readonly clock: CallClock;
  /** Undefined where calls never wait for each other. */
  readonly turns: Turns | undefined;
  readonly failed: FailedCall;
  /** Reports members that were removed from results: once, since a handler does it with every call. */
  removed(pointers: readonly string[]): void;
  /** What the first call has loaded. */
  loaded: (Work & { readonly validators: Validators }) | undefined;
}

const defaultTimeoutMs = 60_000;

/** Only a shortcut: everything in it could be made anew for each call. */
const prepared = new WeakMap<ServedTool, PreparedTool>();

export function prepareTool(served: ServedTool, services: CallServices): PreparedTool {
  const known = prepared.get(served);
  if (known?.services === services) return known;
  const { name, host } = served;
  const { errors, limits, clean, effect, resultText } = served.tool.definition;
  const declared = declareErrors(errors, text => services.render(text));
  let isReported = false;
  const made: PreparedTool = {
    served,
    services,
    declared,
    errors: declared.factories(undefined),
    resultText: resultText === undefined ? undefined : makeFill(resultText),
    clock: new CallClock(limits?.timeoutMs ?? defaultTimeoutMs),
    turns: turnsOf(served),
    limit: {
      name,
      mostChars: limits?.resultChars ?? defaultResultChars,
      cut: clean?.includes('truncate') === true ? 'middle' : 'end',
    },
    clean,
    redaction: redactionOf(host),
    failed: { name, isRead: effect === 'read', services, redaction: makeRedaction(host) },
    removed(pointers) {
      if (!isReported) services.report(host.settings.redact(tellRemoved(name, pointers)));
      isReported = true;
    },
    loaded: undefined,
  };
  prepared.set(served, made);
  return made;
}

const mostPointers = 10;

function tellRemoved(name: string, pointers: readonly string[]): string {
  const shown = pointers.slice(0, mostPointers).join(', ');
  const more = pointers.length > mostPointers ? ` and ${pointers.length - mostPointers} more` : '';
  return `${name} returned members that its output schema does not allow; they were removed: ${shown}${more} (reported once)`;
}

/** What runs the tool: a function that code has given, or the one that its manifest names, here or in a thread of its own (X10). */
export async function loadWork(served: ServedTool): Promise<Work> {
  const { tool, host, handler } = served;
  if (handler === undefined && tool.handler === undefined && host.work !== undefined)
    return workOf(await host.work(tool));
  if (host.threads === undefined || handler !== undefined || !isIsolated(tool, host.program))
    return handledBy(await loadHandler(served), shapeResult);
  const threads = await host.threads();
  return handledBy({ handler: (args, ctx) => threads.run(served, args, ctx), app: undefined }, takeShaped);
}

function handledBy({ handler, app, clients }: LoadedHandler, shape: Work['shape']): Work {
  return {
    begin(call) {
      const ctx = createToolContext(call, app, clients);
      return args => handler(args, ctx);
    },
    shape,
  };
}

/** A tool without code: to make a context costs as much as to send the call on. */
function workOf(work: ItemWork): Work {
  return {
    begin(call) {
      const scope = scopeWithout(call, () => createToolContext(call, undefined));
      return args => runWork(work, args, scope);
    },
    shape: shapeWork,
  };
}

/** What would be done has neither the form nor the text of what is done. */
function shapeWork(returned: unknown, shaping: Parameters<Work['shape']>[1]): ReturnType<Work['shape']> {
  if (!(returned instanceof Preview)) return shapeResult(returned, shaping);
  return { result: { content: [text(returned.text)] } };
}

/** Threads shape results themselves: what a handler returns need not be something that can leave its thread. */
function takeShaped(returned: unknown, { removed: tell }: Pick<PreparedTool, 'removed'>): Shaped {
  const { shaped, removed } = returned as ThreadResult;
  if (removed !== undefined) tell(removed);
  return shaped;
}
