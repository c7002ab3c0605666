// T2. In: a server. Out: where its tasks are kept, and with which key.
import type { Environment } from '../../runtime/call/context/config.js';
import { readStateKey } from '../../runtime/call/context/seal.js';
import { taskFolder } from '../memory/state-folder.js';

/** Where the tasks of one server are. */
export interface TaskPlace {
  readonly folder: string;
  readonly key: string | undefined;
}

/** `pack`: the folder of the pack, or of a built server. Undefined: this user has no place. */
export function taskPlace(pack: string, server: string, env: Environment): TaskPlace | undefined {
  const folder = taskFolder(env, { pack, server });
  return folder === undefined ? undefined : { folder, key: readStateKey(env['TOOLWRIGHT_STATE_KEY']).value };
}
