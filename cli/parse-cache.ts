// Parsed YAML by content hash, one file per pack in the user's cache folder: a second run parses only what changed.
// The cache is never needed: whatever is wrong with it, the pack is read as if there were none.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ParseCache } from '../runtime/load/read.js';
import { isMap } from '../schema/document.js';

/** Changes whenever the same text could parse to another value. */
const layout = 'parsed-2';
const maxAgeMs = 30 * 24 * 3600 * 1000;

export interface DiskCache extends ParseCache {
  /** Writes what was used in this run; entries that nobody asked for are forgotten. */
  save(): void;
}

export function openParseCache(pack: string): DiskCache {
  const file = cacheFile(pack, layout);
  if (file === undefined) return { get: () => undefined, set: () => {}, save: () => {} };
  // What was parsed since all was last written is in a file beside: a change of one file does not write a thousand.
  const besides = { ...file, path: file.path.replace(/\.json$/, '.more.json') };
  const [most, more] = [readEntries(file), readEntries(besides)];
  const used = new Map<string, readonly unknown[]>();
  let isChanged = false;
  return {
    get(hash) {
      const values = used.get(hash) ?? more.get(hash) ?? most.get(hash);
      if (values !== undefined) used.set(hash, values);
      return values;
    },
    set(hash, values) {
      used.set(hash, values);
      isChanged = true;
    },
    save() {
      const added = [...used].filter(([hash]) => !most.has(hash));
      const forgotten = most.size + added.length - used.size;
      if ((added.length + forgotten) * 20 > used.size) {
        if (!isChanged && forgotten === 0) return;
        writeCached(file, Object.fromEntries(used));
        forget(besides.path);
      } else if (isChanged) writeCached(besides, Object.fromEntries(added));
    },
  };
}

/** Clocks of file systems tick every few milliseconds; old ones, which count in whole seconds, every other second. */
const tickMs = { fine: 100, coarse: 3000 };

/** Whether a file that last changed at one time cannot have changed again, without another stamp, after it was read. */
export function isStable(changed: number, read: number): boolean {
  return read - changed >= (changed % 1000 === 0 ? tickMs.coarse : tickMs.fine);
}

/** Where one kind of cache keeps what it knows of a pack. */
export interface CacheFile {
  readonly folder: string;
  readonly path: string;
}

/** Undefined where nothing is to be kept. `layout` is the name of the cache's folder. */
export function cacheFile(pack: string, layout: string): CacheFile | undefined {
  const folder = cacheFolder(layout);
  if (folder === undefined) return undefined;
  return { folder, path: join(folder, `${shortName(pack)}.json`) };
}

/** Of 128 bits (FNV-1a, four times): loading `node:crypto` takes longer than to read a small pack. */
function shortName(text: string): string {
  return [0, 1, 2, 3].map(seed => hash32(text, seed).toString(16).padStart(8, '0')).join('');
}

function hash32(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // FNV alone leaves seeds in step with each other.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d ^ seed);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** TOOLWRIGHT_CACHE names another folder, or switches the cache off with `off`. */
function cacheFolder(layout: string): string | undefined {
  const { TOOLWRIGHT_CACHE: chosen, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (chosen === 'off') return undefined;
  if (chosen !== undefined && chosen !== '') return join(chosen, layout);
  if (process.platform === 'win32' && local) return join(local, 'toolwright', 'Cache', layout);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'toolwright', layout);
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'toolwright', layout);
}

function readEntries(file: CacheFile): ReadonlyMap<string, readonly unknown[]> {
  const stored = readCached(file);
  if (!isMap(stored)) return new Map();
  return new Map(Object.entries(stored).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])));
}

/** What was kept; undefined where that is nothing, or cannot be read. */
export function readCached(file: CacheFile): unknown {
  const text = readCachedText(file);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readCachedText({ path }: CacheFile): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function writeCached(file: CacheFile, value: unknown): void {
  writeCachedText(file, JSON.stringify(value));
}

export function writeCachedText({ folder, path }: CacheFile, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
    forgetOldPacks(folder);
  } catch {
    // A full or read-only disk must not fail a check.
    forget(temporary);
  }
}

function forget(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It could not be written either.
  }
}

function forgetOldPacks(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > maxAgeMs) forget(path);
  }
}
