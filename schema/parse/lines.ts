// Between offsets, which parsers count in, and lines and columns, which authors read.
// In: a file's path and text. Out: a function from spans to sites.
import type { Site } from '../diagnostics.js';

/** Offsets into text; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Lines {
  siteOf(span: Span): Site;
  /** The 0-based line of an offset. */
  lineOf(offset: number): number;
}

/**
 * The lines of some text, counted on first use. A line ends at a line feed; a carriage return before it belongs to the end.
 *
 * @example makeLines('a.yaml', 'a: 1\nb: 2\n').siteOf({ start: 5, end: 6 }) // line 2, columns 1 to 2
 */
export function makeLines(file: string, text: string): Lines {
  let starts: readonly number[] | undefined;
  const lineOf = (offset: number): number => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const columnOf = (offset: number, line: number): number => offset - (starts?.[line] ?? 0) + 1;
  return {
    lineOf,
    siteOf(span) {
      const start = Math.min(Math.max(span.start, 0), text.length);
      const end = Math.min(Math.max(span.end, start), text.length);
      const line = lineOf(start);
      const endLine = lineOf(end);
      return {
        file,
        line: line + 1,
        column: columnOf(start, line),
        endLine: endLine + 1,
        endColumn: columnOf(end, endLine),
      };
    },
  };
}

/** The offsets at which lines start. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Where the line of `offset` starts. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line of `offset` ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed === -1) return text.length;
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** The written part of the line of `offset`: without indentation and trailing space. */
export function lineInk(text: string, offset: number): Span {
  const start = lineStart(text, offset);
  const line = text.slice(start, lineEnd(text, offset));
  const ink = line.trimStart();
  const first = start + line.length - ink.length;
  return { start: first, end: first + ink.trimEnd().length };
}
