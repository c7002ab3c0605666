// In: what belongs together in the source, the record and the pack. Out: for each item what becomes of it: new, merged, left as it is.
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { asMap, type Path, printPointer } from '../../schema/document.js';
import { longestWireName } from '../../schema/names.js';
import type { Chosen } from './choices.js';
import type { FieldReport, ItemReport, ItemState } from './import-plan.js';
import type { Imported, ItemOrigin } from './imported.js';
import type { Match, SourceItem } from './match-items.js';
import { type FieldChange, mergeFields, type Side } from './merge-fields.js';
import type { PackItem, PackItems } from './pack-items.js';
import { compareFields, type FieldTree, hashField, makeTree, replaceHashes } from './record/fields.js';
import type { RecordedItem, RecordedKind } from './record/record.js';
import { type Names, translate } from './translate.js';
import { type ChangedItem, hashNotes, type ManifestEntries, type NewItem } from './write-items.js';

export interface MergeScene {
  readonly imported: Imported;
  readonly pack: PackItems;
  readonly choices: { readonly ours: Chosen; readonly theirs: Chosen; readonly restore: Chosen };
  /** The name of the source. */
  readonly source: string;
}

export interface MergedItems {
  readonly items: readonly ItemReport[];
  readonly created: readonly NewItem[];
  readonly changed: readonly ChangedItem[];
  readonly entries: Pick<ManifestEntries, 'backends' | 'config'>;
  readonly recorded: readonly RecordedItem[];
  /** What the source does not give any more and the pack has: with prune it goes. */
  readonly gone: readonly { readonly match: Match; readonly report: ItemReport }[];
  readonly diagnostics: readonly Diagnostic[];
}

export function mergeItems(matches: readonly Match[], scene: MergeScene): MergedItems {
  const { choices, imported } = scene;
  const diagnostics: Diagnostic[] = [];
  const named = nameItems(matches, scene, diagnostics);
  const hashes = renamedHashes(matches);
  const items: ItemReport[] = [];
  const created: NewItem[] = [];
  const changed: ChangedItem[] = [];
  const recorded: RecordedItem[] = [];
  const gone: { match: Match; report: ItemReport }[] = [];
  const entries = { backends: {} as Record<string, unknown>, config: {} as Record<string, unknown> };
  for (const match of matches) {
    if (match.item === undefined) takeGone(match);
    else takeItem(match, match.item);
  }
  return { items: withLikeness(items, matches, created), created, changed, entries, recorded, gone, diagnostics };

  function takeGone(match: Match): void {
    const { kind, recorded: old, found } = match;
    if (old === undefined) return;
    const name = found?.name ?? old.name;
    const why = whyGone(old.from, imported);
    const state = found === undefined ? 'deleted' : why.state;
    const report = { ...makeReport({ kind, name, state, from: old.from, found }), reason: why.reason };
    // Deleted on both sides: nothing is left to be remembered.
    if (found === undefined && why.state === 'removed') return;
    items.push(report);
    recorded.push({ ...old, name });
    if (found !== undefined && why.state !== 'left-out') gone.push({ match, report });
  }

  function takeItem(match: Match, item: SourceItem): void {
    const { kind, recorded: old, found, isOwn } = match;
    const name = named.pack.get(item) ?? item.name;
    const definition = translate(item.definition, kind, named.names);
    const fields = makeTree(definition);
    const line: RecordedItem = { kind, name, from: item.from, fields, notes: hashNotes(item.notes ?? []) };
    const called = name === item.name || kind === 'server' ? undefined : item.name;
    const was = old === undefined || isSameOrigin(old.from, item.from) ? undefined : old.from;
    const base = { kind, name, from: item.from, found, called, was };
    if (found === undefined) {
      const isBack = old !== undefined;
      if (isBack && !choices.restore.has(kind, namesOf(match))) {
        items.push(makeReport({ ...base, state: 'deleted' }));
        recorded.push({ ...line, isDeleted: true });
        return;
      }
      create(item, name, definition);
      items.push(makeReport({ ...base, state: isBack ? 'restored' : 'created' }));
      recorded.push(line);
      return;
    }
    if (isOwn && kind === 'server') {
      // The server of a new pack: nobody has written anything into it yet.
      const whole = { ...asMap(found.definition), ...asMap(definition) };
      merge({ match, item, base, tree: makeTree(found.definition), definition: whole, found });
      recorded.push(line);
      return;
    }
    if (isOwn && !isAdopted(found, fields)) {
      items.push(makeReport({ ...base, state: 'own' }));
      return;
    }
    const tree = old === undefined ? undefined : replaceHashes(old.fields, hashes);
    merge({ match, item, base, tree, definition, found });
    recorded.push(line);
  }

  function create(item: SourceItem, name: string, definition: unknown): void {
    const { kind, notes = [] } = item;
    if (kind === 'backend') entries.backends[name] = definition;
    else if (kind === 'config') entries.config[name] = definition;
    else created.push({ kind, name, definition, notes });
  }

  function merge({ match, item, base, tree, definition, found }: OneMerge): void {
    const { kind } = match;
    if (found.definition === undefined) {
      diagnostics.push(diagnose('import/in-the-way', { path: found.file, reason: 'it has mistakes' }, found.site()));
      return;
    }
    const choose = (path: Path): Side | undefined => {
      const names = namesOf(match);
      return choices.theirs.has(kind, names, path)
        ? 'theirs'
        : choices.ours.has(kind, names, path)
          ? 'ours'
          : undefined;
    };
    const merged = mergeFields({ base: tree, ours: found.definition, theirs: definition }, choose);
    const report = (one: FieldChange): FieldReport => reportField(one, item, found);
    const conflicts = merged.conflicts.map(report);
    diagnostics.push(...conflicts.map(printConflict));
    const isChanged = merged.updated.length > 0;
    const state: ItemState =
      conflicts.length > 0
        ? 'conflict'
        : match.isOwn && kind !== 'server'
          ? 'adopted'
          : isChanged
            ? 'updated'
            : 'unchanged';
    items.push({
      ...makeReport({ ...base, state }),
      updated: merged.updated.map(report),
      kept: merged.kept.map(report),
      conflicts,
    });
    const isNoted = match.recorded !== undefined && match.recorded.notes !== hashNotes(item.notes ?? []);
    const notes = { before: match.recorded?.notes, now: item.notes ?? [] };
    if (conflicts.length === 0 && (isChanged || isNoted)) changed.push({ found, definition: merged.value, notes });
  }
}

interface OneMerge {
  readonly match: Match;
  readonly item: SourceItem;
  readonly base: Omit<ReportParts, 'state'>;
  readonly tree: FieldTree | undefined;
  readonly definition: unknown;
  readonly found: PackItem;
}

/** What the pack has without a record is adopted where it says mostly the same: its record was lost, or an import was killed. */
function isAdopted({ definition, kind }: PackItem, fields: FieldTree): boolean {
  const { all, same } = compareFields(fields, definition);
  return definition !== undefined && (kind === 'config' ? same === all : same >= all / 2);
}

/** Looking at each pair takes long where a source has nothing of what it had. */
const mostPairs = 10_000;

/** A new item may be an old one under another name and at another place: that is for people to see. */
function withLikeness(
  items: readonly ItemReport[],
  matches: readonly Match[],
  created: readonly NewItem[],
): readonly ItemReport[] {
  const removed = new Set(
    items.filter(({ state }) => state === 'removed').map(({ kind, from }) => `${kind} ${from.place}`),
  );
  const gone = matches.filter(
    ({ item, recorded }) => item === undefined && removed.has(`${recorded?.kind} ${recorded?.from.place}`),
  );
  if (gone.length === 0 || gone.length * created.length > mostPairs) return items;
  return items.map(one => {
    const fresh =
      one.state === 'created' ? created.find(({ kind, name }) => kind === one.kind && name === one.name) : undefined;
    const like =
      fresh === undefined
        ? undefined
        : gone.find(({ kind, recorded }) => kind === one.kind && recorded !== undefined && isLike(recorded, fresh));
    if (like?.recorded === undefined) return one;
    return {
      ...one,
      reason: `it looks like ${like.found?.name ?? like.recorded.name}, which the source does not have any more`,
    };
  });
}

function isLike({ fields }: RecordedItem, { definition }: NewItem): boolean {
  const { all, same } = compareFields(fields, definition);
  return all >= 4 && same >= all / 2;
}

// Names.

interface Named {
  /** In the pack. */
  readonly pack: ReadonlyMap<SourceItem, string>;
  /** Those of the source that are others in the pack. */
  readonly names: Names;
}

function nameItems(matches: readonly Match[], { pack, source, choices }: MergeScene, diagnostics: Diagnostic[]): Named {
  const inPack = new Map<SourceItem, string>();
  const names = new Map<RecordedKind, Map<string, string>>();
  for (const { item, found, recorded } of matches) {
    if (item === undefined) continue;
    const { kind } = item;
    const isLeft =
      recorded !== undefined && found === undefined && !choices.restore.has(kind, namesOf({ item, recorded, found }));
    // Deleted by its author: whatever has its name now is something else.
    const old = recorded !== undefined && (isLeft || !pack.isTaken(kind, recorded.name)) ? recorded.name : undefined;
    const known = found?.name ?? old;
    const name = known ?? freeName(kind, item.name, pack, source);
    if (known === undefined && name !== item.name)
      diagnostics.push(
        diagnose('import/name-taken', { kind, name: item.name, used: name }, siteOfTaken(kind, item.name)),
      );
    pack.take(kind, name);
    inPack.set(item, name);
    if (name !== item.name) names.set(kind, (names.get(kind) ?? new Map<string, string>()).set(item.name, name));
  }
  return { pack: inPack, names };

  function siteOfTaken(kind: RecordedKind, name: string): Site {
    return pack.get(kind, name)?.site() ?? startOf('toolwright.yaml');
  }
}

/** With the name of the source behind it, and a number where that is taken, too. */
function freeName(kind: RecordedKind, name: string, pack: PackItems, source: string): string {
  if (!pack.isTaken(kind, name)) return name;
  const isSetting = kind === 'config';
  const suffix = isSetting ? source.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_') : source;
  for (let count = 1; ; count += 1) {
    const end = `${isSetting ? '_' : '-'}${suffix}${count === 1 ? '' : `${isSetting ? '_' : '-'}${count}`}`;
    const one = `${name.slice(0, Math.max(1, longestName - end.length))}${end}`;
    if (!pack.isTaken(kind, one)) return one;
  }
}

const longestName = Math.min(64, longestWireName);

/** References to schemas that their author has renamed by hand were changed by nobody: they follow. */
function renamedHashes(matches: readonly Match[]): ReadonlyMap<string, string> {
  const renamed = matches.filter(
    ({ kind, recorded, found }) =>
      kind === 'schema' && recorded !== undefined && found !== undefined && recorded.name !== found.name,
  );
  return new Map(
    renamed.map(({ recorded, found }) => [hashField(`schema:${recorded?.name}`), hashField(`schema:${found?.name}`)]),
  );
}

function namesOf({ item, recorded, found }: Pick<Match, 'item' | 'recorded' | 'found'>): readonly string[] {
  const all = [found?.name, item?.name, recorded?.name, item?.from.id, recorded?.from.id];
  return all.filter(one => one !== undefined);
}

// Reports.

interface ReportParts {
  readonly kind: RecordedKind;
  readonly name: string;
  readonly state: ItemState;
  readonly from: ItemOrigin;
  readonly found?: PackItem | undefined;
  readonly was?: ItemOrigin | undefined;
  readonly called?: string | undefined;
}

function makeReport({ kind, name, state, from, found, was, called }: ReportParts): ItemReport {
  return { kind, name, state, from, file: found?.file, was, called, updated: [], kept: [], conflicts: [] };
}

function reportField({ path, ours, theirs }: FieldChange, { from, site }: SourceItem, found: PackItem): FieldReport {
  const field = `${found.name}:${printPointer(path)}`;
  return { path, field, ours, theirs, site: () => found.at.site(path), place: from.place, placeSite: site };
}

function printConflict({ field, ours, theirs, site, place, placeSite }: FieldReport): Diagnostic {
  const related = placeSite === undefined ? [] : [{ ...placeSite(), message: `the source says so in ${place}` }];
  const hint = `keep it with --ours ${field}, take the other with --theirs ${field}, or edit it to say what ${place} says`;
  return diagnose('import/conflict', { field, ours: printSide(ours), theirs: printSide(theirs) }, site(), {
    hint,
    related,
  });
}

/** Cut: the whole of it is in the report. */
function printSide(value: unknown): string {
  if (value === undefined) return 'removed';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

function isSameOrigin(a: ItemOrigin, b: ItemOrigin): boolean {
  return a.id === b.id && a.place === b.place;
}

function whyGone(
  from: ItemOrigin,
  { leftOut, notChosen = [], isPartial }: Imported,
): { readonly state: 'removed' | 'not-chosen' | 'left-out'; readonly reason?: string } {
  const isSame = (one: ItemOrigin): boolean => (from.id === undefined ? one.place === from.place : one.id === from.id);
  const out = leftOut.find(one => isSame(one.from));
  if (out !== undefined) return { state: 'left-out', reason: out.reason };
  if (isPartial === true) return { state: 'left-out', reason: 'the source could not be read whole' };
  return { state: notChosen.some(isSame) ? 'not-chosen' : 'removed' };
}
