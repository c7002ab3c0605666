// The port through which tasks are written. Tests pass one that is full; nodeDisk is the real one.
import {
  closeSync,
  constants,
  fdatasync,
  fsync,
  ftruncateSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '../../load/folder.js';
import { maxCodeBytes, readBytes } from '../../load/read-file.js';

export interface Look {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Absolute paths; everything throws what the system throws. Files are for their owner only. */
export interface Disk {
  /** With all folders above it. */
  makeFolder(path: string): void;
  /** Undefined where the system syncs no folders. */
  openFolder(path: string): number | undefined;
  /** A new file, for writing; fails where there is one. */
  create(path: string): number;
  /** All of it. */
  write(file: number, bytes: Uint8Array, at: number): void;
  truncate(file: number, length: number): void;
  setTime(file: number | string, ms: number): void;
  /** Waits until what the file holds, and its name where it is new, is on the disk; without keeping the thread. */
  sync(file: number): Promise<void>;
  /** The same for what was added to an existing file. */
  syncData(file: number): Promise<void>;
  close(file: number): void;
  /** Gives a file a second name; fails where there is one. */
  link(from: string, to: string): void;
  move(from: string, to: string): void;
  /** Undefined where there is none, as for `look`. */
  read(path: string): Buffer | undefined;
  look(path: string): Look | undefined;
  /** Does nothing where there is none. */
  remove(path: string): void;
  /** Nothing where there is no folder. */
  names(path: string): readonly string[];
}

// By descriptor: under yarn without node_modules, files of `fs.promises` cannot be synced.
const syncFile = promisify(fsync);
const syncDataOf = promisify(fdatasync);

export const nodeDisk: Disk = {
  makeFolder: path => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  openFolder(path) {
    try {
      return openSync(path, constants.O_RDONLY);
    } catch (error) {
      // Windows opens no folders.
      if (['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '') && process.platform === 'win32') return undefined;
      throw error;
    }
  },
  create: path => openSync(path, 'wx', 0o600),
  write(file, bytes, at) {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
  },
  truncate: ftruncateSync,
  setTime(file, ms) {
    const seconds = ms / 1000;
    if (typeof file === 'number') futimesSync(file, seconds, seconds);
    else utimesSync(file, seconds, seconds);
  },
  sync: file => syncIfPossible(syncFile, file),
  syncData: file => syncIfPossible(syncDataOf, file),
  close: closeSync,
  link: linkSync,
  move: renameSync,
  read: path => ifThere(() => readBytes(path, maxCodeBytes)),
  look: path => statSync(path, { throwIfNoEntry: false }),
  remove: path => ifThere(() => unlinkSync(path)),
  names: path => ifThere(() => readdirSync(path)) ?? [],
};

/** Some disks on the network sync nothing. */
async function syncIfPossible(sync: (file: number) => Promise<void>, file: number): Promise<void> {
  try {
    await sync(file);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
  }
}

function ifThere<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
