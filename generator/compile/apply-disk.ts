// The port through which apply writes. Tests pass one that is full, read-only or slow; nodeDisk is the real one.
import {
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, existsAt } from '../../runtime/load/folder.js';
import { maxCodeBytes, readBytes } from '../../runtime/load/read-file.js';

/** Who may read and write a file: exactly these, whatever the process would give to a new one. */
export interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** Absolute paths; everything throws what the system throws. */
export interface Disk {
  read(path: string): Uint8Array;
  exists(path: string): boolean;
  /** Makes a new file; fails where there is one. Without `rights` it is as any new file of the process. */
  write(path: string, text: string, rights?: Rights): void;
  /** Waits until what a file holds is on the disk, so that it is there after a power failure. */
  sync(path: string): void;
  /** The same without keeping the thread, so that several files wait together. */
  syncLater(path: string): Promise<void>;
  /** The same for the names in a folder, where the system can. */
  syncFolder(path: string): void;
  /** Puts a file in the place of another, in one step. */
  rename(from: string, to: string): void;
  /** Gives a file a second name; fails where there is one. */
  link(from: string, to: string): void;
  remove(path: string): void;
  makeFolder(path: string, owner?: Pick<Rights, 'uid' | 'gid'>): void;
  /** Fails where the folder is not empty. */
  removeFolder(path: string): void;
}

export const nodeDisk: Disk = {
  read: path => readBytes(path, maxCodeBytes),
  exists: existsAt,
  write: (path, text, rights) =>
    rights === undefined ? writeFileSync(path, text, { flag: 'wx' }) : writeWith(path, text, rights),
  // Windows syncs only what is open for writing.
  sync: path => syncOpen(path, 'r+'),
  syncLater,
  syncFolder(path) {
    try {
      syncOpen(path, 'r');
    } catch {
      // Windows, and some disks on the network, cannot.
    }
  },
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  remove: path => unlinkSync(path),
  makeFolder: makeFolders,
  removeFolder: path => rmdirSync(path),
};

function writeWith(path: string, text: string, { mode, uid, gid }: Rights): void {
  // Nobody else reads it before its rights are right.
  const file = openSync(path, 'wx', 0o600);
  try {
    const now = fstatSync(file);
    if (uid !== undefined && gid !== undefined && (uid !== now.uid || gid !== now.gid)) giveTo(path, file, uid, gid);
    fchmodSync(file, mode);
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

function giveTo(path: string, file: number, uid: number, gid: number): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    throw Object.assign(new Error('its owner and group cannot be kept', { cause: error }), { code: 'EOWNER', path });
  }
}

function syncOpen(path: string, flag: string): void {
  const descriptor = openSync(path, flag);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isSyncless(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** By descriptor: under yarn without node_modules, files of `fs.promises` cannot be synced. */
const syncDescriptor = promisify(fsync);

async function syncLater(path: string): Promise<void> {
  const descriptor = openSync(path, 'r+');
  try {
    await syncDescriptor(descriptor);
  } catch (error) {
    if (!isSyncless(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Some file systems have no such call: what they keep is up to them. */
function isSyncless(error: unknown): boolean {
  return ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error) ?? '');
}

function makeFolders(path: string, { uid, gid }: Pick<Rights, 'uid' | 'gid'> = {}): void {
  try {
    mkdirSync(path, { recursive: true });
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  } catch (error) {
    // Of a read-only file system Node says here that the folder above is missing.
    if (codeOf(error) === 'ENOENT') mkdirSync(firstMissing(path));
    throw error;
  }
}

function firstMissing(path: string): string {
  const above = dirname(path);
  return above === path || existsAt(above) ? path : firstMissing(above);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'there is a folder with this name',
  ENOTDIR: 'a folder above it is a file',
  ELOOP: 'links lead in a circle',
  EBUSY: 'another program is using it',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EXDEV: 'it lies on another file system',
  ETXTBSY: 'another program is running it',
  EIO: 'the disk reports an error',
};

/** Of runtime/load/read-file.ts, and of giveTo above: codes that nobody could look up. */
const ownReasons: Readonly<Record<string, string>> = {
  ENOTFILE: 'it is not a regular file',
  EFBIG: 'it is too large',
  EOWNER: 'its owner and group cannot be kept: run this as its owner',
};

/** Removes a file that nobody needs. Where it is gone already or the disk refuses, the next run cleans up. */
export function removeIfPossible(disk: Disk, path: string): void {
  try {
    disk.remove(path);
  } catch {
    // As said.
  }
}

/** What the system refused, for reasons that lie outside of any program; undefined for everything else. */
export function knownReasonOf(error: unknown): string | undefined {
  const code = codeOf(error) ?? '';
  if (Object.hasOwn(ownReasons, code)) return ownReasons[code];
  return Object.hasOwn(reasons, code) ? `${reasons[code]} (${code})` : undefined;
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

/** Some file systems have no second names. */
export function isLinkless(error: unknown): boolean {
  return ['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EMLINK', 'EXDEV', 'EINVAL'].includes(codeOf(error) ?? '');
}

/** Never replaces a file, not even one that appeared this very moment. */
export function linkOrRename(disk: Disk, from: string, to: string): void {
  try {
    disk.link(from, to);
  } catch (error) {
    if (!isLinkless(error) || disk.exists(to)) throw error;
    disk.rename(from, to);
    return;
  }
  removeIfPossible(disk, from);
}
