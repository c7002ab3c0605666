// Diagnostics as text. In: diagnostics, a format and the texts of the files. Out: what a command prints; nothing is read or written here.

import type { Diagnostic, Severity } from '../diagnostics.js';
import { noPaint, type Paint } from './paint.js';
import { printSarif } from './sarif.js';
import { printText } from './text.js';
import { visible, visibleJson } from './visible.js';

export type { Paint } from './paint.js';

export type DiagnosticFormat = 'text' | 'json' | 'github' | 'sarif';

export interface FormatOptions {
  readonly format: DiagnosticFormat;
  /** For `text`; without it nothing is coloured. */
  readonly color?: Paint;
  /** For the code frames of `text`: the text of a file without its BOM, or undefined where there is none. */
  readonly textOf: (file: string) => string | undefined;
}

/**
 * Prints diagnostics in the order given. Whatever the files hold, no control character or escape sequence of theirs
 * is in the result. It ends with a line end, or is empty.
 *
 * @example formatDiagnostics(report.diagnostics, { format: 'text', textOf: file => texts.get(file) })
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  switch (options.format) {
    case 'text':
      return printText(diagnostics, options.textOf, options.color ?? noPaint);
    case 'json':
      return `${visibleJson(diagnostics)}\n`;
    case 'github':
      return printGithub(diagnostics);
    case 'sarif':
      return printSarif(diagnostics);
    default:
      return options.format satisfies never;
  }
}

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

function printGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(diagnostic => `${printCommand(diagnostic)}\n`).join('');
}

function printCommand({ severity, file, line, column, endLine, endColumn, code, message, hint }: Diagnostic): string {
  const properties: readonly (readonly [string, string | number])[] = [
    ['file', file],
    ['line', line],
    // GitHub refuses columns of annotations that span several lines.
    ...(line === endLine ? [['col', column] as const] : []),
    ['endLine', endLine],
    ...(line === endLine ? [['endColumn', endColumn] as const] : []),
    ['title', code],
  ];
  const list = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  const text = hint === undefined ? visible(message) : `${visible(message)}\nhint: ${visible(hint)}`;
  return `::${commands[severity]} ${list}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
