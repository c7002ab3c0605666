// T2. In: a server. Out: where its tasks are kept, and with which key.
import type { Environment } from '../../runtime/call/context/config.js';
import { readStateKey } from '../../runtime/call/context/seal.js';
import { type TaskHome, taskFolder } from '../memory/state-folder.js';

/** Where the tasks of one server are. */
export interface TaskPlace {
  readonly folder: string;
  readonly key: string | undefined;
}

/** Undefined: this user has no place. */
export function taskPlace(home: TaskHome, env: Environment): TaskPlace | undefined {
  const folder = taskFolder(env, home);
  return folder === undefined ? undefined : { folder, key: readStateKey(env['TOOLWRIGHT_STATE_KEY']).value };
}
