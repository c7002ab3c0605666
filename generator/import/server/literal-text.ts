// In: words and addresses as they are. Out: the same as a backend has them, where braces are settings.

/** @example literalText('{"a":1}') // '{{"a":1}}' */
export function literalText(text: string): string {
  return text.replaceAll(/[{}]/g, brace => brace + brace);
}
