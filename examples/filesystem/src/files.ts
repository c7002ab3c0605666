// What is done to files, once their paths were checked.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { minimatch } from 'minimatch';
import { unixLines } from './edit.js';

const blockSize = 64 * 1024;

/** The first lines, without reading the rest of the file. */
export async function readHead(path: string, count: number): Promise<string> {
  let text = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: blockSize })) {
    text += chunk;
    if (text.split('\n').length > count) break;
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(0, Math.max(0, Math.ceil(count))).join('\n');
}

/** The last lines, read from the end. */
export async function readTail(path: string, count: number): Promise<string> {
  if (count < 0) return '';
  const file = await open(path);
  try {
    let position = (await file.stat()).size;
    let bytes = Buffer.alloc(0);
    while (position > 0 && bytes.filter(byte => byte === 0x0a).length < count) {
      const size = Math.min(blockSize, position);
      position -= size;
      const { buffer } = await file.read(Buffer.alloc(size), 0, size, position);
      bytes = Buffer.concat([buffer, bytes]);
    }
    return unixLines(bytes.toString('utf8')).split('\n').slice(-count).join('\n');
  } finally {
    await file.close();
  }
}

/** A file that exists is replaced as a whole, and keeps its permissions. A link in its place is not followed. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const mode = (await stat(path).catch(() => undefined))?.mode;
  if (mode === undefined) return await writeFile(path, text, { flag: 'wx' });
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text);
    await chmod(beside, mode & 0o777);
    await rename(beside, path);
  } finally {
    await rm(beside, { force: true });
  }
}

export interface Listed {
  readonly name: string;
  readonly isFolder: boolean;
  readonly size: number;
}

export async function listFolder(path: string): Promise<readonly Listed[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return await Promise.all(
    entries.map(async entry => {
      const size = (await stat(join(path, entry.name)).catch(() => undefined))?.size ?? 0;
      return { name: entry.name, isFolder: entry.isDirectory(), size };
    }),
  );
}

export interface Tree {
  readonly name: string;
  readonly type: 'file' | 'directory';
  readonly children?: readonly Tree[];
}

/** `check` is asked for every folder before it is read. */
export async function readTree(
  top: string,
  excluded: readonly string[],
  check: (path: string) => Promise<string>,
): Promise<readonly Tree[]> {
  const below = async (folder: string): Promise<readonly Tree[]> => {
    const trees: Tree[] = [];
    for (const entry of await readdir(await check(folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (excluded.some(pattern => isExcluded(relative(top, path), pattern))) continue;
      trees.push(
        entry.isDirectory()
          ? { name: entry.name, type: 'directory', children: await below(path) }
          : { name: entry.name, type: 'file' },
      );
    }
    return trees;
  };
  return await below(top);
}

/** A pattern without a star is a name, wherever it is. */
function isExcluded(path: string, pattern: string): boolean {
  const patterns = pattern.includes('*') ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`];
  return patterns.some(one => minimatch(path, one, { dot: true }));
}

/** What cannot be used or read is left out. */
export async function findFiles(
  top: string,
  { pattern, excluded }: { readonly pattern: string; readonly excluded: readonly string[] },
  check: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const search = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(top, path);
      try {
        await check(path);
        if (excluded.some(one => minimatch(name, one, { dot: true }))) continue;
        if (minimatch(name, pattern, { dot: true })) found.push(path);
        if (entry.isDirectory()) await search(path);
      } catch {
        // Not allowed, or gone by now.
      }
    }
  };
  await search(top);
  return found;
}

export async function describeFile(path: string): Promise<string> {
  const stats = await stat(path);
  const facts = {
    size: stats.size,
    created: stats.birthtime,
    modified: stats.mtime,
    accessed: stats.atime,
    isDirectory: stats.isDirectory(),
    isFile: stats.isFile(),
    permissions: stats.mode.toString(8).slice(-3),
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

export async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8');
}

export function printSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const unit = Math.min(bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return unit === 0 ? `${bytes} B` : `${(bytes / 1024 ** unit).toFixed(2)} ${units[unit]}`;
}
