// In: a description. Out: its first paragraph in one line, short enough for a list.

const longest = 200;

/** @example brief('Gets an issue.\n\nBy its key.') // 'Gets an issue.' */
export function brief(description: string): string {
  const [first = ''] = description.trim().split(/\n\s*\n/);
  const line = first.replaceAll(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 3).trimEnd()}...` : line;
}
