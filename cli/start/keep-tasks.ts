// T2. In: a server that is started by an operator. Out: what keeps its tasks, in files of this user: they survive the end of the process, and
// all processes of the same server on this machine share them. Nothing is loaded or made before a tool runs as a task.
import type { Environment } from '../../runtime/call/context/config.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import type { TaskKeeper } from '../../runtime/server/open-server.js';
import { taskFolder } from '../memory/state-folder.js';

/** `folder`: of the pack, or of a built server, which together with the name says which server it is. */
export function keepTasks(folder: string, server: string, env: Environment): TaskKeeper {
  const path = taskFolder(env, { pack: folder, server });
  // A user without a home has no place for them either.
  if (path === undefined) return keepInMemory;
  return {
    async open(surface) {
      const { openInFolder } = await import('../../runtime/tasks/files/kept-tasks.js');
      return await openInFolder({ folder: path, key: env['TOOLWRIGHT_STATE_KEY'] }, surface);
    },
    async isWaiting() {
      const { hasOpenTasks } = await import('../../runtime/tasks/files/kept-tasks.js');
      return hasOpenTasks(path);
    },
  };
}
