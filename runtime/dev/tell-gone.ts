// In: a call that no process can answer, and why. Out: what its client reads: a result with an error, or a protocol error.
import { toFailure } from '../call/failure.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';
import { ToolError } from '../call/tool-error.js';
import type { Method } from './messages.js';

const plain = { text: (text: string) => text, value: (value: unknown) => value, base64: (data: string) => data };

/** Throws for everything that has no results of its own for errors. */
export function tellGone(method: Method, [name]: readonly unknown[], why: string): unknown {
  if (method !== 'callTool') throw new ProtocolProblem(protocolCodes.internalError, `Not answered: ${why}`);
  const error = new ToolError(`${String(name)} was not answered: ${why}`, {
    code: 'SERVER_UNAVAILABLE',
    status: 503,
    suggestedFix: 'Look at what toolwright dev says, fix it, and call again.',
  });
  const desk = { report: () => undefined, showCauses: true };
  return { result: toFailure(error, { name: String(name), isRead: false, desk, redaction: plain }) };
}
