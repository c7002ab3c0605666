// In: the packs of a server and folders beside them. Out: names of files whose content changed, a burst at a time. What a server
// or its tools write while they run is not watched, or each call would start them anew.
import type { Stats } from 'node:fs';
import { basename, sep } from 'node:path';
import { splitModule } from '../../generator/compile/project/project.js';
import { isInsideFolder, relativePath } from '../../runtime/load/folder.js';
import type { WatchedPack } from '../../runtime/server/dev/messages.js';
import { watchFiles } from '../generate/watch-files.js';

export interface DevWatch {
  /** Also these, from now on. `since`: what was written later is news, also if nobody saw it happen. */
  add(packs: readonly WatchedPack[], since: number): void;
  /** That this text is new is not a change. */
  know(path: string, text: string): void;
  close(): Promise<void>;
}

export interface DevWatchOptions {
  /** Folders of overlays: everything in them counts, but for dependencies and hidden folders. */
  readonly overlays: readonly string[];
  /** Whether what is generated is written here, or by somebody else who may be late. */
  readonly generates: boolean;
  onChange(paths: readonly string[]): void;
}

export async function watchPacks(options: DevWatchOptions): Promise<DevWatch> {
  const packs = new Map<string, WatchedPack>();
  const watchedSince = new Map<string, number>();
  const start = Date.now();
  const { overlays, generates, onChange } = options;
  const overlayOf = (path: string): string | undefined => overlays.find(folder => isInsideFolder(path, folder));
  const watcher = await watchFiles({
    folders: overlays,
    isIgnored(path) {
      const overlay = overlayOf(path);
      if (overlay !== undefined) return isHidden(relativePath(overlay, path));
      const pack = packOf(path);
      if (pack === undefined) return false;
      const inside = relativePath(pack.folder, path);
      return isHidden(inside) || (generates && pack.outputs.some(folder => isIn(inside, folder)));
    },
    isRelevant(path) {
      if (overlayOf(path) !== undefined) return true;
      const pack = packOf(path);
      return pack !== undefined && isInput(relativePath(pack.folder, path), pack);
    },
    isNews: (path, stats) => !isOlder(stats, sinceOf(path)),
    onChange,
  });

  function packOf(path: string): WatchedPack | undefined {
    const around = [...packs.values()].filter(({ folder }) => isInsideFolder(path, folder));
    return around.sort((a, b) => b.folder.length - a.folder.length)[0];
  }

  function sinceOf(path: string): number {
    const pack = packOf(path);
    return (pack === undefined ? undefined : watchedSince.get(pack.folder)) ?? start;
  }

  return {
    add(more, since) {
      const news = more.filter(({ folder }) => !packs.has(folder) && !folder.split(sep).includes('node_modules'));
      for (const pack of more) if (packs.has(pack.folder) || news.includes(pack)) packs.set(pack.folder, pack);
      if (news.length === 0) return;
      for (const { folder } of news) watchedSince.set(folder, since);
      watcher.add(news.map(({ folder }) => folder));
    },
    know: watcher.know,
    close: watcher.close,
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

/** Dependencies and hidden folders are not even listed: there may be thousands of files in them. */
function isHidden(inside: string): boolean {
  return inside
    .split('/')
    .some(step => step === 'node_modules' || (step.startsWith('.') && step.length > 1 && step !== '.env'));
}

function isIn(inside: string, folder: string): boolean {
  return folder === '' || inside === folder || inside.startsWith(`${folder}/`);
}
