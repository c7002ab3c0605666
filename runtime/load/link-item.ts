// In: the winning definition of any item. Out: what all kinds have in common: names, texts, handlers, where it was written; what strings,
// files and references lead to, and what is wrong with them.

import type { Backends } from '../../schema/backend/calls.js';
import { type ConfigEntry, keyOf } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path, type SourceFile } from '../../schema/document.js';
import { packOf, parseName, type QualifiedName } from '../../schema/names.js';
import { nearest } from '../../schema/nearest.js';
import { makeLines } from '../../schema/parse/lines.js';
import { strangeTags, toolMentions } from '../../schema/template/template.js';
import { checkTextFile, checkTexts } from '../../schema/texts/check-texts.js';
import { mayHide } from '../../schema/texts/hidden.js';
import { handlerRefOf, normalizePath, readTextIn } from './folder.js';
import type { Shared } from './link-shared.js';
import { linkWhen } from './link-when.js';
import type { HandlerRef, Linked } from './program.js';
import type { Reader } from './read.js';
import { maxBytes } from './read-file.js';
import type { Entry, IsBuiltIn } from './resolve.js';
import type { Item } from './split.js';

export type Declared = Pick<Entry, 'declaration'>;

/** W2: a declared description is the default of the definition's. */
export function linkItem<D>(entry: Declared, item: Item, scope: Scope): Linked<D> {
  const raw = rawOf(item);
  const { kind, at, server } = item;
  checkHidden(raw, at, scope, isInline);
  linkWhen(raw['when'], ['when'], at, scope);
  const described = linkText(raw['description'], ['description'], at, scope);
  checkPlainText(described, scope);
  const description = described?.text ?? entry.declaration?.description ?? '';
  const isUnread = described === undefined && raw['description'] !== undefined;
  // A model chooses tools and prompts by their descriptions; the others are chosen by people.
  if (description === '' && !isUnread && (kind === 'tool' || kind === 'prompt')) {
    scope.diagnostics.push(diagnose('link/no-description', { kind, item: item.name }, item.site()));
  }
  return {
    item: item.name,
    name: typeof raw['name'] === 'string' ? raw['name'] : item.name,
    ...(typeof raw['title'] === 'string' ? { title: raw['title'] } : {}),
    description,
    definition: raw as D,
    file: item.file,
    at,
    ...(server === undefined ? {} : { server }),
  };
}

/** What a server defines in its lists are items of their own. */
function isInline([list, index, ...inside]: Path): boolean {
  return (
    typeof index === 'number' && inside.length > 0 && (list === 'tools' || list === 'prompts' || list === 'resources')
  );
}

/** The definition as a map; what is none has its diagnostic already. */
export function rawOf({ definition }: Item): Readonly<Record<string, unknown>> {
  return isMap(definition) ? definition : {};
}

/** The item's own function: `handler`, or the module that is called like the item. */
export function linkOwnHandler(item: Item, scope: Scope): HandlerRef {
  const folder = scope.handlers === '' ? '' : `${scope.handlers}/`;
  const fallback = { path: `${folder}${keyOf(item.kind)}/${item.name}.ts`, export: 'default' };
  return linkHandler(rawOf(item)['handler'], ['handler'], item.at, scope) ?? fallback;
}

/** What linking one item needs to know of its pack. */
export interface Scope {
  readonly reader: Reader;
  readonly handlers: string;
  readonly config: ReadonlyMap<string, ConfigEntry>;
  readonly backends: Backends;
  /** Item names of the pack's tools, for {{tool:X}}. */
  readonly tools: ReadonlySet<string>;
  /** A hint for a {{tool:X}} that names no tool. */
  suggestTool(item: string): string | undefined;
  /** The pack's own name. */
  readonly pack: string;
  readonly isBuiltIn: IsBuiltIn;
  /** The schemas of the pack that definitions may refer to. */
  readonly shared: Shared;
  /** Tools of other packs that texts mention; only `check` looks them up. */
  readonly mentions: ForeignMention[];
  /** Whether any text can hold characters that nobody sees; they are looked for only then. */
  mayHide(): boolean;
  readonly diagnostics: Diagnostic[];
}

export interface ForeignMention {
  readonly reference: QualifiedName;
  site(): Site;
}

/** Finding a place means reading the text again, and nobody reads the hundred and first mistake of one text. */
export const mostFindings = 100;

/** A string and where its parts stand: in the manifest, or in the file that the manifest names. */
export interface LinkedText {
  readonly text: string;
  find(part: string, nth: number): Site;
}

/** A string written in place or as `{file: x.md}` (P1). Undefined where there is none or it cannot be read. */
export function linkText(value: unknown, path: Path, at: Locator, scope: Scope): LinkedText | undefined {
  if (typeof value === 'string') return { text: value, find: (part, nth) => at.find(path, part, nth) };
  if (!isMap(value) || typeof value['file'] !== 'string') return undefined;
  const read = scope.reader.named(value['file'], at.site([...path, 'file']));
  addAll(scope.diagnostics, read.diagnostics);
  const source = read.value;
  if (source === undefined) return undefined;
  if (scope.mayHide()) addAll(scope.diagnostics, checkTextFile(source.path, source.text));
  return { text: source.text, find: (part, nth) => findInText(source, part, nth) };
}

function findInText({ path: file, text }: SourceFile, part: string, nth: number): Site {
  let offset = text.indexOf(part);
  for (let skip = 0; skip < nth && offset >= 0; skip++) offset = text.indexOf(part, offset + part.length);
  const start = Math.max(offset, 0);
  return makeLines(file, text).siteOf({ start, end: start + (offset < 0 ? 1 : part.length) });
}

/** What models read must be what people see. `isSkipped`: what is checked elsewhere. */
export function checkHidden(value: unknown, at: Locator, scope: Scope, isSkipped?: (path: Path) => boolean): void {
  if (scope.mayHide()) addAll(scope.diagnostics, checkTexts(value, at, isSkipped));
}

/** A file that goes to the model as it is: it must be there, and hide nothing where it is text. */
export function checkSentFile(path: string, asked: Site, scope: Scope): void {
  const missing = scope.reader.exists(path, asked);
  addAll(scope.diagnostics, missing);
  if (missing.length > 0) return;
  const inside = normalizePath(path) ?? path;
  // Other bytes are not text; what cannot be read, the sender will find out.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const text = readTextIn(scope.reader.folder, inside, maxBytes, decoder) ?? '';
  if (mayHide(text)) addAll(scope.diagnostics, checkTextFile(scope.reader.shown(inside), text));
}

/** M28, W70: every {{tool:X}} must be a tool: of this pack, a built-in one, or qualified. */
export function checkMentions(text: LinkedText | undefined, scope: Scope): void {
  if (text === undefined || !text.text.includes('{{')) return;
  const others = toolMentions(text.text).filter(({ name }) => !scope.tools.has(name));
  for (const mention of others.slice(0, mostFindings)) {
    const { name, tag, nth } = mention;
    const site = (): Site => text.find(tag, nth);
    const parsed = name.includes('/') ? parseName(name) : { name: { item: name } };
    if ('problem' in parsed) {
      scope.diagnostics.push(diagnose('link/invalid-name', { name, reason: parsed.problem }, site()));
      continue;
    }
    const { item } = parsed.name;
    const pack = packOf(parsed.name);
    if (pack !== undefined && pack !== scope.pack) scope.mentions.push({ reference: parsed.name, site });
    else if (pack === undefined ? !scope.isBuiltIn('tool', item) : !scope.tools.has(item)) {
      const hint = scope.suggestTool(item);
      scope.diagnostics.push(diagnose('link/unknown-tool', { name }, site(), { hint }));
    }
  }
}

/** The same, for texts in which nothing but {{tool:X}} has a meaning. */
export function checkPlainText(text: LinkedText | undefined, scope: Scope): void {
  if (text === undefined || !text.text.includes('{{')) return;
  checkMentions(text, scope);
  for (const { word, name, tag, nth } of strangeTags(text.text).slice(0, mostFindings)) {
    const isNear = word === 'tool' || nearest(word, ['tool']) !== undefined;
    // Other words can be meant as they are, as in the description of a tool that fills in templates.
    const extras = isNear ? ({ severity: 'warning', hint: `did you mean {{tool:${name}}}?` } as const) : {};
    scope.diagnostics.push(diagnose('link/unknown-tag', { tag }, text.find(tag, nth), extras));
  }
}

/** Checks the mentions in every string below `value`: guidelines, error entries. Paths are made where there are any. */
export function checkMentionsBelow(value: unknown, path: Path, at: Locator, scope: Scope): void {
  if (!hasMentions(value)) return;
  if (typeof value === 'string') {
    checkPlainText(linkText(value, path, at, scope), scope);
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) checkMentionsBelow(one, [...path, index], at, scope);
  } else if (isMap(value)) {
    for (const [key, one] of Object.entries(value)) checkMentionsBelow(one, [...path, key], at, scope);
  }
}

function hasMentions(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMentions);
}

/** `path#export`, never outside the pack; undefined where the reference cannot be used. */
export function linkHandler(value: unknown, path: Path, at: Locator, scope: Scope): HandlerRef | undefined {
  if (typeof value !== 'string') return undefined;
  const [file = ''] = value.split('#', 1);
  const isAddress = /^[A-Za-z][A-Za-z0-9+.-]*:/.test(file);
  const ref = isAddress ? undefined : handlerRefOf(value);
  if (ref === undefined) {
    const hint = isAddress ? 'a handler is the path of a file in the pack, not an address or a module' : undefined;
    scope.diagnostics.push(diagnose('resolve/path-escape', { path: file }, at.site(path), { hint }));
  }
  return ref;
}
