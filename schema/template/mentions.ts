// Mentions of tools in text that is not a template: descriptions, guidelines, instructions, suggested fixes.
// In: text with `{{tool:item}}`. Out: the same text with the names that clients see.

/** Group 1 is the body of the tag, `~` at its end included. */
export const mentionTag = /\{\{~?\s*tool:([^{}]*)\}\}/g;

/** What looks like a mention of something: group 1 is the word before the colon, group 2 the name. */
export const namedTag = /\{\{~?\s*([A-Za-z][\w-]*\s*):\s*([A-Za-z0-9][\w./-]*)\s*~?\}\}/g;

/** `\{{` is text, `\\{{` is a backslash and a tag. */
export function isEscaped(text: string, offset: number): boolean {
  return text[offset - 1] === '\\' && text[offset - 2] !== '\\';
}

/** The item that the body of a tag names. */
export function mentionedItem(body: string): string {
  return body.replace(/~$/, '').trim();
}

/**
 * Renders the mentions in a string. Everything else reaches the reader exactly as written, other braces too; before a
 * mention backslashes and `~` mean what they mean in prompt texts.
 *
 * @example renderMentions('Call {{tool:search}} first', () => 'jira_search') // 'Call jira_search first'
 * @example renderMentions('Write \\{{tool:search}}', () => 'jira_search') // 'Write {{tool:search}}'
 */
export function renderMentions(text: string, nameOf: (item: string) => string): string {
  if (!text.includes('tool:')) return text;
  let output = '';
  let position = 0;
  let trimNext = false;
  const add = (end: number, trimEnd: boolean): void => {
    let piece = text.slice(position, end);
    if (trimNext) piece = piece.trimStart();
    output += trimEnd ? piece.trimEnd() : piece;
  };
  for (const found of text.matchAll(mentionTag)) {
    const [tag, body = ''] = found;
    const start = found.index;
    const item = mentionedItem(body);
    if (item === '' || /\s/.test(item)) continue;
    const isText = isEscaped(text, start);
    add(text[start - 1] === '\\' ? start - 1 : start, !isText && tag[2] === '~');
    output += isText ? tag : nameOf(item);
    trimNext = !isText && body.endsWith('~');
    position = start + tag.length;
  }
  add(text.length, false);
  return output;
}
