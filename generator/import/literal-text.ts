// In: words and addresses as they are. Out: the same where braces would be settings or values of calls.

/** @example literalText('{"a":1}') // '{{"a":1}}' */
export function literalText(text: string): string {
  return text.replaceAll(/[{}]/g, brace => brace + brace);
}
