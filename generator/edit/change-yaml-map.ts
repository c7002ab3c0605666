// Edits of one map of a YAML text, however deep it is. In: the text (without byte order mark), where a key of the map is, and what should be
// there. Out: the text with every other byte, comments included; undefined where it is written in a way that cannot be changed safely.
import type { Document, Node, Pair, YAMLMap } from 'yaml';
import { asMap, isMap } from '../../schema/document.js';
import { yaml } from '../../schema/parse/yaml-value.js';
import { changeAt, isPlainYaml, type Keys, prove, readAll, valuesOf } from './edit-yaml.js';
import { cut, linesOf, newlineAt, removeFromFlow } from './remove-yaml.js';

/** A map in one of the documents of a file. */
export interface MapPlace {
  readonly document: number;
  readonly path: Keys;
}

/** The map that has a key at an offset. */
export function findYamlMap(text: string, offset: number): MapPlace | undefined {
  const documents = readAll(text) ?? [];
  for (const [index, { contents }] of documents.entries()) {
    const path = findKey(contents, offset, []);
    if (path !== undefined) return { document: index, path };
  }
  return undefined;
}

function findKey(node: unknown, offset: number, path: Keys): Keys | undefined {
  if (yaml().isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = findKey(item, offset, [...path, index]);
      if (found !== undefined) return found;
    }
  }
  if (!yaml().isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    if (!yaml().isScalar(key)) continue;
    if (key.range?.[0] === offset) return path;
    const found = findKey(value, offset, [...path, String(key.value)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Removes a key.
 *
 * @example removeYamlMember('a: { b: 1, c: 2 } # mine\n', { document: 0, path: ['a'] }, 'b') // 'a: { c: 2 } # mine\n'
 */
export function removeYamlMember(text: string, place: MapPlace, key: string): string | undefined {
  return change(text, place, key, ({ map, index, from, pair }) => {
    const edited =
      map.flow === true
        ? removeFromFlow(text, map.items.map(rangeOf), index)
        : map.items.length === 1
          ? replaceAll(text, from, rangeOf(pair)?.[1])
          : removeLines(text, pair, (map.items[index + 1]?.key as Node | undefined)?.range?.[0]);
    return { edited, value: ({ [key]: _, ...others }) => others };
  });
}

/**
 * Adds a member before an existing one. Its value stands on one line.
 *
 * @example addYamlMember('b: 1\n', { document: 0, path: [] }, 'b', ['a', { x: 2 }]) // 'a: { x: 2 }\nb: 1\n'
 */
export function addYamlMember(
  text: string,
  place: MapPlace,
  before: string,
  [key, value]: readonly [string, unknown],
): string | undefined {
  return change(text, place, before, ({ map, from }) => {
    const line = `${printInline(key)}: ${printInline(value)}`;
    const column = from - (text.lastIndexOf('\n', from - 1) + 1);
    const gap = map.flow === true ? ', ' : `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(column)}`;
    const edited = text.slice(0, from) + line + gap + text.slice(from);
    return { edited, value: old => ({ ...old, [key]: value }) };
  });
}

/** Puts a string in place of another one. */
export function setYamlText(text: string, place: MapPlace, key: string, value: string): string | undefined {
  return change(text, place, key, ({ pair }) => {
    const [from, stop] = (pair.value as Node | null)?.range ?? [];
    const edited =
      !yaml().isScalar(pair.value) || from === undefined || stop === undefined
        ? undefined
        : text.slice(0, from) + printInline(value) + text.slice(stop);
    return { edited, value: old => ({ ...old, [key]: value }) };
  });
}

interface Found {
  readonly map: YAMLMap;
  readonly index: number;
  readonly pair: Pair;
  /** Where its key begins. */
  readonly from: number;
}

interface Edited {
  readonly edited: string | undefined;
  /** The map as it should be then. */
  value(old: Readonly<Record<string, unknown>>): unknown;
}

function change(
  text: string,
  { document: at, path }: MapPlace,
  key: string,
  edit: (found: Found) => Edited,
): string | undefined {
  const documents = readAll(text);
  const found = documents === undefined ? undefined : findPair(documents[at], path, key);
  if (documents === undefined || found === undefined) return undefined;
  const { edited, value } = edit(found);
  if (edited === undefined) return undefined;
  const expected = valuesOf(documents).map((one, index) =>
    index === at ? changeAt(one, path, old => value(asMap(old))) : one,
  );
  return prove(edited, expected);
}

function findPair(document: Document | undefined, path: Keys, key: string): Found | undefined {
  const map: unknown = path.length === 0 ? document?.contents : document?.getIn(path, true);
  if (!yaml().isMap(map)) return undefined;
  const index = map.items.findIndex(one => yaml().isScalar(one.key) && String(one.key.value) === key);
  const pair = map.items[index];
  const from = (pair?.key as Node | undefined)?.range?.[0];
  return pair === undefined || from === undefined ? undefined : { map, index, pair, from };
}

function rangeOf({ key, value }: Pair): readonly [number, number] | undefined {
  const start = (key as Node).range?.[0];
  const end = ((value as Node | null)?.range ?? (key as Node).range)?.[1];
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** `{}` stands for a map without anything in it. */
function replaceAll(text: string, from: number, stop: number | undefined): string | undefined {
  if (stop === undefined) return undefined;
  const isWhole = text[stop - 1] === '\n';
  return `${text.slice(0, from)}{}${isWhole ? newlineAt(text, from) : ''}${text.slice(stop)}`;
}

function removeLines(text: string, pair: Pair, next: number | undefined): string | undefined {
  const [from, stop] = rangeOf(pair) ?? [];
  if (from === undefined || stop === undefined) return undefined;
  const { start, end: lastLine } = linesOf(text, from);
  // What stands in brackets or quotes may go on without indentation.
  const newline = text.indexOf('\n', stop - (text[stop - 1] === '\n' ? 1 : 0));
  const end = Math.max(lastLine, newline < 0 ? text.length : newline + 1);
  if (text.slice(start, from).trim() === '') return cut(text, start, end);
  // Behind the dash of a list: the member after it takes its place, and what is said of that one stays before it.
  if (next === undefined) return undefined;
  const between = text.slice(end, next);
  if (between.trim() === '') return text.slice(0, from) + text.slice(next);
  return text.slice(0, from).trimEnd() + newlineAt(text, from) + text.slice(end);
}

/** Strings, and maps of them. */
function printInline(value: unknown): string {
  if (isMap(value)) {
    const members = Object.entries(value).map(([key, one]) => `${printInline(key)}: ${printInline(one)}`);
    return `{ ${members.join(', ')} }`;
  }
  const text = String(value);
  return isPlainYaml(text) || /^[\w./-]+\.[cm]?[jt]s$/.test(text) ? text : JSON.stringify(text);
}
