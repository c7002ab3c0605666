// T2. Where an operator's servers keep their tasks. Loaded with the first of them; built servers have it in a file of its own.
import type { Environment } from '../../runtime/call/context/config.js';
import { hasOpenTasks, openInFolder, openInMemory } from '../../runtime/tasks/files/kept-tasks.js';
import type { TasksInput } from '../../runtime/tasks/open-tasks.js';
import type { TaskSurface } from '../../runtime/tasks/surface.js';
import type { Tasks } from '../../runtime/tasks/tasks.js';
import type { TaskHome } from '../memory/state-folder.js';
import { taskPlace } from './task-place.js';

/** A user without a home has no place for files: then they end with the process. */
export async function openTasksOf(
  home: TaskHome,
  env: Environment,
  surface: TaskSurface,
  more: Pick<TasksInput, 'mayTake'> = {},
): Promise<Tasks> {
  const place = taskPlace(home, env);
  return place === undefined ? await openInMemory(surface) : await openInFolder(place, surface, more);
}

/** Whether an earlier process left some. */
export function areTasksWaiting(home: TaskHome, env: Environment): boolean {
  const place = taskPlace(home, env);
  return place !== undefined && hasOpenTasks(place.folder);
}
