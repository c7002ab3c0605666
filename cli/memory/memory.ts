// What commands need not find out again about a pack, in one file of the user's cache folder: what was made of a content, by its hash
// (values of YAML files, declarations of items), and results of whole runs, by the fingerprints of everything that they looked at.
// Never needed: whatever is wrong with the file, commands run as if there were none.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { ContentCache } from '../../runtime/load/read.js';
import { maxCodeBytes, readBytes } from '../../runtime/load/read-file.js';
import { build } from './build-id.js';
import { type Fingerprints, findUntouched } from './file-fingerprint.js';
import { homeFolder } from './home-folder.js';

/** Changes with the form of what is kept. */
const layout = 'memory-1';

export interface Memory extends ContentCache {
  /** The result of an earlier run, if nothing that it looked at was touched since. `name`: of the run, with all that it was asked for. */
  recallResult(name: string): unknown;
  /** `take`: takes the fingerprints; undefined where something changed while the run looked at it. */
  keepResult(name: string, result: unknown, take: () => Fingerprints | undefined): void;
  /** Writes what was added. */
  save(): void;
}

const noMemory: Memory = {
  get: () => undefined,
  set: () => {},
  recallResult: () => undefined,
  keepResult: () => {},
  save: () => {},
};

/**
 * Opens what is remembered of a pack. `by`: which compiler does, as another one may find and print something else.
 *
 * @example
 * const memory = openMemory('/packs/jira');
 * const report = memory.recallResult('check') ?? (await check());
 * memory.save();
 */
export function openMemory(pack: string, by: string = build): Memory {
  const file = cacheFile(pack, layout);
  if (file === undefined) return noMemory;
  const head = Buffer.from(`${JSON.stringify([circumstances(by), pack])}\n`);
  const stored = splitLines(readCachedBytes(file), head);
  const used = new Map<string, Buffer>();
  let isChanged = false;

  const get = (key: string): readonly unknown[] | undefined => {
    const line = used.get(key) ?? stored.get(key);
    const value = line === undefined ? undefined : parseLine(line, key);
    if (line !== undefined && value !== undefined) used.set(key, line);
    return value;
  };
  const set = (key: string, value: readonly unknown[]): void => {
    used.set(key, printLine(key, value));
    isChanged = true;
  };
  const write = (drop: (unused: readonly Buffer[], recent: readonly Buffer[]) => readonly Buffer[]): void => {
    const unused = [...stored].filter(([key]) => !used.has(key)).map(([, line]) => line);
    const recent = [...used.values()];
    writeCachedBytes(file, [head, ...drop(unused, recent), ...recent]);
    isChanged = false;
  };
  return {
    get,
    set,
    recallResult(name) {
      const [about, fingerprints, result] = get(resultKey(name)) ?? [];
      const untouched = about === name ? findUntouched(fingerprints as Fingerprints) : undefined;
      if (untouched === undefined) return undefined;
      if (untouched !== fingerprints) {
        set(resultKey(name), [name, untouched, result]);
        // All the rest was not needed, but is not old for that.
        write(unused => unused);
      }
      return result;
    },
    keepResult(name, result, take) {
      const fingerprints = take();
      if (fingerprints !== undefined) set(resultKey(name), [name, fingerprints, result]);
    },
    save: () => (isChanged ? write(dropOldest) : undefined),
  };
}

function resultKey(name: string): string {
  return `run:${shortName(name)}`;
}

/** One line per entry: its key, a checksum and JSON. Lines are parsed when they are asked for, and written again as they are. */
function printLine(key: string, value: readonly unknown[]): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  return Buffer.concat([Buffer.from(`${key} ${checksum(key, json)} `), json, lineFeed]);
}

const lineFeed = Buffer.from('\n');

/** Undefined where a byte of it is not as it was written: what is whole has the form that it was given, and is not looked through. */
function parseLine(line: Buffer, key: string): readonly unknown[] | undefined {
  const at = line.indexOf(' ', key.length + 1) + 1;
  const json = line.subarray(at, -1);
  return checksum(key, json) === line.toString('latin1', key.length + 1, at - 1)
    ? (JSON.parse(json.toString('utf8')) as readonly unknown[])
    : undefined;
}

/** FNV-1a: damage is random, and `node:crypto` takes longer to load than a small pack. */
function checksum(key: string, bytes: Buffer): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** By their keys; none where the first line is another. */
function splitLines(bytes: Buffer | undefined, head: Buffer): ReadonlyMap<string, Buffer> {
  const lines = new Map<string, Buffer>();
  if (bytes === undefined || !bytes.subarray(0, head.length).equals(head)) return lines;
  for (let start = head.length; ; ) {
    const end = bytes.indexOf(10, start) + 1;
    if (end === 0) return lines;
    const line = bytes.subarray(start, end);
    lines.set(line.toString('latin1', 0, Math.max(0, line.indexOf(' '))), line);
    start = end;
  }
}

/** A run that a mistake ends early uses little: it must not drive out what the next one needs. */
const leastRoom = 4 * 1024 * 1024;

/** What is left of lines that were not used, of which the most recent stand last. */
function dropOldest(unused: readonly Buffer[], recent: readonly Buffer[]): readonly Buffer[] {
  let room = leastRoom + 2 * recent.reduce((sum, { length }) => sum + length, 0);
  let first = unused.length;
  for (; first > 0; first -= 1) {
    room -= unused[first - 1]?.length ?? 0;
    if (room < 0) break;
  }
  return unused.slice(first);
}

// The files of all caches, in the user's cache folder. In: what is to be kept of a pack. Out: the same in a later run, or nothing:
// no cache is ever needed, and what was kept may be damaged since.

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

/** set TOOLWRIGHT_CACHE to another folder, or switches the cache off with `off`. */
export function cacheFolder(layout: string): string | undefined {
  const { TOOLWRIGHT_CACHE: chosen, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (chosen === 'off') return undefined;
  if (chosen !== undefined && chosen !== '') return join(chosen, layout);
  if (process.platform === 'win32' && local) return join(local, 'toolwright', 'Cache', layout);
  const isMac = process.platform === 'darwin';
  if (!isMac && xdg && isAbsolute(xdg)) return join(xdg, 'toolwright', layout);
  const home = homeFolder();
  return home === undefined ? undefined : join(home, isMac ? 'Library/Caches' : '.cache', 'toolwright', layout);
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

function readCachedBytes({ path }: CacheFile): Buffer | undefined {
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
function writeCachedBytes({ folder, path }: CacheFile, parts: readonly Buffer[]): void {
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
