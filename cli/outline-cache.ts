// Outlines of packs with the stamps of all files that they came from, one file per project in the user's cache folder: what
// is untouched is not read again. In: the folder of a pack. Out: its outline.

import type { PackOutline } from '../runtime/packs/read-outline.js';
import { readOutline } from '../runtime/packs/read-outline.js';
import { isMap } from '../schema/document.js';
import { build } from './build-id.js';
import { cacheFile, readCached, writeCached } from './parse-cache.js';
import { findUntouched, watchRun } from './stamps.js';

const layout = 'outlines-1';

export interface OutlineCache {
  outlineOf(folder: string): PackOutline;
  save(): void;
}

export function openOutlineCache(project: string): OutlineCache {
  const file = cacheFile(project, layout);
  const stored = file === undefined ? undefined : readCached(file);
  const isUsable = isMap(stored) && stored['circumstances'] === circumstances();
  const before = isUsable && isMap(stored['packs']) ? stored['packs'] : {};
  const packs: Record<string, unknown> = Object.create(null);
  let isChanged = false;

  return {
    outlineOf(folder) {
      const kept = Object.hasOwn(before, folder) ? before[folder] : undefined;
      const untouched = isMap(kept) && isOutline(kept['outline']) ? findUntouched(kept['stamps']) : undefined;
      if (isMap(kept) && isOutline(kept['outline']) && untouched !== undefined) {
        isChanged ||= untouched !== kept['stamps'];
        packs[folder] = { ...kept, stamps: untouched };
        return kept['outline'];
      }
      isChanged = true;
      const watch = watchRun();
      const outline = readOutline(watch.open(folder));
      const { stamps, isWhole } = watch.stamps();
      if (isWhole) packs[folder] = { stamps, outline };
      return outline;
    },
    save() {
      if (file !== undefined && isChanged) writeCached(file, { circumstances: circumstances(), packs });
    },
  };
}

/** Who runs it decides what can be read. */
function circumstances(): string {
  return `${build} ${process.getuid?.() ?? ''}`;
}

/** Written by ourselves, but perhaps damaged since. */
function isOutline(value: unknown): value is PackOutline {
  return isMap(value) && typeof value['name'] === 'string' && Array.isArray(value['servers']) && isMap(value['items']);
}
