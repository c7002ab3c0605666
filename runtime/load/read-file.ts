// The one reader of files that somebody else wrote: a pack's, a client's, a project's. In: a path. Out: its bytes.
// Only regular files, and only up to a limit: a clone may hold a link to /dev/zero, a pipe that nobody writes to, or a file
// larger than any memory. `test/runtime/load/reading.test.ts` keeps other ways of reading out of the sources.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Far above any manifest (a combined file of 10,000 tools has 15 to 25 MB), far below what fills a memory. */
export const maxBytes = 32 * 1024 * 1024;

/** For modules and what they name: bundles and data beside code may be larger than a manifest. */
export const maxCodeBytes = 256 * 1024 * 1024;

/** The bytes of a regular file. Throws what the system throws; ENOTFILE and EFBIG are our own. */
export function readBytes(path: string, limit = maxBytes): Buffer {
  const bytes = readUpTo(path, limit);
  if (typeof bytes !== 'number') return bytes;
  throw refusal('EFBIG', `${path} has ${bytes} bytes, more than ${limit}`, path);
}

/** The same as UTF-8; what is not valid UTF-8 is replaced, as Node does. */
export function readUtf8(path: string, limit = maxBytes): string {
  return readBytes(path, limit).toString('utf8');
}

/** The bytes, or the size of a file that has more than `limit`. */
export function readUpTo(path: string, limit: number): Buffer | number {
  // Non-blocking: opening a pipe that nobody writes to must not hang.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    // The system says EISDIR of a folder when it is read.
    if (!stats.isFile() && !stats.isDirectory()) throw refusal('ENOTFILE', `${path} is not a regular file`, path);
    return stats.size > limit ? stats.size : (readPage(descriptor, limit) ?? readWhole(descriptor, stats.size));
  } catch (error) {
    // Reading a descriptor, the system does not know the name.
    throw error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A file of that name, in a folder or above it, that programs which look for it by themselves (Node, esbuild) would wait for without end.
 *
 * @example oddAbove('/packs/jira/src', 'package.json')
 */
export function oddAbove(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  const isOdd = stats !== undefined && !stats.isDirectory() && (!stats.isFile() || stats.size > maxBytes);
  if (isOdd) return path;
  return dirname(folder) === folder ? undefined : oddAbove(dirname(folder), name);
}

/** What is thrown in place of reading it. */
export function refuseOdd(folder: string, name: string): void {
  const path = oddAbove(folder, name);
  if (path !== undefined) throw refusal('ENOTFILE', `${path} is not a file that can be read`, path);
}

function refusal(code: string, message: string, path: string): Error {
  return Object.assign(new Error(message), { code, path });
}

/** Most files are short: they need no buffer of their size, and so nobody to ask for it. */
const pageSize = 65_536;

/** What is read into it is copied out at once. */
let page: Buffer | undefined;

/** A file that does not fill the page, else undefined. */
function readPage(descriptor: number, limit: number): Buffer | undefined {
  page ??= Buffer.allocUnsafeSlow(pageSize);
  for (let length = 0; length < Math.min(pageSize, limit); ) {
    const count = readSync(descriptor, page, length, pageSize - length, length);
    if (count === 0) return Buffer.from(page.subarray(0, length));
    length += count;
  }
  return undefined;
}

function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
