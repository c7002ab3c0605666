// Parsed YAML by content hash, one file per pack in the user's cache folder: a second run parses only what changed.
// The cache is never needed: whatever is wrong with it, the pack is read as if there were none.
import type { ParseCache } from '../runtime/load/read.js';
import { isMap } from '../schema/document.js';
import { type CacheFile, cacheFile, forgetFile, readCached, writeCached } from './cache-file.js';

/** Changes whenever the same text could parse to another value. */
const layout = 'parsed-2';

export interface DiskCache extends ParseCache {
  /** Writes what was used in this run; entries that nobody asked for are forgotten. */
  save(): void;
}

export function openParseCache(pack: string): DiskCache {
  const file = cacheFile(pack, layout);
  if (file === undefined) return { get: () => undefined, set: () => {}, save: () => {} };
  // What was parsed since all was last written is in a file beside: a change of one file does not write a thousand.
  const besides = { ...file, path: file.path.replace(/\.json$/, '.more.json') };
  const [most, more] = [readEntries(file), readEntries(besides)];
  const used = new Map<string, readonly unknown[]>();
  let isChanged = false;
  return {
    get(hash) {
      const values = used.get(hash) ?? more.get(hash) ?? most.get(hash);
      if (values !== undefined) used.set(hash, values);
      return values;
    },
    set(hash, values) {
      used.set(hash, values);
      isChanged = true;
    },
    save() {
      const added = [...used].filter(([hash]) => !most.has(hash));
      const forgotten = most.size + added.length - used.size;
      if ((added.length + forgotten) * 20 > used.size) {
        if (!isChanged && forgotten === 0) return;
        writeCached(file, Object.fromEntries(used));
        forgetFile(besides);
      } else if (isChanged) writeCached(besides, Object.fromEntries(added));
    },
  };
}

function readEntries(file: CacheFile): ReadonlyMap<string, readonly unknown[]> {
  const stored = readCached(file);
  if (!isMap(stored)) return new Map();
  return new Map(Object.entries(stored).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])));
}
