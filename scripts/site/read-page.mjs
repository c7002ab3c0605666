// In: the text of a Markdown page. Out: its tokens, headings with their anchors, and links. The site is printed from it, and tests check
// links with it.
import MarkdownIt from 'markdown-it';

/** HTML is shown as it is written: `<name>` is a name. Comments are notes to tests. */
export function createMarkdown(options = {}) {
  const markdown = new MarkdownIt({ html: false, ...options });
  markdown.block.ruler.before('paragraph', 'comment', skipComment, { alt: ['paragraph'] });
  return markdown;
}

function skipComment(state, startLine, endLine, isProbe) {
  const lineAt = line => state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);
  if (!lineAt(startLine).startsWith('<!--')) return false;
  if (isProbe) return true;
  let line = startLine;
  while (line < endLine && !lineAt(line).includes('-->')) line += 1;
  state.line = Math.min(line + 1, endLine);
  return true;
}

/** `createSlugger` is the one of schema/reference/slug.ts: anchors are those of GitHub. */
export function readPage(text, createSlugger, markdown = createMarkdown()) {
  const slug = createSlugger();
  const tokens = markdown.parse(text, {});
  const headings = [];
  const links = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const words = textOf(tokens[index + 1]);
      headings.push({ level: Number(token.tag.slice(1)), text: words, anchor: slug(words), token });
    }
    if (token.type !== 'inline') continue;
    for (const child of token.children) {
      const target = child.attrGet('href') ?? child.attrGet('src');
      if (target !== null) links.push({ target, line: (token.map?.[0] ?? 0) + 1, token: child });
    }
  }
  return { tokens, headings, links, title: headings[0]?.text ?? '' };
}

/** What a reader sees of a line. */
export function textOf({ children }) {
  return (children ?? [])
    .filter(({ type }) => ['text', 'code_inline', 'softbreak', 'text_special'].includes(type))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
}

/** Text as HTML. */
export const { escapeHtml } = new MarkdownIt().utils;

/** Leads to another site, not to a page of ours. */
export function isForeign(target) {
  return /^[a-z][a-z+.-]*:/i.test(target) || target.startsWith('//');
}
