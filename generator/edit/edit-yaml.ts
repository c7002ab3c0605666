// Edits of YAML texts that leave every other byte. In: the text (without byte order mark) and what should be in it. Out: the new
// text; undefined where it is written in a way that cannot be added to.
import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, Pair, YAMLSeq } from 'yaml';
import { asMap, isMap } from '../../schema/document.js';
import { yaml } from '../../schema/parse/yaml-value.js';
import { newlineOf } from './yaml-places.js';

/** Of maps, and places in lists. */
export type Keys = readonly (string | number)[];

/**
 * Adds a string to the list at a path of keys, in the manner of the list.
 *
 * @example appendToYamlList('tools: [a] # mine\n', ['tools'], 'b') // 'tools: [a, b] # mine\n'
 */
export function appendToYamlList(text: string, path: Keys, item: string): string | undefined {
  const documents = readAll(text);
  const at = documents?.findIndex(document => yaml().isSeq(document.getIn(path, true))) ?? -1;
  const list = documents?.[at]?.getIn(path, true);
  if (documents === undefined || !yaml().isSeq(list)) return undefined;
  const edited = list.flow === true ? appendToFlow(text, list, item) : appendToBlock(text, list, item);
  const before = valuesOf(documents);
  const expected = before.map((value, index) =>
    index === at ? changeAt(value, path, old => [...(Array.isArray(old) ? old : []), item]) : value,
  );
  return prove(edited, expected);
}

/**
 * Adds an entry to the map that the last document of a string is. `body` are the lines of its value, not indented.
 *
 * @example addYamlEntry('a:\n  title: A\n', 'b', 'title: B\n') // 'a:\n  title: A\nb:\n  title: B\n'
 */
export function addYamlEntry(written: string, key: string, body: string): string | undefined {
  // `{}` stands for a file without anything in it.
  const open = /^((?:[ \t]*(?:#[^\n]*)?\r?\n)*)[ \t]*\{\s*\}[ \t]*(?=\r?\n|$)/.exec(written);
  const text = open === null ? written : `${open[1]}${written.slice(open[0].length).replace(/^\r?\n/, '')}`;
  const documents = readAll(text);
  if (documents === undefined) return undefined;
  const newline = newlineOf(text);
  const last = documents.at(-1);
  const root: unknown = last?.contents;
  const isEmpty = root === undefined || root === null || (yaml().isMap(root) && root.items.length === 0);
  if (!isEmpty && !(yaml().isMap(root) && root.flow !== true)) return undefined;
  const indent = indentOf(text, root);
  const entry = `${printScalar(key)}:\n${body.replaceAll(/^(?=.)/gm, indent)}`.replaceAll('\n', newline);
  const end = endOf(text, root);
  const [head, tail] = [text.slice(0, end), text.slice(end)];
  // A file that ends without a line break goes on to do so, so that the entry can be removed without a trace.
  const edited = isOpen(head) ? `${head}${newline}${entry.slice(0, -newline.length)}` : `${head}${entry}${tail}`;
  const value: unknown = yaml().parse(body);
  const before = valuesOf(documents);
  const grown = { ...asMap(before.at(-1)), [key]: value };
  return prove(edited, [...before.slice(0, -1), grown]);
}

/** One entry of a map or list that is at a key of the root; in a list it is known by its `name`. */
export interface YamlEntry {
  readonly key: string;
  readonly holds: 'map' | 'list';
  readonly name: string;
}

/** Puts an entry in place of the one of that name, or after all others. `start`: what else new text has. */
export function putYamlEntry(text: string, entry: YamlEntry, value: unknown, start: object): string {
  const newline = newlineOf(text);
  const one = entry.holds === 'map' ? { [entry.name]: value } : [value];
  const { key } = entry;
  if (text.trim() === '') return print({ ...start, [key]: one }, '', newline);
  const document = yaml().parseDocument(text);
  const known = itemOf(document, entry);
  if (known !== undefined) {
    const { start: from, end, indent } = linesOf(text, known);
    return text.slice(0, from) + print(one, indent, newline) + text.slice(end);
  }
  const container = document.get(key, true);
  if (isFilled(container)) {
    const { end, indent } = linesOf(text, container.items.at(-1) as Node | Pair);
    const gap = text[end - 1] === '\n' ? '' : newline;
    return text.slice(0, end) + gap + print(one, indent, newline) + text.slice(end);
  }
  const whole = print({ [key]: one }, '', newline);
  const pair = pairOf(document, key);
  if (pair === undefined) return `${text}${text.endsWith('\n') ? '' : newline}${whole}`;
  // `extensions:` or `extensions: {}`, with nothing in it.
  const { start: from, end } = linesOf(text, pair);
  return text.slice(0, from) + whole + text.slice(end);
}

/** Takes an entry out; the same text where there is none. */
export function takeYamlEntry(text: string, entry: YamlEntry): string {
  const document = yaml().parseDocument(text);
  const item = itemOf(document, entry);
  if (item === undefined) return text;
  const { start, end } = linesOf(text, item);
  const container = document.get(entry.key, true);
  if (isFilled(container) && container.items.length > 1) return text.slice(0, start) + text.slice(end);
  const pair = pairOf(document, entry.key);
  if (pair === undefined) return text;
  const lines = linesOf(text, pair);
  const nothing = entry.holds === 'map' ? '{}' : '[]';
  // Comments around the entry stay: behind the key, and on lines of their own.
  const [line = '', key, comment = '', newline] =
    /^(.*?:)([ \t]*#[^\r\n]*)?[ \t]*(\r?\n)/.exec(text.slice(lines.start)) ?? [];
  if (key === undefined || lines.start + line.length > start)
    return `${text.slice(0, lines.start)}${entry.key}: ${nothing}\n${text.slice(lines.end)}`;
  const around = text.slice(lines.start + line.length, start) + text.slice(end, Math.max(end, lines.end));
  return `${text.slice(0, lines.start)}${key} ${nothing}${comment}${newline}${around}${text.slice(Math.max(end, lines.end))}`;
}

/** Whether YAML reads a name as a string without quotes, which it does not for `123`, `1e3` or `yes`. */
export function isPlainYaml(name: string): boolean {
  return /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name);
}

function printScalar(text: string): string {
  return isPlainYaml(text) ? text : JSON.stringify(text);
}

function appendToBlock(text: string, list: YAMLSeq, item: string): string {
  const last = list.items.at(-1) as Node;
  const { end, indent } = linesOf(text, last);
  const newline = newlineOf(text);
  // Spaces after the dash as the others have them.
  const [, space = ' '] = /-([ \t]+)$/.exec(text.slice(0, last.range?.[0] ?? 0)) ?? [];
  const line = `${indent}-${space}${printScalar(item)}`;
  if (isOpen(text.slice(0, end))) return `${text}${newline}${line}`;
  return `${text.slice(0, end)}${line}${newline}${text.slice(end)}`;
}

/** Its last line has no line break. */
function isOpen(text: string): boolean {
  return text !== '' && !text.endsWith('\n');
}

function appendToFlow(text: string, list: YAMLSeq, item: string): string {
  const [start = 0, end = 0] = list.range ?? [];
  const last = list.items.at(-1) as Node | undefined;
  const name = printScalar(item);
  const insert = (at: number, added: string): string => text.slice(0, at) + added + text.slice(at);
  if (last?.range === undefined || last.range === null) return insert(start + 1, name);
  const stop = last.range[1];
  const [space = ''] = /\s*$/.exec(text.slice(start + 1, last.range[0])) ?? [];
  const gap = space.includes('\n') ? space.slice(space.lastIndexOf('\n') - (space.includes('\r\n') ? 1 : 0)) : ' ';
  const rest = text.slice(stop, end - 1);
  const [, comma = '', comment = ''] = /^[ \t]*(,?)([ \t]*#[^\r\n]*)?/.exec(rest) ?? [];
  const hasComma = comma !== '';
  if (!gap.includes('\n')) {
    const at = hasComma ? text.indexOf(',', stop) + 1 : stop;
    return insert(at, hasComma ? `${gap}${name},` : `,${gap}${name}`);
  }
  // On a line of its own, below a comment that belongs to the last one.
  const line = stop + rest.indexOf(comment) + comment.length;
  const at = comment === '' ? (hasComma ? text.indexOf(',', stop) + 1 : stop) : line;
  const below = `${gap}${name}${hasComma ? ',' : ''}`;
  if (hasComma) return insert(at, below);
  return `${text.slice(0, stop)},${text.slice(stop, at)}${below}${text.slice(at)}`;
}

/** Undefined where the text is not valid YAML. */
export function readAll(text: string): readonly Document[] | undefined {
  const found = yaml().parseAllDocuments(text, { prettyErrors: false });
  const documents: readonly Document[] = Array.isArray(found) ? found : [];
  return documents.some(({ errors }) => errors.length > 0) ? undefined : documents;
}

export function valuesOf(documents: readonly Document[]): readonly unknown[] {
  return documents.map(document => document.toJS() as unknown);
}

export function prove(edited: string, expected: readonly unknown[]): string | undefined {
  const again = readAll(edited);
  // An alias whose anchor is gone has no value.
  if (again === undefined || again.some(hasLostAlias)) return undefined;
  return isDeepStrictEqual(valuesOf(again), expected) ? edited : undefined;
}

function hasLostAlias(document: Document): boolean {
  let isLost = false;
  yaml().visit(document, {
    Alias(_, alias) {
      isLost ||= alias.resolve(document) === undefined;
    },
  });
  return isLost;
}

export function changeAt(value: unknown, [key, ...path]: Keys, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? changeAt(one, path, change) : one));
  const map = asMap(value);
  return { ...map, [key]: changeAt(map[key], path, change) };
}

/** As far as the values in the map are indented. */
function indentOf(text: string, root: unknown): string {
  if (!yaml().isMap(root)) return '  ';
  const inner = root.items.map(({ value }) => value).find(value => yaml().isMap(value) && value.flow !== true);
  const [first] = yaml().isMap(inner) ? inner.items : [];
  const start = (first?.key as Node | undefined)?.range?.[0] ?? 0;
  const [, indent = ''] = /(?:^|\n)([ ]*)$/.exec(text.slice(0, start)) ?? [];
  return indent === '' ? '  ' : indent;
}

/** Where a new entry goes: after the last one and its comments, before the mark that ends the document. */
function endOf(text: string, root: unknown): number {
  const closing = /(?:^|\n)\.\.\.[ \t]*(?:\r?\n\s*)?$/.exec(text);
  if (closing === null) return text.trimEnd() === '' || root === undefined ? text.length : trimmedEnd(text);
  return closing.index + (text[closing.index] === '\n' ? 1 : 0);
}

/** After the last line that has something; blank lines at the end stay there. */
function trimmedEnd(text: string): number {
  const stop = text.trimEnd().length;
  const newline = text.indexOf('\n', stop);
  return newline < 0 ? text.length : newline + 1;
}

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

function itemOf(document: Document, { key, holds, name }: YamlEntry): Node | Pair | undefined {
  const container = document.get(key, true);
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
function linesOf(
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

function print(value: unknown, indent: string, newline: string): string {
  const text = yaml().stringify(value, { lineWidth: 0, doubleQuotedMinMultiLineLength: 1e9 });
  return text.replaceAll(/^(?=.)/gm, indent).replaceAll('\n', newline);
}
