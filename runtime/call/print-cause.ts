// In: anything that was thrown. Out: text about it for the operator or for a message. Nothing thrown can make it fail.
import { inspect, types } from 'node:util';

const mostCauses = 5;
const mostChars = 20_000;

/**
 * The stack of an error and of its causes; of anything else, what it looks like.
 *
 * @example services.report(printCause(error));
 */
export function printCause(thrown: unknown): string {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  const waiting: { readonly what: unknown; readonly before: string }[] = [{ what: thrown, before: '' }];
  for (let next = waiting.shift(); next !== undefined && seen.size < mostCauses; next = waiting.shift()) {
    const { what, before } = next;
    if (seen.has(what)) continue;
    seen.add(what);
    lines.push(`${before}${printOne(what)}`);
    const cause = read(what, 'cause');
    if (cause !== undefined) waiting.push({ what: cause, before: 'caused by ' });
    const errors = read(what, 'errors');
    if (Array.isArray(errors))
      for (const error of errors.slice(0, mostCauses)) waiting.push({ what: error, before: 'with ' });
  }
  return cut(lines.join('\n'), mostChars);
}

/**
 * What an error says, in a line or a few.
 *
 * @example messageOf(new Error('no such host')) // 'no such host'
 */
export function messageOf(thrown: unknown): string {
  const message = read(thrown, 'message');
  return cut(typeof message === 'string' && message !== '' ? message : printValue(thrown), 2_000);
}

function printOne(what: unknown): string {
  const stack = read(what, 'stack');
  if (typeof stack === 'string' && stack !== '') return stack;
  const message = read(what, 'message');
  return typeof message === 'string' && message !== '' ? message : printValue(what);
}

/** Reads a property of an error; other values say nothing by their properties, and may have traps behind them. */
function read(thrown: unknown, key: 'stack' | 'message' | 'cause' | 'errors'): unknown {
  try {
    if (!types.isNativeError(thrown) && (types.isProxy(thrown) || !(thrown instanceof Error))) return undefined;
    return (thrown as unknown as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function printValue(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return inspect(value, { depth: 2, maxArrayLength: 20, maxStringLength: 1_000, breakLength: 120 });
  } catch {
    return 'something that cannot be printed';
  }
}

function cut(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most)}... (${text.length - most} more characters)` : text;
}

// In: a string and a length. Out: its beginning or end of about that length; no character is ever cut in two.

/**
 * The first `length` units of a string, one less where that would split a character.
 *
 * @example headOf('a😀', 2) // 'a'
 */
export function headOf(text: string, length: number): string {
  return text.slice(0, isInsideCharacter(text, length) ? length - 1 : length);
}

/**
 * The last `length` units of a string, one less where that would split a character.
 *
 * @example tailOf('😀a', 2) // 'a'
 */
export function tailOf(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isInsideCharacter(text, start) ? start + 1 : start);
}

function isInsideCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
