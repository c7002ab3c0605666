// In: what a client sent as an answer; it may be anything. Out: the answer as handlers get it, or why it is none.
import { isMap } from '../../schema/document.js';
import type { ElicitAnswer, Root, SampleAnswer, SampleToolUse } from '../../schema/support/mcp/client.js';
import type { Content } from '../../schema/support/mcp/content.js';
import { findProblem } from './field.js';
import type { Form } from './form.js';

/** A problem is a sentence for the user; it never repeats what was answered. */
export type Reading<T> = { readonly answer: T } | { readonly problem: string };

/** Without a form (a page to visit) there is no content. */
export function readElicitAnswer(raw: unknown, form: Form | undefined): Reading<ElicitAnswer> {
  if (!isMap(raw)) return { problem: 'the answer was not understood' };
  const { action, content } = raw;
  if (action === 'decline' || action === 'cancel') return { answer: { action } };
  if (action !== 'accept') return { problem: 'the answer was not understood' };
  if (form === undefined) return { answer: { action, content: {} } };
  return readContent(content ?? {}, form);
}

/** Keeps the fields of the form only, and fills in defaults. */
export function readContent(content: unknown, form: Form): Reading<ElicitAnswer> {
  if (!isMap(content)) return { problem: 'the answer was not understood' };
  const kept: [string, unknown][] = [];
  for (const [name, field] of form.fields) {
    const given = Object.hasOwn(content, name) ? content[name] : undefined;
    const value = given ?? field.default;
    if (value === undefined) {
      if (form.required.has(name)) return { problem: `${labelOf(name, field.title)} is needed` };
      continue;
    }
    const problem = findProblem(field, value);
    if (problem !== undefined) return { problem: `${labelOf(name, field.title)} ${problem}` };
    kept.push([name, value]);
  }
  return { answer: { action: 'accept', content: Object.fromEntries(kept) } };
}

function labelOf(name: string, title: string | undefined): string {
  return title === undefined ? JSON.stringify(name) : JSON.stringify(title);
}

/** `mayCall`: the model was given tools. */
export function readSampleAnswer(raw: unknown, mayCall: boolean): Reading<SampleAnswer> {
  const problem = 'the model gave no usable answer';
  if (!isMap(raw)) return { problem };
  const { content: given, model, stopReason } = raw;
  const blocks: readonly unknown[] = Array.isArray(given) ? given : [given];
  const content = blocks.filter(isContent);
  const toolUses = mayCall ? blocks.filter(isToolUse) : [];
  if (content.length + toolUses.length === 0) return { problem };
  const text = content.map(block => (block.type === 'text' ? block.text : '')).join('');
  return {
    answer: {
      text,
      content,
      toolUses,
      model: typeof model === 'string' ? model : undefined,
      stopReason: typeof stopReason === 'string' ? stopReason : undefined,
    },
  };
}

/** What a model can say: text, images and sound. */
function isContent(block: unknown): block is Content {
  if (!isMap(block)) return false;
  const { type, text, data, mimeType } = block;
  if (type === 'text') return typeof text === 'string';
  return (type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string';
}

export function isToolUse(block: unknown): block is SampleToolUse {
  if (!isMap(block)) return false;
  const { type, id, name, input } = block;
  return type === 'tool_use' && typeof id === 'string' && typeof name === 'string' && isMap(input);
}

/** Entries that are not addresses are left out; addresses other than of files are kept. */
export function readRootsAnswer(raw: unknown): Reading<readonly Root[]> {
  if (!isMap(raw) || !Array.isArray(raw['roots'])) return { problem: 'the client named no folders' };
  const roots = raw['roots'].flatMap((root: unknown): Root[] => {
    if (!isMap(root) || typeof root['uri'] !== 'string' || !URL.canParse(root['uri'])) return [];
    return [{ uri: root['uri'], ...(typeof root['name'] === 'string' ? { name: root['name'] } : {}) }];
  });
  return { answer: Object.freeze(roots) };
}
