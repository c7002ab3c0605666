// Where servers keep what must outlive them: not a cache, which anybody may delete. In: the environment. Out: a folder, which may not exist yet.
import { isAbsolute, join, resolve } from 'node:path';
import { realPath } from '../../runtime/load/find-pack.js';
import { homeFolder } from './home-folder.js';
import { shortName } from './memory.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whose tasks they are: a server of a pack in one place. */
export interface TaskHome {
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
  const state = stateFolder(env, platform);
  // The name is for people, the number tells servers of the same name apart.
  const name = `${server.replaceAll(/[^\w-]+/g, '-').slice(0, 40)}-${shortName(`${realPath(pack)}\0${server}`)}`;
  return state && join(state, 'tasks', name);
}

function stateFolder(env: Environment, platform: NodeJS.Platform): string | undefined {
  const { TOOLWRIGHT_STATE: chosen, XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  if (platform === 'win32' && local) return join(local, 'toolwright', 'State');
  const isMac = platform === 'darwin';
  if (!isMac && platform !== 'win32' && xdg && isAbsolute(xdg)) return join(xdg, 'toolwright');
  const home = homeFolder();
  return home && join(home, isMac ? 'Library/Application Support' : '.local/state', 'toolwright');
}
