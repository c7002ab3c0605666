// The port through which apply writes. Tests pass one that is full, read-only or slow; nodeDisk is the real one.
import { linkSync, mkdirSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../runtime/load/folder.js';
import { isThere } from './read-places.js';

/** Absolute paths; everything throws what the system throws. */
export interface Disk {
  read(path: string): Uint8Array;
  exists(path: string): boolean;
  /** Makes a new file; fails where there is one. */
  write(path: string, text: string): void;
  /** Puts a file in the place of another, in one step. */
  rename(from: string, to: string): void;
  /** Gives a file a second name; fails where there is one. */
  link(from: string, to: string): void;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Fails where the folder is not empty. */
  removeFolder(path: string): void;
}

export const nodeDisk: Disk = {
  read: path => readFileSync(path),
  exists: isThere,
  write: (path, text) => writeFileSync(path, text, { flag: 'wx' }),
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  remove: path => unlinkSync(path),
  makeFolder: makeFolders,
  removeFolder: path => rmdirSync(path),
};

function makeFolders(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    // Of a read-only file system Node says here that the folder above is missing.
    if (codeOf(error) === 'ENOENT') mkdirSync(firstMissing(path));
    throw error;
  }
}

function firstMissing(path: string): string {
  const above = dirname(path);
  return above === path || isThere(above) ? path : firstMissing(above);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'there is a folder of this name',
  ENOTDIR: 'a folder above it is a file',
  EBUSY: 'another program is using it',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EXDEV: 'it lies on another file system',
  ETXTBSY: 'another program is running it',
  EIO: 'the disk reports an error',
};

/** What the system refused, for reasons that lie outside of any program; undefined for everything else. */
export function knownReasonOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && Object.hasOwn(reasons, code) ? `${reasons[code]} (${code})` : undefined;
}

/** What went wrong, in words without a path: messages must not differ between machines. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return knownReasonOf(error) ?? code;
}

/** Every further file would fail the same way. */
export function isFinal(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');
}
