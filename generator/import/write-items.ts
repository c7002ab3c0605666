// In: what items should be. Out: the files that say so, in a change book: new ones printed, others edited where they differ. Every text is
// read back with the parser that packs are loaded with, and is what was meant, or there is a diagnostic.
import { joinPath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { type Kind, keyOf } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, startOf } from '../../schema/diagnostics.js';
import { asMap, type Format, isMap, setOwn } from '../../schema/document.js';
import { parse } from '../../schema/parse/parse.js';
import { equal } from '../../schema/support/values.js';
import { type ChangeBook, notEditable } from '../author/change-book.js';
import { printModeline } from '../author/print-starter.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { changeJson } from '../edit/change-json.js';
import { changeYaml } from '../edit/change-yaml.js';
import { printYaml } from '../edit/print-yaml.js';
import type { PackItem } from './pack-items.js';
import { hashField } from './record/fields.js';

/** Where new items go. */
export interface Target {
  readonly root: string;
  readonly generated: string;
}

export interface NewItem {
  readonly kind: Kind;
  readonly name: string;
  readonly definition: unknown;
  readonly notes: readonly string[];
}

/** The text of a new file; a diagnostic where there is something in its place. */
export function writeNew(
  { kind, name, definition, notes }: NewItem,
  target: Target,
  book: ChangeBook,
): readonly Diagnostic[] {
  const path = joinPath(target.root, keyOf(kind), `${name}.yaml`);
  const status = book.folder.status(path);
  if (status !== 'missing') {
    const reason = status === 'file' ? 'there is a file that no import has written' : 'it is not a file of this pack';
    return [diagnose('import/in-the-way', { path, reason }, startOf(path))];
  }
  const text = printHead(printModeline(path, target.generated, kind).text, notes) + printYaml(definition);
  if (!isReadAs(text, path, 'yaml', definition)) return [notEditable(path, 'it would not say what the source says')];
  book.put(path, text);
  return [];
}

function printHead(modeline: string, notes: readonly string[]): string {
  return `${modeline === '' ? '' : `${modeline}\n`}${printNotes(notes)}`;
}

/** Whatever is in a note stays in its comment. */
function printNotes(notes: readonly string[]): string {
  return notes
    .flatMap(note => note.split(/\r\n|[\n\r\u0085\u2028\u2029]/))
    .map(line => `# ${line.replaceAll(/[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu, ' ')}`.trimEnd())
    .map(line => `${line}\n`)
    .join('');
}

export function hashNotes(notes: readonly string[]): string | undefined {
  return notes.length === 0 ? undefined : hashField(printNotes(notes));
}

/** A definition that is in the pack and should be another one. */
export interface ChangedItem {
  readonly found: PackItem;
  readonly definition: unknown;
  /** Comments at the head that the last import wrote, as a hash, and what they should be. */
  readonly notes?: { readonly before: string | undefined; readonly now: readonly string[] } | undefined;
}

/** Edits of files, each file once. `added`: entries of toolwright.yaml that are new, and names for its lists. */
export function writeChanged(
  changed: readonly ChangedItem[],
  added: ManifestEntries,
  book: ChangeBook,
): readonly Diagnostic[] {
  const byFile = new Map<string, ChangedItem[]>();
  for (const one of changed) byFile.set(one.found.file, [...(byFile.get(one.found.file) ?? []), one]);
  if (hasEntries(added) && !byFile.has(manifestFile)) byFile.set(manifestFile, []);
  return [...byFile].flatMap(([file, items]) => {
    const inside = items.find(({ found }) => found.path === undefined);
    if (inside !== undefined)
      return [
        notEditable(
          file,
          `${inside.found.kind} ${inside.found.name} is defined inside of a server`,
          inside.found.site(),
        ),
      ];
    const before = book.text(file) ?? '';
    const format = items[0]?.found.format ?? 'yaml';
    const more = file === manifestFile ? added : nothing;
    const edited = aroundMark(before, text => changeText(text, { file, format, items, more }));
    if (edited === undefined) return [notEditable(file, 'it is written in a way that cannot be edited safely')];
    book.put(file, edited);
    return [];
  });
}

export interface ManifestEntries {
  readonly backends: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** Of kinds whose list is closed. */
  readonly names: Readonly<Partial<Record<Kind, readonly string[]>>>;
}

const nothing: ManifestEntries = { backends: {}, config: {}, names: {} };

function hasEntries({ backends, config, names }: ManifestEntries): boolean {
  return [backends, config, names].some(one => Object.keys(one).length > 0);
}

interface FileEdit {
  readonly file: string;
  readonly format: Format;
  readonly items: readonly ChangedItem[];
  readonly more: ManifestEntries;
}

function changeText(text: string, { file, format, items, more }: FileEdit): string | undefined {
  const { documents, diagnostics } = parse({ path: file, format, text, hash: '' });
  if (hasErrors(diagnostics.filter(({ code }) => code !== 'parse/empty'))) return undefined;
  const values = documents.map(({ value }) => value);
  const [only] = items;
  if (only?.found.path?.length === 0) return changeOwn(text, only, values);
  let edited: string | undefined = text;
  for (const [index, value] of (values.length === 0 ? [{}] : values).entries()) {
    const here = items.filter(({ found }) => hasAt(value, found.path ?? []));
    let next: unknown = value;
    for (const { found, definition } of here) next = setAt(next, found.path ?? [], definition);
    if (index === 0) next = addEntries(next, more);
    if (next === value || edited === undefined || !isMap(next)) continue;
    edited = format === 'json' ? changeJson(edited, next) : changeYaml(edited, index, next);
  }
  return edited;
}

function changeOwn(
  text: string,
  { found, definition, notes }: ChangedItem,
  values: readonly unknown[],
): string | undefined {
  const [value] = values;
  if (values.length !== 1 || !isMap(definition)) return undefined;
  if (found.format === 'json') return changeJson(text, definition);
  // As it was printed, down to the last byte: it is printed again.
  const [head = ''] = /^(?:#[^\n]*\n)*/.exec(text) ?? [];
  if (text !== head + printYaml(value)) return changeYaml(text, 0, definition);
  const edited = changeNotes(head, notes) + printYaml(definition);
  return isReadAs(edited, found.file, 'yaml', definition) ? edited : undefined;
}

function changeNotes(head: string, notes: ChangedItem['notes']): string {
  if (notes === undefined) return head;
  const [modeline = ''] = /^# (?:\$schema:|yaml-language-server:)[^\n]*\n/.exec(head) ?? [];
  const written = head.slice(modeline.length);
  const isOurs = notes.before === (written === '' ? undefined : hashField(written));
  return isOurs ? modeline + printNotes(notes.now) : head;
}

function addEntries(value: unknown, { backends, config, names }: ManifestEntries): unknown {
  let next = value;
  for (const [key, entries] of Object.entries({ backends, config }))
    for (const [name, one] of Object.entries(entries)) next = setAt(next, [key, name], one);
  for (const [kind, all] of Object.entries(names) as [Kind, readonly string[]][]) {
    const list = asMap(next)[keyOf(kind)];
    next = setAt(next, [keyOf(kind)], [...(Array.isArray(list) ? (list as readonly unknown[]) : []), ...all]);
  }
  return next;
}

function hasAt(value: unknown, path: readonly string[]): boolean {
  return path.every((_, index) => {
    const above = path.slice(0, index).reduce<unknown>((here, key) => asMap(here)[key], value);
    return isMap(above) && Object.hasOwn(above, path[index] ?? '');
  });
}

function setAt(value: unknown, [key, ...path]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  const next: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(asMap(value))) setOwn(next, name, one);
  setOwn(next, key, setAt(Object.hasOwn(next, key) ? next[key] : undefined, path, inner));
  return next;
}

/** Whether a pack is loaded with this value. */
function isReadAs(text: string, path: string, format: Format, value: unknown): boolean {
  const { documents, diagnostics } = parse({ path, format, text, hash: '' });
  return !hasErrors(diagnostics) && documents.length === 1 && equal(documents[0]?.value, value);
}
