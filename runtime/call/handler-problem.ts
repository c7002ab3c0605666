// Why a function that a manifest names cannot be run: an author's mistake, told without a stack.
import type { Code } from '../../schema/codes.js';
import type { Diagnostic } from '../../schema/diagnostics.js';

export interface HandlerProblemDetails {
  readonly hint?: string | undefined;
  /** The mistake with its place in a manifest or a module, where that is known. */
  readonly diagnostic?: Diagnostic | undefined;
  /** What the module threw while it was imported. */
  readonly cause?: unknown;
}

/**
 * Thrown by `PackHost.load`, `app` and `initialize`. The message is for the operator, never for a client.
 *
 * @example
 * if (error instanceof HandlerProblem) report(error.text);
 */
export class HandlerProblem extends Error {
  override readonly name = 'HandlerProblem';
  readonly code: Code;
  readonly hint: string | undefined;
  readonly diagnostic: Diagnostic | undefined;

  constructor(code: Code, message: string, { hint, diagnostic, cause }: HandlerProblemDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    this.diagnostic = diagnostic;
    // Our own frames say nothing about the mistake; anyone who prints the stack prints what helps.
    this.stack = this.text;
  }

  /**
   * All that is known, for a person: place, message, hint, code.
   *
   * @example error.text // 'mcp/tools/a.yaml:2:10: The handler for the tool "a" is missing: ... [generate/missing-handler]'
   */
  get text(): string {
    const hint = this.hint === undefined ? '' : `\n  hint: ${this.hint}`;
    return `${this.line} [${this.code}]${hint}`;
  }

  /**
   * Place and message.
   *
   * @example error.line // 'mcp/tools/a.yaml:2:10: The handler for the tool "a" is missing: ...'
   */
  get line(): string {
    const at = this.diagnostic;
    const place = at === undefined ? '' : `${at.file}:${at.line}:${at.column}: `;
    return `${place}${this.message}`;
  }
}

/**
 * Why code could not be loaded, for the operator; undefined where something else went wrong. An error that stands for a pack as a
 * whole (PACK_BROKEN) tells clients no more than its name: the reason is its cause.
 *
 * @example report(`initialize of ${name} failed: ${loadProblemOf(error) ?? messageOf(error)}`);
 */
export function loadProblemOf(error: unknown): string | undefined {
  if (error instanceof HandlerProblem) return error.text;
  if (!(error instanceof Error) || !(error.cause instanceof HandlerProblem)) return undefined;
  return `${error.message}\n  ${error.cause.text}`;
}
