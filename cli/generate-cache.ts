// What generate need not find out again: hashes of the files it wrote, and the declarations of each item. One file per pack.
// Never needed: whatever is wrong with it, the disk is read as if there were none.
import type { Block } from '../generator/declarations/block.js';
import type { Section } from '../generator/declarations/item.js';
import type { SectionMemo } from '../generator/plan.js';
import type { HashMemo } from '../generator/snapshot.js';
import { isMap } from '../schema/document.js';
import { cacheFile, isStable, readCached, writeCached } from './parse-cache.js';

const layout = 'generated-2';

export interface GenerateCache {
  readonly memo: HashMemo;
  readonly sections: SectionMemo;
  /** Writes what was used in this run; the rest is forgotten. */
  save(): void;
}

/** Undefined where nothing is to be kept. */
export function openGenerateCache(pack: string): GenerateCache | undefined {
  const file = cacheFile(pack, layout);
  if (file === undefined) return undefined;
  const stored = readCached(file);
  const hashes = openEntries(isMap(stored) ? stored['hashes'] : undefined, isHash);
  const sections = openEntries(isMap(stored) ? stored['sections'] : undefined, isSection);
  return {
    memo: {
      get(path, stamp) {
        const entry = hashes.get(path, ([known]) => known === stamp);
        return entry?.[1];
      },
      set(path, stamp, hash, changed) {
        if (isStable(changed, Date.now())) hashes.set(path, [stamp, hash]);
      },
    },
    sections: { get: key => sections.get(key), set: (key, section) => sections.set(key, section) },
    save() {
      if ([hashes, sections].some(one => one.isChanged() || one.kept().size < one.before.size))
        writeCached(file, { hashes: Object.fromEntries(hashes.kept()), sections: Object.fromEntries(sections.kept()) });
    },
  };
}

interface Entries<T> {
  readonly before: ReadonlyMap<string, T>;
  /** What was used; all where nothing was, as by a run that a mistake in the pack ended early. */
  kept(): ReadonlyMap<string, T>;
  isChanged(): boolean;
  get(key: string, isRight?: (entry: T) => boolean): T | undefined;
  set(key: string, entry: T): void;
}

function openEntries<T>(stored: unknown, isEntry: (value: unknown) => value is T): Entries<T> {
  const before = new Map<string, T>();
  for (const [key, value] of isMap(stored) ? Object.entries(stored) : []) if (isEntry(value)) before.set(key, value);
  const used = new Map<string, T>();
  let isChanged = false;
  return {
    before,
    kept: () => (used.size === 0 ? before : used),
    isChanged: () => isChanged,
    get(key, isRight = () => true) {
      const entry = before.get(key);
      if (entry === undefined || !isRight(entry)) return undefined;
      used.set(key, entry);
      return entry;
    },
    set(key, entry) {
      isChanged = true;
      used.set(key, entry);
    },
  };
}

function isHash(value: unknown): value is readonly [stamp: string, hash: string] {
  return Array.isArray(value) && value.length === 2 && value.every(part => typeof part === 'string');
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
