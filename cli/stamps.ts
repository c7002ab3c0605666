// What a run looked at, and the stamps of all that: as long as they stay, the same run has the same result.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, type Folder, joinInside, nodeFolder } from '../runtime/load/folder.js';
import { isMap } from '../schema/document.js';
import { isStable } from './parse-cache.js';

/** By full path. What is missing has a stamp too, and appears with its folder's change. */
export type Stamps = Readonly<Record<string, string>>;

export interface Watch {
  /** A folder on disk that notes what is asked of it. */
  open(path: string): Folder;
  /** Of everything noted, and of `others`. Undefined where something may have changed while the run looked at it. */
  stamps(others?: Iterable<string>): Stamps | undefined;
}

/** Starts to note what a run looks at. */
export function watchRun(): Watch {
  const start = Date.now();
  const noted = new Set<string>();
  return {
    open(path) {
      const folder = nodeFolder(path);
      const note = (inside: string): string => {
        noted.add(joinInside(folder.path, inside));
        return inside;
      };
      return {
        path: folder.path,
        status: inside => folder.status(note(inside)),
        list: inside => folder.list(note(inside)),
        read: (inside, limit) => folder.read(note(inside), limit),
      };
    },
    stamps(others = []) {
      const stamps: [string, string][] = [];
      for (const path of new Set([...noted, ...others])) {
        const { stamp, changed } = lookAt(path);
        if (!isStable(changed, start)) return undefined;
        stamps.push([path, stamp]);
      }
      return Object.fromEntries(stamps);
    },
  };
}

/** Whether everything still has the stamp it had. What was stored may be damaged. */
export function areUntouched(stamps: unknown): boolean {
  if (!isMap(stamps)) return false;
  for (const path in stamps) if (lookAt(path).stamp !== stamps[path]) return false;
  return true;
}

interface Look {
  readonly stamp: string;
  /** When it last was, in ms. */
  readonly changed: number;
}

/** Links are followed. */
function lookAt(path: string): Look {
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    return { stamp: `${size}-${mtimeMs}-${ctimeMs}-${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
  } catch (error) {
    return { stamp: `none: ${codeOf(error)}`, changed: nearestChange(dirname(path)) };
  }
}

/** Of the nearest folder that is there: something that just vanished changed it. */
function nearestChange(folder: string): number {
  try {
    const { mtimeMs, ctimeMs } = statSync(folder);
    return Math.max(mtimeMs, ctimeMs);
  } catch {
    const above = dirname(folder);
    return above === folder ? 0 : nearestChange(above);
  }
}
