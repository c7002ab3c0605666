// Diagnostics as text. In: diagnostics, a format and the texts of the files. Out: what a command prints; nothing is read or written here.
import type { Diagnostic, Range, Severity, Site } from '../diagnostics.js';
import { printGithub, printSarif } from './code-hosts.js';
import { inert, visible, visibleJson } from './visible.js';

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

// For people: one block for each, then a count.

function printText(
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

/** Colours for a terminal: the CLI passes picocolors, everybody else nothing. */
export interface Paint {
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const same = (text: string): string => text;

const noPaint: Paint = { red: same, yellow: same, blue: same, cyan: same, dim: same, bold: same };

// The lines of a file around a mistake. In: the file's lines and a range. Out: the line before, the line, and ^^^ under the range.

// Minified JSON is one line of a megabyte: only what stands around the mistake is shown.
const longestLine = 110;
const before = 40;
const tabWidth = 4;

/** Characters that take two columns in a terminal: East Asian wide and fullwidth, and emoji. */
const wide =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|^\p{Extended_Pictographic}.*\ufe0f|^\p{Regional_Indicator}{2}/u;
const withoutWidth = /^[\p{Mn}\p{Me}\u200c\u200d]+$/u;

/** The text of a line, counted from 1; undefined where there is none. */
export type LineAt = (line: number) => string | undefined;

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** A line as it is printed; `columns[i]` is the column at which the i-th unit of the cut begins. */
interface PrintedLine {
  readonly text: string;
  readonly columns: readonly number[];
}

function printFrame(lineAt: LineAt, range: Range, paint: Paint, mark: (text: string) => string): string[] {
  const line = lineAt(range.line);
  if (line === undefined) return [];
  const cut = cutAround(line, range.column - 1);
  const gutter = String(range.line).length;
  const printed = printCut(line, cut);
  const end = range.endLine > range.line ? line.length : range.endColumn - 1;
  const from = columnOf(printed, range.column - 1 - cut.start);
  const to = Math.max(columnOf(printed, end - cut.start), from + 1);
  const frame: string[] = [];
  const previous = lineAt(range.line - 1) ?? '';
  const shown = printCut(previous, cutAt(previous, { start: cut.start, end: cut.start + longestLine })).text;
  if (shown.trim() !== '') frame.push(`${paint.dim(`${String(range.line - 1).padStart(gutter)} |`)} ${shown}`);
  frame.push(`${paint.dim(`${range.line} |`)} ${printed.text}`.trimEnd());
  frame.push(`${paint.dim(`${' '.repeat(gutter)} |`)} ${' '.repeat(from)}${mark('^'.repeat(to - from))}`);
  return frame;
}

function cutAround(line: string, index: number): Cut {
  if (line.length <= longestLine) return { start: 0, end: line.length };
  const start = Math.max(0, Math.min(index, line.length) - before);
  return cutAt(line, { start, end: start + longestLine });
}

/** Never in the middle of a surrogate pair. */
function cutAt(line: string, { start, end }: Cut): Cut {
  const isLow = (index: number): boolean => /^[\udc00-\udfff]/.test(line.charAt(index));
  const from = Math.min(start, line.length);
  const to = Math.min(end, line.length);
  return { start: from > 0 && isLow(from) ? from - 1 : from, end: isLow(to) ? to + 1 : to };
}

function printCut(line: string, { start, end }: Cut): PrintedLine {
  let text = start > 0 && end > start ? '…' : '';
  let column = text.length;
  const columns: number[] = [];
  for (const character of charactersOf(line.slice(start, end))) {
    for (let unit = 0; unit < character.length; unit++) columns.push(column);
    const [shown, width] = printCharacter(character, column);
    text += shown;
    column += width;
  }
  columns.push(column);
  return { text: inert(end < line.length && end > start ? `${text}…` : text), columns };
}

/** What a reader takes for one character; plain ASCII needs no look at Unicode's tables. */
function charactersOf(text: string): Iterable<string> {
  if (/^[\t\x20-\x7e]*$/.test(text)) return text;
  return Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
}

function printCharacter(character: string, column: number): readonly [shown: string, width: number] {
  if (character === '\t') {
    const width = tabWidth - (column % tabWidth);
    return [' '.repeat(width), width];
  }
  const shown = visible(character);
  if (shown !== character) return [shown, shown.length];
  if (withoutWidth.test(character)) return [shown, 0];
  return [shown, wide.test(character) ? 2 : 1];
}

function columnOf({ columns }: PrintedLine, unit: number): number {
  return columns[Math.max(0, Math.min(unit, columns.length - 1))] ?? 0;
}

// In: a diagnostic. Out: one line of text, for errors that are thrown and for logs.

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
