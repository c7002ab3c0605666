// In: a diagnostic. Out: one line of text, for errors that are thrown and for logs.
import type { Diagnostic } from '../diagnostics.js';
import { visible } from './visible.js';

/**
 * One line. What code defines has no lines: its place is a path such as `tools[0].parameters`.
 *
 * @example printLine(diagnostic) // 'tools[0].effect: it is "raed", ...; did you mean "read"? [validate/value]'
 */
export function printLine(diagnostic: Diagnostic): string {
  const { file, line, column, endLine, endColumn, message, hint, code } = diagnostic;
  const hasPosition = line !== endLine || column !== endColumn;
  const place = hasPosition ? `${file}:${line}:${column}` : file;
  return visible(`${place}: ${message}${hint === undefined ? '' : `; ${hint}`} [${code}]`);
}
