// T2. In: a server that is started by an operator. Out: what keeps its tasks, in files of this user: they survive the end of the process, and
// all processes of the same server on this machine share them. Nothing is loaded or looked up before a tool runs as a task.
import type { Environment } from '../../runtime/call/context/config.js';
import type { TaskKeeper } from '../../runtime/server/open-server.js';

const load = (): Promise<typeof import('./tasks-in-files.js')> => import('./tasks-in-files.js');

/** `folder`: of the pack, or of a built server, which together with the name says which server it is. */
export function keepTasks(folder: string, server: string, env: Environment): TaskKeeper {
  return {
    open: async surface => await (await load()).openTasksOf({ pack: folder, server }, env, surface),
    isWaiting: async () => (await load()).areTasksWaiting({ pack: folder, server }, env),
  };
}

/** The same tasks for a process that somebody waits for: it works at those that `isMine` says, and leaves the others to servers. */
export function keepSomeTasks(
  { folder, server, env }: { readonly folder: string; readonly server: string; readonly env: Environment },
  isMine: (id: string) => boolean,
): TaskKeeper {
  return {
    open: async surface =>
      await (await load()).openTasksOf({ pack: folder, server }, env, surface, { mayTake: isMine }),
  };
}
