// The user's home folder, below which caches, backups and the settings of clients are.
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * Services start programs with an empty HOME, which would make every path below it one of the working folder: then the system's list of
 * users decides. Undefined where that does not know the user either, as in some containers.
 */
export function homeFolder(): string | undefined {
  const home = homedir();
  if (isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
