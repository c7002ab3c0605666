// Three versions of one definition: as it was imported, as the pack has it, as the source has it now. In: these. Out: the definition that
// the pack should have, and for each field that differs what became of it.
import { isFilled, type Path, setOwn } from '../../schema/document.js';
import { own } from '../../schema/json-schema/keywords.js';
import { equal } from '../../schema/support/values.js';
import { childOf, type FieldTree, hashField, isAsImported, isElements, isFieldMap } from './record/fields.js';

export type Side = 'ours' | 'theirs';

/** One field, or a part of the definition that one side has removed or replaced as a whole. Undefined: it has none. */
export interface FieldChange {
  readonly path: Path;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface MergedFields {
  /** With its keys in the order of the pack; new ones where the source has them. With conflicts it is as the pack has it there. */
  readonly value: unknown;
  /** Taken from the source. */
  readonly updated: readonly FieldChange[];
  /** Of the author, where the source says something else. */
  readonly kept: readonly FieldChange[];
  readonly conflicts: readonly FieldChange[];
}

export interface Versions {
  /** Undefined where nothing is known of an import. */
  readonly base: FieldTree | undefined;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** `choose`: which side a conflict is resolved to. */
export function mergeFields(versions: Versions, choose: (path: Path) => Side | undefined): MergedFields {
  const updated: FieldChange[] = [];
  const kept: FieldChange[] = [];
  const conflicts: FieldChange[] = [];
  const value = merge(versions, []);
  return { value, updated, kept, conflicts };

  function merge({ base, ours, theirs }: Versions, path: Path): unknown {
    const key = nameOf(path);
    if (equal(ours, theirs)) return ours;
    const change = { path, ours, theirs };
    if (isAsImported(base, ours, key)) {
      updated.push(...leavesOf(change));
      return theirs;
    }
    if (isAsImported(base, theirs, key)) {
      kept.push(...leavesOf(change));
      return ours;
    }
    if (isFilled(ours) && isFilled(theirs)) return mergeMaps({ base, ours, theirs }, path);
    const lists = listsOf({ base, ours, theirs }, key);
    if (lists !== undefined) return mergeElements(lists, { base, ours, theirs }, path);
    // What the author removed as a whole stays removed, whatever the source changes in it.
    if (ours === undefined && isFieldMap(base)) {
      kept.push(change);
      return undefined;
    }
    return resolve(change);
  }

  function mergeMaps({ base, ours, theirs }: Maps, path: Path): unknown {
    const value: Record<string, unknown> = {};
    for (const key of mergedKeys(ours, theirs)) {
      const versions = { base: childOf(base, key), ours: own(ours, key), theirs: own(theirs, key) };
      const one = merge(versions, [...path, key]);
      if (one !== undefined) setOwn(value, key, one);
    }
    return value;
  }

  /** Each element of a list is there or not, so that two sides never contradict each other. */
  function mergeElements({ ours, theirs }: Lists, { base, ...change }: Versions, path: Path): unknown {
    const known = new Set(Array.isArray(base) ? (base as readonly string[]) : []);
    const [has, had] = [new Set(ours), (one: string | null): boolean => known.has(hashField(one))];
    const wanted = new Set(theirs);
    const value = ours.filter(one => wanted.has(one) || !had(one));
    const added = theirs.filter(one => !has.has(one) && !had(one));
    for (const one of added) {
      const before = theirs.slice(0, theirs.indexOf(one)).findLast(other => value.includes(other));
      value.splice(before === undefined ? 0 : value.indexOf(before) + 1, 0, one);
    }
    // Without any value nothing would be right: that is what neither side means.
    if (value.length === 0 && !mayLack.has(nameOf(path))) return resolve({ path, ...change });
    const isUpdated = added.length > 0 || value.length < ours.length + added.length;
    const isKept = value.some(one => !wanted.has(one)) || theirs.some(one => !value.includes(one));
    if (isUpdated) updated.push({ path, ...change });
    if (isKept) kept.push({ path, ...change });
    const isGone = value.length === 0 && (change.ours === undefined || change.theirs === undefined);
    return isGone ? undefined : value;
  }

  function resolve(change: FieldChange): unknown {
    const side = choose(change.path);
    if (side === undefined) conflicts.push(change);
    else if (side === 'ours') kept.push(change);
    else updated.push(change);
    return side === 'theirs' ? change.theirs : change.ours;
  }
}

interface Maps {
  readonly base: FieldTree | undefined;
  readonly ours: Readonly<Record<string, unknown>>;
  readonly theirs: Readonly<Record<string, unknown>>;
}

interface Lists {
  readonly ours: readonly (string | null)[];
  readonly theirs: readonly (string | null)[];
}

/** Keys where none says the same as an empty list. Without an enum anything goes, which no list says. */
const mayLack: ReadonlySet<string | undefined> = new Set(['required', 'tags']);

/** The lists of both sides, where their elements are fields of their own. */
function listsOf({ base, ours, theirs }: Versions, key: string | undefined): Lists | undefined {
  if (base !== undefined && !Array.isArray(base)) return undefined;
  const read = (value: unknown): Lists['ours'] | undefined =>
    isElements(value, key) ? value : isNothing(value, key) ? [] : undefined;
  const [left, right] = [read(ours), read(theirs)];
  return left === undefined || right === undefined ? undefined : { ours: left, theirs: right };
}

function isNothing(value: unknown, key: string | undefined): boolean {
  return mayLack.has(key) && (value === undefined || (Array.isArray(value) && value.length === 0));
}

/** Those of ours in their order; a new one comes after the one that it follows in the source. */
function mergedKeys(ours: object, theirs: object): readonly string[] {
  const keys = Object.keys(ours);
  const known = new Set(keys);
  const all = Object.keys(theirs);
  if (all.every(key => known.has(key))) return keys;
  const after = new Map<string | undefined, string[]>();
  let before: string | undefined;
  for (const key of all) {
    if (known.has(key)) before = key;
    else after.set(before, [...(after.get(before) ?? []), key]);
  }
  return [...(after.get(undefined) ?? []), ...keys.flatMap(key => [key, ...(after.get(key) ?? [])])];
}

/** The fields of a part that is new or gone as a whole are one change; below two maps each is its own. */
function leavesOf({ path, ours, theirs }: FieldChange): readonly FieldChange[] {
  if (equal(ours, theirs)) return [];
  if (!isFilled(ours) || !isFilled(theirs)) return [{ path, ours, theirs }];
  return mergedKeys(ours, theirs).flatMap(key =>
    leavesOf({ path: [...path, key], ours: own(ours, key), theirs: own(theirs, key) }),
  );
}

function nameOf(path: Path): string | undefined {
  const key = path.at(-1);
  return key === undefined ? undefined : String(key);
}
