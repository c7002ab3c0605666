// YAML as Goose and Continue have it. In: a string and an entry. Out: the text with lines for it, every other byte as it was.

import type { Document, Node, Pair } from 'yaml';
import { isMap } from '../../schema/document.js';
import { yaml } from '../../schema/parse/yaml-library.js';
import type { EntryData } from './client.js';
import { type ConfigWriter, entryIn, type Target } from './config-edit.js';

export const yamlConfig: ConfigWriter = {
  format: 'yaml',
  read(text) {
    const documents = yaml().parseAllDocuments(text, { prettyErrors: false });
    const list = Array.isArray(documents) ? documents : [];
    if (list.length > 1) return { problem: 'it has several documents' };
    const [document] = list;
    const [error] = document?.errors ?? [];
    if (error !== undefined) {
      const before = text.slice(0, error.pos[0]);
      const line = before.split('\n').length;
      return { problem: 'it is not valid YAML', line, column: before.length - before.lastIndexOf('\n') };
    }
    return { value: (document?.toJS() as unknown) ?? {} };
  },
  put(text, target, entry, start) {
    const newline = text.includes('\r\n') ? '\r\n' : '\n';
    const value: unknown = yaml().parse(text) ?? {};
    const key = target.path[0] ?? '';
    if (text.trim() === '') return print({ ...start, [key]: one(target, entry) }, '', newline);
    const document = yaml().parseDocument(text);
    const known = entryIn(value, target) === undefined ? undefined : itemOf(document, target);
    if (known !== undefined) {
      const { start: from, end, indent } = linesOf(text, known);
      return text.slice(0, from) + print(one(target, entry), indent, newline) + text.slice(end);
    }
    const container = document.get(key, true);
    if (isFilled(container)) {
      const last = container.items.at(-1) as Node | Pair;
      const { end, indent } = linesOf(text, last);
      const gap = text[end - 1] === '\n' ? '' : newline;
      return text.slice(0, end) + gap + print(one(target, entry), indent, newline) + text.slice(end);
    }
    const whole = print({ [key]: one(target, entry) }, '', newline);
    const pair = pairOf(document, key);
    if (pair === undefined) return `${text}${text.endsWith('\n') ? '' : newline}${whole}`;
    // `extensions:` or `extensions: {}`, with nothing in it.
    const { start: from, end } = linesOf(text, pair);
    return text.slice(0, from) + whole + text.slice(end);
  },
  take(text, target) {
    const document = yaml().parseDocument(text);
    const item = itemOf(document, target);
    if (item === undefined) return text;
    const { start, end } = linesOf(text, item);
    const container = document.get(target.path[0] ?? '', true);
    if (isFilled(container) && container.items.length > 1) return text.slice(0, start) + text.slice(end);
    const pair = pairOf(document, target.path[0] ?? '');
    if (pair === undefined) return text;
    const lines = linesOf(text, pair);
    const nothing = target.holds === 'map' ? '{}' : '[]';
    // Comments around the entry stay: behind the key, and on lines of their own.
    const [line = '', key, comment = '', newline] =
      /^(.*?:)([ \t]*#[^\r\n]*)?[ \t]*(\r?\n)/.exec(text.slice(lines.start)) ?? [];
    if (key === undefined || lines.start + line.length > start)
      return `${text.slice(0, lines.start)}${target.path[0]}: ${nothing}\n${text.slice(lines.end)}`;
    const around = text.slice(lines.start + line.length, start) + text.slice(end, Math.max(end, lines.end));
    return `${text.slice(0, lines.start)}${key} ${nothing}${comment}${newline}${around}${text.slice(Math.max(end, lines.end))}`;
  },
};

interface Filled {
  readonly items: readonly unknown[];
}

function isFilled(node: unknown): node is Filled {
  return (yaml().isMap(node) || yaml().isSeq(node)) && node.items.length > 0 && node.flow !== true;
}

function pairOf(document: Document, key: string): Pair | undefined {
  const { contents } = document;
  return yaml().isMap(contents) ? contents.items.find(pair => keyOf(pair) === key) : undefined;
}

function itemOf(document: Document, { path, holds, name }: Target): Node | Pair | undefined {
  const container = document.get(path[0] ?? '', true);
  if (!isFilled(container)) return undefined;
  return container.items.find(item => {
    if (holds === 'map') return keyOf(item) === name;
    const value: unknown = yaml().isMap(item) ? item.toJSON() : undefined;
    return isMap(value) && value['name'] === name;
  }) as Node | Pair | undefined;
}

function keyOf(pair: unknown): unknown {
  if (!yaml().isPair(pair)) return undefined;
  return yaml().isScalar(pair.key) ? pair.key.value : undefined;
}

/** The whole lines of an item, and how far it is indented. */
export function linesOf(
  text: string,
  item: Node | Pair,
): { readonly start: number; readonly end: number; readonly indent: string } {
  const [first, last] = yaml().isPair(item) ? [item.key as Node, (item.value ?? item.key) as Node] : [item, item];
  const from = first.range?.[0] ?? 0;
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const stop = last.range?.[1] ?? from;
  // The end of a block is at the start of the line after it, that of anything else on its line.
  const isWhole = stop > start && text[stop - 1] === '\n';
  const newline = text.indexOf('\n', stop);
  const end = isWhole ? stop : newline < 0 ? text.length : newline + 1;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(start, from)) ?? [];
  return { start, end, indent };
}

function one({ holds, name }: Target, entry: EntryData): unknown {
  return holds === 'map' ? { [name]: entry } : [entry];
}

function print(value: unknown, indent: string, newline: string): string {
  const text = yaml().stringify(value, { lineWidth: 0, doubleQuotedMinMultiLineLength: 1e9 });
  return text.replaceAll(/^(?=.)/gm, indent).replaceAll('\n', newline);
}
