// Additions to a YAML text that leave every other byte. In: the text (without byte order mark) and what to add.
// Out: the new text, proved by reading it again, or undefined where it is written in a way that cannot be added to.
import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, YAMLSeq } from 'yaml';
import { asMap } from '../../schema/document.js';
import { yaml } from '../../schema/parse/yaml-library.js';
import { linesOf } from '../clients/yaml-config.js';

type Keys = readonly string[];

/**
 * Adds a string to the list at a path of keys, in the manner of the list.
 *
 * @example appendToList('tools: [a] # mine\n', ['tools'], 'b') // 'tools: [a, b] # mine\n'
 */
export function appendToList(text: string, path: Keys, item: string): string | undefined {
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
 * @example addEntry('a:\n  title: A\n', 'b', 'title: B\n') // 'a:\n  title: A\nb:\n  title: B\n'
 */
export function addEntry(written: string, key: string, body: string): string | undefined {
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
  const edited = `${head}${head === '' || head.endsWith('\n') ? '' : newline}${entry}${tail}`;
  const value: unknown = yaml().parse(body);
  const before = valuesOf(documents);
  const grown = { ...asMap(before.at(-1)), [key]: value };
  return prove(edited, [...before.slice(0, -1), grown]);
}

/** A name as YAML has it: in quotes where it would be read as something else. */
function printScalar(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9._-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

function appendToBlock(text: string, list: YAMLSeq, item: string): string {
  const last = list.items.at(-1) as Node;
  const { end, indent } = linesOf(text, last);
  const newline = newlineOf(text);
  const gap = text[end - 1] === '\n' ? '' : newline;
  // Spaces after the dash as the others have them.
  const [, space = ' '] = /-([ \t]+)$/.exec(text.slice(0, last.range?.[0] ?? 0)) ?? [];
  return `${text.slice(0, end)}${gap}${indent}-${space}${printScalar(item)}${newline}${text.slice(end)}`;
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
function readAll(text: string): readonly Document[] | undefined {
  const found = yaml().parseAllDocuments(text, { prettyErrors: false });
  const documents: readonly Document[] = Array.isArray(found) ? found : [];
  return documents.some(({ errors }) => errors.length > 0) ? undefined : documents;
}

function valuesOf(documents: readonly Document[]): readonly unknown[] {
  return documents.map(document => document.toJS() as unknown);
}

function prove(edited: string, expected: readonly unknown[]): string | undefined {
  const again = readAll(edited);
  return again !== undefined && isDeepStrictEqual(valuesOf(again), expected) ? edited : undefined;
}

function changeAt(value: unknown, [key, ...path]: Keys, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
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

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
