// Removes what has outlived its ttl. In: the files of all tasks. Out: those that are over are gone, the others end.
import { codeOf } from '../../load/folder.js';
import { lateMs } from '../limits.js';
import type { TaskRef } from '../store.js';
import { answersName, idOf, runName, type TaskFiles } from './task-files.js';
import { readTask } from './task-parts.js';

export interface Sweeper {
  sweep(end: (ref: TaskRef) => Promise<unknown>): Promise<void>;
}

interface Times {
  readonly now: () => number;
  readonly clock: () => number;
  /** The clock of the machine may be wrong for a while: something is late only if it is so for this long. */
  readonly surelyMs: number;
}

/** Of a process that was killed while it wrote. */
const oldDraftMs = 86_400_000;

export function makeSweeper(files: TaskFiles, { now, clock, surelyMs }: Times): Sweeper {
  const lateSince = new Map<string, number>();

  /** Whether the time of a file has been over for long enough. */
  function isLate(path: string, afterMs = 0): boolean {
    const look = files.disk.look(path);
    if (look === undefined || look.mtimeMs + afterMs >= now()) {
      lateSince.delete(path);
      return false;
    }
    const since = lateSince.get(path) ?? clock();
    lateSince.set(path, since);
    return clock() - since >= surelyMs;
  }

  function remove(folder: 'open' | 'done', name: string): void {
    const gone = files.path('drafts', name);
    try {
      // From here on there is no such task, whenever the process ends.
      files.disk.move(files.path(folder, name), gone);
    } catch (error) {
      // Another process was first.
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    removeRest(name);
  }

  function removeRest(name: string): void {
    const id = idOf(name);
    if (id !== undefined) {
      removeAll(count => runName(id, count));
      removeAll(count => answersName(id, count));
      files.disk.remove(files.path('ends', id));
    }
    files.disk.remove(files.path('drafts', name));
  }

  function removeAll(name: (count: number) => string): void {
    // The first run may have no file.
    for (let count = 1; count === 1 || files.has('runs', name(count)); count += 1)
      files.disk.remove(files.path('runs', name(count)));
  }

  return {
    async sweep(end) {
      for (const name of files.names('open')) {
        const path = files.path('open', name);
        if (!isLate(path)) continue;
        lateSince.delete(path);
        const task = readTask(files, name);
        if (task === undefined) remove('open', name);
        else {
          // A client that asks just then still finds it.
          files.disk.setTime(path, now() + lateMs);
          await end(task);
        }
      }
      for (const name of files.names('done')) {
        const path = files.path('done', name);
        if (!isLate(path)) continue;
        lateSince.delete(path);
        remove('done', name);
      }
      for (const name of files.names('drafts')) {
        if (idOf(name) !== undefined) removeRest(name);
        else if (isLate(files.path('drafts', name), oldDraftMs)) files.disk.remove(files.path('drafts', name));
      }
    },
  };
}
