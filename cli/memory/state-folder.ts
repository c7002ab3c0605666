// In: the environment. Out: where this user's programs keep what is neither settings nor cache.
import { isAbsolute, join } from 'node:path';

/** Of this package. */
export function stateFolder(home: string): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(state && isAbsolute(state) ? state : join(home, '.local', 'state'), 'toolwright');
}
