// In: a pack's secret values and what is about to leave. Out: the same without them; what has none in it is not copied.
import type { CallToolResult, Content } from '../../schema/support-content.js';
import { salvage, setOwn } from './plain-json.js';
import type { PackHost } from './ports.js';

export interface Redaction {
  text(text: string): string;
  /** Of JSON: texts, names of properties, and numbers that are a secret as a whole. */
  value(value: unknown): unknown;
}

const replacement = '[redacted]';

/**
 * How to keep the secrets of a pack; undefined where it has none, so that nothing needs to be searched.
 *
 * @example redactionOf(host)?.text(`token ${token}`) // 'token [secret TOKEN]'
 */
export function redactionOf(host: Pick<PackHost, 'program' | 'settings'>): Redaction | undefined {
  return secretsOf(host).length === 0 ? undefined : makeRedaction(host);
}

/** The same for errors: whatever else `redact` may know, nothing of it leaves there. */
export function makeRedaction(host: Pick<PackHost, 'program' | 'settings'>): Redaction {
  const numbers = new Set(secretsOf(host).filter(secret => typeof secret === 'number'));
  const text = (given: string): string => host.settings.redact(given);
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return numbers.has(value) ? replacement : value;
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? redactList(value, redactValue) : redactMap(value, { text, value: redactValue });
  };
  return { text, value: redactValue };
}

function secretsOf({ program, settings }: Pick<PackHost, 'program' | 'settings'>): readonly unknown[] {
  return Object.entries(program.pack.config)
    .filter(([name, entry]) => entry.secret === true && Object.hasOwn(settings.values, name))
    .map(([name]) => settings.values[name])
    .filter(value => value !== undefined && value !== '');
}

/** A result without secrets: texts, addresses and data; the protocol's own names stay. */
export function redactResult(result: CallToolResult, redaction: Redaction): CallToolResult {
  const { content, structuredContent, _meta } = result;
  return {
    ...result,
    content: content.map(item => redactContent(item, redaction)),
    ...(structuredContent === undefined ? {} : { structuredContent: redaction.value(structuredContent) }),
    ...(_meta === undefined ? {} : { _meta: redaction.value(salvage(_meta)) as NonNullable<CallToolResult['_meta']> }),
  };
}

function redactContent(item: Content, redaction: Redaction): Content {
  const parts = Object.entries(item).map(([key, part]) => {
    if (key === 'type' || part === undefined) return [key, part];
    return [key, typeof part === 'string' ? redaction.text(part) : redaction.value(salvage(part))];
  });
  return Object.fromEntries(parts) as Content;
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

function redactMap(map: object, redaction: Redaction): object {
  const entries = Object.entries(map);
  const redacted = entries.map(([key, value]) => [redaction.text(key), redaction.value(value)] as const);
  if (redacted.every(([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1])) return map;
  const copy = {};
  for (const [key, value] of redacted) setOwn(copy, key, value);
  return copy;
}
