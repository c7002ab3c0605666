// In: what a request came to. Out: the line that answers it.
import type { Client } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Asking } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-problem.js';
import { isImplementation } from './envelope.js';
import { type Handshake, modernMembers, serverInfoKey } from './handshake.js';
import type { CallAnswer, Message, MessageId, WireError } from './ports.js';
import { findUndeclared, toInputRequest } from './questions.js';

/** An answer of ours over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** What a client gets to know of what nobody foresaw. */
export const internalError: WireError = Object.freeze({ code: protocolCodes.internalError, message: 'Internal error' });

/** `result` is JSON. */
export function printResult(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${printId(id)},"result":${result}}`;
}

export function printError(id: MessageId, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${printId(id)},"error":${JSON.stringify(error)}}`;
}

/** An answer that the SDK has made. */
export function printMessage(message: Message, id: MessageId): string {
  try {
    return JSON.stringify(message);
  } catch {
    // Too deep or not JSON after all: the request must still be answered.
    return printError(id, internalError);
  }
}

function printId(id: MessageId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

/**
 * The answer to a call, with its status over HTTP.
 *
 * @example printCallAnswer(7, { result: { content: [] } }, client, handshake) // with a handshake: as clients of 2026-07-28 get it
 */
export function printCallAnswer(
  id: MessageId,
  answer: CallAnswer,
  { capabilities }: Pick<Client, 'capabilities'>,
  handshake: Handshake | undefined,
): HttpAnswer {
  if ('result' in answer) return { status: 200, text: printCallResult(id, answer.result, handshake) };
  // In 2025 questions are not an answer.
  const asked = 'asking' in answer && handshake !== undefined ? answer.asking : undefined;
  const error = 'error' in answer ? answer.error : asked && findMissingCapability(asked, capabilities);
  if (error !== undefined)
    return { status: error.code === protocolCodes.missingCapability ? 400 : 200, text: printError(id, error) };
  if (asked === undefined || handshake === undefined) return { status: 200, text: printError(id, internalError) };
  return { status: 200, text: printResult(id, printQuestions(asked, handshake)) };
}

/** A result that cannot be written after all is an error. */
function printCallResult(id: MessageId, result: CallToolResult, handshake: Handshake | undefined): string {
  try {
    return printResult(id, handshake === undefined ? JSON.stringify(result) : printModernResult(result, handshake));
  } catch {
    return printError(id, internalError);
  }
}

/** The JSON of a result of 2026-07-28. */
function printModernResult(result: CallToolResult, handshake: Handshake): string {
  const { _meta } = result;
  if (_meta === undefined && !('resultType' in result)) {
    return `${JSON.stringify(result).slice(0, -1)},${modernMembers(handshake)}}`;
  }
  const own = _meta?.[serverInfoKey];
  const info = isImplementation(own) ? own : (JSON.parse(handshake.info) as unknown);
  return JSON.stringify({ ...result, resultType: 'complete', _meta: { ..._meta, [serverInfoKey]: info } });
}

/** The JSON of the result that asks, in 2026-07-28. */
function printQuestions({ questions, state }: Asking, { info }: Handshake): string {
  const entries = Object.entries(questions).map(([key, question]) => [key, toInputRequest(question)]);
  return JSON.stringify({
    resultType: 'input_required',
    inputRequests: Object.fromEntries(entries),
    requestState: state,
    _meta: { [serverInfoKey]: JSON.parse(info) as unknown },
  });
}

/** A client must not be asked what it has not said it can answer. */
function findMissingCapability({ questions }: Asking, capabilities: unknown): WireError | undefined {
  for (const [key, question] of Object.entries(questions)) {
    const request = toInputRequest(question);
    const requiredCapabilities = findUndeclared(request, capabilities);
    if (requiredCapabilities === undefined) continue;
    const message = `Cannot request input '${key}' (${request.method}): the client did not declare the capability`;
    return { code: protocolCodes.missingCapability, message, data: { requiredCapabilities } };
  }
  return undefined;
}
