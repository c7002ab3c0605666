// One change of a file that other programs write, too. In: a file, and what becomes of its text. Out: the file changed, with nothing
// lost that somebody else wrote meanwhile; or why it was left alone.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangedMeanwhileError, codeOf } from '../../runtime/load/folder.js';
import { type Disk, linkOrRename, nodeDisk } from '../compile/apply-disk.js';
import { acquireLock } from '../compile/apply-lock.js';
import {
  isReadOnly,
  makeFolder,
  readSettings,
  realPathOf,
  removeText,
  statsOf,
  sweep,
  writeText,
} from './client-file.js';
import { isRefusal, type Refusal } from './config-edit.js';

/** A file as it is at one moment. */
export interface SeenFile {
  /** Undefined where there is none. */
  readonly text: string | undefined;
  /** Names that the file has besides this one; they keep the old text. */
  readonly otherLinks: number;
  /** Puts a string in its place, or removes the file. Throws where the file is no longer what was seen: nothing was written then. */
  replace(text: string | undefined): void;
}

export interface ChangeOptions {
  /** Where locks are kept: the same folder for everybody who is to wait for another. */
  readonly locks: string;
  readonly disk?: Disk;
  /** Milliseconds for the lock, and as many for a file that does not come to rest. */
  readonly wait?: number;
}

/** Many programs empty a file and then fill it: what was written this moment may be half of it. */
const rest = 50;

/**
 * Reads, edits and writes in one step: one at a time among ourselves by a lock, and against other programs by looking again right
 * before the file is replaced. Where it has changed, `edit` is asked anew, with its present text.
 *
 * @example await changeFile('/home/me/.cursor/mcp.json', { locks }, async seen => seen.replace(`${seen.text}\n`))
 */
export async function changeFile<T>(
  file: string,
  { locks, disk = nodeDisk, wait = 30_000 }: ChangeOptions,
  edit: (seen: SeenFile) => Promise<T>,
): Promise<T | Refusal> {
  const target = realPathOf(file);
  const key = createHash('sha256').update(target).digest('hex').slice(0, 16);
  makeFolder(locks, disk);
  const lock = await acquireLock({
    path: `${locks}/${key}.lock`,
    temporary: `${locks}/${key}.${randomUUID().slice(0, 8)}.tmp`,
    disk,
    wait,
  });
  if ('holder' in lock)
    return { problem: `another run is changing it (${lock.holder})`, hint: 'try again when it has finished' };
  try {
    sweep(target, disk);
    for (const end = performance.now() + wait; ; ) {
      if (!(await comesToRest(target, end))) return keepsChanging;
      if (isReadOnly(target)) return readOnly;
      try {
        const seen = look(target, disk);
        return isRefusal(seen) ? seen : await edit(seen);
      } catch (error) {
        if (!(error instanceof ChangedMeanwhileError)) throw error;
        if (performance.now() > end) return keepsChanging;
      }
    }
  } finally {
    lock.release();
  }
}

const keepsChanging: Refusal = {
  problem: 'another program keeps changing it',
  hint: 'close the client, then try again',
};

const readOnly: Refusal = {
  problem: 'it is read-only',
  hint: 'make it writable, or change it by hand (install --print shows the entry)',
};

function look(target: string, disk: Disk): SeenFile | Refusal {
  const stamp = stampOf(target);
  const text = readSettings(target);
  if (typeof text === 'object') return text;
  // Beside its content: a stamp may be the same within one tick of the clock of a disk.
  const holdOn = (): void => {
    if (readSettings(target) !== text || stampOf(target) !== stamp) throw new ChangedMeanwhileError();
  };
  holdOn();
  return {
    text,
    otherLinks: (statsOf(target)?.nlink ?? 1) - 1,
    replace(after) {
      if (after === undefined) {
        holdOn();
        removeText(target, disk);
        return;
      }
      writeText(target, after, {
        disk,
        publish(temporary) {
          // Nothing may come between this look and the next step.
          holdOn();
          try {
            if (text === undefined) linkOrRename(disk, temporary, target);
            else disk.rename(temporary, target);
          } catch (error) {
            // It appeared this moment; or another user's run took the temporary file for a killed one's.
            const isLost = codeOf(error) === 'ENOENT' || (text === undefined && codeOf(error) === 'EEXIST');
            throw isLost ? new ChangedMeanwhileError() : error;
          }
        },
      });
    },
  };
}

/** False where it is still being written when time is up. */
export async function comesToRest(target: string, end: number): Promise<boolean> {
  for (;;) {
    const stats = statsOf(target);
    const age = stats === undefined ? rest : Date.now() - stats.mtimeMs;
    // A time to come is that of another clock, as disks on the network have them.
    if (age < 0 || age >= rest) return true;
    if (performance.now() > end) return false;
    await sleep(rest - age + 1);
  }
}

function stampOf(file: string): string {
  const stats = statsOf(file);
  return stats === undefined ? '' : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join();
}
