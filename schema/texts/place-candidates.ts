// In: a scalar as an author typed it. Out: where the characters stand that may be hidden, also those written as escapes.
import { hiddenCandidates } from './hidden.js';

interface Typed {
  readonly code: number;
  /** Offsets into the typed text. */
  readonly start: number;
  readonly end: number;
}

/**
 * In the order of the value. Only double quotes have escapes, in YAML and in JSON.
 *
 * @example placeCandidates('"a\\u202e"') // [{ code: 0x202e, start: 2, end: 8 }]
 */
export function placeCandidates(source: string): readonly Typed[] {
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
