// T2. In: a server that is started by an operator. Out: what keeps its tasks, in files of this user: they survive the end of the process, and
// all processes of the same server on this machine share them. Nothing is loaded or made before a tool runs as a task.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Environment } from '../../runtime/call/context/config.js';
import { readStateKey } from '../../runtime/call/context/seal.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import type { TaskKeeper } from '../../runtime/server/open-server.js';
import { homeFolder } from '../memory/home-folder.js';
import { stateFolder } from '../memory/state-folder.js';

/** Where the tasks of one server are. */
export interface TaskPlace {
  readonly folder: string;
  readonly key: string | undefined;
}

/** `folder`: of the pack, or of a built server, which together with the name says which server it is. Undefined: this user has no place. */
export function taskPlace(folder: string, server: string, env: Environment): TaskPlace | undefined {
  const home = homeFolder();
  if (home === undefined) return undefined;
  const path = join(stateFolder(home), 'tasks', nameOf(resolve(folder), server));
  return { folder: path, key: readStateKey(env['TOOLWRIGHT_STATE_KEY']).value };
}

/**
 * A user without a home has no place for tasks: then they end with the process. `isMine`: of a process that works only at some tasks, and
 * leaves the others to servers.
 */
export function keepTasks(
  folder: string,
  server: string,
  env: Environment,
  isMine?: (id: string) => boolean,
): TaskKeeper {
  const place = taskPlace(folder, server, env);
  if (place === undefined) return keepInMemory;
  return {
    async open(surface) {
      const { openInFolder } = await import('../../runtime/tasks/kept-tasks.js');
      return await openInFolder(place, surface, { mayTake: isMine });
    },
    async isWaiting() {
      const { hasOpenTasks } = await import('../../runtime/tasks/kept-tasks.js');
      return isMine === undefined && hasOpenTasks(place.folder);
    },
  };
}

/** For people, and surely another one for each server. */
function nameOf(folder: string, server: string): string {
  const mark = createHash('sha256').update(`${folder}\n${server}`).digest('hex').slice(0, 16);
  return `${server.replaceAll(/[^\w.-]/g, '_')}-${mark}`;
}
