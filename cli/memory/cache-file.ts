// The files of all caches, in the user's cache folder. In: what is to be kept of a pack. Out: the same in a later run, or nothing:
// no cache is ever needed, and what was kept may be damaged since.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { maxCodeBytes, readBytes } from '../../runtime/load/read-file.js';

const maxAgeMs = 30 * 24 * 3600 * 1000;

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
export function shortName(text: string): string {
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
export function cacheFolder(layout: string): string | undefined {
  const { TOOLWRIGHT_CACHE: chosen, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (chosen === 'off') return undefined;
  if (chosen !== undefined && chosen !== '') return join(chosen, layout);
  if (process.platform === 'win32' && local) return join(local, 'toolwright', 'Cache', layout);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'toolwright', layout);
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'toolwright', layout);
}

/** What results are kept with. Who runs it decides what can be read, and Node's version which regular expressions there are. */
export function circumstances(build: string): string {
  return `${build} ${process.version} ${process.getuid?.() ?? ''}`;
}

/** What was kept; undefined where that is nothing, or cannot be read. */
export function readCached(file: CacheFile): unknown {
  try {
    return JSON.parse(readCachedBytes(file)?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

export function readCachedBytes({ path }: CacheFile): Buffer | undefined {
  try {
    return readBytes(path, maxCodeBytes);
  } catch {
    return undefined;
  }
}

export function writeCached(file: CacheFile, value: unknown): void {
  writeCachedBytes(file, [Buffer.from(JSON.stringify(value))]);
}

/** All parts one after the other. */
export function writeCachedBytes({ folder, path }: CacheFile, parts: readonly Buffer[]): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat(parts), { mode: 0o600 });
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
