// T2. The tasks of a server, by where they are kept. Loaded with the first of them.
import { openMemoryStore } from '../memory-store.js';
import { openTasks, type TasksInput } from '../open-tasks.js';
import type { TaskSurface } from '../surface.js';
import type { Tasks } from '../tasks.js';
import { type FileStoreOptions, openFileStore } from './file-store.js';

export { hasOpenTasks } from './file-store.js';

/** As long as the process lives. */
export async function openInMemory(surface: TaskSurface): Promise<Tasks> {
  return await openTasks({ store: openMemoryStore(), surface });
}

/** For all processes of this machine. */
export async function openInFolder(
  options: FileStoreOptions,
  surface: TaskSurface,
  more: Pick<TasksInput, 'mayTake'> = {},
): Promise<Tasks> {
  return await openTasks({ store: openFileStore(options), surface, ...more });
}
