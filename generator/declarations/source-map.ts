// In: a generated text and the places in manifests that its parts come from. Out: its declaration map (version 3).
// Editors follow it, so that go-to-definition lands in the manifest instead of in the generated file.
import type { Site } from '../../schema/diagnostics.js';
import { relativePath } from './paths.js';

/** A part of the generated text. Without a site it is said to come from nowhere, so that no neighbour answers for it. */
export interface Mark {
  /** In UTF-16 units of the generated text. */
  readonly offset: number;
  readonly length: number;
  readonly site: Site | undefined;
}

export interface MapRequest {
  /** Of the generated file, relative to the pack. */
  readonly path: string;
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** One position of the generated text; `source` undefined: it comes from nowhere. */
interface Segment {
  readonly offset: number;
  readonly source: { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

/**
 * The map of a generated file, as JSON.
 *
 * @example printSourceMap({ path: 'generated/config.d.ts', text, marks: [{ offset: 17, length: 6, site }] })
 */
export function printSourceMap({ path, text, marks }: MapRequest): string {
  const sources: string[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (file: string): number => {
    const known = indexes.get(file);
    if (known !== undefined) return known;
    indexes.set(file, sources.length);
    sources.push(relativePath(path, file));
    return sources.length - 1;
  };
  const mappings = encodeMappings(text, toSegments(marks), indexOf);
  const file = path.slice(path.lastIndexOf('/') + 1);
  return `${JSON.stringify({ version: 3, file, sources, names: [], mappings })}\n`;
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

function encodeMappings(text: string, segments: readonly Segment[], indexOf: (file: string) => number): string {
  const starts = lineStarts(text);
  let line = 0;
  let previousColumn = 0;
  let previous = { index: 0, line: 0, column: 0 };
  let mappings = '';
  let isFirstOfLine = true;
  for (const { offset, source } of segments) {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= offset) {
      line += 1;
      previousColumn = 0;
      isFirstOfLine = true;
      mappings += ';';
    }
    const column = offset - (starts[line] ?? 0);
    if (!isFirstOfLine) mappings += ',';
    isFirstOfLine = false;
    mappings += encodeNumber(column - previousColumn);
    previousColumn = column;
    if (source === undefined) continue;
    const here = { index: indexOf(source.file), line: source.line, column: source.column };
    mappings += encodeNumber(here.index - previous.index);
    mappings += encodeNumber(here.line - previous.line);
    mappings += encodeNumber(here.column - previous.column);
    previous = here;
  }
  return mappings;
}

/** Lines as TypeScript counts them, which is who reads the map: by every line terminator of ECMAScript. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const terminator = /\r\n|[\n\r\u2028\u2029]/g;
  while (terminator.test(text)) starts.push(terminator.lastIndex);
  return starts;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
