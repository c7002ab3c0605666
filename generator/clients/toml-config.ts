// TOML as Codex has it. In: a string and an entry. Out: the text with a table of its own for the entry, every other byte as it was.

import { parse, stringify, TomlError } from 'smol-toml';
import { isMap } from '../../schema/document.js';
import type { EntryData } from './client.js';
import { type ConfigWriter, entryIn, type Target } from './config-edit.js';

export const tomlConfig: ConfigWriter = {
  format: 'toml',
  read(text) {
    try {
      // A copy: its maps have no prototype, and so would equal no other map.
      return { value: structuredClone(parse(text)) };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      return { problem: 'it is not valid TOML', line: error.line, column: error.column };
    }
  },
  put(text, target, entry) {
    const isThere = entryIn(parse(text), target) !== undefined;
    const { rest, at } = isThere ? cut(text, target) : { rest: text, at: text.length };
    const newline = text.includes('\r\n') ? '\r\n' : '\n';
    const table = print(target, entry).replaceAll('\n', newline);
    const before = rest.slice(0, at);
    const after = rest.slice(at);
    const gap = before.trim() === '' ? '' : before.endsWith('\n') ? newline : newline + newline;
    return isThere ? before + table + after : `${before}${gap}${table}${after}`;
  },
  take(text, target) {
    const { rest, at } = cut(text, target);
    const before = rest.slice(0, at);
    const after = rest.slice(at);
    // The blank line that stood before the table goes with it.
    return after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before + after;
  },
};

function print({ path, name }: Target, entry: EntryData): string {
  const nested = [...path, name].reduceRight<unknown>((value, key) => ({ [key]: value }), entry);
  // Tables of the keys above are there by being named.
  const text = stringify(nested as Record<string, unknown>);
  return `${text.replace(/^(?:\[[^\]\n]*\]\n\n?)+(?=\[)/, '').trimEnd()}\n`;
}

/** The text without the tables of the entry, and where they began. */
function cut(text: string, { path, name }: Target): { readonly rest: string; readonly at: number } {
  const own = JSON.stringify([...path, name]);
  const isOwn = (keys: readonly string[]): boolean => JSON.stringify(keys.slice(0, path.length + 1)) === own;
  const headers = headersOf(text);
  const first = headers.findIndex(({ keys }) => isOwn(keys));
  if (first < 0) return { rest: text, at: text.length };
  let last = first;
  while (last + 1 < headers.length && isOwn(headers[last + 1]?.keys ?? [])) last += 1;
  const start = headers[first]?.start ?? 0;
  const end = headers[last + 1]?.start ?? text.length;
  // Comments and blank lines before the next table belong to that one.
  const [kept = ''] =
    end === text.length ? [''] : (/(?:(?:[ \t]*#[^\n]*|[ \t]*)\r?\n)*$/.exec(text.slice(start, end)) ?? []);
  return { rest: text.slice(0, start) + text.slice(end - kept.length), at: start };
}

interface Header {
  readonly start: number;
  readonly keys: readonly string[];
}

/** The text is valid: it was parsed before. What stands before a header is valid by itself, which is not so inside a string or list. */
function headersOf(text: string): readonly Header[] {
  return [...text.matchAll(/^[ \t]*\[[^\n]*/gm)]
    .filter(({ index }) => isValid(text.slice(0, index)))
    .map(({ 0: line, index }) => ({ start: index, keys: keysOf(line) }));
}

function isValid(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `[a."b.c"] # note` -> a, b.c */
function keysOf(line: string): readonly string[] {
  const [header = ''] = /^[ \t]*\[{1,2}(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*\]{1,2}/.exec(line) ?? [];
  let at: unknown = parse(`${header}\n`);
  const keys: string[] = [];
  while (isMap(at) || Array.isArray(at)) {
    const [entry] = Object.entries(Array.isArray(at) ? (at[0] as object) : at);
    if (entry === undefined) break;
    keys.push(entry[0]);
    at = entry[1];
  }
  return keys;
}
