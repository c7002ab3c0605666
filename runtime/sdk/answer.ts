// In: what a call of a surface came to. Out: the SDK's results and errors, so that nothing unexpected reaches a client.
import {
  type InputRequests,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from '@modelcontextprotocol/server';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { type Hiding, hideCause } from '../call/failure.js';
import type { Asking, Outcome } from '../call/ports.js';
import { ProtocolProblem } from '../call/protocol-problem.js';
import { capabilityError } from '../protocol/call-port.js';
import { toInputRequest } from '../protocol/questions.js';

/** What a call came to, in the shape of its method, or its questions. */
export function toResult<T>(outcome: Outcome<T>, shape: (answer: T) => Result): Result {
  return 'asking' in outcome ? toInputRequired(outcome.asking) : shape(outcome.result);
}

/** The questions as 2026-07-28 embeds them; for older clients the SDK sends each as a request. */
export function toInputRequired({ questions, state }: Asking): Result {
  const inputRequests = Object.fromEntries(
    Object.entries(questions).map(([key, question]) => [key, toInputRequest(question)]),
  ) as InputRequests;
  return inputRequired({ inputRequests, requestState: state });
}

/** 2026-07-28 has its own error for a capability that the client lacks; a result would hide it. */
export function throwMissing(result: CallToolResult): void {
  const error = capabilityError(result);
  if (error === undefined) return;
  throw new ProtocolError(error.code, error.message, error.data);
}

/** The error to answer with. What nobody foresaw is reported under an id, and the client gets only that. */
export function toProtocolError(cause: unknown, hiding: Hiding): ProtocolError {
  if (cause instanceof ProtocolError) return cause;
  if (cause instanceof ProtocolProblem) return new ProtocolError(cause.code, cause.message, cause.data);
  const { id } = hideCause(cause, hiding);
  return new ProtocolError(ProtocolErrorCode.InternalError, `Internal error (${id})`);
}
