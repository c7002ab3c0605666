// T2. In: a pack and what was typed. Out: the tasks that its servers have kept on this machine, of all owners. Nothing of the pack runs.
import { readAllTasks, type SeenTask } from '../../runtime/tasks/files/read-all.js';
import type { PackFlags } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import { loadServerPack } from './load-server.js';
import { type TaskPlace, taskPlace } from './task-place.js';

/** A server and its tasks. */
export interface ServerTasks {
  /** As the pack calls it. */
  readonly server: string;
  /** Undefined: this user has no place for tasks. */
  readonly place: TaskPlace | undefined;
  /** The newest first. */
  readonly tasks: readonly SeenTask[];
  /** How many cannot be read, because they are sealed with another key. */
  readonly sealed: number;
}

export interface FoundTask extends Omit<ServerTasks, 'place' | 'tasks' | 'sealed'> {
  readonly place: TaskPlace;
  readonly seen: SeenTask;
}

/** Of the server that was named, else of all servers of the pack. */
export async function listTasks(typed: string | undefined, flags: PackFlags): Promise<readonly ServerTasks[]> {
  const { loaded, item } = await loadServerPack(typed, { ...flags, install: false });
  const names = loaded.catalog.server.map(({ name }) => name);
  if (item !== undefined && !names.includes(item)) {
    const list = names.length === 0 ? 'the pack has no servers' : `the pack has ${names.join(', ')}`;
    throw new UsageError(`there is no server "${item}" (${list})`);
  }
  return (item === undefined ? names : [item]).map(server => {
    const place = taskPlace({ pack: loaded.folder, server }, process.env);
    const { tasks, sealed } = place === undefined ? { tasks: [], sealed: 0 } : readAllTasks(place);
    return { server, place, tasks, sealed };
  });
}

/** Throws where there is no such task. */
export async function findTask(id: string, typed: string | undefined, flags: PackFlags): Promise<FoundTask> {
  const all = await listTasks(typed, flags);
  for (const { server, place, tasks } of all) {
    const seen = tasks.find(({ record }) => record.id === id);
    if (seen !== undefined && place !== undefined) return { server, place, seen };
  }
  const sealed = all.reduce((sum, one) => sum + one.sealed, 0);
  const where = all.length === 1 ? `the server "${all[0]?.server ?? ''}"` : 'this pack';
  throw new UsageError(
    `${where} has no task "${id}"\n  hint: toolwright tasks lists them; tasks that are over for long are forgotten${sealedHint(sealed)}`,
  );
}

function sealedHint(sealed: number): string {
  return sealed === 0 ? '' : `; ${sealed} cannot be read with this TOOLWRIGHT_STATE_KEY`;
}
