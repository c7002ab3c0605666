// In: a result. Out: one with at most so many characters, which says what was cut; data is never cut, but refused.
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { headOf, tailOf } from './cut-text.js';
import type { Shaped } from './shape-result.js';
import { ToolError } from './tool-error.js';

export const defaultResultChars = 130_000;

export interface Limit {
  /** The wire name of the tool. */
  readonly name: string;
  readonly mostChars: number;
  /** What is cut: the end, or the middle (`clean: [truncate]`). */
  readonly cut: 'end' | 'middle';
}

/**
 * Limits the text of a result, all pieces together; images, sound and blobs do not count. Throws a ToolError
 * (RESULT_TOO_LARGE) where structured data is too large.
 *
 * @example limitResult({ result }, { name: 'read-log', mostChars: 1000, cut: 'end' })
 */
export function limitResult({ result, json }: Shaped, limit: Limit): CallToolResult {
  const { name, mostChars } = limit;
  if (json !== undefined && json.length > mostChars) {
    throw new ToolError(`${name} has a result of ${json.length} characters, and ${mostChars} are allowed`, {
      code: 'RESULT_TOO_LARGE',
      status: 413,
      suggestedFix: 'Ask for less: fewer items, fewer fields, a narrower search.',
      meta: { chars: json.length, limit: mostChars },
    });
  }
  let chars = 0;
  for (const item of result.content) chars += textOf(item).length;
  if (chars <= mostChars) return result;
  let left = mostChars;
  const content = result.content.map(item => {
    const text = textOf(item);
    if (text.length <= left) {
      left -= text.length;
      return item;
    }
    const cut = cutText(text, left, limit.cut);
    left = 0;
    return withText(item, cut);
  });
  return { ...result, content };
}

function textOf(item: Content): string {
  if (item.type === 'text') return item.text;
  return item.type === 'resource' ? (item.resource.text ?? '') : '';
}

function withText(item: Content, text: string): Content {
  if (item.type === 'text') return { ...item, text };
  return item.type === 'resource' ? { ...item, resource: { ...item.resource, text } } : item;
}

/** Characters for the note itself, so that text and note together keep to the limit where it is not tiny. */
const noteChars = 60;

function cutText(text: string, most: number, where: Limit['cut']): string {
  const kept = most > 4 * noteChars ? most - noteChars : most;
  if (where === 'end') {
    const head = headOf(text, kept);
    return `${head}\n${note(text.length - head.length)}`;
  }
  const head = headOf(text, Math.ceil(kept / 2));
  const tail = tailOf(text, Math.floor(kept / 2));
  return `${head}\n${note(text.length - head.length - tail.length)}\n${tail}`;
}

function note(chars: number): string {
  return `[${chars} characters were cut]`;
}
