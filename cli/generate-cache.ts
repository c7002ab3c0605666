// What generate need not find out again: hashes of the files it wrote, the declarations of each item, and what they say
// less than its schemas. Two files per pack: declarations are long, and read only where some are to be printed.
// Never needed: whatever is wrong with them, the disk is read as if there were none.
import type { Block } from '../generator/declarations/block.js';
import type { Section } from '../generator/declarations/item.js';
import type { SectionMemo } from '../generator/plan.js';
import type { HashMemo } from '../generator/snapshot.js';
import type { Diagnostic } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { cacheFile, isStable, readCached, writeCached } from './parse-cache.js';

const layouts = { files: 'generated-2', sections: 'sections-1' };

export interface GenerateCache {
  readonly memo: HashMemo;
  readonly sections: SectionMemo;
  /** Writes what was used in this run, unless nearly all of it is there; the rest is forgotten. */
  save(): void;
}

/** Undefined where nothing is to be kept. */
export function openGenerateCache(pack: string): GenerateCache | undefined {
  const file = cacheFile(pack, layouts.files);
  const sectionsFile = cacheFile(pack, layouts.sections);
  if (file === undefined || sectionsFile === undefined) return undefined;
  const stored = readCached(file);
  const part = (key: string): unknown => (isMap(stored) ? stored[key] : undefined);
  const hashes = openEntries(part('hashes'), isHash);
  const widened = openEntries(part('widened'), isList);
  let opened: Entries<Section> | undefined;
  const sections = (): Entries<Section> => {
    opened ??= openEntries(readCached(sectionsFile), isSection);
    return opened;
  };
  return {
    memo: {
      get: (path, stamp) => hashes.get(path, ([known]) => known === stamp)?.[1],
      set(path, stamp, hash, changed) {
        if (isStable(changed, Date.now())) hashes.set(path, [stamp, hash]);
      },
    },
    sections: {
      get: key => sections().get(key),
      set: (key, section) => sections().set(key, section),
      widened: { get: key => widened.get(key), set: (key, found) => widened.set(key, found) },
    },
    save() {
      if (hashes.isWorthSaving() || widened.isWorthSaving())
        writeCached(file, { hashes: hashes.kept(), widened: widened.kept() });
      if (opened?.isWorthSaving()) writeCached(sectionsFile, opened.kept());
    },
  };
}

interface Entries<T> {
  get(key: string, isRight?: (entry: T) => boolean): T | undefined;
  set(key: string, entry: T): void;
  /** What was used. */
  kept(): Readonly<Record<string, T>>;
  /** A few entries are found out again sooner than a thousand others are written. */
  isWorthSaving(): boolean;
}

function openEntries<T>(stored: unknown, isEntry: (value: unknown) => value is T): Entries<T> {
  const before = new Map(Object.entries(isMap(stored) ? stored : {}));
  const used = new Map<string, T>();
  let added = 0;
  return {
    get(key, isRight = () => true) {
      const entry = used.get(key) ?? before.get(key);
      if (entry === undefined || !isEntry(entry) || !isRight(entry)) return undefined;
      used.set(key, entry);
      return entry;
    },
    set(key, entry) {
      added += 1;
      used.set(key, entry);
    },
    kept: () => Object.fromEntries(used),
    isWorthSaving() {
      // As by a run that a mistake in the pack ended early.
      if (used.size === 0) return false;
      const forgotten = before.size + added - used.size;
      return (added + forgotten) * 50 > used.size;
    },
  };
}

function isHash(value: unknown): value is readonly [stamp: string, hash: string] {
  return Array.isArray(value) && value.length === 2 && value.every(part => typeof part === 'string');
}

function isList(value: unknown): value is readonly Diagnostic[] {
  return Array.isArray(value);
}

function isSection(value: unknown): value is Section {
  if (!isMap(value) || !Array.isArray(value['diagnostics'])) return false;
  return isBlock(value['types']) && (value['member'] === undefined || isBlock(value['member']));
}

function isBlock(value: unknown): value is Block {
  if (!isMap(value) || !['text', 'head', 'tail'].every(key => typeof value[key] === 'string')) return false;
  const { sources, start, end } = value;
  if (!Array.isArray(sources) || !sources.every(source => typeof source === 'string')) return false;
  return [start, end].every(one => Array.isArray(one) && one.length === 3 && one.every(Number.isInteger));
}
