// What was imported into a pack, so that the next import can merge. In: toolwright.import.json. Out: its sources, or what is wrong with
// the file; and the text again.
import type { Folder } from '../../../runtime/load/folder.js';
import { maxBytes } from '../../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, hasErrors, type Site, startOf } from '../../../schema/diagnostics.js';
import { asMap, type Document, isMap, type Path } from '../../../schema/document.js';
import { parseJson } from '../../../schema/json-text.js';
import { byCodePoint, isItemName } from '../../../schema/names.js';
import { parse } from '../../../schema/parse/parse.js';
import { byteOrderMark } from '../../edit/byte-order-mark.js';
import type { FieldTree } from './fields.js';

/** What an item is in its source. The next version of the source is compared by it: first by `id`, then by `place`. */
export interface ItemOrigin {
  /** `operationId`, name of a shared schema, name or address on the wire; undefined where the source has none. */
  readonly id?: string | undefined;
  /** `GET /issue/{issueKey}`, `#/components/schemas/Issue`, `tool get_issue`. */
  readonly place: string;
}

/** In the root of the pack. */
export const importFile = 'toolwright.import.json';

/** Of items, and of the entries of toolwright.yaml that came with them. */
export const recordedKinds = ['backend', 'config', 'server', 'tool', 'prompt', 'resource', 'schema'] as const;
export type RecordedKind = (typeof recordedKinds)[number];

export interface ImportRecord {
  /** By name, which is how the command calls them. */
  readonly sources: Readonly<Record<string, SourceRecord>>;
}

/** What is written about a source beside its items: how to import it again. Plain JSON. */
export interface SourceNote {
  /** A path relative to the pack, an address, or the words of a command. */
  readonly address: string;
  /** Filters and options, as the command has them. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

export interface SourceRecord extends SourceNote {
  readonly items: readonly RecordedItem[];
}

export interface RecordedItem {
  readonly kind: RecordedKind;
  /** In the pack, where its author may have renamed it. */
  readonly name: string;
  readonly from: ItemOrigin;
  /** As they were imported, whatever the author made of them. */
  readonly fields: FieldTree;
  /** The author has deleted it. */
  readonly isDeleted?: true | undefined;
  /** The source did not have it any more at the last import. */
  readonly isGone?: true | undefined;
  /** A hash of the comments at the head of its file. */
  readonly notes?: string | undefined;
}

export const emptyRecord: ImportRecord = { sources: {} };

const version = 1;

/** Of the name of an item that its author deleted, where another one has the name now. */
export const countEnd = /~\d+$/;

/** Sorted, with one item per line, so that git merges what two branches imported. */
export function printRecord({ sources }: ImportRecord): string {
  const names = Object.keys(sources).sort(byCodePoint);
  const printed = names.map(name => printSource(name, sources[name] as SourceRecord));
  return `{\n  "version": ${version},\n  "sources": {${printed.map(one => `\n${one}`).join(',')}\n  }\n}\n`;
}

function printSource(name: string, { address, settings = {}, items }: SourceRecord): string {
  // Of two with one name the author has deleted one: it is known by what it is in the source.
  const used = new Map<string, number>();
  const lines = [...items]
    .sort((a, b) => Number(a.isDeleted ?? false) - Number(b.isDeleted ?? false))
    .map(item => {
      const key = `${item.kind} ${item.name.replace(countEnd, '')}`;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, count);
      return [count === 1 ? key : `${key}~${count}`, printItem(item)] as const;
    })
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([key, text]) => `        ${JSON.stringify(key)}: ${text}`);
  const head = `      "address": ${JSON.stringify(address)},\n      "settings": ${JSON.stringify(sorted(settings))},\n`;
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n      }`;
  return `    ${JSON.stringify(name)}: {\n${head}      "items": ${body}\n    }`;
}

function printItem({ from, fields, isDeleted, isGone, notes }: RecordedItem): string {
  const { id, place } = from;
  return JSON.stringify({
    ...(id === undefined ? {} : { id }),
    place,
    ...(isDeleted === undefined ? {} : { isDeleted }),
    ...(isGone === undefined ? {} : { isGone }),
    ...(notes === undefined ? {} : { notes }),
    fields: sorted(fields),
  });
}

function sorted(value: unknown): unknown {
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(byCodePoint)
      .map(key => [key, sorted(value[key])]),
  );
}

export interface ReadRecord {
  /** Undefined where there is no file, and where it cannot be used; then there is an error. */
  readonly value: ImportRecord | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function readRecord(folder: Folder): ReadRecord {
  const status = folder.status(importFile);
  if (status === 'missing') return { value: undefined, diagnostics: [] };
  if (status !== 'file') return wrong('it is not a file in this pack');
  const bytes = folder.read(importFile, maxBytes);
  if (typeof bytes === 'number') return wrong(`it has more than ${maxBytes} bytes`);
  return parseRecord(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}

/** @example parseRecord('{"version":1,"sources":{}}').value // { sources: {} } */
export function parseRecord(written: string): ReadRecord {
  const text = written.startsWith(byteOrderMark) ? written.slice(1) : written;
  const value = parseJson(text);
  if (value === undefined) return { value: undefined, diagnostics: [findSyntax(text)] };
  const found = read(value);
  if (!('path' in found)) return { value: found, diagnostics: [] };
  const [document] = parse({ path: importFile, format: 'json', text, hash: '' }).documents;
  return wrong(found.reason, siteOf(document, found), found.hint);
}

function siteOf(document: Document | undefined, { path, side }: Mistake): Site {
  return document?.site(path, side) ?? startOf(importFile);
}

const mergeHint =
  'resolve the conflict: lines of different items can all stay, and of two lines of one item either does, because the next import compares again';

/** A branch that was merged leaves marks of git, which say more than that JSON has no `<`. */
function findSyntax(text: string): Diagnostic {
  const mark = /^<{7}(?= |\r?$)/m.exec(text);
  if (mark !== null) {
    const line = text.slice(0, mark.index).split('\n').length;
    const site = { ...startOf(importFile), line, column: 1, endLine: line, endColumn: 8 };
    return diagnose('import/record', { reason: 'it has conflict markers of git' }, site, { hint: mergeHint });
  }
  const { diagnostics } = parse({ path: importFile, format: 'json', text, hash: '' });
  const [first] = diagnostics.filter(one => hasErrors([one]));
  return diagnose('import/record', { reason: first?.message ?? 'it is not valid JSON' }, first ?? startOf(importFile));
}

function wrong(reason: string, site: Site = startOf(importFile), hint?: string): ReadRecord {
  return { value: undefined, diagnostics: [diagnose('import/record', { reason }, site, { hint })] };
}

/** What is not as this version writes it, and where. */
interface Mistake {
  readonly reason: string;
  readonly path: Path;
  readonly side?: 'key';
  readonly hint?: string;
}

function read(value: unknown): ImportRecord | Mistake {
  if (!isMap(value)) return { reason: 'it is not a map', path: [] };
  const { version: given, sources } = value;
  if (typeof given === 'number' && given > version) {
    const hint = 'use that version of Toolwright here, too';
    return { reason: 'it was written by a newer version of Toolwright', path: ['version'], hint };
  }
  if (given !== version) return { reason: `its version is not ${version}`, path: ['version'] };
  if (!isMap(sources)) return { reason: 'it has no map of sources', path: ['sources'] };
  const read: [string, SourceRecord][] = [];
  for (const [name, source] of Object.entries(sources)) {
    const one = readSource(name, source);
    if ('path' in one) return one;
    read.push([name, one]);
  }
  return { sources: Object.fromEntries(read) };
}

function readSource(name: string, source: unknown): SourceRecord | Mistake {
  const path = ['sources', name];
  const { address, settings = {}, items } = asMap(source);
  if (typeof address !== 'string') return { reason: 'a source has no address', path };
  if (!isMap(settings)) return { reason: 'the settings of a source are not a map', path: [...path, 'settings'] };
  if (!isMap(items)) return { reason: 'a source has no map of items', path };
  const all: RecordedItem[] = [];
  for (const [key, item] of Object.entries(items)) {
    const one = readItem(key, item, [...path, 'items', key]);
    if ('path' in one) return one;
    all.push(one);
  }
  return { address, settings, items: all };
}

function readItem(key: string, item: unknown, path: Path): RecordedItem | Mistake {
  const [, typed, name] = /^(\w+) (.+)$/s.exec(key) ?? [];
  const kind = recordedKinds.find(one => one === typed);
  if (kind === undefined || name === undefined)
    return { reason: `${JSON.stringify(key)} is not a kind and a name`, path, side: 'key' };
  // A name becomes a path, and the record may come from anywhere.
  const isRight = kind === 'config' ? /^\w+$/.test(name) : isItemName(name.replace(countEnd, ''));
  if (!isRight) return { reason: `${JSON.stringify(name)} is not a name of a ${kind}`, path, side: 'key' };
  const { id, place, fields, isDeleted, isGone, notes } = asMap(item);
  const areRight = (id === undefined || typeof id === 'string') && (notes === undefined || typeof notes === 'string');
  if (!areRight || typeof place !== 'string' || !isTree(fields, 0))
    return { reason: `the line of ${key} is not as an import writes it`, path, side: 'key', hint: mergeHint };
  return {
    kind,
    name,
    from: { ...(id === undefined ? {} : { id }), place },
    fields,
    ...(isDeleted === true ? { isDeleted } : {}),
    ...(isGone === true ? { isGone } : {}),
    ...(notes === undefined ? {} : { notes }),
  };
}

function isTree(value: unknown, depth: number): value is FieldTree {
  if (typeof value === 'string') return true;
  if (depth > deepest) return false;
  if (Array.isArray(value)) return value.every(one => typeof one === 'string');
  return isMap(value) && Object.values(value).every(one => isTree(one, depth + 1));
}

/** Deeper than any definition can be. */
const deepest = 300;
