// A folder that another one takes the place of within a moment (git switch, rsync, mv) is often lost to watchers, which go on with
// the old one. In: the folders that are watched. Out: whether one of them is another by now.
import { statSync } from 'node:fs';

/** Between two looks. A few calls of the system for each folder, which nobody notices. */
const restMs = 500;

export interface ReplacedFolders {
  /** That a folder is watched from now on. One that is replaced before the next look would be taken for the first. */
  know(folder: string, inode: number): void;
  stop(): void;
}

/**
 * Until `onReplaced` is done, nobody looks.
 *
 * @example const replaced = watchReplaced(() => Object.keys(watcher.getWatched()), reopen);
 */
export function watchReplaced(watched: () => readonly string[], onReplaced: () => Promise<void>): ReplacedFolders {
  let known = inodesOf(watched());
  let isBusy = false;
  const timer = setInterval(look, restMs).unref();
  return {
    know: (folder, inode) => void (known.has(folder) || known.set(folder, inode)),
    stop: () => clearInterval(timer),
  };

  function look(): void {
    if (isBusy) return;
    const now = inodesOf(known.keys());
    const folders = new Set(watched());
    const isReplaced = [...now].some(([folder, ino]) => ino !== known.get(folder) || !folders.has(folder));
    known = inodesOf(folders, now);
    if (!isReplaced) return;
    isBusy = true;
    void onReplaced().finally(() => {
      // As they were before: one that was replaced meanwhile is noticed with the next look.
      known = inodesOf(watched(), known);
      isBusy = false;
    });
  }
}

/** `looked`: at these already. */
function inodesOf(folders: Iterable<string>, looked: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const inodes = new Map<string, number>();
  for (const folder of folders) {
    const ino = looked.get(folder) ?? inodeOf(folder);
    if (ino !== undefined) inodes.set(folder, ino);
  }
  return inodes;
}

function inodeOf(folder: string): number | undefined {
  try {
    const { ino } = statSync(folder);
    return ino;
  } catch {
    return undefined;
  }
}
