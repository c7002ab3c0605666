// In: a shaped result. Out: the same cleaned, without secrets, and with at most so many characters: as it leaves.

import type { ToolDefinition } from '../../schema/definitions.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { headOf, tailOf } from './print-cause.js';
import { type Redaction, redactResult } from './redact.js';
import type { Shaped } from './shape-result.js';
import { ToolError } from './tool-error.js';

/** What is done to the results of a tool. */
export interface Finishing {
  readonly clean: readonly Cleaning[] | undefined;
  /** Undefined where no secret is known. */
  readonly redaction: Redaction | undefined;
  readonly limit: Limit;
}

/**
 * Cleans, redacts and limits, in this order: a secret may come together when an escape inside it goes, and half of one
 * may be left where text is cut. Cleaning is for text only: the text of structured data says what the data says.
 */
export function finishResult(shaped: Shaped, { clean, redaction, limit }: Finishing): CallToolResult {
  const isText = clean !== undefined && shaped.json === undefined;
  const cleaned = isText ? { result: cleanResult(shaped.result, clean) } : shaped;
  return limitResult(redaction === undefined ? cleaned : redactShaped(cleaned, redaction), limit);
}

function cleanResult(result: CallToolResult, clean: readonly Cleaning[]): CallToolResult {
  const content = result.content.map(item =>
    item.type === 'text' ? { ...item, text: cleanText(item.text, clean) } : item,
  );
  return { ...result, content };
}

function redactShaped({ result, json }: Shaped, redaction: Redaction): Shaped {
  const redacted = redactResult(result, redaction);
  if (json === undefined || redacted.structuredContent === result.structuredContent) return { result: redacted, json };
  const text = JSON.stringify(redacted.structuredContent);
  const [only] = result.content;
  // The text of the data is written anew; any other content has been seen to by itself.
  const isCopy = result.content.length === 1 && only?.type === 'text' && only.text === json;
  return { result: isCopy ? { ...redacted, content: [{ type: 'text', text }] } : redacted, json: text };
}

export const defaultResultChars = 130_000;

interface Limit {
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
function limitResult({ result, json }: Shaped, limit: Limit): CallToolResult {
  const { name, mostChars } = limit;
  if (json !== undefined && json.length > mostChars) {
    throw new ToolError(`${name} returned ${json.length} characters, and ${mostChars} are allowed`, {
      code: 'RESULT_TOO_LARGE',
      status: 413,
      suggestedFix: 'Ask for less: fewer items, fewer fields, a narrower search.',
      meta: { chars: json.length, limit: mostChars },
    });
  }
  let chars = 0;
  for (const item of result.content) chars += textOfContent(item).length;
  if (chars <= mostChars) return result;
  let left = mostChars;
  const content = result.content.map(item => {
    const text = textOfContent(item);
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

function textOfContent(item: Content): string {
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
    return `${head}\n${cutNote(text.length - head.length)}`;
  }
  const head = headOf(text, Math.ceil(kept / 2));
  const tail = tailOf(text, Math.floor(kept / 2));
  return `${head}\n${cutNote(text.length - head.length - tail.length)}\n${tail}`;
}

function cutNote(chars: number): string {
  return `[${chars} characters were cut]`;
}

type Cleaning = NonNullable<ToolDefinition['clean']>[number];

/**
 * Cleans a string in the ways that a tool asks for, in a fixed order: escape codes, progress bars, repeated lines.
 * Cutting in the middle (`truncate`) is done by `limitResult`.
 *
 * @example cleanText('10%\r50%\rdone\nok\nok\n', ['progress', 'repeats']) // 'done\nok [repeated 2 times]\n'
 */
export function cleanText(text: string, ways: readonly Cleaning[]): string {
  let cleaned = text;
  if (ways.includes('ansi')) cleaned = withoutEscapes(cleaned);
  if (ways.includes('progress')) cleaned = withoutProgress(cleaned);
  if (ways.includes('repeats')) cleaned = withoutRepeats(cleaned);
  return cleaned;
}

// Each part ends where the next escape begins, and no two repetitions in it can match the same character, so that even
// a string full of beginnings is read at most twice.
const escapes = new RegExp(
  [
    // CSI: colours, cursor, erasing.
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]',
    // OSC, DCS, SOS, PM, APC: titles, links; up to BEL or ST.
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)',
    // Character sets and other codes of two or three characters.
    '\\x1b[ -/]+[0-~]',
    '\\x1b[0-~]',
    // What is left over belongs to no text either.
    '[\\x1b\\x90\\x98\\x9b-\\x9f]',
  ].join('|'),
  'g',
);

function withoutEscapes(text: string): string {
  return /[\x1b\x90-\x9f]/.test(text) ? text.replace(escapes, '') : text;
}

/** A carriage return goes back to the start of the line: what was written last counts. */
function withoutProgress(text: string): string {
  if (!/[\r\b]/.test(text)) return text;
  return text.split('\n').map(lastState).join('\n');
}

function lastState(line: string): string {
  // Windows ends lines with a carriage return, and so do bars that are not finished.
  const end = lastIndexBut(line, '\r');
  const start = line.lastIndexOf('\r', end - 1) + 1;
  return withoutBackspaces(line.slice(start, end));
}

/** Where the text ends if all `character`s at its end are taken off. */
function lastIndexBut(text: string, character: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return end;
}

/** Spinners write a character and a backspace, over and over. */
function withoutBackspaces(line: string): string {
  if (!line.includes('\b')) return line;
  const shown: string[] = [];
  for (const character of line) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}

function withoutRepeats(text: string): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let first = 0; first < lines.length; ) {
    const line = lines[first] ?? '';
    let next = first + 1;
    while (next < lines.length && lines[next] === line) next += 1;
    // The last line is empty where the text ends with a line break; empty lines need no count.
    const isBlank = line.trim() === '';
    if (isBlank && next - first > 1 && next === lines.length) kept.push('', '');
    else kept.push(next - first === 1 || isBlank ? line : `${line} [repeated ${next - first} times]`);
    first = next;
  }
  return kept.join('\n');
}
