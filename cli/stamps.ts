// What a run looked at, and the stamps of all that: as long as they stay, the same run has the same result.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, type Folder, joinInside, nodeFolder } from '../runtime/load/folder.js';
import { isMap } from '../schema/document.js';
import { mayHide } from '../schema/texts/hidden.js';
import {
  digest,
  isMissing,
  isStill,
  type Sight,
  sightOfBytes,
  sightOfNames,
  sightOfNothing,
  sightOfType,
} from './sights.js';

/**
 * By full path. What is missing has a stamp too, and appears with its folder's change. The stamp of what had just
 * changed is followed by what was seen there, each after a space: it counts only as long as that is still there.
 */
export type Stamps = Readonly<Record<string, string>>;

/** What is as a run before left it, and the contents of files that it read. */
export interface Known {
  readonly same: ReadonlyMap<string, string>;
  /** SHA-256 by full path. */
  readonly contents: Readonly<Record<string, unknown>>;
}

export interface WatchOptions {
  /** Files in it are not read again, nor are their stamps taken. */
  readonly known?: Known;
}

export interface Watch {
  /** A folder on disk that notes what is asked of it. */
  open(path: string): Folder;
  /**
   * Of everything noted, and of `others`, which tell what the run knows of each: asked only where it just changed.
   * `written`: by the run itself. Not whole where something may have changed while the run looked at it, and cannot be
   * compared later.
   */
  stamps(
    others?: ReadonlyMap<string, () => Sight>,
    written?: ReadonlySet<string>,
  ): { readonly stamps: Stamps; readonly isWhole: boolean };
  /** Of the files that were read, by full path. */
  contents(): Readonly<Record<string, string>>;
}

/** Starts to note what a run looks at. */
export function watchRun({ known = { same: new Map(), contents: {} } }: WatchOptions = {}): Watch {
  const start = Date.now();
  const noted = new Map<string, Noted>();
  const read = new Map<string, () => string | undefined>();
  const sightsOf = (path: string): (() => Sight)[] => {
    const before = noted.get(path);
    if (before !== undefined) return before.sights;
    const sights: (() => Sight)[] = [];
    noted.set(path, { look: known.same.has(path) ? undefined : lookAt(path), sights });
    return sights;
  };
  return {
    open(path) {
      const folder = nodeFolder(path);
      const note = <T>(full: string, look: () => T, sightOf: (seen: T) => Sight): T => {
        const sights = sightsOf(full);
        try {
          const seen = look();
          sights.push(() => sightOf(seen));
          return seen;
        } catch (error) {
          sights.push(() => (isMissing(error) ? sightOfNothing : undefined));
          throw error;
        }
      };
      const inFull = (inside: string): string => joinInside(folder.path, inside);
      return {
        path: folder.path,
        status: inside => note(inFull(inside), () => folder.status(inside), sightOfType),
        list: inside => note(inFull(inside), () => folder.list(inside), sightOfNames),
        read(inside, limit) {
          const full = inFull(inside);
          const bytes = note(
            full,
            () => folder.read(inside, limit),
            seen => (typeof seen === 'number' ? undefined : sightOfBytes(seen)),
          );
          if (typeof bytes !== 'number') read.set(full, () => (isPlain(bytes) ? digest(bytes) : undefined));
          return bytes;
        },
        hashOf(inside) {
          const full = inFull(inside);
          const hash = known.same.has(full) ? known.contents[full] : undefined;
          if (typeof hash !== 'string') return undefined;
          sightsOf(full).push(() => `bytes:${hash}`);
          read.set(full, () => hash);
          return hash;
        },
      };
    },
    stamps(others = new Map(), written = new Set()) {
      const stamps: [string, string][] = [];
      let isWhole = true;
      for (const path of new Set([...noted.keys(), ...others.keys()])) {
        const before = written.has(path) ? undefined : known.same.get(path);
        if (before !== undefined) {
          // Taken before the run looked: what changed since has another one by now.
          stamps.push([path, before]);
          continue;
        }
        const seen = noted.get(path);
        const other = others.get(path);
        const { stamp, changed, isThere } = (written.has(path) ? undefined : seen?.look) ?? lookAt(path);
        // What the run only knows of may have become another file under an old stamp: it is looked at once more.
        if (isStable(changed, start) && (seen !== undefined || other?.() !== undefined)) {
          stamps.push([path, stamp]);
          continue;
        }
        const sights = new Set([...(seen?.sights ?? []), ...(other === undefined ? [] : [other])].map(see => see()));
        const isTold = [...sights].every(sight => sight !== undefined && (sight === sightOfNothing) !== isThere);
        // What was missing all the while needs no more than to be missing.
        if (isTold) stamps.push([path, isThere ? [stamp, ...sights].join(' ') : stamp]);
        isWhole &&= isTold;
      }
      return { stamps: Object.fromEntries(stamps), isWhole };
    },
    contents() {
      const hashes = [...read].map(([path, hash]) => [path, hash()] as const);
      return Object.fromEntries(hashes.filter((one): one is [string, string] => one[1] !== undefined));
    },
  };
}

interface Noted {
  /** Taken before the run looked, so that whatever is put in its place meanwhile has another stamp. */
  readonly look: Look | undefined;
  readonly sights: (() => Sight)[];
}

/** What may hide characters is looked at in every run, so that the loader knows of it. */
function isPlain(bytes: Uint8Array): boolean {
  return !mayHide(new TextDecoder().decode(bytes));
}

/**
 * The stamps where everything still has the one it had, else undefined. What was stored may be damaged.
 * They come back without what was seen as soon as it is old enough: from then on the stamp alone is enough.
 */
export function findUntouched(stored: unknown): Stamps | undefined {
  if (!isMap(stored)) return undefined;
  const matured: [string, string][] = [];
  for (const path in stored) {
    const now = compareStamp(path, stored[path]);
    if (now === undefined) return undefined;
    if (now !== stored[path]) matured.push([path, now]);
  }
  return matured.length === 0 ? (stored as Stamps) : { ...(stored as Stamps), ...Object.fromEntries(matured) };
}

/** The same of everything that still has its stamp, whatever became of the rest. */
export function findSame(stored: unknown): ReadonlyMap<string, string> {
  const same = new Map<string, string>();
  if (!isMap(stored)) return same;
  for (const path in stored) {
    const now = compareStamp(path, stored[path]);
    if (now !== undefined) same.set(path, now);
  }
  return same;
}

/** What the stamp of something untouched is from now on; undefined where it is another one, or damaged. */
export function compareStamp(path: string, known: unknown): string | undefined {
  const { stamp, changed } = lookAt(path);
  if (known === stamp) return stamp;
  if (typeof known !== 'string' || !known.startsWith(`${stamp} `)) return undefined;
  const now = Date.now();
  const sights = known.slice(stamp.length + 1).split(' ');
  if (!sights.every(sight => isStill(path, sight))) return undefined;
  return isStable(changed, now) ? stamp : known;
}

/** Clocks of file systems tick every few milliseconds; old ones, which count in whole seconds, every other second. */
const tickMs = { fine: 100, coarse: 3000 };

/** Whether a file that last changed at one time cannot have changed again, without another stamp, after it was read. */
function isStable(changed: number, read: number): boolean {
  return read - changed >= (changed % 1000 === 0 ? tickMs.coarse : tickMs.fine);
}

interface Look {
  readonly stamp: string;
  /** When it last was, in ms. */
  readonly changed: number;
  readonly isThere: boolean;
}

/** Links are followed. */
function lookAt(path: string): Look {
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    return { stamp: `${size}-${mtimeMs}-${ctimeMs}-${ino}`, changed: Math.max(mtimeMs, ctimeMs), isThere: true };
  } catch (error) {
    return { stamp: `none: ${codeOf(error)}`, changed: nearestChange(dirname(path)), isThere: false };
  }
}

/** Of the nearest existing folder: something that just vanished changed it. */
function nearestChange(folder: string): number {
  try {
    const { mtimeMs, ctimeMs } = statSync(folder);
    return Math.max(mtimeMs, ctimeMs);
  } catch {
    const above = dirname(folder);
    return above === folder ? 0 : nearestChange(above);
  }
}
