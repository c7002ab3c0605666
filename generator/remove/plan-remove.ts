// In: a loaded pack and one of its items. Out: the files without it, the reverse of `add`, or why it cannot go. Nothing is written.

import { wantedHandlers } from '../../runtime/call/handlers/find-handler.js';
import { modulesOf } from '../../runtime/call/handlers/missing-handlers.js';
import { discover } from '../../runtime/load/discover.js';
import { type Folder, formatOf } from '../../runtime/load/folder.js';
import { inlineItems } from '../../runtime/load/link-server.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { type Manifest, manifestFile } from '../../runtime/load/manifest.js';
import type { Program } from '../../runtime/load/program.js';
import { createReader } from '../../runtime/load/read.js';
import { type Kind, keyOf } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { type ChangeBook, type FileChange, notEditable, openBook, readText } from '../author/change-book.js';
import { findBroken } from '../author/find-broken.js';
import { printGreet } from '../author/greet-handler.js';
import { listServers } from '../author/plan-add.js';
import { bookkeepingOf, hashText, parseLedgers } from '../compile/ledger.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { removeFromJson } from '../edit/edit-json.js';
import { removeFromYamlList, removeYamlKey } from '../edit/remove-yaml.js';
import { removeFromRecord } from '../import/record/follow.js';
import { importFile } from '../import/record/record.js';
import { itemsOf, overlayFolders, unknownItem } from '../rename/plan-rename.js';

export interface RemoveRequest {
  readonly kind: Kind;
  readonly item: string;
  /** Also a handler that was edited, unless another item has it. */
  readonly withHandler?: boolean;
  /** Also where something of the pack refers to the item. */
  readonly force?: boolean;
}

export interface RemovePlan {
  /** Empty where an error stops it. */
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isRefused: boolean;
}

/**
 * Plans the removal of an item: its definition, its declaration, its places in lists of servers, and a handler that nobody touched.
 *
 * @example const { changes } = await planRemove(load(path), nodeFolder(path), { kind: 'tool', item: 'get-issue' });
 */
export async function planRemove(loaded: LoadedPack, folder: Folder, request: RemoveRequest): Promise<RemovePlan> {
  const { manifest, catalog } = loaded;
  const { kind, item } = request;
  if (manifest === undefined) return refuse(loaded.diagnostics);
  const items = itemsOf(loaded, kind);
  if (!items.some(({ name }) => name === item)) return refuse([unknownItem({ kind, from: item }, items)]);
  const inline = catalog.server
    .flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)))
    .find(one => one.kind === kind && one.name === item);
  if (inline !== undefined) {
    const reason = `the ${kind} ${item} is defined inside a server: remove it there`;
    return refuse([notEditable(inline.file, reason, inline.site())]);
  }
  const book = openBook(folder);
  const found = removeItem(request, loaded, book);
  if (hasErrors(found)) return refuse(found);
  const record = book.text(importFile);
  const forgotten = record === undefined ? undefined : removeFromRecord(record, { kind, item });
  if (forgotten !== undefined && forgotten !== record) book.put(importFile, forgotten);
  const notes = [...reportOverlays(request, folder), ...(await removeHandler(request, loaded, folder, book))];
  const changes = book.changes();
  const broken = await findBroken(folder, changes);
  if (broken.length === 0 || request.force) return { changes, diagnostics: sortDiagnostics(notes), isRefused: false };
  return refuse(broken.map(one => diagnose('author/still-used', { kind, item, problem: one.message }, one)));
}

/** Takes an item out of every file but its handler. An error says which of them cannot be edited. */
export function removeItem(request: RemoveRequest, loaded: LoadedPack, book: ChangeBook): readonly Diagnostic[] {
  const { manifest } = loaded;
  if (manifest === undefined) return loaded.diagnostics;
  return [
    ...removeDefinitions(request, manifest, book),
    ...removeDeclaration(request, manifest, book),
    ...removeFromServers(request, loaded, book),
  ];
}

function refuse(diagnostics: readonly Diagnostic[]): RemovePlan {
  return { changes: [], diagnostics: sortDiagnostics(diagnostics), isRefused: true };
}

/** Every definition, also those that another one shadows: they would come to light. */
function removeDefinitions({ kind, item }: RemoveRequest, { root }: Manifest, book: ChangeBook): readonly Diagnostic[] {
  if (root === undefined) return [];
  const found: Diagnostic[] = [];
  const reader = createReader(book.folder);
  for (const ref of discover(book.folder, root).value.filter(one => one.kind === kind)) {
    if (ref.item === item) book.drop(ref.path);
    if (ref.item !== undefined) continue;
    const documents = reader.documents(ref.path, ref.format).value ?? [];
    if (!documents.some(({ value }) => isMap(value) && Object.hasOwn(value, item))) continue;
    const isJson = ref.format === 'json';
    found.push(...edit(book, ref.path, body => (isJson ? removeFromJson(body, [item]) : removeYamlKey(body, item))));
  }
  return found;
}

function edit(book: ChangeBook, path: string, change: (body: string) => string | undefined): readonly Diagnostic[] {
  const before = book.text(path) ?? '';
  const edited = aroundMark(before, change);
  if (edited === undefined) return [notEditable(path, 'nothing can be removed from it safely')];
  if (edited !== before) book.put(path, edited);
  return [];
}

function removeDeclaration(
  { kind, item }: RemoveRequest,
  { declarations }: Manifest,
  book: ChangeBook,
): readonly Diagnostic[] {
  const names = declarations[kind]?.map(({ name }) => name) ?? [];
  if (!names.includes(item)) return [];
  const isMeant = (entry: unknown): boolean =>
    (Array.isArray(entry) ? entry[0] : isMap(entry) ? entry['name'] : entry) === item;
  return edit(
    book,
    manifestFile,
    body =>
      (kind === 'server' && names.length === 2 ? withoutServerList(body, names) : undefined) ??
      removeFromYamlList(body, [keyOf(kind)], isMeant),
  );
}

/** The manifest before `add` wrote the list of the first two servers; undefined where that is not the whole truth. */
function withoutServerList(body: string, names: readonly string[]): string | undefined {
  const without = removeYamlKey(body, keyOf('server'));
  // `{}` stands for a manifest of comments alone.
  const candidates = without === undefined ? [] : [without.replace(/^\{\}\r?\n?/m, ''), without];
  return candidates.find(text => listServers(text, names) === body);
}

function removeFromServers(
  { kind, item }: RemoveRequest,
  { catalog, manifest }: LoadedPack,
  book: ChangeBook,
): readonly Diagnostic[] {
  if (kind === 'server') return [];
  const isMeant = (entry: unknown): boolean => entry === item || entry === `${manifest?.name}/${item}`;
  return catalog.server.flatMap(({ name, winner }) => {
    const list = isMap(winner?.definition) ? winner.definition[keyOf(kind)] : undefined;
    if (winner === undefined || !Array.isArray(list) || !list.some(isMeant)) return [];
    // In the manifest itself it is one of a list: what is left there is reported as a place that breaks.
    if (winner.file === manifestFile) return [];
    const path = [...(winner.form === 'combined' ? [name] : []), keyOf(kind)];
    if (formatOf(winner.file) !== 'json')
      return edit(book, winner.file, body => removeFromYamlList(body, path, isMeant));
    const indexes = list.flatMap((entry, index) => (isMeant(entry) ? [index] : [])).reverse();
    return edit(book, winner.file, body =>
      indexes.reduce((text, index) => removeFromJson(text, [...path, index]), body),
    );
  });
}

/** Patches belong to operators. */
function reportOverlays({ kind, item }: RemoveRequest, folder: Folder): readonly Diagnostic[] {
  const reader = createReader(folder);
  const refs = overlayFolders(folder, []).flatMap(overlay => discover(folder, overlay).value);
  return refs
    .filter(ref => ref.kind === kind)
    .flatMap(ref => {
      if (ref.item !== undefined) return ref.item === item ? [startOf(ref.path)] : [];
      const documents = reader.documents(ref.path, ref.format).value ?? [];
      return documents.flatMap(one =>
        isMap(one.value) && Object.hasOwn(one.value, item) ? [one.site([item], 'key')] : [],
      );
    })
    .map(site => diagnose('author/overlay-entry', { kind, item }, site));
}

async function removeHandler(
  { kind, item, withHandler }: RemoveRequest,
  loaded: LoadedPack,
  folder: Folder,
  book: ChangeBook,
): Promise<readonly Diagnostic[]> {
  if (loaded.program === undefined) return [];
  const modules = modulesOf(loaded.program, folder);
  const wanted = wantedHandlers(loaded);
  const moduleOf = (path: string): string | undefined => {
    const found = modules.find(path);
    return found.found === 'module' ? found.path : undefined;
  };
  const own = wanted.find(({ serves }) => serves?.kind === kind && serves.item === item);
  const path = own === undefined ? undefined : moduleOf(own.path);
  if (path === undefined) return [];
  const others = wanted.filter(one => one !== own && moduleOf(one.path) === path);
  const served = [...new Set(others.map(({ serves, what }) => serves?.item ?? what))];
  if (served.length > 0)
    return withHandler ? [diagnose('author/kept-handler', { path, items: served }, startOf(path))] : [];
  if (!withHandler && !isUntouched(path, loaded.program, folder))
    return [diagnose('author/kept-handler', { path, items: [] }, startOf(path))];
  book.drop(path);
  return [];
}

/** As `generate` or `init` wrote it. `generate` itself would delete only the first, and only where nothing else is wrong. */
function isUntouched(path: string, { pack }: Program, folder: Folder): boolean {
  const text = readText(folder, path) ?? '';
  const ledger = readText(folder, bookkeepingOf(pack.generated).ledger);
  const entries = parseLedgers([ledger], pack.generated).get(path) ?? [];
  if (entries.some(entry => entry.role === 'stub' && entry.hash === hashText(text))) return true;
  const sample = printGreet(folder);
  return sample?.path === path && hashText(sample.text) === hashText(text);
}
