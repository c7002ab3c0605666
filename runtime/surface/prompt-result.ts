// In: whatever the handler of a prompt returned. Out: messages in the protocol's shape; what is none is an Error for
// the author.
import { isMap } from '../../schema/document.js';
import { findContentFault } from '../call/content-fault.js';
import { isPlainJson, salvage } from '../call/plain-json.js';
import { type Redaction, redactContent } from '../call/redact.js';
import type { Wire } from '../packs/list-entries.js';
import type { PromptAnswer } from './surface.js';

/** `description` is that of the prompt, where the handler gives none. */
export function toPromptAnswer(value: unknown, description: string, redaction: Redaction | undefined): PromptAnswer {
  const given = isMap(value) && Array.isArray(value['messages']) ? value : { messages: value };
  const own = given['description'];
  const shown = typeof own === 'string' ? (redaction?.text(own) ?? own) : description;
  const list: readonly unknown[] = Array.isArray(given['messages']) ? given['messages'] : [given['messages']];
  const meta = isMap(given['_meta']) ? salvage(given['_meta']) : undefined;
  const safe = redaction === undefined ? meta : redaction.value(meta);
  return {
    ...(shown === '' ? {} : { description: shown }),
    messages: list.flatMap(message => toMessages(message, redaction)),
    ...(isMap(safe) ? { _meta: safe } : {}),
  };
}

/** A string or content stands for a message of the user; several contents are several messages. */
function toMessages(value: unknown, redaction: Redaction | undefined): readonly Wire[] {
  const isMessage = isMap(value) && Object.hasOwn(value, 'content');
  const role = isMessage ? (value['role'] ?? 'user') : 'user';
  if (role !== 'user' && role !== 'assistant') {
    throw new Error(`a message has the role ${JSON.stringify(role)}; it is "user" or "assistant"`);
  }
  const contents = isMessage ? value['content'] : value;
  const list: readonly unknown[] = Array.isArray(contents) ? contents : [contents];
  return list.map(content => ({ role, content: toContent(content, redaction) }));
}

/** What each type of content must have, as texts. */
const fields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
};

function toContent(value: unknown, redaction: Redaction | undefined): Wire {
  if (typeof value === 'string') return { type: 'text', text: redaction?.text(value) ?? value };
  const content = isPlainJson(value) ? value : salvage(value);
  if (!isMap(content) || typeof content['type'] !== 'string') {
    throw new Error(`a prompt is a string, messages or {messages}, not ${nameOf(value)}`);
  }
  const { type, ...parts } = content;
  const needed = Object.hasOwn(fields, type) ? fields[type] : undefined;
  if (needed === undefined) throw new Error(`there is no content of the type ${JSON.stringify(type)}`);
  const missing = needed.find(field => typeof parts[field] !== 'string');
  if (missing !== undefined) throw new Error(`content of the type ${type} needs the text ${JSON.stringify(missing)}`);
  if (type === 'resource' && !isContents(parts['resource'])) {
    throw new Error('content of the type resource needs a resource with a uri and a string or blob');
  }
  const fault = findContentFault(content);
  if (fault !== undefined) throw new Error(`content of the type ${type} has parts that are wrong: ${fault}`);
  return redaction === undefined ? content : redactContent(content, redaction);
}

function isContents(value: unknown): boolean {
  if (!isMap(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list in a list' : `a ${typeof value}`;
}
