// In: the packs of a server and folders beside them. Out: names of files whose content changed, a burst at a time. What a server
// or its tools write while they run is not watched, or each call would start them anew.

import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { splitModule } from '../generator/project-modules.js';
import type { WatchedPack } from '../runtime/dev/messages.js';
import { isInsideFolder, relativePath } from '../runtime/load/folder.js';
import { maxCodeBytes, readBytes } from '../runtime/load/read-file.js';
import { watchReplaced } from './replaced-folders.js';

export interface DevWatch {
  /** Also these, from now on. `since`: what was written later is news, also if nobody saw it happen. */
  add(packs: readonly WatchedPack[], since: number): void;
  /** That this text is new is not a change. */
  know(path: string, text: string): void;
  close(): Promise<void>;
}

export interface DevWatchOptions {
  /** Folders of overlays: everything in them counts. */
  readonly overlays: readonly string[];
  /** Whether what is generated is written here, or by somebody else who may be late. */
  readonly generates: boolean;
  onChange(paths: readonly string[]): void;
}

/** Editors save in bursts: temp file, rename, touch. A burst that does not end is looked at all the same. */
const quietMs = 40;
const longestBurstMs = 500;

export async function watchPacks(options: DevWatchOptions): Promise<DevWatch> {
  const { watch } = await import('chokidar');
  const packs = new Map<string, WatchedPack>();
  const watchedSince = new Map<string, number>();
  const start = Date.now();
  const contents = new Map<string, string>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let burst = 0;

  const isIgnored = (path: string): boolean => {
    if (options.overlays.some(folder => isInsideFolder(path, folder))) return false;
    const pack = packOf(path);
    return pack !== undefined && isSkipped(relativePath(pack.folder, path), pack, options.generates);
  };
  let watcher = open();
  // A new one reports every file, and what is as it was is nothing new.
  const replaced = watchReplaced(
    () => Object.keys(watcher.getWatched()),
    async () => {
      const old = watcher;
      watcher = open();
      const ready = new Promise<void>(resolve => watcher.once('ready', () => resolve()));
      await old.close();
      await ready;
    },
  );

  function open(): FSWatcher {
    const made = watch([...options.overlays, ...packs.keys()], { ignored: isIgnored, alwaysStat: true });
    made.on('all', note);
    // A folder that cannot be watched is no reason to end; what is in it changes unseen.
    made.on('error', () => undefined);
    return made;
  }

  function note(event: string, path: string, stats: Stats | undefined): void {
    if (event === 'addDir' && stats !== undefined) replaced.know(path, stats.ino);
    if (event === 'addDir' || event === 'unlinkDir' || !isRelevant(path)) return;
    // What was there already is only remembered.
    if (event === 'add' && !contents.has(path) && isOlder(stats, sinceOf(path))) {
      contents.set(path, hashOf(path));
      return;
    }
    touched.add(path);
    burst ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(look, Date.now() - burst > longestBurstMs ? 0 : quietMs);
  }

  function look(): void {
    burst = 0;
    const changed = [...touched].filter(path => {
      const hash = hashOf(path);
      const isNews = contents.get(path) !== hash;
      contents.set(path, hash);
      return isNews;
    });
    touched.clear();
    if (changed.length > 0) options.onChange(changed.sort());
  }

  function packOf(path: string): WatchedPack | undefined {
    const around = [...packs.values()].filter(({ folder }) => isInsideFolder(path, folder));
    return around.sort((a, b) => b.folder.length - a.folder.length)[0];
  }

  function sinceOf(path: string): number {
    const pack = packOf(path);
    return (pack === undefined ? undefined : watchedSince.get(pack.folder)) ?? start;
  }

  function isRelevant(path: string): boolean {
    if (options.overlays.some(folder => isInsideFolder(path, folder))) return true;
    const pack = packOf(path);
    return pack !== undefined && isInput(relativePath(pack.folder, path), pack);
  }

  return {
    add(more, since) {
      const news = more.filter(({ folder }) => !packs.has(folder) && !folder.split(sep).includes('node_modules'));
      for (const pack of more) if (packs.has(pack.folder) || news.includes(pack)) packs.set(pack.folder, pack);
      if (news.length === 0) return;
      for (const { folder } of news) watchedSince.set(folder, since);
      watcher.add(news.map(({ folder }) => folder));
    },
    know: (path, text) => void contents.set(resolve(path), hashText(text)),
    async close() {
      clearTimeout(timer);
      replaced.stop();
      await watcher.close();
    },
  };
}

/** Clocks of file systems tick slowly. */
const tickMs = 10;

/** A file that was moved here has an old time of writing, but not of its last change of place. */
function isOlder(stats: Stats | undefined, since: number): boolean {
  return stats !== undefined && Math.max(stats.mtimeMs, stats.ctimeMs) < since - tickMs;
}

const manifests: ReadonlySet<string> = new Set(['toolwright.yaml', 'toolwright.lock', 'package.json']);

/** Whether a file of a pack decides what is served. */
function isInput(inside: string, { root, handlers, files }: WatchedPack): boolean {
  if (manifests.has(inside) || files.includes(inside) || isIn(inside, root)) return true;
  const name = basename(inside);
  if (name === '.env' || /^tsconfig.*\.json$/.test(name)) return true;
  return isModule(inside) || (name.endsWith('.json') && isIn(inside, handlers));
}

/** Modules and nothing else: a change of these generates nothing. */
export function isModule(path: string): boolean {
  return (splitModule(path)?.extension ?? '') !== '' && !/\.d\.[cm]?ts$/.test(path);
}

/** Dependencies, hidden folders and what is generated are not even listed. */
function isSkipped(inside: string, { outputs }: WatchedPack, generates: boolean): boolean {
  const steps = inside.split('/');
  if (steps.some(step => step === 'node_modules' || (step.startsWith('.') && step.length > 1 && step !== '.env'))) {
    return true;
  }
  return generates && outputs.some(folder => isIn(inside, folder));
}

function isIn(inside: string, folder: string): boolean {
  return folder === '' || inside === folder || inside.startsWith(`${folder}/`);
}

function hashOf(path: string): string {
  try {
    return hashText(readBytes(path, maxCodeBytes));
  } catch {
    return 'gone';
  }
}

function hashText(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64');
}
