// In: the edits of a rename. Out: places in modules and pages that still have the old name and may mean the item: nobody but the author knows.
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { makeLines } from '../../schema/parse/lines.js';
import { byteOrderMark } from '../edit/byte-order-mark.js';
import type { EditBook, TextEdit } from './text-edits.js';

interface Mentions {
  readonly from: string;
  /** Relative to the pack. */
  readonly paths: readonly string[];
  readonly book: EditBook;
}

/** One diagnostic for each file, at its first place. */
export function findMentions({ from, paths, book }: Mentions): readonly Diagnostic[] {
  const edited = new Map(book.files().map(one => [one.path, one] as const));
  return paths.flatMap(path => {
    const text = book.text(path);
    if (text?.includes(from) !== true) return [];
    const { before = '', edits = [] } = edited.get(path) ?? {};
    const shift = before.startsWith(byteOrderMark) ? 1 : 0;
    const isEdited = (start: number, end: number): boolean =>
      edits.some((one: TextEdit) => one.start - shift < end && one.end - shift > start);
    const places = [...withoutRegions(text).matchAll(mentionOf(from))]
      .map(({ index, 0: whole }) => ({ start: index + whole.lastIndexOf(from), whole }))
      .map(({ start }) => ({ start, end: start + from.length }))
      .filter(({ start, end }) => !isEdited(start, end));
    const [first] = places;
    if (first === undefined) return [];
    const params = { name: from, more: places.length - 1 };
    return [diagnose('rename/not-changed', params, makeLines(path, text).siteOf(first))];
  });
}

/** In quotes, after `call`, or, if it is not an ordinary word, on its own. */
function mentionOf(name: string): RegExp {
  const literal = name.replaceAll(/[^\w]/g, '\\$&');
  const alone = /[^A-Za-z]/.test(name) ? `|(?<![\\w./-])${literal}(?![\\w/-]|\\.\\w)` : '';
  return new RegExp(`(?<=(["'\`]))${literal}(?=\\1)|\\bcall ${literal}(?![\\w.-])${alone}`, 'g');
}

/** What `toolwright docs` writes is brought up to date by it. */
function withoutRegions(text: string): string {
  return text.replaceAll(/<!-- toolwright:[\s\S]*?<!-- \/toolwright -->/g, region => ' '.repeat(region.length));
}
