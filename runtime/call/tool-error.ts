// The errors that reach a client with all their fields: thrown by handlers, by what they call, and by the runtime itself.
import type { DeclaredError, ErrorExtras } from '../../schema/support/mcp/context.js';

/** Copies of this package know each other's errors by it. */
const brand: unique symbol = Symbol.for('toolwright.error') as never;

/** What a ToolError says beside its message; all of it may be left out. */
export interface ToolErrorOptions extends Pick<ErrorExtras, 'meta' | 'cause'> {
  /** For programs, such as ISSUE_NOT_FOUND. Default TOOL_ERROR. */
  readonly code?: string | undefined;
  /** By the numbers of HTTP. Default 400. */
  readonly status?: number | undefined;
  /** Whether the same call may work later. Default false. */
  readonly retryable?: boolean | undefined;
  /** What the model should do about it. */
  readonly suggestedFix?: string | null | undefined;
}

/**
 * An error for the client: everything in it but the cause arrives there. Any other error is hidden from clients.
 *
 * @example throw new ToolError(`There is no ${issueKey}`, { code: 'ISSUE_NOT_FOUND', status: 404 });
 * @example throw new ToolError('Jira is busy', { retryable: true, suggestedFix: 'Wait a minute.', cause: error });
 */
export class ToolError extends Error implements DeclaredError {
  readonly [brand] = true;
  override readonly name: string = 'ToolError';
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly suggestedFix: string | undefined;
  readonly meta: { readonly [key: string]: unknown };

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'TOOL_ERROR';
    this.retryable = options.retryable ?? false;
    // What may succeed later is not the caller's mistake.
    this.status = options.status ?? (this.retryable ? 503 : 400);
    this.suggestedFix = options.suggestedFix ?? undefined;
    this.meta = options.meta ?? {};
  }
}

/**
 * Whether something thrown is a ToolError, also one of another copy of this package. Nothing can make it throw.
 *
 * @example if (isToolError(error) && error.code === 'ISSUE_NOT_FOUND') return 'There is no such issue.';
 */
export function isToolError(value: unknown): value is ToolError {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return (value as { readonly [brand]?: unknown })[brand] === true;
  } catch {
    // A proxy that does not want to be asked.
    return false;
  }
}
