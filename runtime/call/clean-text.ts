// In: text as programs print it to a terminal. Out: what a reader of the terminal sees in the end (M45). Linear in its length.
import type { ToolDefinition } from '../../schema/definitions.js';

export type Cleaning = NonNullable<ToolDefinition['clean']>[number];

/**
 * Cleans a string in the ways that a tool asks for, in a fixed order: escape codes, progress bars, repeated lines.
 * Cutting in the middle (`truncate`) is done by limit-result.ts.
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
