// In: a question as a handler asks it. Out: the question as the protocol has it, and how its answer is read, which may be anything.
import { isMap } from '../../../schema/document.js';
import type { ElicitAnswer, Root, SampleAnswer, SampleToolUse } from '../../../schema/support/mcp/client.js';
import type { Content } from '../../../schema/support/mcp/content.js';
import type { Question } from '../ports.js';
import { badQuestion, type Form, findProblem, readForm } from './form.js';

export interface Ask<T> {
  readonly key: string;
  readonly question: Question;
  read(raw: unknown): Reading<T>;
}

/** A question to the user; `form` is absent where a page asks it. */
export interface UserAsk extends Ask<ElicitAnswer> {
  readonly message: string;
  readonly form?: Form | undefined;
  readonly url?: string | undefined;
}

const longestKey = 200;

function checkKey(key: unknown): asserts key is string {
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw badQuestion(String(key).slice(0, longestKey), `its key must be a string of 1 to ${longestKey} characters`);
  }
}

/** `requestedSchema`, as the protocol calls it, is as good as `schema`. */
export function toUserAsk(key: string, request: unknown): UserAsk {
  checkKey(key);
  if (!isMap(request)) throw badQuestion(key, 'it needs a message and a schema or url');
  const { message, url, schema, requestedSchema } = request;
  if (typeof message !== 'string' || message.trim() === '') throw badQuestion(key, 'it needs a message');
  if (url !== undefined) {
    if (typeof url !== 'string' || !/^https?:$/.test(protocolOf(url))) {
      throw badQuestion(key, 'its url must be an absolute http(s) address');
    }
    const params = { mode: 'url', message, url };
    return { key, message, url, question: { kind: 'elicit', params }, read: raw => readElicitAnswer(raw, undefined) };
  }
  const form = readForm(key, schema ?? requestedSchema);
  const params = { mode: 'form', message, requestedSchema: form.schema };
  return { key, message, form, question: { kind: 'elicit', params }, read: raw => readElicitAnswer(raw, form) };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

export function toModelAsk(key: string, request: unknown): Ask<SampleAnswer> {
  checkKey(key);
  if (!isMap(request)) throw badQuestion(key, 'it needs a prompt or messages');
  const { prompt, messages, system, maxTokens, temperature, stopSequences, models } = request;
  const { tools, toolChoice } = request;
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) throw badQuestion(key, 'maxTokens must be a whole number');
  const given = messages ?? (typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : undefined);
  if (!Array.isArray(given) || given.length === 0) throw badQuestion(key, 'it needs a prompt or messages');
  const params = {
    messages: given.map((message: unknown) => toMessage(key, message)),
    ...(system === undefined ? {} : { systemPrompt: String(system) }),
    maxTokens,
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(Array.isArray(stopSequences) ? { stopSequences: stopSequences.map(String) } : {}),
    ...(Array.isArray(models) ? { modelPreferences: { hints: models.map(name => ({ name: String(name) })) } } : {}),
    ...(tools === undefined ? {} : { tools: checkTools(key, tools) }),
    ...(toolChoice === undefined ? {} : { toolChoice: checkChoice(key, toolChoice) }),
  };
  const mayCall = tools !== undefined;
  return { key, question: { kind: 'sample', params }, read: raw => readSampleAnswer(raw, mayCall) };
}

/** Whether a client must be able to hand tools to its model. */
export function needsTools({
  tools,
  toolChoice,
}: {
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
}): boolean {
  return tools !== undefined || toolChoice !== undefined;
}

function checkTools(key: string, tools: unknown): unknown {
  const isTool = (tool: unknown): boolean =>
    isMap(tool) &&
    typeof tool['name'] === 'string' &&
    isMap(tool['inputSchema']) &&
    tool['inputSchema']['type'] === 'object';
  if (Array.isArray(tools) && tools.every(isTool)) return tools;
  throw badQuestion(key, 'each of its tools needs a name and an inputSchema with type object');
}

function checkChoice(key: string, choice: unknown): unknown {
  const mode = isMap(choice) ? choice['mode'] : null;
  if (mode === undefined || mode === 'auto' || mode === 'required' || mode === 'none') return choice;
  throw badQuestion(key, 'its toolChoice must be { mode: auto, required or none }');
}

function toMessage(key: string, message: unknown): Readonly<Record<string, unknown>> {
  if (!isMap(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) {
    throw badQuestion(key, 'each message needs the role user or assistant');
  }
  const { role, content } = message;
  if (!Array.isArray(content)) return { role, content: toBlock(key, content) };
  const [only] = content;
  // A list is new in the protocol; older clients take one block only.
  return { role, content: content.length === 1 ? toBlock(key, only) : content.map(block => toBlock(key, block)) };
}

function toBlock(key: string, block: unknown): unknown {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (isMap(block) && ['text', 'image', 'audio'].includes(String(block['type']))) return block;
  if (isToolUse(block) || isToolResult(block)) return block;
  throw badQuestion(key, 'the content of a message must be text, an image, sound, a tool call or the result of one');
}

function isToolResult(block: unknown): boolean {
  if (!isMap(block)) return false;
  const { type, toolUseId, content } = block;
  return type === 'tool_result' && typeof toolUseId === 'string' && Array.isArray(content);
}

export function toRootsAsk(key: string): Ask<readonly Root[]> {
  checkKey(key);
  return { key, question: { kind: 'roots' }, read: readRootsAnswer };
}

/** A question that is not our own: the one who asked knows what an answer must look like. */
export function toForeignAsk(key: string, question: Question): Ask<Readonly<Record<string, unknown>>> {
  checkKey(key);
  return { key, question, read: raw => (isMap(raw) ? { answer: raw } : { problem: 'the answer was not understood' }) };
}

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
function readSampleAnswer(raw: unknown, mayCall: boolean): Reading<SampleAnswer> {
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

function isToolUse(block: unknown): block is SampleToolUse {
  if (!isMap(block)) return false;
  const { type, id, name, input } = block;
  return type === 'tool_use' && typeof id === 'string' && typeof name === 'string' && isMap(input);
}

/** Entries that are not addresses are left out; addresses other than of files are kept. */
function readRootsAnswer(raw: unknown): Reading<readonly Root[]> {
  if (!isMap(raw) || !Array.isArray(raw['roots'])) return { problem: 'the client named no folders' };
  const roots = raw['roots'].flatMap((root: unknown): Root[] => {
    if (!isMap(root) || typeof root['uri'] !== 'string' || !URL.canParse(root['uri'])) return [];
    return [{ uri: root['uri'], ...(typeof root['name'] === 'string' ? { name: root['name'] } : {}) }];
  });
  return { answer: Object.freeze(roots) };
}
