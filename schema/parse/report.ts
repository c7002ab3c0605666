// How parsers say what is wrong: they know offsets, a Diagnostic has lines and columns.
// In: a code, its parameters and a span. Out: diagnostics, collected.
import type { Code, CodeParams } from '../codes.js';
import { type Diagnostic, diagnose } from '../diagnostics.js';
import type { Lines, Span } from './lines.js';

interface ReportExtras {
  readonly hint?: string | undefined;
  readonly related?: { readonly span: Span; readonly message: string } | undefined;
}

/** What is wrong, in plain words. */
export interface Explanation extends ReportExtras {
  readonly span: Span;
  readonly reason: string;
  /** The text that an unclosed quote or bracket of YAML took in: errors inside are noise. */
  readonly swallows?: Span;
}

export type Report = <C extends Code>(code: C, params: CodeParams<C>, span: Span, extras?: ReportExtras) => void;

/**
 * A `Report` that appends to `into`.
 *
 * @example collect(lines, diagnostics)('parse/tab', {}, { start: 4, end: 5 })
 */
export function collect(lines: Lines, into: Diagnostic[]): Report {
  return (code, params, span, extras = {}) => {
    const { hint, related } = extras;
    into.push(
      diagnose(code, params, lines.siteOf(span), {
        hint,
        related: related === undefined ? [] : [{ ...lines.siteOf(related.span), message: related.message }],
      }),
    );
  };
}

/** Nesting that no definition needs and that recursive readers do not survive. */
export const depthLimit = 200;
