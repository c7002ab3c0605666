// T2. In: a server that is started by an operator. Out: what keeps its tasks, in files of this user: they survive the end of the process, and
// all processes of the same server on this machine share them. Nothing is loaded or looked up before a tool runs as a task.
import type { Environment } from '../../runtime/call/context/config.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import type { TaskKeeper } from '../../runtime/server/open-server.js';
import type { TaskPlace } from './task-place.js';

/** `folder`: of the pack, or of a built server. A user without a home has no place for tasks: then they end with the process. */
export function keepTasks(folder: string, server: string, env: Environment): TaskKeeper {
  const find = (): Promise<TaskPlace | undefined> => findPlace(folder, server, env);
  return {
    async open(surface) {
      const place = await find();
      return place === undefined ? await keepInMemory.open(surface) : await (await load()).openInFolder(place, surface);
    },
    async isWaiting() {
      const place = await find();
      return place !== undefined && (await load()).hasOpenTasks(place.folder);
    },
  };
}

/** The same tasks for a process that somebody waits for: it works at those that `isMine` says, and leaves the others to servers. */
export function keepSomeTasks(
  { folder, server, env }: { readonly folder: string; readonly server: string; readonly env: Environment },
  isMine: (id: string) => boolean,
): TaskKeeper {
  return {
    async open(surface) {
      const place = await findPlace(folder, server, env);
      if (place === undefined) return await keepInMemory.open(surface);
      return await (await load()).openInFolder(place, surface, { mayTake: isMine });
    },
  };
}

async function findPlace(folder: string, server: string, env: Environment): Promise<TaskPlace | undefined> {
  return (await import('./task-place.js')).taskPlace(folder, server, env);
}

function load(): Promise<typeof import('../../runtime/tasks/files/kept-tasks.js')> {
  return import('../../runtime/tasks/files/kept-tasks.js');
}
