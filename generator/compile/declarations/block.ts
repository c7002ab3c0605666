// In: pieces of a declaration file and the places in manifests that their names come from. Out: the file and its map
// (version 3). Editors follow it, so that go-to-definition lands in the manifest instead of in the generated file.
// A piece is encoded once, wherever it will stand: a file of a thousand items is put together without a look inside.
import type { Site } from '../../../schema/diagnostics.js';
import { relativePath } from '../../render/code.js';

/** A part of a generated text. Without a site it is said to come from nowhere, so that no neighbour answers for it. */
interface Mark {
  /** In UTF-16 units of the generated text. */
  readonly offset: number;
  readonly length: number;
  readonly site: Site | undefined;
}

/** Whole lines of a declaration file with their part of its map. Plain data: it is remembered between runs. */
export interface Block {
  readonly text: string;
  /** The files that its names were written in, relative to the pack; the first segment is about the first of them. */
  readonly sources: readonly string[];
  /** The mappings up to the first source; numbers of sources, lines and columns follow from `start`. */
  readonly head: string;
  readonly start: Position;
  readonly tail: string;
  readonly end: Position;
}

type Position = readonly [source: number, line: number, column: number];

export interface Declarations {
  readonly text: string;
  /** The text of its map. */
  readonly map: string;
}

/**
 * Encodes a piece, which starts on a line of its own and ends with a line break.
 *
 * @example makeBlock('export interface Config {}\n', [{ offset: 17, length: 6, site }])
 */
export function makeBlock(text: string, marks: readonly Mark[]): Block {
  const starts = lineStarts(text);
  const sources: string[] = [];
  let [head, tail, line, previousColumn] = ['', '', 0, 0];
  let start: Position | undefined;
  let end: Position = [0, 0, 0];
  let isFirstOfLine = true;
  const add = (mapping: string): void => {
    if (start === undefined) head += mapping;
    else tail += mapping;
  };
  const goTo = (next: number): void => {
    if (next > line) add(';'.repeat(next - line));
    if (next > line) [line, previousColumn, isFirstOfLine] = [next, 0, true];
  };
  for (const { offset, source } of toSegments(marks)) {
    let next = line;
    while ((starts[next + 1] ?? Number.POSITIVE_INFINITY) <= offset) next += 1;
    goTo(next);
    const column = offset - (starts[line] ?? 0);
    add(`${isFirstOfLine ? '' : ','}${encodeNumber(column - previousColumn)}`);
    [isFirstOfLine, previousColumn] = [false, column];
    if (source === undefined) continue;
    if (!sources.includes(source.file)) sources.push(source.file);
    const here: Position = [sources.indexOf(source.file), source.line, source.column];
    if (start === undefined) start = here;
    else add(encodeStep(end, here));
    end = here;
  }
  goTo(starts.length - 1);
  return { text, sources, head, start: start ?? end, tail, end };
}

/**
 * Puts a declaration file together. `path`: its own, relative to the pack.
 *
 * @example joinBlocks('generated/config.d.ts', [printHeader(manifestFile), block])
 */
export function joinBlocks(path: string, pieces: readonly (string | Block)[]): Declarations {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const texts: string[] = [];
  const mappings: string[] = [];
  const sources: string[] = [];
  const indexes = new Map<string, number>();
  let previous: Position = [0, 0, 0];
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      texts.push(piece);
      mappings.push(';'.repeat(lineStarts(piece).length - 1));
      continue;
    }
    texts.push(piece.text);
    mappings.push(piece.head);
    if (piece.sources.length === 0) continue;
    const first = placeSources(piece.sources);
    const [source, line, column] = piece.end;
    mappings.push(encodeStep(previous, [first, piece.start[1], piece.start[2]]), piece.tail);
    previous = [first + source, line, column];
  }
  texts.push(`//# sourceMappingURL=${file}.map\n`);
  const map = { version: 3, file, sources, names: [], mappings: withoutEmptyLines(mappings.join('')) };
  return { text: texts.join(''), map: `${JSON.stringify(map)}\n` };

  /** The number of the first; the others of a block follow it. */
  function placeSources(files: readonly string[]): number {
    const [only = ''] = files;
    const known = files.length === 1 ? indexes.get(only) : undefined;
    if (known !== undefined) return known;
    const first = sources.length;
    for (const [index, source] of files.entries()) {
      if (!indexes.has(source)) indexes.set(source, first + index);
      sources.push(relativePath(path, source));
    }
    return first;
  }
}

/** Of the end. A regular expression would try each of the many runs of `;`. */
function withoutEmptyLines(mappings: string): string {
  let end = mappings.length;
  while (mappings.charAt(end - 1) === ';') end -= 1;
  return mappings.slice(0, end);
}

/** One position of the generated text; `source` undefined: it comes from nowhere. */
interface Segment {
  readonly offset: number;
  readonly source: { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

/** Both ends of each mark: editors map the end too, and would take the next mark's start for it. */
function toSegments(marks: readonly Mark[]): readonly Segment[] {
  const segments: Segment[] = [];
  const sorted = marks.toSorted((one, other) => one.offset - other.offset);
  for (const { offset, length, site } of sorted) {
    // An end where the next mark starts gives way to it.
    if (segments.at(-1)?.offset === offset) segments.pop();
    if (site === undefined || isAbsolute(site.file)) {
      segments.push({ offset, source: undefined });
      continue;
    }
    const { file, line, column, endLine, endColumn } = site;
    segments.push({ offset, source: { file, line: line - 1, column: column - 1 } });
    segments.push({ offset: offset + length, source: { file, line: endLine - 1, column: endColumn - 1 } });
  }
  return segments;
}

/** An overlay on another drive has no relative path, and absolute ones differ between machines. */
function isAbsolute(file: string): boolean {
  return file.startsWith('/') || /^[A-Za-z]:/.test(file);
}

/** Lines as TypeScript counts them, which is who reads the map: by every line terminator of ECMAScript. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const terminator = /\r\n|[\n\r\u2028\u2029]/g;
  while (terminator.test(text)) starts.push(terminator.lastIndex);
  return starts;
}

/** Of base64, as maps write numbers. */
export const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encodeStep(from: Position, to: Position): string {
  return encodeNumber(to[0] - from[0]) + encodeNumber(to[1] - from[1]) + encodeNumber(to[2] - from[2]);
}

/** Base64 VLQ: five bits a digit, the sign in the lowest bit, the sixth bit says that more follow. */
function encodeNumber(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let encoded = '';
  do {
    const more = rest > 31 ? 32 : 0;
    encoded += digits.charAt((rest & 31) | more);
    rest >>>= 5;
  } while (rest > 0);
  return encoded;
}

// A piece of a declaration file while it is written: its text so far, and which parts of it come from where in the manifests.

/** Behind the name of an ES module: files of CommonJS packages must say so under `module: node16` and `node18`. */
export const asModule = " with { 'resolution-mode': 'import' }";

export interface Draft {
  /** Adds text that is nobody's. */
  add(text: string): void;
  /** Adds a name that was written at a site; without one it is said to come from nowhere. */
  addName(name: string, site: Site | undefined): void;
  /** Adds printed text with marks relative to it. */
  addMarked(text: string, marks: readonly Mark[]): void;
  finish(): Block;
}

/**
 * Starts a piece of a declaration file.
 *
 * @example
 * const draft = makeDraft();
 * draft.add('export interface ');
 * draft.addName('Config', site);
 */
export function makeDraft(): Draft {
  const marks: Mark[] = [];
  let text = '';
  const addMarked = (added: string, more: readonly Mark[]): void => {
    for (const { offset, length, site } of more) marks.push({ offset: text.length + offset, length, site });
    text += added;
  };
  return {
    add(added) {
      text += added;
    },
    addName: (name, site) => addMarked(name, [{ offset: 0, length: name.length, site }]),
    addMarked,
    finish: () => makeBlock(text, marks),
  };
}
