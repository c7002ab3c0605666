// Stage 3: text becomes data that knows where it was written.
// In: a SourceFile, or one whose values are known already. Out: its clean documents, and what is wrong with the others.
import { type Diagnostic, sortDiagnostics } from '../diagnostics.js';
import type { Document, SourceFile } from '../document.js';
import { locateJson } from '../locate/json.js';
import { type Lines, makeLines } from '../locate/lines.js';
import { makeDocument, type Place } from '../locate/locate.js';
import { locateYaml } from '../locate/yaml.js';
import { readJson } from './json.js';
import { collect, type Report } from './report.js';
import { hasTooManyParts, partLimit } from './size.js';
import { readYaml } from './yaml.js';

export interface Parsed {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses a file. A document with a mistake is left out; the others of its file stay.
 * `known` are the values of the file's documents from a cache: then nothing is parsed until a position is asked for.
 *
 * @example parse({ path: 'mcp/tools/a.yaml', format: 'yaml', text: 'title: A\n', hash: '' }).documents[0]?.value
 */
export function parse(source: SourceFile, known?: readonly unknown[]): Parsed {
  const lines = makeLines(source.path, source.text);
  const diagnostics: Diagnostic[] = [];
  const values = known ?? readValues(source, lines, collect(lines, diagnostics));
  const places = openOnce(source, lines);
  const documents = values.map((value, index) =>
    makeDocument({ file: source.path, text: source.text, value, lines, open: () => places()[index] }),
  );
  return { documents, diagnostics: diagnostics.length > 1 ? sortDiagnostics(diagnostics) : diagnostics };
}

function readValues({ format, text }: SourceFile, lines: Lines, report: Report): readonly unknown[] {
  if (hasTooManyParts(text, format)) {
    report('parse/too-many', { limit: partLimit }, { start: 0, end: 0 });
    return [];
  }
  switch (format) {
    case 'yaml':
      return readYaml(text, lines, report).map(document => document.value);
    case 'json':
      return readJson(text, report).map(document => document.value);
    default:
      return assertNever(format);
  }
}

/** The documents of a file share one second reading: syntax trees are too large to be kept for files that are fine. */
function openOnce({ format, text }: SourceFile, lines: Lines): () => readonly Place[] {
  let places: readonly Place[] | undefined;
  const open = (): readonly Place[] => {
    switch (format) {
      case 'yaml':
        return readYaml(text, lines, ignore).map(document => locateYaml(document, text));
      case 'json':
        return [locateJson(text)];
      default:
        return assertNever(format);
    }
  };
  return () => {
    places ??= open();
    return places;
  };
}

const ignore: Report = () => {};

function assertNever(format: never): never {
  throw new Error(`unknown format ${String(format)}`);
}
