// 2.0 of backends: `{x}` is a value, `{config.X}` a setting; `{{` and `}}` are literal braces. In: a string. Out: its parts, and what is wrong.

export interface Placeholder {
  readonly of: 'argument' | 'config';
  /** Of the argument, or of the key of `config:`. */
  readonly name: string;
  /** As it was written, with its braces, and which of several such it is: what finds its place. */
  readonly tag: string;
  readonly nth: number;
}

export type Part = string | Placeholder;

export interface ParsedText {
  readonly parts: readonly Part[];
  readonly problems: readonly TextProblem[];
}

export interface TextProblem {
  readonly reason: string;
  readonly tag: string;
  readonly nth: number;
}

const tokens = /\{\{|\}\}|\{[^{}]*\}|[{}]/g;
const configPrefix = 'config.';

/**
 * Reads a string with placeholders.
 *
 * @example parseText('/issue/{issueKey}').parts // ['/issue/', { of: 'argument', name: 'issueKey', tag: '{issueKey}', nth: 0 }]
 */
export function parseText(text: string): ParsedText {
  const parts: Part[] = [];
  const problems: TextProblem[] = [];
  const seen = new Map<string, number>();
  let literal = '';
  let end = 0;
  for (const { 0: tag, index } of text.matchAll(tokens)) {
    literal += text.slice(end, index);
    end = index + tag.length;
    const nth = countOf(text, tag, index, seen);
    if (tag === '{{' || tag === '}}') literal += tag[0];
    else if (tag.length === 1) problems.push({ reason: `a literal ${tag} is written ${tag}${tag}`, tag, nth });
    else {
      const name = tag.slice(1, -1).trim();
      if (name === '') {
        problems.push({ reason: 'a placeholder needs a name; a literal { is written {{', tag, nth });
        continue;
      }
      if (literal !== '') parts.push(literal);
      literal = '';
      const isConfig = name.startsWith(configPrefix);
      parts.push({
        of: isConfig ? 'config' : 'argument',
        name: isConfig ? name.slice(configPrefix.length) : name,
        tag,
        nth,
      });
    }
  }
  literal += text.slice(end);
  if (literal !== '') parts.push(literal);
  return { parts, problems };
}

/** Which occurrence of the same characters it is: positions are looked up by it. */
function countOf(text: string, tag: string, index: number, seen: Map<string, number>): number {
  // `{` also occurs inside `{x}` and `{{`, which a search for the characters finds, too.
  if (tag.length > 2) {
    const before = seen.get(tag) ?? 0;
    seen.set(tag, before + 1);
    return before;
  }
  return text.slice(0, index).split(tag).length - 1;
}

/** Placeholders of a string, in order. */
export function placeholdersOf(parts: readonly Part[]): readonly Placeholder[] {
  return parts.filter(part => typeof part !== 'string');
}
