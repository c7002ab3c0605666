// T1. In: how the tasks of a server are opened. Out: the same, done once.
import type { Tasks } from '../tasks/tasks.js';

/** Opens them with the first call; where that fails, the next one tries again. */
export function openOnce(open: () => Promise<Tasks>): () => Promise<Tasks> {
  let opening: Promise<Tasks> | undefined;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
