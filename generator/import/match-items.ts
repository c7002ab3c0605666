// Which item of a source is which of the last import, and which of the pack. In: the three lists. Out: for each item of the source or of
// the record what belongs together. Names are not what decides: authors rename items, and sources do.
import { asMap, isMap } from '../../schema/document.js';
import type { ImportedItem, ItemOrigin } from './imported.js';
import type { PackItem, PackItems } from './pack-items.js';
import { childOf, compareFields, hashField, isAsImported, makeTree } from './record/fields.js';
import { type RecordedItem, type RecordedKind, recordedKinds } from './record/record.js';

/** An item or an entry of toolwright.yaml, as the source has it. */
export interface SourceItem extends Omit<ImportedItem, 'kind'> {
  readonly kind: RecordedKind;
}

export interface Match {
  readonly kind: RecordedKind;
  /** Undefined where the source does not give it any more. */
  readonly item: SourceItem | undefined;
  /** Undefined where it was not imported before. */
  readonly recorded: RecordedItem | undefined;
  /** Undefined where the pack does not have it. */
  readonly found: PackItem | undefined;
  /** Not imported before, and in the pack: written by hand for the same thing, or imported with a record that was lost. */
  readonly isOwn: boolean;
}

export function matchItems(
  items: readonly SourceItem[],
  recorded: readonly RecordedItem[],
  pack: PackItems,
  { isRecordedElsewhere }: { readonly isRecordedElsewhere: (kind: RecordedKind, name: string) => boolean },
): readonly Match[] {
  const before = matchRecorded(items, recorded);
  const inPack = findRecorded(recorded, pack, isRecordedElsewhere);
  const known = new Set([...inPack.values()].filter(one => one !== undefined));
  const free = (kind: RecordedKind): readonly PackItem[] =>
    pack.all(kind).filter(one => !known.has(one) && !isRecordedElsewhere(kind, one.name));
  const byHand = findByHand(items, { free, pack });
  const matches = items.map((item): Match => {
    const old = before.get(item);
    if (old !== undefined) return { kind: item.kind, item, recorded: old, found: inPack.get(old), isOwn: false };
    const found = byHand.get(item);
    return { kind: item.kind, item, recorded: undefined, found, isOwn: found !== undefined };
  });
  const kept = new Set(before.values());
  const gone = recorded
    .filter(one => !kept.has(one))
    .map((one): Match => ({ kind: one.kind, item: undefined, recorded: one, found: inPack.get(one), isOwn: false }));
  return [...matches, ...gone];
}

/** Those that are the same in all, then those with the same id, then those in the same place. */
function matchRecorded(
  items: readonly SourceItem[],
  recorded: readonly RecordedItem[],
): ReadonlyMap<SourceItem, RecordedItem> {
  const found = new Map<SourceItem, RecordedItem>();
  const used = new Set<RecordedItem>();
  const rounds: readonly ((from: ItemOrigin, name: string) => string | undefined)[] = [
    ({ id, place }) => JSON.stringify([id, place]),
    ({ id }) => id,
    ({ place }) => place,
  ];
  for (const keyOf of rounds) {
    const byKey = new Map<string, RecordedItem>();
    for (const one of recorded) {
      const key = used.has(one) ? undefined : keyOf(one.from, one.name);
      if (key !== undefined && !byKey.has(`${one.kind} ${key}`)) byKey.set(`${one.kind} ${key}`, one);
    }
    for (const item of items) {
      const key = found.has(item) ? undefined : keyOf(item.from, item.name);
      const one = key === undefined ? undefined : byKey.get(`${item.kind} ${key}`);
      if (one === undefined || used.has(one)) continue;
      found.set(item, one);
      used.add(one);
    }
  }
  return found;
}

/** By name; what has another name now does the same call, or says mostly what was imported. */
function findRecorded(
  recorded: readonly RecordedItem[],
  pack: PackItems,
  isRecordedElsewhere: (kind: RecordedKind, name: string) => boolean,
): ReadonlyMap<RecordedItem, PackItem | undefined> {
  const found = new Map<RecordedItem, PackItem | undefined>();
  const named = new Set<PackItem>();
  for (const one of recorded) {
    const item = pack.get(one.kind, one.name);
    // What its author deleted, and wrote again in another way, is not what was imported.
    if (item === undefined || (one.isDeleted && shareOf(one, item) < alike)) continue;
    found.set(one, item);
    named.add(item);
  }
  for (const one of recorded) {
    if (found.has(one) || one.isDeleted) continue;
    const others = pack
      .all(one.kind)
      .filter(item => !named.has(item) && !isRecordedElsewhere(one.kind, item.name))
      .map(item => ({ item, share: shareOf(one, item) }))
      .filter(({ item, share }) => share >= alike && isSameCall(one, item) && isTelling(one))
      .sort((a, b) => b.share - a.share);
    const [best] = others;
    found.set(one, best?.item);
    if (best !== undefined) named.add(best.item);
  }
  return found;
}

/** Of the fields that were imported, how many must be as they were for an item to be the same one. */
const alike = 0.5;

function shareOf({ fields }: RecordedItem, { definition }: PackItem): number {
  const { all, same } = compareFields(fields, definition);
  return all === 0 ? 1 : same / all;
}

/** What has a few fields only is like many others: all settings that are secrets say the same. */
function isTelling({ kind, fields }: RecordedItem): boolean {
  if (kind === 'config') return false;
  return kind === 'tool' || kind === 'backend' || compareFields(fields, undefined).all >= 3;
}

/** Two tools may say nearly the same of two operations. */
function isSameCall({ kind, fields }: RecordedItem, { definition }: PackItem): boolean {
  if (kind === 'backend') return isAsImported(childOf(fields, 'url'), asMap(definition)['url'], 'url');
  if (kind !== 'tool') return true;
  const { http, mcp } = asMap(fields);
  const call =
    http === undefined ? { tree: mcp, now: asMap(definition)['mcp'] } : { tree: http, now: asMap(definition)['http'] };
  if (call.tree === undefined) return true;
  if (!isMap(call.tree)) return call.tree === hashField(call.now);
  const now = asMap(call.now);
  const { method, path, name } = call.tree;
  const isSame = (hash: unknown, value: unknown): boolean =>
    hash === undefined ? value === undefined : typeof value === 'string' && hash === hashField(value);
  return isSame(method, now['method']) && isSame(path, now['path']) && isSame(name, now['name']);
}

interface Pack {
  readonly pack: PackItems;
  /** What no import has recorded. */
  free(kind: RecordedKind): readonly PackItem[];
}

/** For items that were not imported before: what an author has written for the same operation, or what says the same under its name. */
function findByHand(items: readonly SourceItem[], { free, pack }: Pack): ReadonlyMap<SourceItem, PackItem> {
  const found = new Map<SourceItem, PackItem>();
  const addresses = new Map(pack.all('backend').map(({ name, definition }) => [name, asMap(definition)['url']]));
  for (const item of items)
    if (item.kind === 'backend' && !addresses.has(item.name)) addresses.set(item.name, item.definition['url']);
  const callOf = (definition: unknown): string | undefined => printCall(definition, addresses);
  const isFree = new Set(recordedKinds.flatMap(free));
  const byCall = new Map(free('tool').map(one => [callOf(one.definition), one]));
  const used = new Set<PackItem>();
  for (const item of items) {
    const named = pack.get(item.kind, item.name);
    const call = item.kind === 'tool' ? callOf(item.definition) : undefined;
    const sameCall = call === undefined ? undefined : byCall.get(call);
    const one = named !== undefined && isFree.has(named) && isSameThing(item, named, call) ? named : sameCall;
    if (one === undefined || used.has(one)) continue;
    found.set(item, one);
    used.add(one);
  }
  return found;

  function isSameThing(item: SourceItem, named: PackItem, call: string | undefined): boolean {
    // A setting means what its name says; it is the author's who declared it first. Of servers only that of a new pack is imported.
    if (item.kind === 'config' || item.kind === 'server') return true;
    if (item.kind === 'backend')
      return asMap(named.definition)['url'] === item.definition['url'] || isAlike(item, named);
    if (call !== undefined && callOf(named.definition) !== undefined) return callOf(named.definition) === call;
    return isAlike(item, named);
  }
}

function isAlike({ definition }: SourceItem, named: PackItem): boolean {
  const { all, same } = compareFields(makeTree(definition), named.definition);
  return same / all >= alike;
}

/** What a tool asks for: the same for all that ask for it in other words. */
function printCall(definition: unknown, addresses: ReadonlyMap<string, unknown>): string | undefined {
  const { http, mcp } = asMap(definition);
  const only = addresses.size === 1 ? [...addresses.keys()][0] : undefined;
  const [, method, path] =
    typeof http === 'string'
      ? (/^([A-Z]+) (\S+)$/.exec(http) ?? [])
      : [undefined, asMap(http)['method'] ?? 'GET', asMap(http)['path']];
  const address = (call: unknown): unknown => {
    const { backend = only } = asMap(call);
    return typeof backend === 'string' ? (addresses.get(backend) ?? backend) : '';
  };
  if (typeof path === 'string') return JSON.stringify([address(http), method, path.replaceAll(/\{[^}]*\}/g, '{}')]);
  const { name } = asMap(mcp);
  return typeof name === 'string' ? JSON.stringify([address(mcp), name]) : undefined;
}
