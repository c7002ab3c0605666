// In: a pack's secret values and what is about to leave. Out: the same without them; what has none in it is not copied.
import { isUtf8 } from 'node:buffer';
import { isMap, setOwn } from '../../schema/document.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { salvageJson } from './plain-json.js';
import type { Asking, PackHost, Question } from './ports.js';

export interface Redaction {
  text(text: string): string;
  /** Of JSON: texts, names of properties, and numbers that are a secret as a whole. */
  value(value: unknown): unknown;
  /** Of bytes: it stays base64, which redacted text would not. */
  base64(data: string): string;
}

const replacement = '[redacted]';

/**
 * How to keep the secrets of a pack; undefined where it has none, so that nothing needs to be searched.
 *
 * @example redactionOf(host)?.text(`token ${token}`) // 'token [secret TOKEN]'
 */
export function redactionOf(host: Pick<PackHost, 'program' | 'settings'>): Redaction | undefined {
  return host.settings.hasSecrets !== true && secretsOf(host).length === 0 ? undefined : makeRedaction(host);
}

/** The same for errors: whatever else `redact` may know, nothing of it leaves there. */
export function makeRedaction(host: Pick<PackHost, 'program' | 'settings'>): Redaction {
  const numbers = new Set(secretsOf(host).filter(secret => typeof secret === 'number'));
  const text = (given: string): string => host.settings.redact(given);
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return numbers.has(value) ? replacement : value;
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? redactList(value, redactValue) : redactMap(value, text, redactValue);
  };
  return { text, value: redactValue, base64: data => redactBase64(data, text) };
}

function redactBase64(data: string, redact: (text: string) => string): string {
  const before = Buffer.from(data, 'base64');
  const after = redactBytes(before, redact);
  return after === before ? data : after.toString('base64');
}

/** Text stays what it is around a secret; anything else would be broken, and goes as a whole. */
export function redactBytes(bytes: Buffer, redact: (text: string) => string): Buffer {
  const isText = isUtf8(bytes);
  const before = bytes.toString(isText ? 'utf8' : 'latin1');
  const after = redact(before);
  return after === before ? bytes : Buffer.from(isText ? after : replacement);
}

function secretsOf({ program, settings }: Pick<PackHost, 'program' | 'settings'>): readonly unknown[] {
  return Object.entries(program.pack.config)
    .filter(([name, entry]) => entry.secret === true && Object.hasOwn(settings.values, name))
    .flatMap(([name]) => settings.values[name])
    .filter(value => value !== undefined && value !== '');
}

/** A result without secrets: texts, addresses and data; the protocol's own names stay. */
export function redactResult(result: CallToolResult, redaction: Redaction): CallToolResult {
  const { content, structuredContent, _meta } = result;
  return {
    ...result,
    content: content.map(item => redactContent(item, redaction)),
    ...(structuredContent === undefined ? {} : { structuredContent: redaction.value(structuredContent) }),
    ...(_meta === undefined
      ? {}
      : { _meta: redaction.value(salvageJson(_meta)) as NonNullable<CallToolResult['_meta']> }),
  };
}

/** Questions without secrets; their keys stay, since answers come back by them. */
export function redactAsking({ questions, state }: Asking, redaction: Redaction): Asking {
  const shown = Object.entries(questions).map(([key, question]): [string, Question] =>
    question.kind === 'roots' ? [key, question] : [key, { ...question, params: redactParams(question.params) }],
  );
  return { questions: Object.fromEntries(shown), state };

  function redactParams(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return redaction.value(params) as Readonly<Record<string, unknown>>;
  }
}

/** Content without secrets: its type stays, and bytes stay bytes. */
export function redactContent<T extends object>(item: T, redaction: Redaction): T {
  const parts = Object.entries(item).map(([key, part]: [string, unknown]) => {
    if (key === 'type' || part === undefined) return [key, part];
    if (key === 'resource' && isMap(part)) return [key, redactContent(part, redaction)];
    if (typeof part !== 'string') return [key, redaction.value(salvageJson(part))];
    return [key, key === 'data' || key === 'blob' ? redaction.base64(part) : redaction.text(part)];
  });
  return Object.fromEntries(parts) as T;
}

function redactList(list: readonly unknown[], redactValue: (value: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, member] of list.entries()) {
    const redacted = redactValue(member);
    if (redacted === member) continue;
    copy ??= [...list];
    copy[index] = redacted;
  }
  return copy ?? list;
}

function redactMap(map: object, text: Redaction['text'], redactValue: Redaction['value']): object {
  const entries = Object.entries(map);
  const redacted = entries.map(([key, value]) => [text(key), redactValue(value)] as const);
  if (redacted.every(([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1])) return map;
  const copy = {};
  for (const [key, value] of redacted) setOwn(copy, key, value);
  return copy;
}
