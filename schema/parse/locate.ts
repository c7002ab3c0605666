// Answers where a part of a document was written, for every format alike.
// In: the places of a document, opened on first use. Out: a Document.
import type { Document, Path } from '../document.js';
import type { Lines, Span } from './lines.js';

/** One written value. Aliases and merge keys are already followed: it is where the text stands. */
export interface Place {
  readonly span: Span;
  /** The key before it; list items and roots have none. */
  readonly key: Span | undefined;
  /** What is between the quotes, or below the header of a block; lists and maps have none. */
  readonly scalar: { readonly raw: Span; readonly inner: Span; readonly value: unknown } | undefined;
  child(step: string | number): Place | undefined;
  /** The first key of a map. */
  firstKey(): Span | undefined;
}

interface Origin {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  readonly lines: Lines;
  /** Called when a position is asked for, not before; keeps what it made. */
  readonly open: () => Place | undefined;
}

/**
 * A document whose positions are found when they are asked for.
 *
 * @example makeDocument({ file, text, value, lines, open: () => places()[0] }).site(['name'], 'key')
 */
export function makeDocument({ file, text, value, lines, open }: Origin): Document {
  const scalarAt = (path: Path): Place['scalar'] => {
    const { place, missing } = walk(open(), path);
    return missing ? undefined : place?.scalar;
  };
  return {
    file,
    value,
    site: (path, side = 'value') => lines.siteOf(spanAt(open(), path, side)),
    find(path, wanted, nth = 0) {
      const scalar = scalarAt(path);
      const found = scalar === undefined ? undefined : findIn(text, scalar, { wanted, nth });
      return lines.siteOf(found ?? spanAt(open(), path, 'value'));
    },
    source(path) {
      const raw = scalarAt(path)?.raw;
      return raw === undefined ? undefined : text.slice(raw.start, raw.end);
    },
  };
}

/** The place at the end of a path, or the nearest one on the way. */
function walk(root: Place | undefined, path: Path): { readonly place: Place | undefined; readonly missing: boolean } {
  let place = root;
  for (const step of path) {
    const next = place?.child(step);
    if (next === undefined) return { place, missing: true };
    place = next;
  }
  return { place, missing: root === undefined };
}

function spanAt(root: Place | undefined, path: Path, side: 'key' | 'value'): Span {
  const { place, missing } = walk(root, path);
  if (place === undefined) return { start: 0, end: 0 };
  if (side === 'value' && !missing && place.span.end > place.span.start) return place.span;
  if (place.key !== undefined) return place.key;
  // A list item has no key to point at; the root neither. The first key says best which one is meant.
  const named = missing || path.length === 0 ? place.firstKey() : undefined;
  return named ?? place.span;
}

function findIn(
  text: string,
  { inner, value }: NonNullable<Place['scalar']>,
  { wanted, nth }: { readonly wanted: string; readonly nth: number },
): Span | undefined {
  if (wanted === '') return undefined;
  const raw = text.slice(inner.start, inner.end);
  const starts = occurrences(raw, wanted);
  // Escapes and folded lines can hide an occurrence or feign one; then counting them tells nothing.
  if (typeof value === 'string' && occurrences(value, wanted).length !== starts.length) return undefined;
  const start = starts[nth];
  return start === undefined ? undefined : { start: inner.start + start, end: inner.start + start + wanted.length };
}

function occurrences(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}
