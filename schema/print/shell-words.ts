// In: the words of a command. Out: a line that a shell reads as these words.

/** @example shellLine(['node', '/a b/c.js']) // "node '/a b/c.js'" */
export function shellLine(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
