// In: a surface, the name of a tool, arguments and callbacks. Out: what became of the call, never an exception.
import type { Auth } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Outcome, Request } from '../call/ports.js';
import { messageOf } from '../call/print-cause.js';
import { ProtocolProblem } from '../call/protocol-problem.js';
import type { Surface } from '../surface/surface.js';
import { answerQuestions, capabilitiesOf } from './answer-questions.js';
import { copyArguments } from './copy-arguments.js';
import { makeCallError, toInvokeResult } from './invoke-result.js';
import type { InvokeOptions, InvokeResult } from './registry.js';

/** A handler that asks more often than this has lost its way. */
const mostRounds = 50;

export interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly id: string | number;
  readonly signal: AbortSignal;
  readonly options: InvokeOptions;
}

/** Calls a tool, answers what it asks and calls it again with the answers, until there is a result. */
export async function invoke(surface: Surface, call: Call): Promise<InvokeResult> {
  const args = copyArguments(call.args);
  if ('problem' in args) return fail('BAD_ARGUMENTS', `The arguments cannot be sent as JSON: ${args.problem}`);
  try {
    let outcome = await callOnce(surface, call, args.value, {}, undefined);
    for (let round = 0; 'asking' in outcome; round++) {
      if (round === mostRounds) return fail('TOO_MANY_QUESTIONS', `${call.tool} asked more than ${mostRounds} times`);
      const { asking } = outcome;
      const about = { tool: call.tool, signal: call.signal };
      const answered = await settle(answerQuestions(asking, call.options, about));
      if ('problem' in answered) return fail('QUESTION_FAILED', `No answer for ${call.tool}: ${answered.problem}`);
      outcome = await callOnce(surface, call, args.value, answered.value, asking.state);
    }
    return call.signal.aborted ? cancelled(call) : toInvokeResult(outcome.result);
  } catch (error) {
    if (call.signal.aborted) return cancelled(call);
    if (error instanceof ProtocolProblem) return fail('BAD_REQUEST', error.message);
    surface.desk.report(`${call.tool} could not be called: ${messageOf(error)}`);
    return fail('UNEXPECTED_ERROR', `${call.tool} failed`, 500);
  }
}

function callOnce(
  surface: Surface,
  call: Call,
  args: unknown,
  answers: Request['answers'],
  state: string | undefined,
): Promise<Outcome<CallToolResult>> {
  return surface.callTool(call.tool, args, makeRequest(surface, call, answers, state));
}

/** What a client would have sent. */
export function makeRequest(
  surface: Surface,
  call: Call,
  answers: Request['answers'] = {},
  state: string | undefined = undefined,
): Request {
  const { id, signal, options } = call;
  const { onLog, onProgress, auth } = options;
  const tell = <T>(listen: ((value: T) => void) | undefined, value: T): void => {
    try {
      listen?.(value);
    } catch (error) {
      surface.desk.report(`a callback of ${call.tool} failed: ${messageOf(error)}`);
    }
  };
  return {
    id,
    signal,
    client: { name: 'toolwright', version: '', capabilities: capabilitiesOf(options) },
    auth,
    principal: principalOf(auth),
    answers,
    state,
    notify: {
      toolsChanged: () => surface.announce({ list: 'tools' }),
      promptsChanged: () => surface.announce({ list: 'prompts' }),
      resourcesChanged: () => surface.announce({ list: 'resources' }),
      resourceUpdated: uri => surface.announce({ uri }),
    },
    log(level, message, data) {
      tell(onLog, { level, message, ...(data === undefined ? {} : { data }) });
      return onLog !== undefined;
    },
    progress: (done, total, message) => tell(onProgress, { done, total, message }),
  };
}

function principalOf(auth: Auth | undefined): string {
  return auth === undefined ? '' : JSON.stringify([auth.subject ?? '', auth.clientId]);
}

async function settle<T>(promise: Promise<T>): Promise<{ readonly value: T } | { readonly problem: string }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function cancelled({ tool }: Call): InvokeResult {
  return fail('CANCELLED', `The call of ${tool} was cancelled`, 499);
}

export function fail(code: string, message: string, status = 400): InvokeResult & { readonly ok: false } {
  return { ok: false, error: makeCallError({ code, message, status }) };
}
