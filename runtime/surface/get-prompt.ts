// In: a prompt and the arguments of a client. Out: its messages, or the questions that its handler asks first.

import type { PromptMessage } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { type FillValues, makeFill } from '../../schema/template/template.js';
import { encodeBytes } from '../call/content.js';
import { isPlainJson, salvageJson } from '../call/plain-json.js';
import type { CallServices, Outcome, PackHost, Request, ServedPrompt } from '../call/ports.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { findContentFault } from '../call/recognise-result.js';
import { type Redaction, redactContent, redactionOf } from '../call/redact.js';
import { Preview } from '../call/run-work.js';
import { mimeTypeOf } from '../load/mime-type.js';
import type { HandlerRef, Prompt } from '../load/program.js';
import type { Wire } from '../packs/list-entries.js';
import { contentsOfBytes, readPackFile } from './pack-file.js';
import { explainFailure, problemOf } from './problems.js';
import { isCancelled, runHandler } from './run-handler.js';
import type { PromptAnswer } from './surface.js';

/** What the messages of a prompt need beside its arguments. */
export interface PromptCall {
  readonly request: Request;
  readonly services: CallServices;
  /** The name on the wire of a tool that the text mentions. */
  toolName(item: string): string;
}

export type GetPrompt = (args: unknown, call: PromptCall) => Promise<Outcome<PromptAnswer>>;

/** Templates are parsed when the prompt is first asked for, once. */
export function makeGetPrompt(served: ServedPrompt): GetPrompt {
  const { prompt, name, host } = served;
  let messages: MakeMessages | undefined;
  const answer = async (
    args: PromptArguments,
    { request, services, toolName }: PromptCall,
  ): Promise<Outcome<PromptAnswer>> => {
    const description = services.render(prompt.description);
    const work = prompt.handler ?? (prompt.type === 'mcp' ? prompt : undefined);
    if (work !== undefined) return await runPrompt(served, work, { args, request, services, description });
    messages ??= makeMessages(prompt, host);
    return { result: { ...described(description), messages: messages({ args, toolName }) } };
  };
  return async (given, call) => {
    const args = readArguments(prompt, name, given);
    try {
      return await answer(args, call);
    } catch (error) {
      const failing = { name, host, services: call.services };
      if (prompt.definition.onError !== 'message' || error instanceof ProtocolError || isCancelled(error)) {
        throw problemOf(error, failing);
      }
      const content = { type: 'text', text: explainFailure(error, failing) };
      return {
        result: { ...described(call.services.render(prompt.description)), messages: [{ role: 'user', content }] },
      };
    }
  };
}

/** Strings, and lists where arguments are declared as lists. */
type PromptArguments = Readonly<Record<string, string | readonly unknown[]>>;

interface PromptRun {
  readonly args: PromptArguments;
  readonly request: Request;
  readonly services: CallServices;
  readonly description: string;
}

async function runPrompt(
  { name, host }: ServedPrompt,
  handler: HandlerRef | Prompt,
  { args, request, services, description }: PromptRun,
): Promise<Outcome<PromptAnswer>> {
  const outcome = await runHandler({ host, handler, name, subject: `prompt:${name}`, args }, request, services);
  if ('asking' in outcome) return outcome;
  const value = outcome.result instanceof Preview ? outcome.result.text : outcome.result;
  // B4: another server has said all that it wanted to say.
  const fallback = 'type' in handler && handler.type === 'mcp' ? '' : description;
  return { result: toPromptAnswer(value, fallback, redactionOf(host)) };
}

function described(description: string): Wire {
  return description === '' ? {} : { description };
}

/** W76: the declared ones that were given. Others are left out: clients keep some of an older version of the prompt. */
function readArguments({ arguments: list }: Prompt, name: string, given: unknown): PromptArguments {
  if (given !== undefined && given !== null && !isMap(given)) {
    throw new ProtocolError(protocolCodes.invalidParams, `The arguments for ${name} are not an object`);
  }
  const values = given ?? {};
  const args: [string, PromptArguments[string]][] = [];
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const { name: argument, required, type } of list) {
    const value = Object.hasOwn(values, argument) ? values[argument] : undefined;
    if (typeof value === 'string') args.push([argument, type === 'list' ? readListArgument(value) : value]);
    else if (value !== undefined) wrong.push(argument);
    else if (required === true) missing.push(argument);
  }
  if (missing.length > 0) {
    const message = `${name} needs ${missing.length === 1 ? 'the argument' : 'the arguments'} ${missing.join(', ')}`;
    throw new ProtocolError(protocolCodes.invalidParams, message, { missing });
  }
  if (wrong.length > 0) {
    const message = `Prompt arguments must be strings, and ${wrong.join(', ')} in ${name} ${wrong.length === 1 ? 'is' : 'are'} not`;
    throw new ProtocolError(protocolCodes.invalidParams, message, { wrong });
  }
  return Object.fromEntries(args);
}

/**
 * W74: what a client sent for an argument with `type: list`, as a JSON array or one entry per line.
 *
 * @example readListArgument('a\nb\n') // ['a', 'b'], as readListArgument('["a", "b"]')
 */
function readListArgument(text: string): readonly unknown[] {
  const array = /^\s*\[/.test(text) ? parseArray(text) : undefined;
  if (array !== undefined) return array;
  const lines = text.split(/\r\n|\r|\n/);
  // A line break at the end ends the last line, and an empty string has none.
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type MakeMessages = (filling: FillValues) => readonly Wire[];

/** W78: of a prompt made of `text` or `messages`. Files are read for each request: they may change while the server runs. */
function makeMessages(prompt: Prompt, host: PackHost): MakeMessages {
  if (prompt.type === 'text') {
    const fill = makeFill(prompt.text ?? '');
    return filling => [{ role: 'user', content: { type: 'text', text: fill(filling) } }];
  }
  const messages = (prompt.definition.messages ?? []).map(message => {
    const content = makeContent(message, host);
    return (filling: FillValues): Wire => ({ role: message.role, content: content(filling) });
  });
  return filling => messages.map(message => message(filling));
}

function makeContent(message: PromptMessage, host: PackHost): (filling: FillValues) => Wire {
  if (message.image !== undefined) return () => mediaContent('image', message.image, host);
  if (message.audio !== undefined) return () => mediaContent('audio', message.audio, host);
  if (message.resource !== undefined) return makeResource(message.resource, host);
  if (message.link !== undefined) return makeLink(message.link);
  const fill = makeFill(message.text ?? '');
  return filling => ({ type: 'text', text: fill(filling) });
}

function mediaContent(type: 'image' | 'audio', media: PromptMessage['image'], host: PackHost): Wire {
  const { file, mimeType } = typeof media === 'object' ? media : { file: media ?? '', mimeType: undefined };
  const data = encodeBytes(readPackFile(host, file));
  return { type, data, mimeType: mimeType ?? mimeTypeOf(file) ?? 'application/octet-stream' };
}

function makeResource(resource: NonNullable<PromptMessage['resource']>, host: PackHost): (filling: FillValues) => Wire {
  const uri = makeFill(resource.uri);
  const { file, mimeType } = resource;
  if (file !== undefined) {
    const type = mimeType ?? mimeTypeOf(file);
    return filling => ({
      type: 'resource',
      resource: contentsOfBytes(uri(filling), readPackFile(host, file), type, 'text/plain'),
    });
  }
  const text = makeFill(resource.text ?? '');
  return filling => ({
    type: 'resource',
    resource: { uri: uri(filling), ...(mimeType === undefined ? {} : { mimeType }), text: text(filling) },
  });
}

function makeLink(link: NonNullable<PromptMessage['link']>): (filling: FillValues) => Wire {
  const uri = makeFill(link.uri);
  const name = makeFill(link.name);
  const description = link.description === undefined ? undefined : makeFill(link.description);
  return filling => ({
    type: 'resource_link',
    uri: uri(filling),
    name: name(filling),
    ...(link.title === undefined ? {} : { title: link.title }),
    ...(description === undefined ? {} : { description: description(filling) }),
    ...(link.mimeType === undefined ? {} : { mimeType: link.mimeType }),
  });
}

/**
 * Messages of whatever the handler of a prompt returned; what is none is an Error for the author. `description` is that of the prompt,
 * where the handler gives none.
 */
export function toPromptAnswer(value: unknown, description: string, redaction: Redaction | undefined): PromptAnswer {
  const given = isMap(value) && Array.isArray(value['messages']) ? value : { messages: value };
  const own = given['description'];
  const shown = typeof own === 'string' ? (redaction?.text(own) ?? own) : description;
  const list: readonly unknown[] = Array.isArray(given['messages']) ? given['messages'] : [given['messages']];
  const meta = isMap(given['_meta']) ? salvageJson(given['_meta']) : undefined;
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
  return list.map(content => ({ role, content: toPromptContent(content, redaction) }));
}

/** What each type of content must have, as texts. */
const fields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
};

function toPromptContent(value: unknown, redaction: Redaction | undefined): Wire {
  if (typeof value === 'string') return { type: 'text', text: redaction?.text(value) ?? value };
  const content = isPlainJson(value) ? value : salvageJson(value);
  if (!isMap(content) || typeof content['type'] !== 'string') {
    throw new Error(`a prompt is a string, messages or {messages}, not ${typeNameOf(value)}`);
  }
  const { type, ...parts } = content;
  const needed = Object.hasOwn(fields, type) ? fields[type] : undefined;
  if (needed === undefined) throw new Error(`there is no content type ${JSON.stringify(type)}`);
  const missing = needed.find(field => typeof parts[field] !== 'string');
  if (missing !== undefined) throw new Error(`${type} content needs the string ${JSON.stringify(missing)}`);
  if (type === 'resource' && !isContents(parts['resource'])) {
    throw new Error('resource content needs a resource with a uri and a string or blob');
  }
  const fault = findContentFault(content);
  if (fault !== undefined) throw new Error(`${type} content is wrong: ${fault}`);
  return redaction === undefined ? content : redactContent(content, redaction);
}

function isContents(value: unknown): boolean {
  if (!isMap(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list in a list' : `a ${typeof value}`;
}
