// In: the changes of one task, as a store tells them. Out: the task, each time that something of it is another.

import type { TaskRecord } from './store.js';
import type { Task } from './tasks.js';
import { toTask } from './to-task.js';

/** What to call after each change: several at once are one. A look that fails is made again with the next change. */
export function makeWatcher(read: () => Promise<TaskRecord | undefined>, listen: (task: Task) => void): () => void {
  let isLooking = false;
  let isDue = false;
  let before = '';

  async function look(): Promise<void> {
    if (isLooking) {
      isDue = true;
      return;
    }
    isLooking = true;
    try {
      do {
        isDue = false;
        const record = await read();
        if (record !== undefined) tell(toTask(record));
      } while (isDue);
    } catch {
      // See above.
    } finally {
      isLooking = false;
    }
  }

  function tell(task: Task): void {
    const now = JSON.stringify([task.updatedAt, task.note, Object.keys(task.asking), task.end?.kind]);
    if (now === before) return;
    before = now;
    listen(task);
  }

  return () => void look();
}
