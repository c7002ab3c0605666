// T2. In: a server that is started by an operator. Out: what keeps its tasks, in files of this user: they survive the end of the process, and
// all processes of the same server on this machine share them. Nothing is loaded or looked up before a tool runs as a task.
import type { Environment } from '../../runtime/call/context/config.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import type { TaskKeeper } from '../../runtime/server/open-server.js';
import type { TaskHome } from '../memory/state-folder.js';

export function keepTasks(home: TaskHome, env: Environment): TaskKeeper {
  // A user without a home has no place for them either.
  const find = async (): Promise<string | undefined> =>
    (await import('../memory/state-folder.js')).taskFolder(env, home);
  return {
    async open(surface) {
      const folder = await find();
      if (folder === undefined) return await keepInMemory.open(surface);
      const { openInFolder } = await import('../../runtime/tasks/files/kept-tasks.js');
      return await openInFolder({ folder, key: env['TOOLWRIGHT_STATE_KEY'] }, surface);
    },
    async isWaiting() {
      const folder = await find();
      if (folder === undefined) return false;
      const { hasOpenTasks } = await import('../../runtime/tasks/files/kept-tasks.js');
      return hasOpenTasks(folder);
    },
  };
}
