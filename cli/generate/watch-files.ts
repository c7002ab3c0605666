// The one watcher of files. In: folders, and which files in them count. Out: paths of files whose content changed, a burst at a time.
import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { readBytes } from '../../runtime/load/read-file.js';
import { watchReplaced } from './replaced-folders.js';

export interface FileWatch {
  /** Everything in the first folders is known. Never without any. */
  readonly ready: Promise<void>;
  /** Also these folders, from now on. */
  add(folders: readonly string[]): void;
  /** That a file has this text is not a change. */
  know(path: string, text: string): void;
  close(): Promise<void>;
}

export interface FileWatchOptions {
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
