// One generate at a time. In: a pack. Out: a lock that is held until released, or who holds it.
// The lock is a file with its holder in it, so that one left by a killed process is recognised and taken over at once.
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../runtime/load/folder.js';
import { readUtf8 } from '../../runtime/load/read-file.js';
import { type Disk, isLinkless, removeIfPossible } from './apply-disk.js';

export interface Lock {
  release(): void;
}

export interface LockOptions {
  /** The absolute path of the lock file; its folder exists. */
  readonly path: string;
  /** A name beside it that nobody else uses. */
  readonly temporary: string;
  readonly disk: Disk;
  /** Milliseconds to wait for another run. */
  readonly wait: number;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, where the system tells: numbers of processes are used again. */
  readonly started?: string;
}

const pause = 25;

/** A file that names no holder is being written or removed, which takes a moment, or is not a lock: a link that leads nowhere. */
const longestNameless = 1000;

/** The lock, or the process that holds it. Throws what the system throws. */
export async function acquireLock(options: LockOptions): Promise<Lock | { readonly holder: string }> {
  const { path, disk, wait } = options;
  const own = JSON.stringify(describeProcess(process.pid));
  let nameless = 0;
  for (let waited = 0; ; waited += pause) {
    if (claim(options, own)) return { release: () => release(disk, path, own) };
    const text = readText(disk, path);
    const holder = text === undefined ? undefined : parseHolder(text);
    const state = holder === undefined ? 'unknown' : stateOf(holder);
    nameless = holder === undefined ? nameless + pause : 0;
    const isOver = waited >= wait || nameless > longestNameless;
    // Nobody can ask a process of another machine, or of a container that is gone: waiting is all there is.
    const isStale = state === 'dead' || (state === 'unknown' && isOver);
    if (isStale && text !== undefined && takeOver(options, text)) continue;
    if (isOver) return { holder: holder === undefined ? 'of an unknown process' : `process ${holder.pid}` };
    await sleep(pause);
  }
}

/** The lock appears with its holder in it, never empty: a link to a finished file. */
function claim({ path, temporary, disk }: LockOptions, own: string): boolean {
  try {
    disk.write(temporary, own);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') removeIfPossible(disk, temporary);
    throw error;
  }
  try {
    disk.link(temporary, path);
    return true;
  } catch (error) {
    // ENOENT: the run that holds the lock took the temporary file for a killed run's.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    if (!isLinkless(error)) throw error;
    return claimDirectly(disk, path, own);
  } finally {
    removeIfPossible(disk, temporary);
  }
}

function claimDirectly(disk: Disk, path: string, own: string): boolean {
  try {
    disk.write(path, own);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function release(disk: Disk, path: string, own: string): void {
  try {
    if (readText(disk, path) === own) disk.remove(path);
  } catch {
    // The next run sees that its holder is dead.
  }
}

/** Of several that wait, one gets the stale lock by renaming it; who got a fresh one by mistake gives it back. */
function takeOver({ path, temporary, disk }: LockOptions, stale: string): boolean {
  try {
    disk.rename(path, temporary);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
  const isStale = readText(disk, temporary) === stale;
  if (!isStale) {
    try {
      disk.link(temporary, path);
    } catch {
      // Somebody has it already.
    }
  }
  removeIfPossible(disk, temporary);
  return isStale;
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    if (typeof value?.pid !== 'number' || typeof value.host !== 'string') return undefined;
    const { pid, host, started } = value;
    return { pid, host, ...(typeof started === 'string' ? { started } : {}) };
  } catch {
    return undefined;
  }
}

function stateOf(holder: Holder): 'alive' | 'dead' | 'unknown' {
  if (holder.host !== hostname()) return 'unknown';
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if (codeOf(error) !== 'EPERM') return 'dead';
  }
  return describeProcess(holder.pid).started === holder.started ? 'alive' : 'dead';
}

function describeProcess(pid: number): Holder {
  const started = startOfProcess(pid);
  return { pid, host: hostname(), ...(started === undefined ? {} : { started }) };
}

/** Field 22 of /proc/<pid>/stat, counted after the name, which may have spaces and parentheses. */
function startOfProcess(pid: number): string | undefined {
  try {
    const stat = readUtf8(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function readText(disk: Disk, path: string): string | undefined {
  try {
    return Buffer.from(disk.read(path)).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
