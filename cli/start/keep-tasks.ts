// T2. In: a server that is started by an operator. Out: what keeps its tasks, in files of this user: they survive the end of the process, and
// all processes of the same server on this machine share them. Nothing is loaded or made before a tool runs as a task.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Environment } from '../../runtime/call/context/config.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import type { TaskKeeper } from '../../runtime/server/open-server.js';
import { homeFolder } from '../memory/home-folder.js';
import { stateFolder } from '../memory/state-folder.js';

/** `folder`: of the pack, or of a built server, which together with the name says which server it is. */
export function keepTasks(folder: string, server: string, env: Environment): TaskKeeper {
  const home = homeFolder();
  // A user without a home has no place for them either.
  if (home === undefined) return keepInMemory;
  const path = join(stateFolder(home), 'tasks', nameOf(resolve(folder), server));
  return {
    async open(surface) {
      const { openInFolder } = await import('../../runtime/tasks/kept-tasks.js');
      return await openInFolder({ folder: path, key: env['TOOLWRIGHT_STATE_KEY'] }, surface);
    },
    async isWaiting() {
      const { hasOpenTasks } = await import('../../runtime/tasks/kept-tasks.js');
      return hasOpenTasks(path);
    },
  };
}

/** For people, and surely another one for each server. */
function nameOf(folder: string, server: string): string {
  const mark = createHash('sha256').update(`${folder}\n${server}`).digest('hex').slice(0, 16);
  return `${server.replaceAll(/[^\w.-]/g, '_')}-${mark}`;
}
