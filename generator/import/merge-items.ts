// In: what belongs together in the source, the record and the pack. Out: for each item what becomes of it: new, merged, left as it is.
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { asMap, type Path } from '../../schema/document.js';
import type { Chosen } from './choices.js';
import type { FieldReport, ItemReport, ItemState } from './import-plan.js';
import type { Imported } from './imported.js';
import type { Match, SourceItem } from './match-items.js';
import { type FieldChange, mergeFields, type Side } from './merge-fields.js';
import { nameItems, namesOf, renamedHashes } from './name-items.js';
import type { PackItem, PackItems } from './pack-items.js';
import { compareFields, type FieldTree, makeTree, replaceHashes } from './record/fields.js';
import type { RecordedItem } from './record/record.js';
import { isSameOrigin, makeReport, printConflict, type ReportParts, reportField, whyGone } from './report-items.js';
import { translate } from './translate.js';
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
    recorded.push({ ...old, name, isGone: why.state === 'removed' ? true : old.isGone });
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
        // With its fields as they were imported: where its author brings it back, it gets what the source has changed since then.
        recorded.push({ ...old, name, from: item.from, isDeleted: true });
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
      diagnostics.push(
        diagnose('import/in-the-way', { path: found.file, reason: 'it has mistakes' }, found.site(), {
          hint: 'correct it first: toolwright check shows what is wrong with it',
        }),
      );
      return;
    }
    const choose = (path: Path): Side | undefined => {
      const names = namesOf(match);
      const [mine, its] = [choices.ours, choices.theirs].map(one => one.weightOf(kind, names, path));
      // What both name alike is chosen by neither.
      return mine === its ? undefined : (mine ?? 0) > (its ?? 0) ? 'ours' : 'theirs';
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
    // Only a file of its own has its notes.
    const isAlone = found.path?.length === 0;
    const isNoted = isAlone && match.recorded !== undefined && match.recorded.notes !== hashNotes(item.notes ?? []);
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
