// The nouns of a rename: edits by position, and files that move. Every byte that no edit names stays as it is.

import type { Site } from '../../schema/diagnostics.js';
import { lineStarts } from '../../schema/parse/lines.js';
import { byteOrderMark } from '../edit/byte-order-mark.js';

export interface TextEdit {
  /** Offsets into the text of the file, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface FileEdits {
  /** Relative to the pack, before any move. */
  readonly path: string;
  /** The whole text as it was read, with its BOM. */
  readonly before: string;
  /** In order, without overlaps. */
  readonly edits: readonly TextEdit[];
}

export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * The text of a file after its edits.
 *
 * @example applyEdits({ path: 'a.yaml', before: 'a: b', edits: [{ start: 3, end: 4, text: 'c' }] }) // 'a: c'
 */
export function applyEdits({ before, edits }: FileEdits): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end, text } of edits) {
    pieces.push(before.slice(position, start), text);
    position = end;
  }
  return [...pieces, before.slice(position)].join('');
}

/** Collects edits by file, where each place is edited once however many ways lead to it. */
export interface EditBook {
  /** The text of a file without its BOM; undefined where it cannot be read as text. */
  text(path: string): string | undefined;
  /** Offsets count without the BOM. */
  edit(path: string, edit: TextEdit): void;
  offsetsOf(site: Site): { readonly start: number; readonly end: number } | undefined;
  files(): readonly FileEdits[];
}

/** `read` gives the text with its BOM. */
export function createEditBook(read: (path: string) => string | undefined): EditBook {
  const texts = new Map<string, string | undefined>();
  const edits = new Map<string, Map<number, TextEdit>>();
  const lines = new Map<string, readonly number[]>();
  const whole = (path: string): string | undefined => {
    if (!texts.has(path)) texts.set(path, read(path));
    return texts.get(path);
  };
  const text = (path: string): string | undefined => {
    const found = whole(path);
    return found?.startsWith(byteOrderMark) ? found.slice(1) : found;
  };
  return {
    text,
    edit(path, edit) {
      const known = edits.get(path) ?? new Map<number, TextEdit>();
      if (!known.has(edit.start)) known.set(edit.start, edit);
      edits.set(path, known);
    },
    offsetsOf({ file, line, column, endLine, endColumn }) {
      const found = text(file);
      if (found === undefined) return undefined;
      const starts = lines.get(file) ?? lineStarts(found);
      lines.set(file, starts);
      return { start: (starts[line - 1] ?? 0) + column - 1, end: (starts[endLine - 1] ?? 0) + endColumn - 1 };
    },
    files() {
      return [...edits]
        .map(([path, found]): FileEdits => {
          const before = whole(path) ?? '';
          const shift = before.startsWith(byteOrderMark) ? 1 : 0;
          const sorted = [...found.values()].sort((a, b) => a.start - b.start);
          const moved = sorted.map(one => ({ ...one, start: one.start + shift, end: one.end + shift }));
          return { path, before, edits: moved };
        })
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
  };
}
