// In: anything that was thrown during a call. Out: a result with `isError` (M25), and what the operator should know.

import { randomBytes } from 'node:crypto';
import { types } from 'node:util';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { readMember } from './declared-errors.js';
import { HandlerProblem } from './handler-problem.js';
import { salvageJson } from './plain-json.js';
import type { CallServices } from './ports.js';
import { headOf, messageOf, printCause } from './print-cause.js';
import { ProtocolError, protocolCodes } from './protocol-error.js';
import type { Redaction } from './redact.js';
import { isToolError, type ToolError } from './tool-error.js';

/** An error as clients read it; the order of the keys is fixed. */
export interface FailureBody {
  readonly message: string;
  readonly code: string;
  readonly status: number;
  readonly is_retryable: boolean;
  readonly suggested_fix: string | null;
  readonly meta: object;
}

/** What is known of a call that failed. */
export interface FailedCall {
  /** The wire name of the tool. */
  readonly name: string;
  /** Only what changes nothing may be tried again without thinking. */
  readonly isRead: boolean;
  readonly services: Pick<CallServices, 'report' | 'showCauses'>;
  readonly redaction: Redaction;
}

/** The name under which programs find the error in a result. */
export const errorKey = 'toolwright/error';

/** An error is for reading: code that puts more into one gets a word instead. */
const mostMetaChars = 100_000;
const mostTextChars = 20_000;

/**
 * The result of a failed call. A ToolError arrives with all its fields; of anything else only an id, under which the
 * operator finds the cause. `id` is that one, where it is known already.
 *
 * @example try { ... } catch (thrown) { return toFailure(thrown, { name: 'get-issue', isRead: true, services, redaction }); }
 */
export function toFailure(thrown: unknown, call: FailedCall, id?: string): CallToolResult {
  if (!isToolError(thrown)) return toErrorResult(hideUnexpected(thrown, call, id), call.redaction);
  const error = wireOf(thrown);
  const cause = printCauseOf(thrown);
  if (cause !== undefined)
    reportTo(
      call,
      `${call.name}${id === undefined ? '' : ` failed (${id})`}: ${error.code}: ${error.message}\ncaused by ${cause}`,
    );
  return toErrorResult(error, call.redaction);
}

/** What led to it, for the operator. Of a backend a sentence is enough: where in our code a connection failed explains nothing. */
export function printCauseOf(error: ToolError): string | undefined {
  const cause = readMember(error, 'cause');
  if (cause === undefined) return undefined;
  if (readMember(error, 'name') !== 'UpstreamFailure') return printCause(cause);
  // A host with several addresses fails once for each.
  return messageOf(cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause);
}

/** M20: the message of an unexpected error may say anything, so that clients see it only in dev, call and test. */
function hideUnexpected(thrown: unknown, call: FailedCall, id: string | undefined): FailureBody {
  const { name, services, redaction } = call;
  const { text: message } = hideCause(thrown, { name, services, redact: redaction.text, id });
  // Even asking a proxy what it is may fail.
  const problem = !types.isProxy(thrown) && thrown instanceof HandlerProblem ? thrown : undefined;
  const isAbsent = problem?.code === 'generate/missing-handler';
  return {
    message: services.showCauses ? `${message}: ${problem?.line ?? messageOf(thrown)}` : message,
    // A handler that nobody has written yet is expected: as if its stub existed.
    code: isAbsent ? 'NOT_IMPLEMENTED' : 'UNEXPECTED_ERROR',
    status: isAbsent ? 501 : 500,
    is_retryable: call.isRead && problem === undefined,
    suggested_fix: (services.showCauses ? problem?.hint : isAbsent ? 'Write its handler.' : undefined) ?? null,
    meta: {},
  };
}

function reportTo({ services, redaction }: FailedCall, text: string): void {
  services.report(redaction.text(text));
}

/** The fields of a ToolError, also of another version of this package or of a class that changes them. */
function wireOf(error: ToolError): FailureBody {
  const [message, code, status] = [
    readMember(error, 'message'),
    readMember(error, 'code'),
    readMember(error, 'status'),
  ];
  const fix = readMember(error, 'suggestedFix');
  const meta = salvageJson(readMember(error, 'meta'));
  return {
    message: typeof message === 'string' ? message : 'the tool failed',
    code: typeof code === 'string' ? code : 'TOOL_ERROR',
    status: typeof status === 'number' && Number.isInteger(status) ? status : 400,
    is_retryable: readMember(error, 'retryable') === true,
    suggested_fix: typeof fix === 'string' ? fix : null,
    meta:
      typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : meta == null ? {} : { value: meta },
  };
}

/**
 * A protocol error as it may leave: whatever a handler has put into one, it has an integer for a code, JSON for data, and no secrets.
 *
 * @example if (thrown instanceof ProtocolError) throw cleanProtocolError(thrown, redaction);
 */
export function cleanProtocolError(error: ProtocolError, redaction: Pick<Redaction, 'text' | 'value'>): ProtocolError {
  const [code, message, data] = ['code', 'message', 'data'].map(key => readMember(error, key));
  const plain = redaction.value(salvageJson(data));
  const chars = JSON.stringify(plain)?.length ?? 0;
  return new ProtocolError(
    Number.isSafeInteger(code) ? Number(code) : protocolCodes.internalError,
    shorten(redaction.text(typeof message === 'string' ? message : 'the handler failed')),
    chars > mostMetaChars ? { left_out: `${chars} characters` } : plain,
  );
}

function toErrorResult(error: FailureBody, redaction: Redaction): CallToolResult {
  const show = (text: string): string => shorten(redaction.text(text));
  const meta = redaction.value(error.meta);
  const metaChars = JSON.stringify(meta).length;
  const text = JSON.stringify({
    message: show(error.message),
    code: show(error.code),
    status: error.status,
    is_retryable: error.is_retryable,
    suggested_fix: error.suggested_fix === null ? null : show(error.suggested_fix),
    meta: metaChars > mostMetaChars ? { left_out: `${metaChars} characters` } : meta,
  });
  return { content: [{ type: 'text', text }], isError: true, _meta: { [errorKey]: JSON.parse(text) } };
}

function shorten(text: string): string {
  return text.length > mostTextChars ? `${headOf(text, mostTextChars)}...` : text;
}

export interface Hiding {
  /** What failed, as messages call it. */
  readonly name: string;
  readonly services: Pick<CallServices, 'report'>;
  /** Takes secrets out of what is reported. */
  redact(text: string): string;
  /** Made anew unless given. */
  readonly id?: string | undefined;
}

/** Short enough to be read out, long enough to be found in a log. */
export function makeCauseId(): string {
  return randomBytes(4).toString('hex');
}

/**
 * Reports a cause under a new id, by which the answer leads to it.
 *
 * @example hideCause(error, { name: 'get-issue', services, redact }) // { id: '5f2c9a01', text: 'get-issue failed (5f2c9a01)' }
 */
export function hideCause(
  cause: unknown,
  { name, services, redact, id = makeCauseId() }: Hiding,
): { readonly id: string; readonly text: string } {
  const text = `${name} failed (${id})`;
  services.report(redact(`${text}: ${printCause(cause)}`));
  return { id, text };
}

/** What a call ends with that has no result. What nobody foresaw is reported under an id, and the client gets only that. */
export function protocolErrorOf(
  cause: unknown,
  hiding: Hiding,
): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (cause instanceof ProtocolError) {
    const { code, message, data } = cause;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  const { id } = hideCause(cause, hiding);
  return { code: protocolCodes.internalError, message: `Internal error (${id})` };
}
