// JSON as tsconfig.json has it. In: text with comments and trailing commas. Out: plain JSON of the same length,
// so that every position still holds.

/**
 * Blanks out comments and trailing commas.
 *
 * @example toJson('{"a": 1, // one\n}') // '{"a": 1        \n}'
 */
export function toJson(text: string): string {
  let json = '';
  /** Offset in `json` of a comma after which nothing but space and comments came. */
  let comma = -1;
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('//') || token.startsWith('/*')) {
      json += token.replace(/[^\n\r]/g, ' ');
      continue;
    }
    if ((token === '}' || token === ']') && comma >= 0) json = `${json.slice(0, comma)} ${json.slice(comma + 1)}`;
    if (token.trim() !== '') comma = token === ',' ? json.length : -1;
    json += token;
  }
  return json;
}

/** A string (one that never ends goes to the end of its line), a comment, a run of anything else, or one character. */
const tokens = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|[^"/,\]}]+|[\s\S]/g;
