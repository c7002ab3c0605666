// Text becomes data that knows where it was written.
// In: a SourceFile, or one whose values are known already. Out: its clean documents, and what is wrong with the others.
import { type Diagnostic, sortDiagnostics } from '../diagnostics.js';
import type { Document, Format, Path, SourceFile } from '../document.js';
import { reportCutTexts } from './cut-text.js';
import { readJson } from './json.js';
import { type Lines, makeLines, type Span } from './lines.js';
import { locateYaml, type Place } from './locate.js';
import { locateJson } from './locate-json.js';
import { type Authorship, collect, type Report } from './report.js';
import { readYaml } from './yaml.js';
import { readBlocks } from './yaml-block.js';

export interface Parsed {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a file. A document with a mistake is left out; the others of its file stay.
 * `known` are the values of the file's documents from a cache: then nothing is parsed until a position is asked for.
 * `keepsTree`: positions will be asked for, so the syntax tree of YAML is kept instead of being made again.
 *
 * @example parse({ path: 'mcp/tools/a.yaml', format: 'yaml', text: 'title: A\n', hash: '' }).documents[0]?.value
 */
export function parse(source: SourceFile, known?: readonly unknown[], keepsTree = false): Parsed {
  return parseAs('own', source, { known, keepsTree });
}

/**
 * Parses a file that somebody else wrote, such as the document of an API: it may have any number of parts, one of two equal keys is kept,
 * with a warning, and cut texts are not looked for.
 *
 * @example parseForeign({ path: 'api.json', format: 'json', text: '{"a": 1, "a": 2}', hash: '' }).documents[0]?.value // { a: 2 }
 */
export function parseForeign(source: SourceFile): Parsed {
  return parseAs('foreign', source, { known: undefined, keepsTree: true });
}

interface ParseOptions {
  readonly known: readonly unknown[] | undefined;
  readonly keepsTree: boolean;
}

function parseAs(authorship: Authorship, source: SourceFile, { known, keepsTree }: ParseOptions): Parsed {
  const lines = makeLines(source.path, source.text);
  const diagnostics: Diagnostic[] = [];
  const report = collect(lines, diagnostics);
  // The library's tree is only made where positions will be asked for, or where the text is more than blocks.
  const quick = known ?? (keepsTree ? undefined : readQuickly(source));
  const read = quick === undefined ? readFirst(source, lines, report, authorship) : { values: quick };
  const places = openOnce(source, lines, authorship, keepsTree ? read.places : undefined);
  const documents = read.values.map((value, index) =>
    makeDocument({ file: source.path, text: source.text, value, lines, open: () => places()[index] }),
  );
  return { documents, diagnostics: diagnostics.length > 1 ? sortDiagnostics(diagnostics) : diagnostics };
}

interface FirstReading {
  readonly values: readonly unknown[];
  readonly places?: () => readonly Place[];
}

function readQuickly({ format, text }: SourceFile): readonly unknown[] | undefined {
  const value = format === 'yaml' && text.length <= partLimit ? readBlocks(text) : undefined;
  return value === undefined ? undefined : [value];
}

function readFirst({ format, text }: SourceFile, lines: Lines, report: Report, authorship: Authorship): FirstReading {
  if (authorship === 'own' && hasTooManyParts(text, format)) {
    report('parse/too-many', { limit: partLimit }, { start: 0, end: 0 });
    return { values: [] };
  }
  switch (format) {
    case 'yaml': {
      const documents = readYaml(text, lines, report, authorship);
      if (authorship === 'own') reportCutTexts(text, documents, report);
      const places = (): readonly Place[] => documents.map(document => locateYaml(document, text));
      return { values: documents.map(document => document.value), places };
    }
    case 'json':
      return { values: readJson(text, report, authorship).map(document => document.value) };
    default:
      return format satisfies never;
  }
}

/** The documents of a file share one second reading: syntax trees are too large to be kept for files that are fine. */
function openOnce(
  { format, text }: SourceFile,
  lines: Lines,
  authorship: Authorship,
  kept?: FirstReading['places'],
): () => readonly Place[] {
  let places = kept?.();
  const open = (): readonly Place[] => {
    switch (format) {
      case 'yaml':
        return readYaml(text, lines, ignore, authorship).map(document => locateYaml(document, text));
      case 'json':
        return [locateJson(text)];
      default:
        return format satisfies never;
    }
  };
  return () => {
    places ??= open();
    return places;
  };
}

const ignore: Report = () => {};

/** A combined file of 10,000 tools has about 900,000. */
const partLimit = 1_500_000;

const lineFeed = 10;
const comma = 44;
const openList = 91;
const openMap = 123;

function hasTooManyParts(text: string, format: Format): boolean {
  if (text.length <= partLimit) return false;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Line ends mean nothing to JSON.
    if (code === comma || code === openList || code === openMap || (code === lineFeed && format === 'yaml')) parts += 1;
  }
  return parts > partLimit;
}

// In: the places of a document, opened on first use. Out: a Document.

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
function makeDocument({ file, text, value, lines, open }: Origin): Document {
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
