// In: a client and a machine. Out: the files that may be its configuration, the likeliest first.
import { posix, win32 } from 'node:path';
import type { Client, System } from './client.js';

/** What decides where files lie. */
export interface Machine {
  readonly platform: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file is there. */
  exists(path: string): boolean;
}

function systemOf({ platform }: Pick<Machine, 'platform'>): System {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

/** Files of a user; empty where the client does not run on this system. */
export function userFiles(client: Client, machine: Machine): readonly string[] {
  const system = systemOf(machine);
  const { join } = system === 'win32' ? win32 : posix;
  const full = (path: string): string => {
    const [head = '', ...rest] = path.split('/');
    return join(head === '~' ? machine.home : settingsFolder(system, machine), ...rest);
  };
  const { user, migrated } = client;
  if (migrated !== undefined && machine.exists(full(migrated.marker))) return [full(migrated.file)];
  return (user[system] ?? []).map(full);
}

/** The one that exists, else the first; undefined where the system has no such client. */
export function findUserFile(
  client: Client,
  machine: Machine,
): { readonly path: string; readonly isThere: boolean } | undefined {
  const files = userFiles(client, machine);
  const found = files.find(path => machine.exists(path));
  const path = found ?? files[0];
  return path === undefined ? undefined : { path, isThere: found !== undefined };
}

/** Where applications of a system keep their settings. */
function settingsFolder(system: System, { home, env }: Pick<Machine, 'home' | 'env'>): string {
  if (system === 'win32') return env['APPDATA'] || win32.join(home, 'AppData', 'Roaming');
  if (system === 'darwin') return posix.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || posix.join(home, '.config');
}
