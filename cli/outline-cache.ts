// Outlines of packs with the stamps of all files that they came from, one file per project in the user's cache folder: what
// is untouched is not read again. In: the folder of a pack. Out: its outline.
import { sep } from 'node:path';
import { type PackOutline, readOutline } from '../runtime/packs/read-outline.js';
import { isMap } from '../schema/document.js';
import { build } from './build-id.js';
import { cacheFile, circumstances, readCached, writeCached } from './cache-file.js';
import { compareStamp, type Stamps, watchRun } from './stamps.js';

const layout = 'outlines-3';

export interface OutlineCache {
  outlineOf(folder: string): PackOutline;
  /** Whether a pack is there as it was, and its outline need not be read. */
  isKnown(folder: string): boolean;
  save(): void;
}

/** `stamps`: path and stamp by turns, since objects with as many different keys would take longer to read than the packs. */
interface Kept {
  readonly stamps: readonly unknown[];
  readonly outline: PackOutline;
}

export function openOutlineCache(project: string): OutlineCache {
  const file = cacheFile(project, layout);
  const stored = file === undefined ? undefined : readCached(file);
  const isUsable = isMap(stored) && stored['circumstances'] === circumstances(build);
  const before = isUsable && isMap(stored['packs']) ? stored['packs'] : {};
  const packs = new Map<string, Kept>();
  let isChanged = false;

  const recall = (folder: string): Kept | undefined => {
    const seen = packs.get(folder);
    if (seen !== undefined) return seen;
    const kept = Object.hasOwn(before, folder) ? before[folder] : undefined;
    const untouched = isKept(kept) ? findUntouched(folder, kept) : undefined;
    if (untouched === undefined) return undefined;
    isChanged ||= untouched !== kept;
    packs.set(folder, untouched);
    return untouched;
  };

  return {
    isKnown: folder => recall(folder) !== undefined,
    outlineOf(folder) {
      const known = recall(folder);
      if (known !== undefined) return known.outline;
      isChanged = true;
      const watch = watchRun();
      const outline = readOutline(watch.open(folder));
      const { stamps, isWhole } = watch.stamps();
      if (isWhole) packs.set(folder, { stamps: inside(folder, stamps), outline });
      return outline;
    },
    save() {
      if (file === undefined || !isChanged) return;
      writeCached(file, { circumstances: circumstances(build), packs: Object.fromEntries(packs) });
    },
  };
}

function inside(folder: string, stamps: Stamps): readonly string[] {
  return Object.entries(stamps).flatMap(([path, stamp]) => [path.slice(folder.length + sep.length), stamp]);
}

/** With the stamps that it has from now on; undefined where something is not as it was. */
function findUntouched(folder: string, kept: Kept): Kept | undefined {
  const { stamps, outline } = kept;
  let matured: unknown[] | undefined;
  for (let at = 0; at < stamps.length; at += 2) {
    const now = compareStamp(`${folder}${sep}${stamps[at]}`, stamps[at + 1]);
    if (now === undefined) return undefined;
    if (now === stamps[at + 1]) continue;
    matured ??= [...stamps];
    matured[at + 1] = now;
  }
  return matured === undefined ? kept : { stamps: matured, outline };
}

/** Written by ourselves, but perhaps damaged since. */
function isKept(value: unknown): value is Kept {
  if (!isMap(value) || !Array.isArray(value['stamps']) || value['stamps'].length < 2) return false;
  const outline = value['outline'];
  return (
    isMap(outline) &&
    typeof outline['name'] === 'string' &&
    Array.isArray(outline['servers']) &&
    isMap(outline['items'])
  );
}
