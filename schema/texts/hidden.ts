// Characters that a reader does not see, but a model reads. In: text. Out: where they are, and of what sort.

/**
 * `bidi`: controls that show text in another order than it is read. `tag`: copies of ASCII that nobody sees.
 * `zero-width`: everything else without ink that can stand inside a word.
 */
export type HiddenSort = 'bidi' | 'tag' | 'zero-width';

export interface HiddenRun {
  readonly sort: HiddenSort;
  /** Code points, in order. */
  readonly codes: readonly number[];
  /** Which of all candidates of the text is the first of the run. */
  readonly nth: number;
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
}

/** Bidi_Control of Unicode. A model reads in logical order: it needs none of them. */
const bidi = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const zeroWidth =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb';
const astral = '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';

const candidate = new RegExp(`[${bidi}${zeroWidth}${astral}]`, 'gu');
const bidiOnly = new RegExp(`[${bidi}]`, 'u');

/**
 * Without the `u` flag, which would cost several times as much: the text of every file goes through it. Halves of pairs
 * stand for the astral ones, and any escape of a character for what it may mean.
 */
const escaped = /\\[uUx]/;
const suspect = new RegExp(`[${bidi}${zeroWidth}\\ud82f\\ud834\\udb40-\\udb43]|${escaped.source}`);

/**
 * A quick look at the text of a file: false where nothing in it can be hidden, written out or as an escape.
 *
 * @example mayHide('description: "\\u202e"') // true
 */
export function mayHide(text: string): boolean {
  return suspect.test(text);
}

/** The same for pure ASCII, where only escapes can hide anything. */
export function mayHideInAscii(text: string): boolean {
  return text.includes('\\') && escaped.test(text);
}

/** The candidates in some text: each may be hidden, or belong to an emoji or a word. */
export function hiddenCandidates(text: string): readonly { readonly code: number; readonly start: number }[] {
  return Array.from(text.matchAll(candidate), ({ 0: character, index }) => ({
    code: character.codePointAt(0) ?? 0,
    start: index,
  }));
}

/**
 * What is hidden in some text. Joiners inside emoji and inside words of scripts that need them, one variation selector after
 * a character, and the flags of England, Scotland and Wales do not count.
 *
 * @example findHidden('pay\u202e') // [{ sort: 'bidi', codes: [0x202e], nth: 0, start: 3, end: 4 }]
 */
export function findHidden(text: string): readonly HiddenRun[] {
  const runs: HiddenRun[] = [];
  for (const [nth, { code, start }] of hiddenCandidates(text).entries()) {
    if (belongs(text, code, start)) continue;
    const sort = sortOf(code);
    const end = start + (code > 0xffff ? 2 : 1);
    const last = runs.at(-1);
    if (last !== undefined && last.sort === sort && last.end === start) {
      runs[runs.length - 1] = { ...last, codes: [...last.codes, code], end };
    } else runs.push({ sort, codes: [code], nth, start, end });
  }
  return runs;
}

/** True if the text contains what no author needs and no reader sees. */
export function hasUnsafeText(text: string): boolean {
  return findHidden(text).some(({ sort }) => sort !== 'zero-width');
}

function sortOf(code: number): HiddenSort {
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag';
  return bidiOnly.test(String.fromCodePoint(code)) ? 'bidi' : 'zero-width';
}

const flag =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;
const emojiBefore = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*$/u;
const emojiAfter = /^\p{Extended_Pictographic}/u;
/** Scripts whose letters join, or whose signs stack, so that words are written with ZWJ and ZWNJ. */
const joining = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Myanmar', 'Khmer', 'Tibetan', 'Meetei_Mayek'],
]
  .map(script => `\\p{Script=${script}}`)
  .join('');
const joiningBefore = new RegExp(`[${joining}]\\p{M}*$`, 'u');
const joiningAfter = new RegExp(`^[${joining}]`, 'u');
/** Scripts without spaces between words, which ZWSP may stand for. */
const unspacedBefore = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*$/u;
const unspacedAfter = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Characters that have variants: no letters of Latin, in which one selector after each could hide as many letters. */
const variedBefore = /[^\s\p{C}\p{Variation_Selector}\p{ASCII}\p{Script=Latin}]$/u;
const emojiOrVaried = /(?:\p{Emoji}|[^\s\p{C}\p{Variation_Selector}\p{ASCII}\p{Script=Latin}])$/u;
const mongolianBefore = /\p{Script=Mongolian}$/u;
const ideographBefore = /\p{Ideographic}$/u;
/** Enough of the text before and after a character to tell what it belongs to. */
const reach = 16;

function belongs(text: string, code: number, start: number): boolean {
  const before = text.slice(Math.max(0, start - reach), start);
  const after = text.slice(start + (code > 0xffff ? 2 : 1), start + reach);
  if (code === 0x200d && emojiBefore.test(before) && emojiAfter.test(after)) return true;
  // ZWJ may end a word: it asks for the joining form of the letter before it.
  if (code === 0x200d) return joiningBefore.test(before);
  if (code === 0x200c) return joiningBefore.test(before) && joiningAfter.test(after);
  if (code === 0x200b) return unspacedBefore.test(before) && unspacedAfter.test(after);
  if (code === 0xfe0e || code === 0xfe0f) return emojiOrVaried.test(before);
  if (code >= 0xfe00 && code <= 0xfe0d) return variedBefore.test(before);
  if (code >= 0x180b && code <= 0x180f) return mongolianBefore.test(before);
  if (code >= 0xe0100 && code <= 0xe01ef) return ideographBefore.test(before);
  if (code < 0xe0020 || code > 0xe007f) return false;
  const around = text.slice(Math.max(0, start - reach), start + reach);
  const here = Math.min(start, reach);
  return [...around.matchAll(flag)].some(({ index, 0: found }) => index < here && here < index + found.length);
}
