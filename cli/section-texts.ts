// Declarations of items as one text, and back: a line of JSON that tells where each part is, then the parts as they
// are. A thousand items are read in a tenth of the time that their texts take as JSON.
import type { Block } from '../generator/declarations/block.js';
import type { Section } from '../generator/declarations/item.js';
import { isDiagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { isListOf } from './cache-file.js';

/** Where a block's text, head and tail start, how long each is, then its start and its end. */
type Numbers = readonly [number, number, number, number, number, number, number, number, number, number];
type BlockPlace = readonly [Numbers, sources: readonly string[]];

export interface StoredSections {
  /** What is stored under each key, as `read` takes it. */
  readonly places: unknown;
  /** Undefined where it is damaged. */
  read(place: unknown): Section | undefined;
}

/**
 * The text that is kept of sections.
 *
 * @example parseSections(printSections({ key: section })).places // { key: ... }, of which read makes the section
 */
export function printSections(sections: Readonly<Record<string, Section>>): string {
  const texts: string[] = [];
  let length = 0;
  const place = (block: Block | undefined): BlockPlace | null => {
    if (block === undefined) return null;
    const { text, head, tail, start, end, sources } = block;
    const at = length;
    texts.push(text, head, tail);
    length += text.length + head.length + tail.length;
    return [[at, text.length, head.length, tail.length, ...start, ...end], sources];
  };
  const places: Record<string, unknown> = {};
  for (const [key, { types, member, call, diagnostics }] of Object.entries(sections))
    places[key] = [place(types), place(member), place(call), diagnostics];
  return `${JSON.stringify({ length, places })}\n${texts.join('')}`;
}

/** The other way round, of a string that may be damaged. */
export function parseSections(stored: string): StoredSections | undefined {
  const end = stored.indexOf('\n');
  const index = parseIndex(stored.slice(0, Math.max(end, 0)));
  const texts = stored.slice(end + 1);
  if (index?.['length'] !== texts.length) return undefined;
  return { places: index['places'], read: place => readSection(place, texts) };
}

function parseIndex(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const index: unknown = JSON.parse(line);
    return isMap(index) ? index : undefined;
  } catch {
    return undefined;
  }
}

function readSection(place: unknown, texts: string): Section | undefined {
  if (!Array.isArray(place) || place.length !== 4) return undefined;
  const types = readBlock(place[0], texts);
  const member = place[1] === null ? null : readBlock(place[1], texts);
  const call = place[2] === null ? null : readBlock(place[2], texts);
  const diagnostics: unknown = place[3];
  if (types === undefined || member === undefined || call === undefined || !isListOf(diagnostics, isDiagnostic))
    return undefined;
  return { types, ...(member === null ? {} : { member }), ...(call === null ? {} : { call }), diagnostics };
}

function readBlock(place: unknown, texts: string): Block | undefined {
  if (!isBlockPlace(place)) return undefined;
  const [[at, text, head, tail, ...positions], sources] = place;
  const headAt = at + text;
  const tailAt = headAt + head;
  const end = tailAt + tail;
  if (end > texts.length) return undefined;
  return {
    text: texts.slice(at, headAt),
    sources,
    head: texts.slice(headAt, tailAt),
    start: [positions[0], positions[1], positions[2]],
    tail: texts.slice(tailAt, end),
    end: [positions[3], positions[4], positions[5]],
  };
}

function isBlockPlace(value: unknown): value is BlockPlace {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [numbers, sources]: readonly unknown[] = value;
  return isListOf(numbers, isSize) && numbers.length === 10 && isListOf(sources, isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
