// In: a tool, arguments and a request. Out: its result, or the questions that it asks. The story of a call, without MCP.
import { types } from 'node:util';
import type { CallToolResult } from '../../schema/support-content.js';
import type { ToolContext } from '../../schema/support-context.js';
import { findMissing } from '../context/capabilities.js';
import { confirmCall, ownArguments } from '../context/confirm.js';
import { createToolContext, createToolQuestions } from '../context/create-context.js';
import type { Questions } from '../context/questions.js';
import { RelayQuestion, relayResult } from '../context/relay.js';
import { checkArguments } from './arguments.js';
import { type FailedCall, toFailure } from './failure.js';
import { finishResult } from './finish-result.js';
import { defaultResultChars, type Limit } from './limit-result.js';
import type { Desk, Outcome, Request, ServedTool } from './ports.js';
import { ProtocolProblem } from './protocol-problem.js';
import { makeRedaction, type Redaction, redactAsking, redactionOf, redactResult } from './redact.js';
import { shapeResult } from './shape-result.js';
import { CallClock, TimeLimit } from './time-limit.js';
import { type ErrorFactories, makeErrors, ToolError } from './tool-error.js';

const defaultTimeoutMs = 60_000;

/** What all calls of a tool have in common, made for the first one. */
interface Prepared {
  readonly desk: Desk;
  readonly errors: ErrorFactories;
  readonly clock: CallClock;
  readonly limit: Limit;
  /** Of results; undefined where no secret is known. */
  readonly redaction: Redaction | undefined;
  readonly failed: FailedCall;
}

/** Only a shortcut: everything in it could be made anew for each call. */
const prepared = new WeakMap<ServedTool, Prepared>();

function prepare(served: ServedTool, desk: Desk): Prepared {
  const known = prepared.get(served);
  if (known?.desk === desk) return known;
  const { name, host } = served;
  const { errors, limits, clean, effect } = served.tool.definition;
  const made: Prepared = {
    desk,
    errors: makeErrors(errors, text => desk.render(text)),
    clock: new CallClock(limits?.timeoutMs ?? defaultTimeoutMs),
    limit: {
      name,
      mostChars: limits?.resultChars ?? defaultResultChars,
      cut: clean?.includes('truncate') === true ? 'middle' : 'end',
    },
    redaction: redactionOf(host),
    failed: { name, isRead: effect === 'read', desk, redaction: makeRedaction(host) },
  };
  prepared.set(served, made);
  return made;
}

/**
 * Calls a tool: checks what it requires, its arguments and the user's consent, runs its handler under a time limit, and
 * makes a result of whatever comes out. Everything that goes wrong is a result with `isError`; only a ProtocolProblem is
 * thrown.
 *
 * @example
 * const outcome = await callTool(served, { issueKey: 'PROJ-1' }, request, desk);
 * if ('result' in outcome) console.log(outcome.result.content);
 */
export async function callTool(
  served: ServedTool,
  args: unknown,
  request: Request,
  desk: Desk,
): Promise<Outcome<CallToolResult>> {
  const common = prepare(served, desk);
  const call = new Call(served, args, request, desk, common);
  const { limit } = call;
  try {
    return await limit.race(limit.problem === undefined ? answer(call) : new Promise(() => {}));
  } catch (thrown) {
    // Even asking a proxy what it is may fail.
    if (!types.isProxy(thrown)) {
      if (thrown instanceof ProtocolProblem) throw thrown;
      if (thrown instanceof RelayQuestion) return instead(relayResult(served, thrown.text), common);
    }
    return { result: toFailure(thrown, common.failed) };
  } finally {
    limit.end();
  }
}

/** One call on its way. A class, because a getter in an object literal costs more than all the rest of it. */
class Call {
  questions: Questions | undefined;
  /** Whether the handler has been called. */
  isRunning = false;
  readonly limit: TimeLimit;

  constructor(
    readonly served: ServedTool,
    /** As they were sent. */
    readonly args: unknown,
    readonly request: Request,
    readonly desk: Desk,
    readonly common: Prepared,
  ) {
    this.limit = new TimeLimit(request.signal, common.clock, () => tooSlow(this));
  }

  get errors(): ErrorFactories {
    return this.common.errors;
  }

  get signal(): AbortSignal {
    return this.limit.signal;
  }
}

async function answer(call: Call): Promise<Outcome<CallToolResult>> {
  const { served, request, desk, common, limit } = call;
  const { tool, name, host } = served;
  const missing = tool.definition.requires === undefined ? undefined : findMissing(served, request);
  if (missing !== undefined) throw missing;
  const validators = await host.validators(tool);
  const sent = ownArguments(served, call.args, request);
  const args = await checkArguments(sent, {
    name,
    schema: tool.inputSchema,
    validate: validators.input,
    strict: desk.strictArguments,
  });
  const questions = createToolQuestions(call);
  call.questions = questions;
  if (tool.definition.confirm === true) {
    const { proceed, result } = await confirmCall(served, call.args, request, questions);
    if (!proceed) return result === undefined ? ask(questions, common) : instead(result, common);
  }
  if (tool.definition.initialize !== undefined) await host.initialize(tool);
  const { ctx } = await createToolContext(call);
  const handler = served.handler ?? (await loadHandler(served));
  // Nobody waits for it any more: better not begin.
  if (limit.problem !== undefined) throw limit.problem;
  call.isRunning = true;
  const returned = (handler as Handler)(args, ctx);
  const value = isThenable(returned) ? await firstOf(returned, questions) : returned;
  if (value === suspended) {
    const asked = ask(questions, common);
    limit.leave();
    return asked;
  }
  const shaped = await shapeResult(value, { tool, name, output: validators.output });
  return { result: finishResult(shaped, common, tool.definition.clean) };
}

type Handler = (args: unknown, ctx: ToolContext) => unknown;

async function loadHandler({ tool, host }: ServedTool): Promise<Handler> {
  const handler = await host.load(tool.handler);
  if (typeof handler === 'function') return handler as Handler;
  throw new Error(`${tool.handler.path}#${tool.handler.export} is no function`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

const suspended = Symbol('suspended');

/** What the handler gives, or that it waits for an answer: then it is left behind, and may fail unheard. */
function firstOf(returned: PromiseLike<unknown>, questions: Questions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    returned.then(resolve, reject);
    questions.suspended.then(() => resolve(suspended));
  });
}

function ask(questions: Questions, { redaction }: Prepared): Outcome<CallToolResult> {
  const asking = questions.asking();
  if (asking === undefined) throw new Error('the handler waits for a question that nobody asked');
  return { asking: redaction === undefined ? asking : redactAsking(asking, redaction) };
}

/** A text in place of a result. */
function instead(result: CallToolResult, { redaction }: Prepared): Outcome<CallToolResult> {
  return { result: redaction === undefined ? result : redactResult(result, redaction) };
}

function tooSlow({ common, isRunning }: Call): ToolError {
  const { failed, clock, desk } = common;
  const message = `${failed.name} took longer than ${clock.milliseconds} ms`;
  desk.report(message);
  return new ToolError(message, {
    code: 'TIMEOUT',
    status: 504,
    // What has not begun has changed nothing either.
    retryable: failed.isRead || !isRunning,
    meta: { timeoutMs: clock.milliseconds },
  });
}
