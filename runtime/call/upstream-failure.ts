// B6. The errors of what tools talk to: services, databases, programs, other servers. In: what went wrong. Out: an error with a code that
// says which kind it is and whether trying again helps; `match` of a tool's errors knows what it came from.
import type { FailureKind } from '../../schema/backend/failures.js';
import { isToolError, ToolError } from './tool-error.js';

/** Whether the same call may work later. */
const kinds: Readonly<Record<FailureKind, { readonly status: number; readonly retryable: boolean }>> = {
  UPSTREAM_ERROR: { status: 502, retryable: false },
  UPSTREAM_TIMEOUT: { status: 504, retryable: true },
  UPSTREAM_UNREACHABLE: { status: 502, retryable: true },
  UPSTREAM_DNS: { status: 502, retryable: true },
  UPSTREAM_TLS: { status: 502, retryable: false },
  UPSTREAM_TOO_LARGE: { status: 502, retryable: false },
  UPSTREAM_INVALID: { status: 502, retryable: false },
  UPSTREAM_REDIRECT: { status: 502, retryable: false },
  ADDRESS_REFUSED: { status: 403, retryable: false },
  BAD_VALUE: { status: 400, retryable: false },
  NO_ROW: { status: 404, retryable: false },
  DRIVER_MISSING: { status: 500, retryable: false },
};

export interface FailureFacts {
  /** Of the answer, by the numbers of HTTP. */
  readonly status?: number | undefined;
  /** What `match` is compared with: an exit code, SQLSTATE, a code of a driver or of the system. */
  readonly upstream?: string | number | undefined;
  readonly retryable?: boolean | undefined;
  readonly suggestedFix?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/**
 * @example throw new UpstreamFailure('UPSTREAM_ERROR', 'jira answered 404 Not Found', { status: 404, meta: { body } });
 */
export class UpstreamFailure extends ToolError {
  override readonly name = 'UpstreamFailure';
  /** What it says to `match`, beside its code and status. */
  readonly upstream: string | undefined;
  /** Whether the status is what the other side answered. */
  readonly isAnswer: boolean;

  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}) {
    const { status, upstream, retryable, suggestedFix, meta, cause } = facts;
    super(message, {
      code: kind,
      status: status ?? kinds[kind].status,
      retryable: retryable ?? kinds[kind].retryable,
      suggestedFix,
      meta,
      cause,
    });
    this.upstream = upstream === undefined ? undefined : String(upstream);
    this.isAnswer = status !== undefined;
  }
}

/** By its name: handlers of built servers have a copy of the class. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return isToolError(value) && value.name === 'UpstreamFailure';
}
