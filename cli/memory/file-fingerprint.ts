// What a run looked at, and the fingerprints of all that: as long as they stay, the same run has the same result.
// A fingerprint is the stamp that the file system keeps (size, times, inode). Behind one that is too recent to be trusted stands what was
// found there, in words that can be compared later: a second change within one tick of the clock would leave the stamp as it is.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { codeOf, type Entry, type Folder, joinInside, nodeFolder } from '../../runtime/load/folder.js';
import { maxBytes, readBytes } from '../../runtime/load/read-file.js';

/** By full path. What is missing has one too, and appears with its folder's change. */
export type Fingerprints = Readonly<Record<string, string>>;

/** What was found at a path: one word without spaces; undefined where it could not be compared. */
export type Found = string | undefined;

/** What a run left at paths that it did not look at through a folder: asked only where the stamp is not enough. */
export type Left = ReadonlyMap<string, () => Found>;

export interface Looks {
  /** A folder on disk that notes what is asked of it. */
  open(path: string): Folder;
  /**
   * Of everything noted, and of what the run left. `written`: by the run itself. Undefined where something may have changed while
   * the run looked at it, and cannot be compared later.
   */
  fingerprints(left?: Left, written?: ReadonlySet<string>): Fingerprints | undefined;
}

/** Starts to note what a run looks at. */
export function noteLooks(): Looks {
  const start = Date.now();
  const noted = new Map<string, Noted>();
  const note = <T>(path: string, look: () => T, describe: (seen: T) => Found): T => {
    const known = noted.get(path) ?? { look: lookAt(path), found: [] };
    noted.set(path, known);
    try {
      const seen = look();
      known.found.push(() => describe(seen));
      return seen;
    } catch (error) {
      known.found.push(() => (isMissing(error) ? nothing : undefined));
      throw error;
    }
  };
  return {
    open(path) {
      const folder = nodeFolder(path);
      const inFull = (inside: string): string => joinInside(folder.path, inside);
      return {
        path: folder.path,
        status: inside => note(inFull(inside), () => folder.status(inside), describeType),
        list: inside => note(inFull(inside), () => folder.list(inside), describeNames),
        read: (inside, limit) =>
          note(
            inFull(inside),
            () => folder.read(inside, limit),
            bytes => (typeof bytes === 'number' ? undefined : describeBytes(bytes)),
          ),
      };
    },
    fingerprints(left = new Map(), written = new Set()) {
      const fingerprints: Record<string, string> = {};
      for (const path of new Set([...noted.keys(), ...left.keys()])) {
        const seen = noted.get(path);
        const own = left.get(path);
        const { stamp, changed, isThere } = (written.has(path) ? undefined : seen?.look) ?? lookAt(path);
        // What the run only knows of may have become another file under an old stamp: it is looked at once more.
        const isTrusted = isStable(changed, start) && (seen !== undefined || own?.() !== undefined);
        const found = isTrusted ? [] : [...(seen?.found ?? []), ...(own === undefined ? [] : [own])].map(one => one());
        if (!found.every(one => one !== undefined && (one === nothing) !== isThere)) return undefined;
        // What was missing all the while needs no more than to be missing.
        fingerprints[path] = isThere ? [stamp, ...new Set(found)].join(' ') : stamp;
      }
      return fingerprints;
    },
  };
}

interface Noted {
  /** Taken before the run looked, so that whatever is put in its place meanwhile has another stamp. */
  readonly look: Look;
  readonly found: (() => Found)[];
}

/**
 * The fingerprints where nothing was touched, else undefined. They come back without what was found as soon as it is old enough: from
 * then on the stamp alone is enough.
 */
export function findUntouched(known: Fingerprints): Fingerprints | undefined {
  const matured: [string, string][] = [];
  for (const path in known) {
    const now = compareFingerprint(path, known[path]);
    if (now === undefined) return undefined;
    if (now !== known[path]) matured.push([path, now]);
  }
  return matured.length === 0 ? known : { ...known, ...Object.fromEntries(matured) };
}

/** What the fingerprint of something untouched is from now on; undefined where it is another one. */
export function compareFingerprint(path: string, known: unknown): string | undefined {
  const { stamp, changed } = lookAt(path);
  if (known === stamp) return stamp;
  if (typeof known !== 'string' || !known.startsWith(`${stamp} `)) return undefined;
  const now = Date.now();
  const found = known.slice(stamp.length + 1).split(' ');
  if (!found.every(one => isStill(path, one))) return undefined;
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

export function describeBytes(bytes: Uint8Array): Found {
  return `bytes:${digest(bytes)}`;
}

/** Undefined entries: there is no such folder. */
export function describeNames(entries: readonly Entry[] | undefined): Found {
  return entries === undefined
    ? nothing
    : `names:${digest(JSON.stringify(entries.map(({ name, type }) => [name, type])))}`;
}

export function describeType(type: string): Found {
  if (type === 'missing') return nothing;
  return type === 'file' || type === 'folder' ? `type:${type}` : undefined;
}

const nothing = 'nothing';
const require = createRequire(import.meta.url);

/** The library is loaded on first use: most runs need none. */
function digest(content: Uint8Array | string): string {
  const { hash } = require('node:crypto') as typeof import('node:crypto');
  return hash('sha256', content, 'base64url');
}

/** Whether what is at a path now is what was found. Nothing but files and folders is opened: a pipe would hang. */
function isStill(path: string, found: string): boolean {
  try {
    const stats = statSync(path);
    const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    if (found.startsWith('type:')) return found === describeType(type);
    if (found.startsWith('bytes:'))
      return type === 'file' && stats.size <= maxBytes && found === describeBytes(readBytes(path));
    return found.startsWith('names:') && type === 'folder' && found === describeNames(nodeFolder(path).list(''));
  } catch (error) {
    return found === nothing && isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}
