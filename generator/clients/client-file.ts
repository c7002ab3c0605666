// Somebody's file on disk: read, and written in one step.
// In: a path and a string. Out: the file, which is whole at every moment, also after a power failure, and as readable as before.
import { randomUUID } from 'node:crypto';
import { accessSync, constants, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../runtime/load/folder.js';
import { readBytes } from '../../runtime/load/read-file.js';
import { type Disk, knownReasonOf, nodeDisk, type Rights, removeIfPossible } from '../compile/apply-disk.js';
import type { Refusal } from './config-edit.js';

/** Undefined where there is no file. Anything but a regular file, and text that is not UTF-8, throws. */
export function readText(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBytes(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The same of a client's settings; why not, where they cannot be read. */
export function readSettings(file: string): string | undefined | Refusal {
  try {
    return readText(file);
  } catch (error) {
    const code = codeOf(error);
    if (code?.startsWith('ERR_ENCODING')) return { problem: 'it is not UTF-8 text' };
    return { problem: `it cannot be read: ${knownReasonOf(error) ?? code}` };
  }
}

export interface WriteOptions {
  /** Of a new file: for its owner only, unless given. */
  readonly mode?: number;
  readonly disk?: Disk;
  /** Puts the finished file in place; replaces what is there, unless given. */
  readonly publish?: (temporary: string, target: string) => void;
}

/**
 * Through links, which many keep their settings behind. Mode, owner and group of an existing file stay; they are those of the
 * folder where root writes a new one. The text is on the disk before its name is, and the name is when this returns.
 */
export function writeText(
  file: string,
  text: string,
  { mode = 0o600, disk = nodeDisk, publish }: WriteOptions = {},
): void {
  const target = realPathOf(file);
  const folder = dirname(target);
  const owner = ownerOf(folder);
  makeFolder(folder, disk);
  const stats = statsOf(target);
  const rights =
    stats === undefined ? { mode, ...owner } : { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid };
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    disk.write(temporary, text, rights);
    disk.sync(temporary);
    if (publish === undefined) disk.rename(temporary, target);
    else publish(temporary, target);
  } catch (error) {
    removeIfPossible(disk, temporary);
    // Nobody knows the other file.
    throw error instanceof Error ? Object.assign(error, { path: target }) : error;
  }
  disk.syncFolder(folder);
}

/** What the file leads to; a link to it stays. */
export function removeText(file: string, disk: Disk = nodeDisk): void {
  const target = realPathOf(file);
  disk.remove(target);
  disk.syncFolder(dirname(target));
}

/** Removes what killed runs left beside a file. For the holder of its lock: nobody else is writing it then. */
export function sweep(file: string, disk: Disk): void {
  const target = realPathOf(file);
  const name = basename(target);
  const isLeft = (one: string): boolean =>
    one.startsWith(`${name}.`) && /^[0-9a-f]{8}\.tmp$/.test(one.slice(name.length + 1));
  for (const one of listOf(dirname(target)).filter(isLeft)) removeIfPossible(disk, join(dirname(target), one));
}

const mostLinks = 40;

/** What a path leads to, also where that is not there yet: a link that points nowhere stays one. */
export function realPathOf(file: string, links = 0): string {
  try {
    return realpathSync(file);
  } catch {
    const target = linkOf(file);
    return target === undefined || links > mostLinks ? file : realPathOf(resolve(dirname(file), target), links + 1);
  }
}

export function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/** By its mode, which root may ignore but its owner has set; or because it is not ours to write. */
export function isReadOnly(file: string): boolean {
  const stats = statsOf(file);
  if (stats === undefined) return false;
  if ((stats.mode & 0o222) === 0) return true;
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** To whom new files in a folder belong: for root, who may work for somebody else, the owner of the nearest folder that exists. */
function ownerOf(folder: string): Pick<Rights, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {};
  const stats = statsOf(folder);
  if (stats === undefined) return dirname(folder) === folder ? {} : ownerOf(dirname(folder));
  return { uid: stats.uid, gid: stats.gid };
}

/** With those above it; root makes them for whom the nearest one belongs to. */
export function makeFolder(folder: string, disk: Disk): void {
  if (statsOf(folder) !== undefined) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), disk);
  disk.makeFolder(folder, ownerOf(folder));
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** Nothing where there is no folder, or none that can be read. */
export function listOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
