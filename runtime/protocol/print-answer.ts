// In: what a request came to. Out: the line that answers it.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Asking } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-problem.js';
import { type Handshake, modernMembers, serverInfoKey } from './handshake.js';
import { toInputRequest } from './input-requests.js';
import type { Message, MessageId, WireError } from './ports.js';

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
    return printError(id, { code: protocolCodes.internalError, message: 'Internal error' });
  }
}

function printId(id: MessageId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

/**
 * The answer to a call. A result that cannot be written after all is an error.
 *
 * @example printCallResult(7, { content: [] }, handshake) // with a handshake: as clients of 2026-07-28 get it
 */
export function printCallResult(id: MessageId, result: CallToolResult, handshake: Handshake | undefined): string {
  try {
    return printResult(id, handshake === undefined ? JSON.stringify(result) : printModernResult(result, handshake));
  } catch {
    return printError(id, { code: protocolCodes.internalError, message: 'Internal error' });
  }
}

/** The JSON of a result of 2026-07-28. */
function printModernResult(result: CallToolResult, handshake: Handshake): string {
  const { _meta } = result;
  if (_meta === undefined) return `${JSON.stringify(result).slice(0, -1)},${modernMembers(handshake)}}`;
  const info: unknown = JSON.parse(handshake.info);
  return JSON.stringify({
    ...result,
    resultType: 'complete',
    _meta: { ..._meta, [serverInfoKey]: _meta[serverInfoKey] ?? info },
  });
}

/** The JSON of the result that asks, in 2026-07-28. */
export function printQuestions({ questions, state }: Asking, { info }: Handshake): string {
  const entries = Object.entries(questions).map(([key, question]) => [key, toInputRequest(question)]);
  return JSON.stringify({
    resultType: 'input_required',
    inputRequests: Object.fromEntries(entries),
    requestState: state,
    _meta: { [serverInfoKey]: JSON.parse(info) as unknown },
  });
}
