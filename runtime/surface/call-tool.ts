// In: a tool, arguments and a request. Out: its result, or the questions that it asks. The story of a call, without MCP.
import { types } from 'node:util';
import { isMap } from '../../schema/document.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { checkArguments } from '../call/arguments.js';
import { findUnmetRequirement } from '../call/context/capabilities.js';
import { confirmCall } from '../call/context/confirm.js';
import { createToolContext, createToolQuestions } from '../call/context/create-context.js';
import type { Questions } from '../call/context/questions.js';
import { ownArguments, RelayQuestion, relayResult, saysThatItAsks } from '../call/context/relay.js';
import { makeCauseId, toFailure } from '../call/failure.js';
import { finishResult } from '../call/finish-result.js';
import type { CallServices, Outcome, Request, ServedTool, Validators } from '../call/ports.js';
import { ProtocolProblem } from '../call/protocol-problem.js';
import { redactAsking, redactResult } from '../call/redact.js';
import { type Shaped, shapeResult } from '../call/shape-result.js';
import { isToolError } from '../call/tool-error.js';
import type { Tool } from '../load/program.js';
import { Call, type Handler, type Loaded, type Prepared, prepareCall } from './call.js';

/**
 * Calls a tool: checks what it requires, its arguments and the user's consent, runs its handler under a time limit, and
 * makes a result of whatever comes out. Everything that goes wrong is a result with `isError`; only a ProtocolProblem is
 * thrown.
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
  const common = prepareCall(served, services);
  const call = new Call(served, args, request, services, common);
  const { name } = served;
  const { running } = services;
  running?.begin(name);
  // One promise for the whole call, where nothing is to be waited for but the handler: each costs as much as checking arguments.
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (outcome: Outcome<CallToolResult>): void => {
      if (isOver) return;
      isOver = true;
      running?.end(name);
      call.limit.end();
      resolve(outcome);
    };
    const fail = (thrown: unknown): void => {
      // What is left behind may fail unheard.
      if (isOver) return;
      isOver = true;
      running?.end(name);
      call.limit.end();
      try {
        resolve(failed(call, thrown));
      } catch (problem) {
        reject(problem);
      }
    };
    if (!call.limit.watch(fail)) return;
    try {
      const outcome = answer(call);
      if (outcome instanceof Promise) outcome.then(end, fail);
      else if (isPending(outcome)) finishLater(call, outcome, end, fail);
      else end(outcome);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** Throws a ProtocolProblem on. */
function failed({ served, common, isRunning, checked }: Call, thrown: unknown): Outcome<CallToolResult> {
  // Even asking a proxy what it is may fail.
  if (!types.isProxy(thrown)) {
    if (thrown instanceof ProtocolProblem) throw thrown;
    if (thrown instanceof RelayQuestion) {
      reportUnsaid(served, common);
      return instead(relayResult(served, thrown.text), common);
    }
  }
  if (!isRunning || isToolError(thrown)) return { result: toFailure(thrown, common.failed) };
  // X6: errors of libraries that the tool declares.
  const id = makeCauseId();
  const matched = common.declared.match(thrown, checked, id);
  return { result: toFailure(matched ?? thrown, common.failed, id) };
}

const reported = new WeakSet<Tool>();

/** Clients learn from the manifest only that a tool asks: without it, those that keep to the listed schema cannot answer. */
function reportUnsaid({ tool, name, host }: ServedTool, { services }: Prepared): void {
  if (reported.has(tool) || saysThatItAsks(tool, host.program.pack.config)) return;
  reported.add(tool);
  services.report(
    `${name} asks the user, and this client cannot: add "requires: { elicitation: suggested }" to the tool, so that lists for such clients have the argument "_answers"`,
  );
}

/** A handler that has not given its value yet. */
interface Pending {
  readonly returned: PromiseLike<unknown>;
}

type Answer = Outcome<CallToolResult> | Pending;

function isPending(answered: Answer): answered is Pending {
  return 'returned' in answered;
}

function answer(call: Call): Answer | Promise<Outcome<CallToolResult>> {
  const { served, request, common } = call;
  const { definition } = served.tool;
  if (definition.requires !== undefined) {
    const missing = findUnmetRequirement(served, request);
    if (missing !== undefined) throw missing;
  }
  const { loaded } = common;
  const isPlain = loaded !== undefined && definition.confirm !== true && served.host.program.pack.context === undefined;
  if (!isPlain) return answerSlowly(call);
  const args = argumentsOf(call, loaded.validators);
  if (args instanceof Promise) return args.then(checked => settleCall(call, runTool(call, loaded, checked)));
  return runTool(call, loaded, args);
}

/** Loads what is not loaded yet, and asks the user who must agree. */
async function answerSlowly(call: Call): Promise<Outcome<CallToolResult>> {
  const { served, request, common } = call;
  const { tool, host } = served;
  const validators = await host.validators(tool);
  const args = await argumentsOf(call, validators);
  const questions = createToolQuestions(call);
  call.questions = questions;
  if (tool.definition.confirm === true) {
    const { proceed, result } = await confirmCall(served, call.args, request, questions);
    if (!proceed) return result === undefined ? ask(questions, common) : instead(result, common);
  }
  if (tool.definition.initialize !== undefined) await host.initialize(tool);
  const app = await host.app();
  const handler = (served.handler as Handler | undefined) ?? (await loadHandler(served));
  const loaded = { validators, handler, app };
  common.loaded = loaded;
  return await settleCall(call, runTool(call, loaded, args));
}

function argumentsOf({ served, args, request, services }: Call, { input }: Validators): unknown {
  return checkArguments(ownArguments(served, args, request), {
    name: served.name,
    schema: served.tool.inputSchema,
    validate: input,
    strict: services.strictArguments,
  });
}

/** Calls the handler. */
function runTool(call: Call, { handler, app }: Loaded, args: unknown): Answer | Promise<Outcome<CallToolResult>> {
  call.questions ??= createToolQuestions(call);
  call.keepArguments(args);
  const ctx = createToolContext(call, call.questions, app);
  // Nobody waits for it any more: better not begin.
  if (call.limit.problem !== undefined) throw call.limit.problem;
  call.isRunning = true;
  const returned = handler(args, ctx);
  return isThenable(returned) ? { returned } : finish(call, returned);
}

function settleCall(
  call: Call,
  answered: Answer | Promise<Outcome<CallToolResult>>,
): Outcome<CallToolResult> | Promise<Outcome<CallToolResult>> {
  if (answered instanceof Promise || !isPending(answered)) return answered;
  return new Promise((resolve, reject) => finishLater(call, answered, resolve, reject));
}

/** When the handler gives its value, or waits for an answer: then it is left behind, and may fail unheard. */
function finishLater(
  call: Call,
  { returned }: Pending,
  end: (outcome: Outcome<CallToolResult>) => void,
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
  call.questions?.onSuspended(() => {
    isLeft = true;
    try {
      const { questions } = call;
      if (questions === undefined) return;
      const asked = ask(questions, call.common);
      call.limit.leave();
      end(asked);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** Makes a result of what the handler gave. */
function finish(call: Call, value: unknown): Outcome<CallToolResult> | Promise<Outcome<CallToolResult>> {
  const { served, common } = call;
  const { tool, name } = served;
  const shaped = shapeResult(value, { tool, name, output: common.loaded?.validators.output, removed: common.removed });
  const { clean } = tool.definition;
  return shaped instanceof Promise
    ? shaped.then(one => ({ result: finishResult(tellResult(call, one), common, clean) }))
    : { result: finishResult(tellResult(call, shaped), common, clean) };
}

/** X4: `resultText`, where the handler has said nothing itself. */
function tellResult({ common, checked, services }: Call, shaped: Shaped): Shaped {
  const { resultText } = common;
  if (resultText === undefined || shaped.isUntold !== true) return shaped;
  const { structuredContent } = shaped.result;
  const args = { ...checked, ...(isMap(structuredContent) ? structuredContent : {}) };
  const text = resultText({ args, toolName: item => services.render(`{{tool:${item}}}`) });
  return { ...shaped, result: { ...shaped.result, content: [{ type: 'text', text }] } };
}

async function loadHandler({ tool, host }: ServedTool): Promise<Handler> {
  const handler = await host.load(tool.handler);
  if (typeof handler === 'function') return handler as Handler;
  throw new Error(`${tool.handler.path}#${tool.handler.export} is not a function`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function ask(questions: Questions, { redaction }: Prepared): Outcome<CallToolResult> {
  const asking = questions.asking();
  if (asking === undefined) throw new Error('the handler waits for a question that nobody asked');
  return { asking: redaction === undefined ? asking : redactAsking(asking, redaction) };
}

/** A string in place of a result. */
function instead(result: CallToolResult, { redaction }: Prepared): Outcome<CallToolResult> {
  return { result: redaction === undefined ? result : redactResult(result, redaction) };
}
