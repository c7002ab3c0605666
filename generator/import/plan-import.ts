// The story of an import: what a source gives, a pack, and what was imported before. Out: every file that changes, and what became of
// each item. Nothing is written: a conflict stops all of it.
import type { Folder } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { type Manifest, manifestFile } from '../../runtime/load/manifest.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { byCodePoint } from '../../schema/names.js';
import { type ChangeBook, type FileChange, openBook, plannedFolder } from '../author/change-book.js';
import { planInit } from '../author/plan-init.js';
import { readChoice } from './choices.js';
import { findMistakes } from './find-mistakes.js';
import { findSource } from './find-source.js';
import { findUnread } from './find-unread.js';
import type { ImportPlan, ImportRequest } from './import-plan.js';
import { listSource } from './list-source.js';
import { matchItems } from './match-items.js';
import { mergeItems } from './merge-items.js';
import { packItems } from './pack-items.js';
import { pruneItems } from './prune-items.js';
import {
  emptyRecord,
  type ImportRecord,
  importFile,
  printRecord,
  readRecord,
  type SourceRecord,
} from './record/record.js';
import { writeChanged, writeNew } from './write-items.js';

/**
 * Plans an import, the first one or a later one.
 *
 * @example
 * const { changes, items, diagnostics } = planImport({ folder, loaded: load(folder), imported, source: { address: 'api.yaml' } });
 */
export function planImport(request: ImportRequest): ImportPlan {
  const { imported, source, options = {} } = request;
  const start = openPack(request);
  const { manifest } = start.loaded;
  const read = readRecord(start.folder);
  const wrong = [...start.diagnostics, ...read.diagnostics, ...findUnread(start.folder, start.loaded)];
  // What is wrong with single operations stops nobody; a source that gives nothing at all was not read.
  const isUnread = hasErrors(imported.diagnostics) && imported.items.length === 0;
  if (manifest === undefined || hasErrors(wrong) || isUnread) return refuse([...wrong, ...imported.diagnostics], '');
  const record = read.value ?? emptyRecord;
  const name = findSource(record, source, imported);
  const before = record.sources[name];
  const pack = packItems(start.loaded, start.folder);
  const elsewhere = recordedElsewhere(record, name);
  const server = start.isNew ? pack.all('server')[0]?.name : undefined;
  const listed = listSource(imported, before?.items ?? [], server);
  const matches = matchItems(listed.items, before?.items ?? [], pack, { isRecordedElsewhere: elsewhere });
  const [ours, theirs, restore] = [options.ours, options.theirs, options.restore].map(readChoice);
  const choices = { ours: ours ?? readChoice(), theirs: theirs ?? readChoice(), restore: restore ?? readChoice() };
  const merged = mergeItems(matches, {
    imported: {
      ...imported,
      leftOut: [...imported.leftOut, ...listed.leftOut],
      isPartial: imported.isPartial === true || hasErrors(imported.diagnostics),
    },
    pack,
    choices,
    source: name,
  });
  const book = openBook(start.folder);
  const target = { root: manifest.root ?? '', generated: manifest.generated };
  const written = [
    ...merged.created.flatMap(item => writeNew(item, target, book)),
    ...writeChanged(merged.changed, { ...merged.entries, names: closedNames(merged.created, manifest) }, book),
  ];
  const pruned = options.prune === true ? pruneItems(merged, { loaded: start.loaded, pack, book }) : undefined;
  const reports = (pruned?.items ?? merged.items).toSorted(
    (a, b) => byCodePoint(a.kind, b.kind) || byCodePoint(a.name, b.name),
  );
  const found = [
    ...wrong,
    ...listed.diagnostics,
    ...merged.diagnostics,
    ...written,
    ...(pruned?.diagnostics ?? []),
    ...choices.ours.unused('--ours'),
    ...choices.theirs.unused('--theirs'),
    ...choices.restore.unused('--restore'),
  ];
  if (hasErrors(found)) return { ...refuse([...imported.diagnostics, ...found], name), items: reports };
  const next = addSource(record, name, { ...source, items: pruned?.recorded ?? merged.recorded });
  putRecord(next, read.value, book);
  const mistakes = (pruned?.removed ?? 0) > 0 ? findMistakes(start.folder, start.loaded, book) : [];
  if (mistakes.length > 0) return { ...refuse([...imported.diagnostics, ...found, ...mistakes], name), items: reports };
  return {
    changes: joinChanges(start.changes, book.changes()),
    items: reports,
    diagnostics: sortDiagnostics([...imported.diagnostics, ...found]),
    record: next,
    source: name,
    notes: start.notes,
  };
}

function refuse(diagnostics: readonly Diagnostic[], source: string): ImportPlan {
  return { changes: [], items: [], diagnostics: sortDiagnostics(diagnostics), record: undefined, source, notes: [] };
}

function isOfManifest({ file, severity, code }: Diagnostic): boolean {
  return file === manifestFile && severity === 'error' && /^(?:parse|validate)\//.test(code);
}

interface StartedPack {
  readonly folder: Folder;
  readonly loaded: LoadedPack;
  readonly isNew: boolean;
  /** That make it a pack. */
  readonly changes: readonly FileChange[];
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The pack as it is, or as `init` would make it. */
function openPack({ folder, loaded, newPack }: ImportRequest): StartedPack {
  if (loaded?.manifest !== undefined || newPack === undefined) {
    const pack = loaded ?? load(folder);
    // What is wrong with items is their author's business; a manifest that is half understood would be read otherwise once it is right.
    const wrong = pack.manifest === undefined ? pack.diagnostics : pack.diagnostics.filter(isOfManifest);
    return { folder, loaded: pack, isNew: false, changes: [], notes: [], diagnostics: wrong };
  }
  const { changes, notes, diagnostics } = planInit(folder, { ...newPack, isEmpty: true });
  const planned = plannedFolder(folder, changes);
  return { folder: planned, loaded: load(planned), isNew: true, changes, notes, diagnostics };
}

function recordedElsewhere({ sources }: ImportRecord, name: string): (kind: string, item: string) => boolean {
  const others = Object.entries(sources).filter(([one]) => one !== name);
  const keys = new Set(others.flatMap(([, { items }]) => items.map(item => `${item.kind} ${item.name}`)));
  return (kind, item) => keys.has(`${kind} ${item}`);
}

/** A kind that toolwright.yaml lists has only what the list names. */
function closedNames(
  created: readonly { readonly kind: string; readonly name: string }[],
  { declarations }: Manifest,
): Readonly<Record<string, readonly string[]>> {
  const names: Record<string, string[]> = {};
  for (const [kind, list] of Object.entries(declarations)) {
    const known = new Set(list.map(({ name }) => name));
    const fresh = created.filter(one => one.kind === kind && !known.has(one.name)).map(({ name }) => name);
    if (fresh.length > 0) names[kind] = fresh;
  }
  return names;
}

function addSource({ sources }: ImportRecord, name: string, { address, settings, items }: SourceRecord): ImportRecord {
  return { sources: { ...sources, [name]: { address, settings: settings ?? {}, items } } };
}

/** Only where it says something else than before: a file that somebody has formatted stays. */
function putRecord(next: ImportRecord, before: ImportRecord | undefined, book: ChangeBook): void {
  const text = printRecord(next);
  if (before === undefined || printRecord(before) !== text) book.put(importFile, text);
}

/** The files of a new pack, as the import leaves them. What an import has begun is finished by the next one as long as the record comes last. */
export function joinChanges(first: readonly FileChange[], second: readonly FileChange[]): readonly FileChange[] {
  const joined = new Map(first.map(change => [change.path, change]));
  for (const change of second)
    joined.set(change.path, {
      ...change,
      before: joined.has(change.path) ? joined.get(change.path)?.before : change.before,
    });
  const all = [...joined.values()].filter(({ before, after }) => before !== after);
  return [...all.filter(({ path }) => path !== importFile), ...all.filter(({ path }) => path === importFile)];
}

export type { ImportOptions, ImportPlan, ImportRequest, ItemReport } from './import-plan.js';
