// The one watcher of files. In: folders, and which files in them count. Out: paths of files whose content changed, a burst at a time.
import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { readBytes } from '../../runtime/load/read-file.js';

interface FileWatch {
  /** Everything in the first folders is known. Never without any. */
  readonly ready: Promise<void>;
  /** Also these folders, from now on. */
  add(folders: readonly string[]): void;
  /** That a file has this text is not a change. */
  know(path: string, text: string): void;
  close(): Promise<void>;
}

interface FileWatchOptions {
  readonly folders: readonly string[];
  /** What is in these is not even listed. */
  isIgnored(path: string): boolean;
  isRelevant(path: string): boolean;
  /** Whether a file that was not known is a change; else it was there all the while. */
  isNews(path: string, stats: Stats | undefined): boolean;
  onChange(paths: readonly string[]): void;
}

/** Editors save in bursts: temp file, rename, touch. A burst that does not end is looked at all the same. */
const quietMs = 40;
const longestBurstMs = 500;

export async function watchFiles(options: FileWatchOptions): Promise<FileWatch> {
  const { watch } = await import('chokidar');
  const folders = new Set(options.folders);
  const contents = new Map<string, string>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let burst = 0;
  let isClosed = false;

  let watcher = open();
  const ready = untilReady(watcher);
  const replaced = watchReplaced(
    () => Object.keys(watcher.getWatched()),
    async () => {
      const old = watcher;
      watcher = open();
      const reopened = untilReady(watcher);
      await old.close();
      await reopened;
      // A new watcher reports every existing file, and none that is gone.
      for (const [path, content] of contents) if (content !== gone) touch(path);
    },
  );

  function open(): FSWatcher {
    const made = watch([...folders], { ignored: path => options.isIgnored(path), alwaysStat: true });
    made.on('all', note);
    // A folder that cannot be watched is no reason to end; what is in it changes unseen.
    made.on('error', () => undefined);
    return made;
  }

  function note(event: string, path: string, stats: Stats | undefined): void {
    if (event === 'addDir' && stats !== undefined) replaced.know(path, stats.ino);
    // Folders hold nothing but files, which have events of their own.
    if (event === 'addDir' || event === 'unlinkDir' || !options.isRelevant(path)) return;
    if (event === 'add' && !contents.has(path) && !options.isNews(path, stats)) contents.set(path, contentOf(path));
    else touch(path);
  }

  function touch(path: string): void {
    if (isClosed) return;
    touched.add(path);
    burst ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(look, Date.now() - burst > longestBurstMs ? 0 : quietMs);
  }

  function look(): void {
    burst = 0;
    const changed = [...touched].filter(path => {
      const content = contentOf(path);
      // What came and went since the last look, as an editor's temporary file does, is not a change.
      const isNews = (contents.get(path) ?? gone) !== content;
      contents.set(path, content);
      return isNews;
    });
    touched.clear();
    if (changed.length > 0) options.onChange(changed.sort());
  }

  return {
    ready,
    add(more) {
      for (const folder of more) folders.add(folder);
      watcher.add([...more]);
    },
    know: (path, text) => void contents.set(resolve(path), hashText(text)),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      replaced.stop();
      await watcher.close();
    },
  };
}

function untilReady(watcher: FSWatcher): Promise<void> {
  return new Promise(done => watcher.once('ready', () => done()));
}

const gone = 'gone';

/** Larger ones are data beside the code: their size and times are enough. */
const mostBytes = 4 * 1024 * 1024;

function contentOf(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path);
    return size > mostBytes ? `${size}-${mtimeMs}` : hashText(readBytes(path, mostBytes));
  } catch {
    return gone;
  }
}

function hashText(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64');
}

// A folder that another one takes the place of within a moment (git switch, rsync, mv) is often lost to watchers, which go on with
// the old one. In: the folders that are watched. Out: whether one of them is another by now.

/** Between two looks. A few calls of the system for each folder, which nobody notices. */
const restMs = 500;

interface ReplacedFolders {
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
