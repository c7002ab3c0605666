// T2. For the operator of a machine. In: the folder of one server's tasks. Out: all of them, of all owners, as they are now. Nothing is
// run, and nothing changes.
import { leaseMs as usualLeaseMs } from '../limits.js';
import { assemble, standingOf } from '../record.js';
import type { TaskRecord } from '../store.js';
import { type Disk, nodeDisk } from './disk.js';
import { runName, TaskFiles } from './task-files.js';
import { readParts, readTask } from './task-parts.js';
import { makeVault } from './vault.js';

export interface SeenTask {
  readonly record: TaskRecord;
  /** A process works at it, as far as can be seen from outside. */
  readonly isRunning: boolean;
}

export interface SeenTasks {
  /** The newest first. */
  readonly tasks: readonly SeenTask[];
  /** How many cannot be read: they are sealed with another key. */
  readonly sealed: number;
}

export interface ReadAllOptions {
  readonly folder: string;
  /** TOOLWRIGHT_STATE_KEY. */
  readonly key?: string | undefined;
  readonly leaseMs?: number | undefined;
  readonly disk?: Disk | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * @example const { tasks } = readAllTasks({ folder: taskFolder(pack, server), key });
 */
export function readAllTasks(options: ReadAllOptions): SeenTasks {
  const { folder, key, leaseMs = usualLeaseMs, disk = nodeDisk, now = Date.now } = options;
  // Where nothing was ever kept, no folder is made for a look.
  if (disk.look(folder) === undefined) return { tasks: [], sealed: 0 };
  const files = new TaskFiles(folder, disk, makeVault(key));
  const names = [...new Set([...files.names('open'), ...files.names('done')])].toSorted().toReversed();
  const seen = names.map(name => {
    const task = readTask(files, name);
    const found = task && readParts(files, task);
    if (found === undefined) return undefined;
    const record = assemble(found.parts);
    const touched = disk.look(files.path('runs', runName(record.id, record.run)))?.mtimeMs ?? 0;
    const isFresh = now() - Math.max(record.updatedAt, touched) < leaseMs;
    return { record, isRunning: standingOf(found.parts) === 'running' && isFresh };
  });
  const tasks = seen.filter(one => one !== undefined);
  return { tasks, sealed: seen.length - tasks.length };
}
