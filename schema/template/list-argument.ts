// In: the string that a client sent for an argument with `type: list` (W74). Out: the list: a JSON array, else its lines.

/** @example readList('a\nb\n') // ['a', 'b'], as readList('["a", "b"]') */
export function readList(text: string): readonly unknown[] {
  const array = /^\s*\[/.test(text) ? parseArray(text) : undefined;
  if (array !== undefined) return array;
  const lines = text.split(/\r\n|\r|\n/);
  // A line break at the end ends the last line, and an empty string has none.
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
