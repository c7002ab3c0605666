// In: a string and a length. Out: its beginning or end of about that length; no character is ever cut in two.

/**
 * The first `length` units of a string, one less where that would split a character.
 *
 * @example headOf('a😀', 2) // 'a'
 */
export function headOf(text: string, length: number): string {
  return text.slice(0, isInsideCharacter(text, length) ? length - 1 : length);
}

/**
 * The last `length` units of a string, one less where that would split a character.
 *
 * @example tailOf('😀a', 2) // 'a'
 */
export function tailOf(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isInsideCharacter(text, start) ? start + 1 : start);
}

function isInsideCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
