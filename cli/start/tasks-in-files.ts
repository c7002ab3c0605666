// T2. Where an operator's servers keep their tasks. Loaded with the first of them; built servers have it in a file of its own.
import type { Environment } from '../../runtime/call/context/config.js';
import { hasOpenTasks, openInFolder, openInMemory } from '../../runtime/tasks/files/kept-tasks.js';
import type { TaskSurface } from '../../runtime/tasks/surface.js';
import type { Tasks } from '../../runtime/tasks/tasks.js';
import { type TaskHome, taskFolder } from '../memory/state-folder.js';

/** A user without a home has no place for files: then they end with the process. */
export async function openTasksOf(home: TaskHome, env: Environment, surface: TaskSurface): Promise<Tasks> {
  const folder = taskFolder(env, home);
  if (folder === undefined) return await openInMemory(surface);
  return await openInFolder({ folder, key: env['TOOLWRIGHT_STATE_KEY'] }, surface);
}

/** Whether an earlier process left some. */
export function areTasksWaiting(home: TaskHome, env: Environment): boolean {
  const folder = taskFolder(env, home);
  return folder !== undefined && hasOpenTasks(folder);
}
