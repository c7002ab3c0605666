// Where this user's programs keep what is neither settings nor cache: backups of settings, and tasks. In: the environment. Out: folders,
// which may not exist yet.
import { isAbsolute, join, resolve } from 'node:path';
import { realPath } from '../../runtime/load/find-pack.js';
import { homeFolder } from './home-folder.js';
import { shortName } from './memory.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Of this package. */
export function stateFolder(home: string, env: Environment, platform: NodeJS.Platform = process.platform): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = env;
  const state = platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(state && isAbsolute(state) ? state : join(home, '.local', 'state'), 'toolwright');
}

/** Whose tasks they are: a server of a pack in one place. */
export interface TaskHome {
  /** The folder of the pack, or of a built server. */
  readonly pack: string;
  /** Its item. */
  readonly server: string;
}

/**
 * The folder of one server's tasks; undefined where the system knows no home of the user.
 *
 * @example openFileStore({ folder: taskFolder(process.env, { pack: program.pack.folder, server: 'main' }) })
 */
export function taskFolder(
  env: Environment,
  { pack, server }: TaskHome,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { TOOLWRIGHT_STATE: chosen } = env;
  const home = homeFolder();
  const state = chosen ? resolve(chosen) : home && stateFolder(home, env, platform);
  // The name is for people, the number tells servers of the same name apart.
  const name = `${server.replaceAll(/[^\w-]+/g, '-').slice(0, 40)}-${shortName(`${realPath(pack)}\0${server}`)}`;
  return state && join(state, 'tasks', name);
}
