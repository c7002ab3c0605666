// In: a question as a handler asks it. Out: the question as the protocol has it, and how its answer is read.
import { isMap } from '../../schema/document.js';
import type { ElicitAnswer, Root, SampleAnswer } from '../../schema/support/mcp/client.js';
import type { Question } from '../call/ports.js';
import { isToolUse, type Reading, readElicitAnswer, readRootsAnswer, readSampleAnswer } from './answers.js';
import { badQuestion, type Form, readForm } from './form.js';

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
  throw badQuestion(key, 'each of its tools needs a name and an inputSchema of type object');
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
