// In: a surface, the name of a tool, arguments and callbacks. Out: what became of the call, never an exception.
import type { Auth } from '../../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { notifyOf } from '../../call/notify-of.js';
import type { Request } from '../../call/ports.js';
import { messageOf } from '../../call/print-cause.js';
import { ProtocolError, protocolCodes } from '../../call/protocol-error.js';
import { taskPolicyOf } from '../../load/program.js';
import { askUntilDone } from '../../protocol/questions.js';
import { ClientRequest, SignalledCall, type Wire } from '../../protocol/request.js';
import type { Surface } from '../../surface/surface.js';
import type { TaskError } from '../../tasks/tasks.js';
import { answerQuestions, capabilitiesOf } from './answer-questions.js';
import { copyArguments } from './copy-arguments.js';
import { makeCallError, toInvokeResult } from './invoke-result.js';
import { type LooseTask, openLooseTask } from './loose-task.js';
import type { InvokeOptions, InvokeResult } from './registry.js';

export interface CallByCode {
  readonly tool: string;
  readonly args: unknown;
  readonly id: string | number;
  readonly signal: AbortSignal;
  readonly options: InvokeOptions;
}

/** Calls a tool, answers what it asks and calls it again with the answers, until there is a result. */
export async function invoke(surface: Surface, call: CallByCode): Promise<InvokeResult> {
  const args = copyArguments(call.args);
  if ('problem' in args) return fail('BAD_ARGUMENTS', `The arguments cannot be sent as JSON: ${args.problem}`);
  const { signal, tool } = call;
  let task: LooseTask | undefined;
  try {
    const served = surface.tool(tool);
    if (served !== undefined && taskPolicyOf(served.tool) !== undefined)
      task = openLooseTask(step => tellOf(surface, tool)(call.options.onProgress, step));
    const send = sendRounds(surface, call, request =>
      surface.callTool(tool, args.value, task?.runOf(request) ?? request),
    );
    const outcome = await askUntilDone<{ readonly result: CallToolResult } | { readonly failed: InvokeResult }>(
      await send(),
      {
        async ask(asking) {
          const answered = await settle(answerQuestions(asking, call.options, { tool, signal }));
          if ('value' in answered) return { answers: answered.value };
          return { end: { failed: fail('QUESTION_FAILED', `No answer for ${tool}: ${answered.problem}`) } };
        },
        again: send,
        tooMany: rounds => ({ failed: fail('TOO_MANY_QUESTIONS', `${tool} asked more than ${rounds} times`) }),
      },
    );
    if ('failed' in outcome) return outcome.failed;
    return call.signal.aborted ? cancelled(call) : toInvokeResult(outcome.result);
  } catch (error) {
    if (call.signal.aborted) return cancelled(call);
    if (error instanceof ProtocolError) return refused(error);
    surface.services.report(`${call.tool} could not be called: ${messageOf(error)}`);
    return fail('UNEXPECTED_ERROR', `${call.tool} failed`, 500);
  } finally {
    task?.end();
  }
}

/** How each round of a call is sent. A handler that goes on after its round is heard no more. */
export function sendRounds<T>(
  surface: Surface,
  call: CallByCode,
  send: (request: Request) => Promise<T>,
): (answers?: Request['answers'], state?: string) => Promise<T> {
  const open = requestsOf(surface, call);
  return async (answers, state) => {
    const request = open(answers, state);
    try {
      return await send(request);
    } finally {
      request.end();
    }
  };
}

/** What a client would have sent: the requests of all rounds of a call. */
export function requestsOf(
  surface: Surface,
  call: CallByCode,
): (answers?: Request['answers'], state?: string) => ClientRequest {
  const { id, signal, options } = call;
  const { onLog, onProgress, auth } = options;
  const tell = tellOf(surface, call.tool);
  const client = { name: 'toolwright', version: '', capabilities: capabilitiesOf(options) };
  const input = { id, client, auth, principal: principalOf(auth) };
  const pending = new SignalledCall(signal);
  const wire: Wire = {
    notify: notifyOf(surface),
    logLevel: () => (onLog === undefined ? undefined : 'debug'),
    log: (_, level, message, data) => tell(onLog, { level, message, ...(data === undefined ? {} : { data }) }),
    progress: (_, done, total, message) => tell(onProgress, { done, total, message }),
  };
  return (answers, state) => new ClientRequest(input, pending, wire, answers, state);
}

/** A callback that fails is not a failure of the tool. */
function tellOf({ services }: Surface, tool: string) {
  return <T>(listen: ((value: T) => void) | undefined, value: T): void => {
    try {
      listen?.(value);
    } catch (error) {
      services.report(`a callback in ${tool} failed: ${messageOf(error)}`);
    }
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

/** Of a request that is wrong, and of what a handler threw. */
export function refused({ code, message, data }: TaskError): InvokeResult {
  if (code === protocolCodes.invalidParams) return fail('BAD_REQUEST', message);
  const meta = { code, ...(data === undefined ? {} : { data }) };
  return { ok: false, error: makeCallError({ code: 'PROTOCOL_ERROR', message, status: 500, meta }) };
}

export function cancelled({ tool }: Pick<CallByCode, 'tool'>): InvokeResult {
  return fail('CANCELLED', `The call to ${tool} was cancelled`, 499);
}

export function fail(code: string, message: string, status = 400): InvokeResult & { readonly ok: false } {
  return { ok: false, error: makeCallError({ code, message, status }) };
}
