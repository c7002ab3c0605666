// Cuts a prompt text into literal text and tags, with the whitespace rules of Handlebars already applied.
// In: the text of a template. Out: tokens in order; every tag knows its raw text and where it stands.

export interface Tag {
  readonly kind: 'tag';
  /** What stands between the braces, without `~`. */
  readonly body: string;
  readonly raw: string;
  readonly offset: number;
}

export interface Comment {
  readonly kind: 'comment';
}

export interface Text {
  readonly kind: 'text';
  readonly text: string;
}

/** Braces that open something this language does not have, or that are never closed. */
export interface BrokenTag {
  readonly kind: 'broken';
  readonly reason: string;
  readonly raw: string;
  readonly offset: number;
}

/** Around a line of whole blocks: where nothing of it is left, its line break goes too. */
export interface LineEdge {
  readonly kind: 'line';
  readonly edge: 'start' | 'end';
}

export type Token = Tag | Comment | Text | BrokenTag | LineEdge;

/** A piece between two texts, and what it does to the whitespace around it. */
interface Piece {
  readonly token: Tag | Comment | BrokenTag;
  readonly end: number;
  readonly trimBefore: boolean;
  readonly trimAfter: boolean;
  /** Alone on its line, such a tag takes the whole line away. */
  readonly ownLine: boolean;
}

/** `indexOf` for positions that only grow: however often it is asked, each character is looked at once. */
type Finder = (from: number) => number;

function makeFinder(text: string, needle: string): Finder {
  let last = -2;
  return from => {
    if (last !== -1 && last < from) last = text.indexOf(needle, from);
    return last;
  };
}

export function scanTemplate(text: string): Token[] {
  const nextOpen = makeFinder(text, '{{');
  const readPiece = makePieceReader(text);
  const texts: string[] = [];
  const pieces: Piece[] = [];
  let literal = '';
  let position = 0;
  for (let open = nextOpen(0); open >= 0; open = nextOpen(position)) {
    const escaped = open > position && text[open - 1] === '\\';
    const doubled = escaped && open - 1 > position && text[open - 2] === '\\';
    literal += text.slice(position, escaped ? open - 1 : open);
    if (escaped && !doubled) {
      literal += '{{';
      position = open + 2;
      continue;
    }
    const piece = readPiece(open);
    texts.push(literal);
    pieces.push(piece);
    literal = '';
    position = piece.end;
  }
  texts.push(literal + text.slice(position));
  return weave(texts, pieces);
}

function makePieceReader(text: string): (open: number) => Piece {
  const nextOpen = makeFinder(text, '{{');
  const nextClose = makeFinder(text, '}}');
  const commentEnd = /--~?\}\}/g;
  let commentsEnd = true;

  const broken = (open: number, end: number, reason: string): Piece => ({
    token: { kind: 'broken', reason, raw: firstLine(text.slice(open, Math.min(end, open + 40))), offset: open },
    end,
    trimBefore: false,
    trimAfter: false,
    ownLine: false,
  });

  const comment = (open: number, start: number): Piece => {
    let end = -1;
    if (!text.startsWith('!--', start)) {
      const close = nextClose(start);
      end = close < 0 ? -1 : close + 2;
    } else if (commentsEnd) {
      commentEnd.lastIndex = start + 1;
      commentsEnd = commentEnd.test(text);
      end = commentsEnd ? commentEnd.lastIndex : -1;
    }
    if (end < 0) return broken(open, start + 1, 'the comment is not closed');
    return {
      token: { kind: 'comment' },
      end,
      trimBefore: start > open + 2,
      trimAfter: text[end - 3] === '~',
      ownLine: true,
    };
  };

  return open => {
    let start = open + 2;
    if (text.startsWith('{{', start)) {
      while (text[start] === '{') start++;
      return broken(
        open,
        start,
        'raw blocks ({{{{name}}}}) are not supported; braces that are meant as text are written \\{{',
      );
    }
    const trimBefore = text[start] === '~';
    if (trimBefore) start++;
    if (text[start] === '!') return comment(open, start);
    const triple = text[start] === '{';
    if (triple) start++;
    const close = nextClose(start);
    const inner = nextOpen(start);
    if (close < 0 || (inner >= 0 && inner < close)) {
      return broken(open, inner < 0 ? text.length : inner, 'the tag is not closed: }} is missing');
    }
    let bodyEnd = close;
    let end = close + 2;
    const trimAfter = triple ? text.startsWith('}~', close - 2) : text[close - 1] === '~' && close - 1 >= start;
    if (trimAfter) bodyEnd -= triple ? 2 : 1;
    else if (triple && text[end] === '}') end++;
    else if (triple) return broken(open, end, '{{{ is closed by }}}');
    const body = text.slice(start, bodyEnd);
    const token: Tag = { kind: 'tag', body, raw: text.slice(open, end), offset: open };
    return {
      token,
      end,
      trimBefore,
      trimAfter,
      ownLine: !triple && (/^[#/^]/.test(body) || /^\s*else(?:\s|$)/.test(body)),
    };
  };
}

function firstLine(text: string): string {
  return /^[^\r\n]*/.exec(text)?.[0].trimEnd() ?? '';
}

/** Puts texts and pieces together again, without the whitespace that the pieces take away. */
function weave(texts: readonly string[], pieces: readonly Piece[]): Token[] {
  const alone = pieces.map(
    (piece, index) =>
      piece.ownLine &&
      endsBlankLine(texts[index] ?? '', index === 0) &&
      startsBlankLine(texts[index + 1] ?? '', index === pieces.length - 1),
  );
  const tokens: Token[] = [];
  const blockLines = findBlockLines(texts, pieces);
  const addText = (text: string): void => {
    if (text !== '') tokens.push({ kind: 'text', text });
  };
  texts.forEach((whole, index) => {
    const before = pieces[index - 1];
    const after = pieces[index];
    let text = whole;
    if (before?.trimAfter) text = text.trimStart();
    else if (alone[index - 1]) text = text.slice(lineEnd(text));
    if (after?.trimBefore) text = text.trimEnd();
    else if (alone[index]) text = text.slice(0, indentStart(text));
    if (blockLines.ends.has(index - 1)) {
      addText(text.slice(0, lineEnd(text)));
      tokens.push({ kind: 'line', edge: 'end' });
      text = text.slice(lineEnd(text));
    }
    if (blockLines.starts.has(index)) {
      addText(text.slice(0, indentStart(text)));
      tokens.push({ kind: 'line', edge: 'start' });
      text = text.slice(indentStart(text));
    }
    addText(text);
    if (after !== undefined) tokens.push(after.token);
  });
  return tokens;
}

/** Lines that hold blocks and nothing else, each block whole: `{{#if style}}In a {{style}} style.{{/if}}`, by their first and last tag. */
function findBlockLines(
  texts: readonly string[],
  pieces: readonly Piece[],
): { readonly starts: ReadonlySet<number>; readonly ends: ReadonlySet<number> } {
  const starts = new Set<number>();
  const ends = new Set<number>();
  let depth = 0;
  let line: { readonly start: number; readonly depth: number } | undefined;
  for (const [index, { token, trimBefore, trimAfter }] of pieces.entries()) {
    const before = texts[index] ?? '';
    const sign = token.kind === 'tag' ? token.body.charAt(0) : '';
    if (sign === '#' && !trimBefore && endsBlankLine(before, index === 0)) line = { start: index, depth };
    else if (before.includes('\n')) line = undefined;
    else if (line?.depth === depth && (sign !== '#' || before.trim() !== '')) line = undefined;
    if (sign === '#') depth++;
    if (sign === '/') depth--;
    if (line?.depth !== depth || trimAfter || !startsBlankLine(texts[index + 1] ?? '', false)) continue;
    starts.add(line.start);
    ends.add(index);
  }
  return { starts, ends };
}

// Loops instead of expressions such as /\s+$/, whose cost grows with the square of a run of spaces.

const isSpace = (character: string | undefined): boolean => character !== undefined && character.trim() === '';
const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

function endsBlankLine(text: string, isFirst: boolean): boolean {
  let index = text.length;
  while (index > 0 && isSpace(text[index - 1])) {
    if (text[index - 1] === '\n') return true;
    index--;
  }
  return isFirst && index === 0;
}

function startsBlankLine(text: string, isLast: boolean): boolean {
  let index = 0;
  while (isSpace(text[index])) {
    if (text[index] === '\n') return true;
    index++;
  }
  return isLast && index === text.length;
}

function lineEnd(text: string): number {
  let index = 0;
  while (isBlank(text[index])) index++;
  if (text.startsWith('\r\n', index)) return index + 2;
  return text[index] === '\n' ? index + 1 : index;
}

function indentStart(text: string): number {
  let index = text.length;
  while (isBlank(text[index - 1])) index--;
  return index;
}

/**
 * Counts, for tags without braces inside, how often the same raw text stands earlier in the text: the number that
 * `Document.find` needs to tell equal tags apart. One pass, whatever the number of tags.
 */
export function countTags(text: string): (raw: string, offset: number) => number {
  const seen = new Map<string, number[]>();
  const nextOpen = makeFinder(text, '{{');
  const nextClose = makeFinder(text, '}}');
  const note = (start: number, end: number): void => {
    const raw = text.slice(start, end);
    const offsets = seen.get(raw);
    if (offsets === undefined) seen.set(raw, [start]);
    else offsets.push(start);
  };
  // One character at a time: `{{{x}}}` also holds the text `{{x}}`.
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', open + 1)) {
    const close = nextClose(open + 2);
    if (close < 0) break;
    const inner = nextOpen(open + 2);
    if (inner >= 0 && inner < close) continue;
    note(open, close + 2);
    if (text[close + 2] === '}') note(open, close + 3);
  }
  return (raw, offset) => {
    const offsets = seen.get(raw) ?? [];
    let low = 0;
    let high = offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
