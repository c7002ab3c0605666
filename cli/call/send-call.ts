// In: a tool, a prompt or a resource, and who calls. Out: what came of it. The caller is a client in this folder, which can ask its user
// where there is a terminal.
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../runtime/call/print-cause.js';
import { ProtocolError } from '../../runtime/call/protocol-error.js';
import { askUntilDone } from '../../runtime/protocol/questions.js';
import { answerQuestions } from '../../runtime/server/registry/answer-questions.js';
import { requestsOf } from '../../runtime/server/registry/invoke.js';
import type { InvokeOptions } from '../../runtime/server/registry/registry.js';
import type { Surface } from '../../runtime/surface/surface.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { type PackFlags, workingFolder } from '../pack/pack-command.js';
import { talk } from '../start/opened-server.js';
import { createAskUser } from '../terminal/ask-user.js';
import type { Answer, Target } from './call-target.js';

export interface Caller {
  /** Who cancels, or leaves. */
  readonly signal: AbortSignal;
  readonly flags: PackFlags;
  /** Whether there is somebody to ask. */
  readonly isInteractive: boolean;
}

/** `isRead`: stdin held the arguments, so that nobody can answer there. */
export function canAsk(isRead: boolean): boolean {
  return !isRead && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** What a client in this folder can do, and how it hears of logs. */
export function callbacksOf({
  signal,
  flags,
  isInteractive,
}: Caller): Pick<InvokeOptions, 'elicit' | 'roots' | 'onLog'> {
  return {
    roots: [{ uri: pathToFileURL(workingFolder(flags)).href }],
    ...(isInteractive ? { elicit: createAskUser(signal) } : {}),
    onLog: ({ level, message, data }) =>
      talk(flags, `${level}: ${message}${data === undefined ? '' : ` ${JSON.stringify(data)}`}`),
  };
}

export interface PlainCall extends Caller {
  readonly target: Target;
  readonly args: Readonly<Record<string, unknown>>;
  readonly isDryRun: boolean;
}

export async function sendCall(surface: Surface, call: PlainCall): Promise<Answer> {
  const { target, args, signal, flags, isDryRun } = call;
  const { name } = target;
  const callbacks = callbacksOf(call);
  const options: InvokeOptions = {
    ...callbacks,
    onProgress: ({ done, total, message = '' }) =>
      talk(flags, `${done}${total === undefined ? '' : ` of ${total}`} ${message}`.trimEnd()),
  };
  const requests = requestsOf(surface, { tool: name, args, id: 1, signal, options });
  const open: typeof requests = (answers, state) =>
    Object.assign(requests(answers, state), isDryRun ? { isDryRun: true } : {});
  try {
    const { result } = await askUntilDone<{ readonly result: Answer }>(await target.send(args, open()), {
      ask: async asking => ({ answers: await answerQuestions(asking, callbacks, { tool: name, signal }) }),
      again: (answers, state) => target.send(args, open(answers, state)),
      tooMany(rounds) {
        throw new Error(`${name} asked more than ${rounds} times`);
      },
    });
    return result;
  } catch (error) {
    return failedAnswer(error);
  }
}

/** What a client would get as a protocol error. */
export function failedAnswer(error: unknown): Answer {
  const text = error instanceof ProtocolError ? error.message : messageOf(error);
  const failed: CallToolResult = { content: [{ type: 'text', text }], isError: true };
  return { shown: failed, raw: failed };
}
