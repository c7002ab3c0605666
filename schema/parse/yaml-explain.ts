// Syntax errors whose explanation depends on what stands around them.
// In: one error and its document. Out: reason, hint and the span to fix.
import type { Node, Scalar, YAMLError } from 'yaml';
import { lineEnd, lineInk, lineStart, type Span } from './lines.js';
import type { Explanation } from './report.js';
import { yaml } from './yaml-value.js';

export interface Context {
  readonly text: string;
  /** Quoted texts, aliases, lists and maps in brackets, in document order. */
  readonly nodes: readonly Node[];
  readonly others: readonly YAMLError[];
  readonly directives: readonly YAMLError[];
}

/** The span of an error, cut at the end of its first line; at the end of a file, its last character. */
export function spanOf({ pos }: Pick<YAMLError, 'pos'>, text: string): Span {
  const start = Math.min(pos[0], text.length);
  const end = Math.min(pos[1], lineEnd(text, start));
  if (end > start) return { start, end };
  if (start < text.length) return { start, end: start + 1 };
  const last = text.trimEnd().length;
  return { start: Math.max(last - 1, 0), end: last };
}

/** `a: b: c`, or a line below `a: b` that is indented as if it belonged to it. */
export function explainNested(error: YAMLError, { text, others }: Context): Explanation {
  const start = error.pos[0];
  const multiline = others.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === start);
  if (multiline !== undefined) {
    const slipped = explainSlipped(text, multiline.pos[1]);
    if (slipped !== undefined) return slipped;
    return {
      span: lineInk(text, multiline.pos[1]),
      reason: 'this line is indented as if it belonged to the value above it',
      hint: 'start it in the same column as the other keys of its map',
    };
  }
  const span = { start, end: Math.max(lineInk(text, start).end, start + 1) };
  return {
    span,
    reason: 'text with ": " needs quotes',
    hint: `write ${JSON.stringify(text.slice(start, span.end))}`,
  };
}

/** Where a comment begins between two places of a line. */
function commentIn(text: string, from: number, end: number): Span | undefined {
  const found = /(?<=^|\s)#/.exec(text.slice(from, end));
  return found === null ? undefined : { start: from + found.index, end };
}

const keyAndValue = /^\s*[^\s#][^:]*:(?:\s|$)/;

/** Text over several lines ends at the first comment: what follows it then stands alone. */
function explainCut(text: string, offset: number): Explanation | undefined {
  const start = lineStart(text, offset);
  if (start === 0 || keyAndValue.test(text.slice(start, lineEnd(text, start)))) return undefined;
  const span = commentIn(text, lineStart(text, start - 1), lineEnd(text, lineStart(text, start - 1)));
  if (span === undefined) return undefined;
  return { span, reason: 'a comment begins here, so the text ends before it', hint: 'text with " #" needs quotes' };
}

/**
 * A key that has slipped to the left ends its map, so that the next line is the one without a place. It is the line before if that
 * map was still open there, or if it follows a key without a value in its own column.
 */
function explainSlipped(text: string, offset: number): Explanation | undefined {
  const next = lineInk(text, offset);
  const column = columnOf(text, next);
  const line = lineAbove(text, next, column);
  const before = line && inkBefore(text, line);
  if (line === undefined || before === undefined || columnOf(text, line) >= column) return undefined;
  const followsOpenKey = columnOf(text, before) === columnOf(text, line) && text[before.end - 1] === ':';
  const above = lineAbove(text, line, column);
  if (!followsOpenKey && (above === undefined || columnOf(text, above) < column)) return undefined;
  return {
    span: line,
    reason: 'this key starts further left than the keys around it, so the next line belongs to nothing',
    hint: 'indent it like the keys around it, or move the next line to the left',
    related: { span: next, message: 'the next line' },
  };
}

/** Longer values are not looked through. */
const mostLinesUp = 1_000;

/** The nearest line above that does not start to the right of a column. */
function lineAbove(text: string, from: Span, column: number): Span | undefined {
  let line = inkBefore(text, from);
  for (let lines = 0; line !== undefined && columnOf(text, line) > column; lines++)
    line = lines < mostLinesUp ? inkBefore(text, line) : undefined;
  return line;
}

function columnOf(text: string, { start }: Span): number {
  return start - lineStart(text, start);
}

/** The written part of the line before, without comments and empty lines. */
function inkBefore(text: string, { start }: Span): Span | undefined {
  for (let at = lineStart(text, start); at > 0; ) {
    at = lineStart(text, at - 1);
    const ink = lineInk(text, at);
    if (ink.end > ink.start && text[ink.start] !== '#') return ink;
  }
  return undefined;
}

/** A key, or a line of text, that starts in another column than the keys around it. */
export function explainColumn(error: YAMLError, { text }: Context): Explanation {
  return (
    explainCut(text, error.pos[0]) ??
    explainSlipped(text, error.pos[0]) ?? {
      span: lineInk(text, error.pos[0]),
      reason: 'this key does not start in the same column as the other keys of its map',
      hint: 'check the indentation of this line',
    }
  );
}

/** A line among the keys of a map that is not a `key: value`. */
export function explainLooseLine(error: YAMLError, { text }: Context): Explanation {
  const span = lineInk(text, error.pos[0]);
  const cut = explainCut(text, span.start);
  if (cut !== undefined) return cut;
  const line = text.slice(span.start, span.end);
  if (/^["'[{?]/.test(line)) return { span, reason: 'a key must be on one line, followed by a colon' };
  const glued = /^([\w.$-]+):(\S.*)$/.exec(line);
  if (glued !== null)
    return { span, reason: 'a space is missing after the colon', hint: `write ${glued[1]}: ${glued[2]}` };
  const above = text.slice(0, lineStart(text, span.start)).trimEnd();
  const hint = /[:\s][|>][+-]?\d?$/.test(above)
    ? 'the text after | or > must be indented more than its key'
    : 'text that continues on further lines must be indented more than its key';
  return { span, reason: 'this line is not a "key: value" pair', hint };
}

export function explainOpenQuote(error: YAMLError, { text, nodes }: Context): Explanation {
  const at = error.pos[0];
  const node = nodes.findLast(({ range }) => range !== undefined && range !== null && range[0] < at && at <= range[1]);
  if (!isQuoted(node)) return { span: spanOf(error, text), reason: 'a quote is never closed' };
  const start = node.range?.[0] ?? at;
  const isLast = at >= text.trimEnd().length;
  return {
    span: { start, end: Math.max(lineInk(text, start).end, start + 1) },
    reason: 'the quote that opens here is never closed',
    hint: isLast
      ? `add ${text[start]} at its end`
      : 'further lines of quoted text, and its closing quote, must be indented more than its key',
    swallows: { start, end: Infinity },
  };
}

export function explainOpenBracket(error: YAMLError, { text, nodes }: Context): Explanation {
  const at = error.pos[0];
  const node = nodes.findLast(
    one => yaml().isCollection(one) && one.flow === true && one.range?.[1] === at && !/[\]}]/.test(text[at - 1] ?? ''),
  );
  const start = node?.range?.[0];
  const missing = error.message.at(-1) ?? ']';
  if (start === undefined) return { span: spanOf(error, text), reason: `a "${missing}" is missing here` };
  const comment = commentIn(text, start, lineEnd(text, start));
  if (comment !== undefined && /[\]}]\s*$/.test(text.slice(comment.start, comment.end))) {
    return {
      span: comment,
      reason: `a comment begins here, so the "${text[start]}" before it is never closed`,
      hint: 'text with " #" needs quotes',
      swallows: { start, end: at + 1 },
    };
  }
  const wrong = /[\]}]/.exec(text[at] ?? '')?.[0];
  const reason =
    wrong === undefined
      ? `the "${text[start]}" here is never closed`
      : `the "${text[start]}" here is closed by "${wrong}"`;
  const hint = `add "${missing}"; text that starts with a bracket needs quotes`;
  return { span: { start, end: start + 1 }, reason, hint, swallows: { start, end: at + 1 } };
}

/** A bracket in text without quotes that is itself inside brackets: `{ fix: Call {{tool:x}} first. }`. */
export function explainInnerBracket(error: YAMLError, { text }: Context): Explanation | undefined {
  const at = error.pos[0];
  if (text[at] !== '{' && text[at] !== '[') return undefined;
  const [before = ''] = /[^\s,:[\]{}"'](?:[^,:[\]{}"']|:(?=\S))*$/.exec(text.slice(lineStart(text, at), at)) ?? [];
  if (before === '') return undefined;
  const start = at - before.length;
  const [whole] = /^(?:\{\{[^{}\n]*\}\}|\[[^[\]\n]*\]|[^,[\]{}\n])*/.exec(text.slice(start)) ?? [''];
  const end = start + whole.trimEnd().length;
  return {
    span: { start, end: Math.max(end, at + 1) },
    reason: `inside { } and [ ], text with ${text[at]} needs quotes`,
    hint: end > at ? `write ${JSON.stringify(text.slice(start, end))}` : 'put the text in quotes',
  };
}

/** Something after a value that was complete. */
export function explainTrailing(error: YAMLError, context: Context): Explanation {
  const { text, nodes } = context;
  const bracket = explainInnerBracket(error, context);
  if (bracket !== undefined) return bracket;
  const at = error.pos[0];
  const span = { start: at, end: Math.max(lineInk(text, at).end, at + 1) };
  const node = nodes.findLast(({ range }) => range !== undefined && range !== null && range[1] <= at && at <= range[2]);
  const [start, end] = node?.range ?? [at, at];
  if (node !== undefined && text.slice(end, at).includes('\n')) return looseAfter(span);
  if (yaml().isAlias(node)) {
    return { span: { start, end: span.end }, reason: 'text cannot start with *', hint: 'put the text in quotes' };
  }
  if (isQuoted(node)) {
    const quote = text[start] ?? '"';
    if (text.slice(start, end).includes('\n')) {
      return {
        span: { start, end: lineInk(text, start).end },
        reason: 'the quote that opens here is closed only on a later line, with more text after it',
        related: { span: { start: end - 1, end }, message: 'it is closed here' },
        swallows: { start, end: span.end },
      };
    }
    const inner = quote === "'" ? "inside single quotes, ' is written ''" : 'inside double quotes, " is written \\"';
    return { span, reason: 'there is text after the closing quote', hint: inner };
  }
  if (yaml().isCollection(node) && node.flow === true) {
    return {
      span,
      reason: 'there is text after the closing bracket',
      hint: 'text that starts with [ or { needs quotes',
    };
  }
  return looseAfter(span);
}

function looseAfter(span: Span): Explanation {
  return {
    span,
    reason: 'this line does not belong to the data above it',
    hint: 'check the indentation of this line and of those above',
  };
}

export function explainReserved(error: YAMLError, { text }: Context): Explanation {
  const start = error.pos[0];
  return {
    span: { start, end: Math.max(lineInk(text, start).end, start + 1) },
    reason: `text cannot start with ${text[start] === '\t' ? 'a tab' : text[start]}`,
    hint: 'put the text in quotes',
  };
}

export function explainEscape(error: YAMLError, { text }: Context): Explanation {
  const start = error.pos[0];
  const typed = error.message.slice('Invalid escape sequence '.length);
  return {
    span: spanOf({ pos: [start, start + typed.length] }, text),
    reason: `${typed} is not a valid escape in double quotes`,
    hint: `use single quotes, which keep backslashes as they are, or write \\${typed}`,
  };
}

export function explainBlockInFlow(error: YAMLError, { text }: Context): Explanation {
  const start = error.pos[0];
  const [typed] = /^[^\s,[\]{}"'#&*!|>%@`-][^,[\]{}\n]*/.exec(text.slice(start, lineEnd(text, start))) ?? [''];
  // `{ description: Note: text }`
  if (/\S: /.test(typed) && /: *$/.test(text.slice(lineStart(text, start), start))) {
    const end = start + typed.trimEnd().length;
    return {
      span: { start, end },
      reason: 'text with ": " needs quotes',
      hint: `write ${JSON.stringify(text.slice(start, end))}`,
    };
  }
  return {
    span: spanOf(error, text),
    reason: 'a comma is missing, or a bracket is not closed before this',
    hint: 'inside [ ] and { } items are separated by commas',
  };
}

export function explainDirective(error: YAMLError, { text, directives }: Context): Explanation {
  const at = (directives[0] ?? error).pos[0];
  return {
    span: lineInk(text, at),
    reason: 'a line that starts with % is not data',
    hint: 'put a key that starts with % in quotes',
  };
}

export function explainStrayBracket(error: YAMLError, { text }: Context): Explanation {
  const span = spanOf(error, text);
  return {
    span,
    reason: `the "${text[span.start]}" here closes nothing`,
    hint: 'remove it, or put the text in quotes',
  };
}

function isQuoted(node: unknown): node is Scalar {
  return (
    yaml().isScalar(node) && (node.type === yaml().Scalar.QUOTE_DOUBLE || node.type === yaml().Scalar.QUOTE_SINGLE)
  );
}

/** The nodes that explanations look at. */
export function explainableNodes(root: Node | null): readonly Node[] {
  const nodes: Node[] = [];
  yaml().visit(root, {
    Node: (_key, node) => {
      if (yaml().isAlias(node) || isQuoted(node) || (yaml().isCollection(node) && node.flow === true)) nodes.push(node);
    },
  });
  return nodes;
}
