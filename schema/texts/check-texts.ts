// In: a value of a manifest, or the text of a file. Out: a diagnostic for each place where it holds characters that nobody sees.

import { type Diagnostic, diagnose, type Site } from '../diagnostics.js';
import { isMap, type Locator, type Path } from '../document.js';
import { makeLines } from '../parse/lines.js';
import { nameCharacter } from '../print/visible.js';
import { findHidden, type HiddenRun, hiddenCandidates } from './hidden.js';

/** One text of a value: a key, or what stands behind it. */
interface Text {
  readonly path: Path;
  readonly side: 'key' | 'value';
  readonly text: string;
}

/** Nobody reads the hundred and first. */
const mostReported = 100;

/**
 * Checks every key and every text of a value. `isSkipped` leaves out parts that somebody else checks.
 *
 * @example checkTexts({ description: 'pay\u202e' }, document)
 */
export function checkTexts(
  value: unknown,
  at: Locator,
  isSkipped: (path: Path) => boolean = () => false,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { path, side, text } of textsOf(value, [], isSkipped)) {
    for (const run of findHidden(text)) {
      if (found.length === mostReported) return found;
      const site = side === 'key' ? placeInKey(at.site(path, 'key'), text, run) : placeInValue(at, path, text, run);
      found.push(reportHidden(run, site));
    }
  }
  return found;
}

/** The same for a whole file of text. */
export function checkTextFile(file: string, text: string): readonly Diagnostic[] {
  const runs = findHidden(text);
  if (runs.length === 0) return [];
  const lines = makeLines(file, text);
  return runs.slice(0, mostReported).map(run => reportHidden(run, lines.siteOf(run)));
}

function* textsOf(value: unknown, path: Path, isSkipped: (path: Path) => boolean): Generator<Text> {
  if (isSkipped(path)) return;
  if (typeof value === 'string') {
    yield { path, side: 'value', text: value };
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* textsOf(one, [...path, index], isSkipped);
  } else if (isMap(value)) {
    for (const [key, one] of Object.entries(value)) {
      const inside = [...path, key];
      yield { path: inside, side: 'key', text: key };
      yield* textsOf(one, inside, isSkipped);
    }
  }
}

function reportHidden(run: HiddenRun, site: Site): Diagnostic {
  const params = { count: run.codes.length, character: nameCharacter(run.codes[0] ?? 0, names) };
  switch (run.sort) {
    case 'bidi':
      return diagnose('text/bidi-control', params, site);
    case 'tag': {
      const said = String.fromCharCode(...run.codes.map(code => code - 0xe0000)).replaceAll(/[^ -~]/g, '');
      const hint = said === '' ? undefined : `a model may read them as ${JSON.stringify(said.slice(0, 200))}`;
      return diagnose('text/tag-character', params, site, { hint });
    }
    case 'zero-width':
      return diagnose('text/zero-width', params, site);
    default:
      return run.sort satisfies never;
  }
}

/** The run inside the scalar as it was typed; the whole scalar where the place is unknown. */
function placeInValue(at: Locator, path: Path, text: string, run: HiddenRun): Site {
  const whole = at.site(path);
  const source = at.source(path);
  const typed = source === undefined ? [] : placeCandidates(source);
  const first = typed[run.nth];
  const last = typed[run.nth + run.codes.length - 1];
  if (source === undefined || first === undefined || last === undefined) return whole;
  // Comments in the header of a block may have some too; then counting them tells nothing.
  if (typed.length !== hiddenCandidates(text).length) return whole;
  return { file: whole.file, ...startIn(whole, source, first.start), ...endIn(whole, source, last.end) };
}

function startIn(site: Site, source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset);
  const feed = before.lastIndexOf('\n');
  return feed < 0
    ? { line: site.line, column: site.column + offset }
    : { line: site.line + before.split('\n').length - 1, column: offset - feed };
}

function endIn(site: Site, source: string, offset: number): { readonly endLine: number; readonly endColumn: number } {
  const { line, column } = startIn(site, source, offset);
  return { endLine: line, endColumn: column };
}

/** Keys stand in one line, bare or in quotes; with escapes in it the whole key is meant. */
function placeInKey(site: Site, key: string, { start, end }: HiddenRun): Site {
  const width = site.line === site.endLine ? site.endColumn - site.column : -1;
  const quotes = width - key.length;
  if (quotes !== 0 && quotes !== 2) return site;
  const column = site.column + quotes / 2;
  return { ...site, column: column + start, endColumn: column + end };
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00ad, 'soft hyphen'],
  [0x061c, 'Arabic letter mark'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'zero-width no-break space'],
]);

interface Typed {
  readonly code: number;
  /** Offsets into the typed text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Where the characters stand that may be hidden, in a scalar as an author typed it, in the order of the value. Only double quotes have escapes, in YAML and in JSON.
 *
 * @example placeCandidates('"a\\u202e"') // [{ code: 0x202e, start: 2, end: 8 }]
 */
function placeCandidates(source: string): readonly Typed[] {
  if (!source.startsWith('"')) {
    return hiddenCandidates(source).map(one => ({ ...one, end: one.start + (one.code > 0xffff ? 2 : 1) }));
  }
  return joinPairs(readCodes(source)).filter(({ code }) => hiddenCandidates(safeText(code)).length > 0);
}

const token = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|[\s\S])|[^\\]/gu;

function readCodes(source: string): readonly Typed[] {
  return Array.from(source.matchAll(token), ({ 0: text, 1: four, 2: eight, 3: two, index }) => {
    const digits = four ?? eight ?? two;
    const code = digits === undefined ? (text.codePointAt(0) ?? 0) : Number.parseInt(digits, 16);
    return { code, start: index, end: index + text.length };
  });
}

/** JSON writes characters beyond the first plane as two escapes. */
function joinPairs(typed: readonly Typed[]): readonly Typed[] {
  const joined: Typed[] = [];
  for (const one of typed) {
    const before = joined.at(-1);
    const isPair =
      before !== undefined && isBetween(before.code, 0xd800, 0xdbff) && isBetween(one.code, 0xdc00, 0xdfff);
    if (!isPair) joined.push(one);
    else {
      const code = (before.code - 0xd800) * 0x400 + (one.code - 0xdc00) + 0x10000;
      joined[joined.length - 1] = { code, start: before.start, end: one.end };
    }
  }
  return joined;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

/** YAML's eight digits can name what is no character. */
function safeText(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
