// In: a loaded pack and a new name for one of its items. Out: every edit and move that it takes. Writes nothing.
import {
  type Modules,
  openModules,
  stemOf,
  type WantedHandler,
  wantedHandlers,
} from '../../runtime/call/handlers/find-handler.js';
import { type Folder, joinPath, nameOf, parentOf, readTextIn } from '../../runtime/load/folder.js';
import { inlineItems } from '../../runtime/load/link-server.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { createReader } from '../../runtime/load/read.js';
import { maxBytes } from '../../runtime/load/read-file.js';
import type { HandledKind } from '../../schema/definitions.js';
import { isHandled, type Kind, keyOf } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, type Site, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { camelCase, isItemName, longestWireName, toItemName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { titleOf } from '../author/print-starter.js';
import { findMentions } from './find-mentions.js';
import { movedPath, renameInManifests } from './rename-manifests.js';
import { renameRecorded } from './rename-record.js';
import { renameInSources } from './rename-sources.js';
import { createEditBook, type EditBook, type FileEdits, type Move } from './text-edits.js';

export type { FileEdits, Move, TextEdit } from './text-edits.js';

export interface RenameRequest {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
  /** Folders of patches inside the pack, relative to it; those below `overlays/` are found without being named. */
  readonly overlays?: readonly string[];
}

export interface RenamePlan {
  readonly edits: readonly FileEdits[];
  readonly moves: readonly Move[];
  /** With an error among them there is nothing to apply. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One item as the rename sees it: declared and defined, or only one of these. */
export interface Named {
  readonly name: string;
  readonly definition: unknown;
  /** The file that defines it or should. */
  readonly file: string;
  site(): Site;
}

/**
 * Plans the new name of an item everywhere in its pack: manifests, texts, overlays, handlers and what imports them.
 *
 * @example
 * const plan = await planRename(load(path), nodeFolder(path), { kind: 'tool', from: 'get-issue', to: 'fetch-issue' });
 */
export async function planRename(loaded: LoadedPack, folder: Folder, request: RenameRequest): Promise<RenamePlan> {
  const { kind, from, to } = request;
  const { manifest } = loaded;
  if (manifest === undefined) return { edits: [], moves: [], diagnostics: loaded.diagnostics };
  const items = itemsOf(loaded, kind);
  const item = items.find(({ name }) => name === from);
  if (item === undefined) return refuse(unknownItem(request, items));
  const wrongName = checkName(request, items, item);
  if (wrongName !== undefined) return refuse(wrongName);
  const broken = brokenItem(loaded, request, item);
  if (broken !== undefined) return refuse(broken);
  const diagnostics: Diagnostic[] = [];
  const book = createEditBook(path => readText(folder, path));
  const { generated, handlers, dist, name: pack, root = '' } = manifest;
  const overlays = overlayFolders(folder, request.overlays ?? []);
  const reader = createReader(folder);
  const moves = [...renameInManifests({ kind, from, to, pack, root, overlays, reader, book, diagnostics })];
  const modules = openModules(folder, { handlers, dist });
  if (isHandled(kind)) {
    const moved = moveHandler({ loaded, kind, from, to, modules, book, diagnostics });
    await renameInSources({ kind, from, to, pack, generated, dist, modules, book, moves: moved });
    // A rename that is interrupted can be run again as long as the item is still found under its old name.
    moves.unshift(...moved);
  } else if (kind === 'schema')
    await renameInSources({ kind, from, to, pack, generated, dist, modules, book, moves: [] });
  renameRecorded(request, book, diagnostics);
  for (const move of moves)
    if (isTaken(folder, move)) diagnostics.push(diagnose('rename/target-exists', move, startOf(move.to)));
  const wire = wireName(item);
  if (wire === from && kind !== 'schema') {
    const hint = `to keep it, write name: ${from} in the definition`;
    diagnostics.push(diagnose('rename/wire-name', { before: from, after: to }, item.site(), { hint }));
  }
  const paths = modules.below('', new Set([generated, dist]), isReadByPeople);
  diagnostics.push(...findMentions({ from, paths, book }), ...findTitle(loaded, request));
  const found = sortDiagnostics(diagnostics);
  return hasErrors(found)
    ? { edits: [], moves: [], diagnostics: found }
    : { edits: book.files(), moves, diagnostics: found };
}

function isReadByPeople(path: string, isLink: boolean): boolean {
  return !isLink && /\.(?:[cm]?[jt]sx?|mdx?)$/i.test(path);
}

/** A title that was made of the old name. */
function findTitle({ catalog }: LoadedPack, { kind, from }: RenameRequest): readonly Diagnostic[] {
  const winner = catalog[kind].find(({ name }) => name === from)?.winner;
  const title = isMap(winner?.definition) ? winner.definition['title'] : undefined;
  if (winner === undefined || title !== titleOf(from)) return [];
  return [diagnose('rename/not-changed', { name: title, more: 0 }, winner.at.site(['title']))];
}

/** The same diagnostics once the moves are done: what they point at has another path then. */
export function followMoves(diagnostics: readonly Diagnostic[], moves: readonly Move[]): readonly Diagnostic[] {
  const targets = new Map(moves.map(({ from, to }) => [from, to]));
  const follow = <S extends Site>(site: S): S => ({ ...site, file: targets.get(site.file) ?? site.file });
  return diagnostics.map(one => ({
    ...follow(one),
    ...(one.related === undefined ? {} : { related: one.related.map(follow) }),
  }));
}

function refuse(diagnostic: Diagnostic): RenamePlan {
  return { edits: [], moves: [], diagnostics: [diagnostic] };
}

export function itemsOf({ catalog }: LoadedPack, kind: Kind): readonly Named[] {
  const inline = catalog.server.flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)));
  return [
    ...catalog[kind].map(({ name, declaration, winner, file = manifestFile }) => ({
      name,
      definition: winner?.definition,
      file,
      site: declaration?.site ?? winner?.site ?? (() => startOf(file)),
    })),
    ...inline.filter(one => one.kind === kind),
  ];
}

function wireName({ name, definition }: Named): string {
  return isMap(definition) && typeof definition['name'] === 'string' ? definition['name'] : name;
}

const mostNames = 10;

function listNames(kind: Kind, names: readonly string[]): string {
  if (names.length === 0) return `it has no ${kind}s`;
  const more = names.length > mostNames ? ', ... (toolwright inspect shows all of them)' : '';
  return `it has ${names.slice(0, mostNames).join(', ')}${more}`;
}

export function unknownItem({ kind, from }: Pick<RenameRequest, 'kind' | 'from'>, items: readonly Named[]): Diagnostic {
  const wired = items.find(one => wireName(one) === from);
  const names = items.map(({ name }) => name);
  const hint =
    wired === undefined
      ? (didYouMean(from, names) ?? listNames(kind, names))
      : `that is the name that clients see for "${wired.name}"`;
  return diagnose('rename/unknown-item', { kind, item: from }, startOf(manifestFile), { hint });
}

/** Where the handler of a broken item is cannot be told, and half a rename is worse than none. */
function brokenItem(
  { program, diagnostics }: LoadedPack,
  { kind, from }: RenameRequest,
  item: Named,
): Diagnostic | undefined {
  if (item.definition === undefined || program?.[`${kind}s`].some(one => one.item === from) === true) return undefined;
  const [first] = diagnostics.filter(one => one.severity === 'error' && one.file === item.file);
  const reason = first?.message ?? `the ${kind} ${JSON.stringify(from)} has mistakes`;
  return diagnose('rename/broken-pack', { path: item.file, reason }, first ?? item.site());
}

function checkName({ kind, from, to }: RenameRequest, items: readonly Named[], item: Named): Diagnostic | undefined {
  const reason =
    from === to
      ? 'it is the name already'
      : !isItemName(to)
        ? 'item names have letters, digits, dots, dashes and underscores, a letter or digit first'
        : to.length > longestWireName
          ? `it is longer than ${longestWireName} characters`
          : undefined;
  const better = from === to || isItemName(to) ? undefined : toItemName(to);
  const hint = better === undefined ? undefined : `write ${better}`;
  if (reason !== undefined) return diagnose('rename/invalid-name', { name: to, reason }, item.site(), { hint });
  const key = (name: string): string => camelCase(name).toLowerCase();
  const other = items.find(one => one !== item && key(one.name) === key(to));
  return other && diagnose('rename/name-clash', { kind, name: to, other: other.name }, other.site());
}

/** Every folder in `overlays/` that has a root's layout, and those that were named. */
export function overlayFolders(folder: Folder, named: readonly string[]): readonly string[] {
  const keys = (['server', 'tool', 'prompt', 'resource'] as const).map(keyOf);
  const isLikeRoot = (path: string): boolean =>
    folder.list(path)?.some(({ name }) => keys.some(key => name === key || name.startsWith(`${key}.`))) ?? false;
  const found = (folder.list('overlays') ?? [])
    .filter(({ type }) => type === 'folder')
    .map(({ name }) => joinPath('overlays', name));
  return [...new Set([...found.filter(isLikeRoot), ...named])].sort();
}

/** On some systems a file with other case is the same file; only its folder knows how it is spelled. */
function isTaken(folder: Folder, { from, to }: Move): boolean {
  const isSpelled = folder.list(parentOf(to))?.some(({ name }) => name === nameOf(to)) ?? false;
  return isSpelled || (from.toLowerCase() !== to.toLowerCase() && folder.status(to) !== 'missing');
}

/** With its BOM, so that the file can be written as it was; undefined where it is not text. */
function readText(folder: Folder, path: string): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return folder.status(path) === 'file' ? readTextIn(folder, path, maxBytes, decoder) : undefined;
}

// In: an item that gets a new name. Out: where its handler module moves, if it is called after the item.

interface HandlerMove {
  readonly loaded: LoadedPack;
  readonly kind: HandledKind;
  readonly from: string;
  readonly to: string;
  readonly modules: Modules;
  readonly book: EditBook;
  readonly diagnostics: Diagnostic[];
}

function moveHandler({ loaded, kind, from, to, modules, book, diagnostics }: HandlerMove): readonly Move[] {
  const wanted = wantedHandlers(loaded);
  const own = wanted.find(({ serves }) => serves?.kind === kind && serves.item === from) ?? undefinedItem();
  const path = own === undefined ? undefined : moduleOf(own);
  if (own === undefined || path === undefined || nameOf(stemOf(path)) !== from) return [];
  const isBuilt = stemOf(path) !== stemOf(own.path);
  const sharing = wanted.filter(one => one !== own && moduleOf(one) === path);
  const served = sharing.flatMap(({ serves }) => (serves === undefined ? [] : [serves.item]));
  if (isBuilt) return [];
  if (served.length > 0) {
    // A module that the manifest names can stay where it is.
    if (!own.isNamed) diagnostics.push(diagnose('rename/shared-handler', { path, items: served }, own.site()));
    return [];
  }
  for (const one of [own, ...sharing]) if (one.isNamed) renameReference(one);
  const target = movedPath(path, from, to);
  const inTheWay = otherModule(movedPath(own.path, from, to), target);
  if (inTheWay !== undefined)
    diagnostics.push(diagnose('rename/target-exists', { from: path, to: inTheWay }, startOf(inTheWay)));
  return [{ from: path, to: target }];

  /** A module of another extension that would be taken for the handler in place of the one that moves. */
  function otherModule(wanted: string, target: string): string | undefined {
    const found = wanted === target ? undefined : modules.find(wanted);
    if (found?.found !== 'module' || found.path === target) return undefined;
    return stemOf(found.path) === stemOf(wanted) ? found.path : undefined;
  }

  /** An item without definition, as a rename that was interrupted leaves it: its module is where it would be. */
  function undefinedItem(): WantedHandler | undefined {
    const entry = loaded.catalog[kind].find(({ name, winner }) => name === from && winner === undefined);
    const { declaration } = entry ?? {};
    if (declaration === undefined) return undefined;
    const path = joinPath(loaded.manifest?.handlers ?? '', `${kind}s`, `${from}.ts`);
    return { path, export: 'default', what: '', role: 'handler', isNamed: false, site: declaration.site };
  }

  function moduleOf({ path: named }: WantedHandler): string | undefined {
    const found = modules.find(named);
    return found.found === 'module' ? found.path : undefined;
  }

  /** `handler: src/tools/get-issue.ts#run`: only the name of the file changes. */
  function renameReference({ site, path: named }: WantedHandler): void {
    const place = site();
    const span = book.offsetsOf(place);
    const raw = span === undefined ? '' : (book.text(place.file)?.slice(span.start, span.end) ?? '');
    const [file = ''] = raw.split('#');
    const start = file.lastIndexOf(nameOf(named));
    if (span === undefined || start < 0 || /\s/.test(raw)) {
      diagnostics.push(diagnose('rename/by-hand', { what: `the path ${JSON.stringify(named)}`, name: to }, place));
      return;
    }
    book.edit(place.file, { start: span.start + start, end: span.start + start + from.length, text: to });
  }
}
