// Diagnostics for people. In: diagnostics and the texts of their files. Out: one block for each, then a count.
import type { Diagnostic, Severity, Site } from './diagnostics.js';
import { printFrame } from './print-frame.js';
import type { Paint } from './print-paint.js';
import { visible } from './print-visible.js';

export function printText(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string | undefined,
  paint: Paint,
): string {
  const linesOf = rememberLines(textOf);
  const blocks = diagnostics.map(diagnostic => printBlock(diagnostic, linesOf(diagnostic.file), paint));
  return `${[...blocks, printCount(diagnostics)].join('\n\n')}\n`;
}

function printBlock(diagnostic: Diagnostic, lines: readonly string[], paint: Paint): string {
  const { severity, message, code, hint, related = [] } = diagnostic;
  const mark = (text: string): string => paintSeverity(severity, text, paint);
  const indent = ' '.repeat(String(diagnostic.line).length + 1);
  const head = `${paint.bold(placeOf(diagnostic))} ${mark(severity)} ${visible(message)}  ${paint.dim(`[${code}]`)}`;
  const notes = [
    ...(hint === undefined ? [] : [`${paint.cyan('hint:')} ${visible(hint)}`]),
    ...related.map(one => `${placeOf(one)} ${visible(one.message)}`),
  ];
  return [
    head,
    ...printFrame(lines, diagnostic, paint, mark),
    ...notes.map(note => `${indent}${paint.dim('=')} ${note}`),
  ].join('\n');
}

function placeOf({ file, line, column }: Site): string {
  return `${visible(file)}:${line}:${column}`;
}

function paintSeverity(severity: Severity, text: string, paint: Paint): string {
  switch (severity) {
    case 'error':
      return paint.red(text);
    case 'warning':
      return paint.yellow(text);
    case 'info':
      return paint.blue(text);
    default:
      return severity satisfies never;
  }
}

/** `2 errors, 1 warning in 2 files`. */
function printCount(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return 'no problems';
  const severities: readonly Severity[] = ['error', 'warning', 'info'];
  const parts = severities.flatMap(severity => {
    const found = diagnostics.filter(diagnostic => diagnostic.severity === severity).length;
    return found === 0 ? [] : [plural(found, severity === 'info' ? 'note' : severity)];
  });
  return `${parts.join(', ')} in ${plural(new Set(diagnostics.map(({ file }) => file)).size, 'file')}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A file with many mistakes is read and split once. */
function rememberLines(textOf: (file: string) => string | undefined): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return file => {
    const lines = known.get(file) ?? textOf(file)?.split(/\r?\n/) ?? [];
    known.set(file, lines);
    return lines;
  };
}
