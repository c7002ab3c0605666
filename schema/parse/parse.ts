// Stage 3: text becomes data that knows where it was written.
// In: a SourceFile, or one whose values are known already. Out: its clean documents, and what is wrong with the others.
import { type Diagnostic, sortDiagnostics } from '../diagnostics.js';
import type { Document, Format, SourceFile } from '../document.js';
import { readJson } from './json.js';
import { type Lines, makeLines } from './lines.js';
import { locateJson, locateYaml, makeDocument, type Place } from './locate.js';
import { collect, type Report } from './report.js';
import { readYaml } from './yaml.js';

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
  const lines = makeLines(source.path, source.text);
  const diagnostics: Diagnostic[] = [];
  const read = known === undefined ? readFirst(source, lines, collect(lines, diagnostics)) : { values: known };
  const places = openOnce(source, lines, keepsTree ? read.places : undefined);
  const documents = read.values.map((value, index) =>
    makeDocument({ file: source.path, text: source.text, value, lines, open: () => places()[index] }),
  );
  return { documents, diagnostics: diagnostics.length > 1 ? sortDiagnostics(diagnostics) : diagnostics };
}

interface FirstReading {
  readonly values: readonly unknown[];
  readonly places?: () => readonly Place[];
}

function readFirst({ format, text }: SourceFile, lines: Lines, report: Report): FirstReading {
  if (hasTooManyParts(text, format)) {
    report('parse/too-many', { limit: partLimit }, { start: 0, end: 0 });
    return { values: [] };
  }
  switch (format) {
    case 'yaml': {
      const documents = readYaml(text, lines, report);
      const places = (): readonly Place[] => documents.map(document => locateYaml(document, text));
      return { values: documents.map(document => document.value), places };
    }
    case 'json':
      return { values: readJson(text, report).map(document => document.value) };
    default:
      return format satisfies never;
  }
}

/** The documents of a file share one second reading: syntax trees are too large to be kept for files that are fine. */
function openOnce({ format, text }: SourceFile, lines: Lines, kept?: FirstReading['places']): () => readonly Place[] {
  let places = kept?.();
  const open = (): readonly Place[] => {
    switch (format) {
      case 'yaml':
        return readYaml(text, lines, ignore).map(document => locateYaml(document, text));
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
