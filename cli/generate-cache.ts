// What generate need not find out again: hashes of the files it wrote, and where items are defined. One file per pack.
// Never needed: whatever is wrong with it, the disk is read as if there were none.
import type { SiteMemo } from '../generator/plan.js';
import type { HashMemo } from '../generator/snapshot.js';
import type { Site } from '../schema/diagnostics.js';
import { isMap } from '../schema/document.js';
import { cacheFile, isStable, readCached, writeCached } from './parse-cache.js';

const layout = 'generated-1';

export interface GenerateCache {
  readonly memo: HashMemo;
  readonly sites: SiteMemo;
  /** Writes what was used in this run; the rest is forgotten. */
  save(): void;
}

/** Undefined where nothing is to be kept. */
export function openGenerateCache(pack: string): GenerateCache | undefined {
  const file = cacheFile(pack, layout);
  if (file === undefined) return undefined;
  const stored = readCached(file);
  const hashes = openEntries(isMap(stored) ? stored['hashes'] : undefined, isHash);
  const sites = openEntries(isMap(stored) ? stored['sites'] : undefined, isSite);
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
    sites: { get: key => sites.get(key), set: (key, site) => sites.set(key, site) },
    save() {
      // Sites are asked for only where the index is printed: a run without is no reason to forget them.
      const keptSites = sites.used.size === 0 ? sites.before : sites.used;
      const isChanged = hashes.isChanged() || sites.isChanged() || hashes.used.size < hashes.before.size;
      if (isChanged)
        writeCached(file, { hashes: Object.fromEntries(hashes.used), sites: Object.fromEntries(keptSites) });
    },
  };
}

interface Entries<T> {
  readonly before: ReadonlyMap<string, T>;
  readonly used: ReadonlyMap<string, T>;
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
    used,
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

function isSite(value: unknown): value is Site {
  if (!isMap(value) || typeof value['file'] !== 'string') return false;
  return ['line', 'column', 'endLine', 'endColumn'].every(key => Number.isInteger(value[key]));
}
