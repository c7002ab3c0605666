// In: a result as clients get it and the value that an example expects. Out: the part of the result that it is about.
import { isMap } from '../../schema/document.js';
import type { Wire } from '../packs/list-entries.js';

/**
 * A string is held against the text; anything else against the structured data, where there is none against the text as JSON,
 * and a list of content blocks against the content.
 *
 * @example readResult({ content: [{ type: 'text', text: '3' }] }, 3) // 3
 */
export function readResult({ content, structuredContent }: Wire, expected: unknown): unknown {
  const blocks = Array.isArray(content) ? content.filter(isMap) : [];
  const text = textOf(blocks);
  if (typeof expected === 'string' && text !== undefined) return text;
  if (structuredContent !== undefined) return Array.isArray(expected) ? listIn(structuredContent) : structuredContent;
  if (blocks.length === 0) return null;
  const isAboutContent = Array.isArray(expected) && expected.some(one => isMap(one) && typeof one['type'] === 'string');
  if (text === undefined || isAboutContent) return content;
  return asJson(text);
}

/** A handler's list without an output schema goes out as `{ items: [...] }`. */
function listIn(data: unknown): unknown {
  return isMap(data) && Array.isArray(data['items']) && Object.keys(data).length === 1 ? data['items'] : data;
}

/**
 * A string is held against the texts of all messages, a list against the messages, a map against the whole result.
 *
 * @example readPrompt({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] }, 'Hi') // 'Hi'
 */
export function readPrompt(result: Wire, expected: unknown): unknown {
  const { messages, description } = result;
  if (typeof expected === 'string') {
    const contents = Array.isArray(messages) ? messages.map(one => (isMap(one) ? one['content'] : undefined)) : [];
    return textOf(contents.filter(isMap)) ?? messages;
  }
  if (Array.isArray(expected)) return messages;
  return { ...(description === undefined ? {} : { description }), messages };
}

/** Undefined where something else than text is among the blocks. */
function textOf(blocks: readonly Wire[]): string | undefined {
  if (blocks.length === 0 || !blocks.every(({ type }) => type === 'text')) return undefined;
  return blocks.map(({ text }) => String(text)).join('\n');
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
