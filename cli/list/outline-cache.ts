// Outlines of packs with the fingerprints of all files that they came from, one file per project in the user's cache folder: what
// is untouched is not read again. In: the folder of a pack. Out: its outline.
import { sep } from 'node:path';
import { type PackOutline, readOutline } from '../../runtime/packs/read-outline.js';
import { isMap } from '../../schema/document.js';
import { build } from '../memory/build-id.js';
import { compareFingerprint, type Fingerprints, noteLooks } from '../memory/file-fingerprint.js';
import { cacheFile, circumstances, readCached, writeCached } from '../memory/memory.js';

const layout = 'outlines-7';

export interface OutlineCache {
  outlineOf(folder: string): PackOutline;
  /** Whether a pack is there as it was, and its outline need not be read. */
  isKnown(folder: string): boolean;
  save(): void;
}

/** `fingerprints`: path and fingerprint by turns, since objects with as many different keys would take longer to read than the packs. */
interface Kept {
  readonly fingerprints: readonly unknown[];
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
      const looks = noteLooks();
      const outline = readOutline(looks.open(folder));
      const fingerprints = looks.fingerprints();
      if (fingerprints !== undefined) packs.set(folder, { fingerprints: inside(folder, fingerprints), outline });
      return outline;
    },
    save() {
      if (file === undefined || !isChanged) return;
      writeCached(file, { circumstances: circumstances(build), packs: Object.fromEntries(packs) });
    },
  };
}

function inside(folder: string, fingerprints: Fingerprints): readonly string[] {
  return Object.entries(fingerprints).flatMap(([path, one]) => [path.slice(folder.length + sep.length), one]);
}

/** With the fingerprints that it has from now on; undefined where something is not as it was. */
function findUntouched(folder: string, kept: Kept): Kept | undefined {
  const { fingerprints, outline } = kept;
  let matured: unknown[] | undefined;
  for (let at = 0; at < fingerprints.length; at += 2) {
    const now = compareFingerprint(`${folder}${sep}${fingerprints[at]}`, fingerprints[at + 1]);
    if (now === undefined) return undefined;
    if (now === fingerprints[at + 1]) continue;
    matured ??= [...fingerprints];
    matured[at + 1] = now;
  }
  return matured === undefined ? kept : { fingerprints: matured, outline };
}

/** Written by ourselves, but perhaps damaged since. */
function isKept(value: unknown): value is Kept {
  if (!isMap(value) || !Array.isArray(value['fingerprints']) || value['fingerprints'].length < 2) return false;
  const outline = value['outline'];
  return (
    isMap(outline) &&
    typeof outline['name'] === 'string' &&
    Array.isArray(outline['servers']) &&
    isMap(outline['items'])
  );
}
