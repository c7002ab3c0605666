// Diagnostics for people. In: diagnostics and the texts of their files. Out: one block for each, then a count.
import type { Diagnostic, Severity, Site } from '../diagnostics.js';
import { type LineAt, printFrame } from './frame.js';
import type { Paint } from './paint.js';
import { visible } from './visible.js';

export function printText(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string | undefined,
  paint: Paint,
): string {
  const linesOf = rememberLines(textOf);
  const blocks = diagnostics.map(diagnostic => printBlock(diagnostic, linesOf(diagnostic.file), paint));
  return `${[...blocks, printCount(diagnostics)].join('\n\n')}\n`;
}

function printBlock(diagnostic: Diagnostic, lineAt: LineAt, paint: Paint): string {
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
    ...printFrame(lineAt, diagnostic, paint, mark),
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

/** @example plural(2, 'file') // '2 files' */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A file with many mistakes is read once, and never split as a whole: it may have millions of lines. */
function rememberLines(textOf: (file: string) => string | undefined): (file: string) => LineAt {
  const known = new Map<string, LineAt>();
  return file => {
    const lineAt = known.get(file) ?? makeLineAt(textOf(file));
    known.set(file, lineAt);
    return lineAt;
  };
}

/** Mistakes come in the order of lines, so that a search goes on where the last one ended. */
function makeLineAt(text: string | undefined): LineAt {
  if (text === undefined) return () => undefined;
  let line = 1;
  let start = 0;
  return wanted => {
    if (wanted < line)
      [line, start] = wanted === line - 1 && start > 0 ? [wanted, text.lastIndexOf('\n', start - 2) + 1] : [1, 0];
    for (; line < wanted; line += 1) {
      const end = text.indexOf('\n', start);
      if (end < 0) return undefined;
      start = end + 1;
    }
    if (wanted < 1) return undefined;
    const end = text.indexOf('\n', start);
    return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
  };
}
