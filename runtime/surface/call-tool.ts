// In: a tool, arguments and a request. Out: its result, or the questions that it asks. What is done around the work of every tool, without
// MCP: what runs is counted and timed, requirements, arguments and consent are checked, the result is shaped, whatever fails becomes a result.
import { types } from 'node:util';
import { isMap } from '../../schema/document.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { checkArguments } from '../call/arguments.js';
import { findUnmetRequirement } from '../call/context/capabilities.js';
import { confirmCall } from '../call/context/confirm.js';
import { createToolQuestions } from '../call/context/create-context.js';
import type { Questions } from '../call/context/questions.js';
import { ownArguments, RelayQuestion, relayResult, reportUnsaid } from '../call/context/relay.js';
import type { ErrorFactories } from '../call/declared-errors.js';
import { cleanProtocolError, makeCauseId, toFailure } from '../call/failure.js';
import { finishResult } from '../call/finish-result.js';
import type { CallServices, Cancellation, Outcome, Request, ServedTool, Validators } from '../call/ports.js';
import { ProtocolError } from '../call/protocol-error.js';
import { redactAsking, redactResult } from '../call/redact.js';
import type { Shaped } from '../call/shape-result.js';
import { endlessClock, TimeLimit } from '../call/time-limit.js';
import { isToolError, ToolError } from '../call/tool-error.js';
import type { Turns } from '../call/turns.js';
import { isUpstreamFailure } from '../call/upstream-failure.js';
import { loadWork, type PreparedTool, prepareTool, type Work } from './tool-work.js';

type Ended = Outcome<CallToolResult>;

/** A handler that has not given its value yet. */
interface Pending {
  readonly returned: PromiseLike<unknown>;
}

/**
 * Calls a tool: checks what it requires, its arguments and the user's consent, runs its handler under a time limit, and
 * makes a result of whatever comes out. Everything that goes wrong is a result with `isError`; only a ProtocolError is
 * thrown, ours or the handler's.
 *
 * @example
 * const outcome = await callTool(served, { issueKey: 'PROJ-1' }, request, services);
 * if ('result' in outcome) console.log(outcome.result.content);
 */
export function callTool(
  served: ServedTool,
  args: unknown,
  request: Request,
  services: CallServices,
): Promise<Outcome<CallToolResult>> {
  const call = new Call(args, request, prepareTool(served, services));
  // One promise for the whole call, where nothing is to be waited for but the handler: each costs as much as checking arguments.
  return new Promise((resolve, reject) => {
    const end = (outcome: Ended): void => {
      if (call.close()) resolve(outcome);
    };
    const fail = (thrown: unknown): void => {
      if (!call.close()) return;
      try {
        resolve(failed(call, thrown));
      } catch (problem) {
        reject(problem);
      }
    };
    const take = (answered: Ended | Pending): void => {
      if ('returned' in answered) finishLater(call, answered, end, fail);
      else end(answered);
    };
    if (!call.limit.watch(fail)) return;
    try {
      const answered = answer(call);
      if (answered instanceof Promise) answered.then(take).catch(fail);
      else take(answered);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** One call on its way. A class, because a getter in an object literal costs more than all the rest of it. */
class Call {
  /** Whether the handler has been called. */
  isRunning = false;
  /** X9: what it is in, and how it leaves. */
  held: Request['held'];
  leave: (() => void) | undefined;
  /** As the handler is given them, where texts of the tool are filled in with them. */
  checked: Readonly<Record<string, unknown>> | undefined;
  readonly served: ServedTool;
  readonly services: CallServices;
  readonly limit: TimeLimit;
  #questions: Questions | undefined;
  #suspended: (() => void) | undefined;
  #isOver = false;

  constructor(
    /** As they were sent. */
    readonly args: unknown,
    readonly request: Request,
    readonly prepared: PreparedTool,
  ) {
    this.served = prepared.served;
    this.services = prepared.services;
    this.held = request.held;
    this.services.running?.begin(this.served.name);
    const clock = request.task === undefined ? prepared.clock : endlessClock;
    this.limit = new TimeLimit(request.cancellation ?? request.signal, clock, this);
  }

  /** False: it is over already, and what is left behind may end unheard. */
  close(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.services.running?.end(this.served.name);
    this.limit.end();
    return true;
  }

  /** Most calls ask nothing, so that most calls pay for nothing. */
  get questions(): Questions {
    if (this.#questions === undefined) {
      this.#questions = createToolQuestions(this);
      if (this.#suspended !== undefined) this.#questions.onSuspended(this.#suspended);
    }
    return this.#questions;
  }

  /** When the handler waits for an answer. */
  onSuspended(listen: () => void): void {
    this.#suspended = listen;
    this.#questions?.onSuspended(listen);
  }

  get errors(): ErrorFactories {
    const { declared, errors } = this.prepared;
    return declared.needArguments ? declared.factories(this.checked) : errors;
  }

  /** Keeps arguments for the texts of the tool: the handler may change its own. */
  keepArguments(args: unknown): void {
    const { declared, resultText } = this.prepared;
    if (resultText !== undefined || declared.needArguments) this.checked = { ...(args as object) };
  }

  get signal(): AbortSignal {
    return this.limit.signal;
  }

  get cancellation(): Cancellation {
    return this.limit;
  }

  tooSlow(): ToolError {
    const { failed, clock, turns, services } = this.prepared;
    const isWaiting = turns !== undefined && !this.isRunning;
    const how = isWaiting ? 'waited for its turn for more than' : 'took longer than';
    const message = `${failed.name} ${how} ${clock.milliseconds} ms`;
    services.report(message);
    return new ToolError(message, {
      code: 'TIMEOUT',
      status: 504,
      // What has not begun has changed nothing either.
      retryable: failed.isRead || !this.isRunning,
      meta: { timeoutMs: clock.milliseconds },
    });
  }
}

/** Throws a ProtocolError on: of ours or of the handler. */
function failed({ served, prepared, isRunning, checked }: Call, thrown: unknown): Ended {
  // Even asking a proxy what it is may fail.
  if (!types.isProxy(thrown)) {
    if (thrown instanceof ProtocolError) throw cleanProtocolError(thrown, prepared.failed.redaction);
    if (thrown instanceof RelayQuestion) {
      reportUnsaid(served, prepared.services);
      return instead(relayResult(served, thrown.text), prepared);
    }
  }
  if (!isRunning || (isToolError(thrown) && !isUpstreamFailure(thrown)))
    return { result: toFailure(thrown, prepared.failed) };
  // X6: errors of libraries that the tool declares.
  const id = makeCauseId();
  const matched = prepared.declared.match(thrown, checked, id);
  return { result: toFailure(matched ?? thrown, prepared.failed, id) };
}

function answer(call: Call): Ended | Pending | Promise<Ended | Pending> {
  const { served, request, prepared } = call;
  const { definition } = served.tool;
  if (definition.requires !== undefined) {
    const missing = findUnmetRequirement(served, request);
    if (missing !== undefined) throw missing;
  }
  const { loaded } = prepared;
  const isPlain = loaded !== undefined && definition.confirm !== true && served.host.program.pack.context === undefined;
  if (!isPlain) return answerSlowly(call);
  const args = argumentsOf(call, loaded.validators);
  if (args instanceof Promise) return args.then(checked => runTool(call, loaded, checked));
  return runTool(call, loaded, args);
}

/** Loads what is not loaded yet, and asks the user who must agree. */
async function answerSlowly(call: Call): Promise<Ended | Pending> {
  const { served, request, prepared } = call;
  const { tool, host } = served;
  const validators = await host.validators(tool);
  const args = await argumentsOf(call, validators);
  openState(call);
  // Nobody has to agree to a look at what would run.
  if (tool.definition.confirm === true && request.isDryRun !== true) {
    const { proceed, result } = await confirmCall(served, call.args, request, call.questions);
    if (!proceed) return result === undefined ? ask(call) : instead(result, prepared);
  }
  const loaded = { validators, ...(await loadWork(served)) };
  prepared.loaded = loaded;
  return runTool(call, loaded, args);
}

function argumentsOf({ served, args, request, services }: Call, { input }: Validators): unknown {
  const { name, tool, bound } = served;
  const own = tool.definition.confirm === true || isRelayed(args) ? ownArguments(served, args, request) : args;
  const strict = services.strictArguments;
  if (bound === undefined) return checkArguments(own, { name, schema: tool.inputSchema, validate: input, strict });
  const checked = checkArguments(own, { name, schema: bound.input, validate: bound.validate, strict });
  if (checked instanceof Promise) return checked.then(args => bound.fill(args, request));
  return bound.fill(checked, request);
}

/** Whether a model may have brought answers back (relay.ts). */
function isRelayed(args: unknown): boolean {
  return isMap(args) && (Object.hasOwn(args, '_answers') || Object.hasOwn(args, '_state'));
}

/** What was sealed must be ours, even where the handler never asks: questions open it when they are made. */
function openState(call: Call): void {
  if (call.request.state !== undefined || isRelayed(call.args)) void call.questions;
}

function runTool(call: Call, work: Work, args: unknown): Ended | Pending | Promise<Ended | Pending> {
  const { turns } = call.prepared;
  return turns === undefined ? startTool(call, work, args) : takeTurn(call, turns, work, args);
}

/**
 * X9: a turn lasts as long as the handler runs, even if nobody waits for it any more: what it changes is not changed yet. One
 * that waits for an answer has let go; with the answer the call takes a turn anew.
 */
async function takeTurn(call: Call, turns: Turns, work: Work, args: unknown): Promise<Ended | Pending> {
  const isPatient = call.request.task !== undefined;
  const { held, leave } = await turns.take(call.held ?? [], call.signal, isPatient);
  call.held = held;
  call.leave = leave;
  try {
    const started = startTool(call, work, args);
    if ('returned' in started) return { returned: Promise.resolve(started.returned).finally(leave) };
    leave();
    return await started;
  } catch (thrown) {
    leave();
    throw thrown;
  }
}

/** Calls the handler. */
function startTool(call: Call, work: Work, args: unknown): Ended | Pending | Promise<Ended> {
  openState(call);
  call.keepArguments(args);
  const run = work.begin(call);
  // Nobody waits for it any more: better not begin.
  if (call.limit.problem !== undefined) throw call.limit.problem;
  call.isRunning = true;
  const returned = run(args);
  return isThenable(returned) ? { returned } : finish(call, returned);
}

/** When the handler gives its value, or waits for an answer: then it is left behind, and may fail unheard. */
function finishLater(
  call: Call,
  { returned }: Pending,
  end: (outcome: Ended) => void,
  fail: (thrown: unknown) => void,
): void {
  let isLeft = false;
  returned.then(value => {
    // Nobody waits for it any more.
    if (isLeft || call.limit.problem !== undefined) return;
    try {
      const finished = finish(call, value);
      if (finished instanceof Promise) finished.then(end, fail);
      else end(finished);
    } catch (thrown) {
      fail(thrown);
    }
  }, fail);
  call.onSuspended(() => {
    isLeft = true;
    try {
      const asked = ask(call);
      call.leave?.();
      call.limit.leave();
      end(asked);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** Makes a result of what the handler gave. */
function finish(call: Call, value: unknown): Ended | Promise<Ended> {
  const { served, prepared } = call;
  const { tool, name } = served;
  const { loaded, removed } = prepared;
  if (loaded === undefined) throw new Error(`${name} ran before it was loaded`);
  const shaped = loaded.shape(value, { tool, name, output: loaded.validators.output, removed });
  return shaped instanceof Promise
    ? shaped.then(one => ({ result: finishResult(tellResult(call, one), prepared) }))
    : { result: finishResult(tellResult(call, shaped), prepared) };
}

/** X4: `resultText`, where the handler has said nothing itself. */
function tellResult({ prepared, checked, services }: Call, shaped: Shaped): Shaped {
  const { resultText } = prepared;
  if (resultText === undefined || shaped.isUntold !== true) return shaped;
  const { structuredContent } = shaped.result;
  const args = { ...checked, ...(isMap(structuredContent) ? structuredContent : {}) };
  const text = resultText({ args, toolName: item => services.render(`{{tool:${item}}}`) });
  return { ...shaped, result: { ...shaped.result, content: [{ type: 'text', text }] } };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function ask({ questions, prepared: { redaction } }: Call): Ended {
  const asking = questions.asking();
  if (asking === undefined) throw new Error('the handler waits for a question that nobody asked');
  return { asking: redaction === undefined ? asking : redactAsking(asking, redaction) };
}

/** A string in place of a result. */
function instead(result: CallToolResult, { redaction }: PreparedTool): Ended {
  return { result: redaction === undefined ? result : redactResult(result, redaction) };
}
