import { posix, win32 } from 'node:path';

// The nouns of installing a server into a client: what a row of the table says, and what an entry of a configuration is.

/** The systems that clients run on, by Node's names; every other one is taken for Linux. */
export type System = 'linux' | 'darwin' | 'win32';

/** How the file is written. */
export type ConfigFormat = 'json' | 'toml' | 'yaml';

/** How a server is run, whatever the client. */
export interface ServerEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the file has for a server: plain data. */
export type EntryData = Readonly<Record<string, unknown>>;

export interface Client {
  /** What a person types: `claude-code`. */
  readonly id: string;
  readonly title: string;
  /** Other names that people type. */
  readonly aliases: readonly string[];
  readonly format: ConfigFormat;
  /** The keys that lead to the servers; none where the file itself is the list of them. */
  readonly path: readonly string[];
  /** A map by name, or a list of entries that carry their `name`. */
  readonly holds: 'map' | 'list';
  /**
   * The file of a user, by system; `~` is home, `{config}` the system's folder of application settings. Of several the
   * first that exists is used, else the first. A system without one has no such client.
   */
  readonly user: Readonly<Partial<Record<System, readonly string[]>>>;
  /** Where the marker is there, the client has moved the user's file. Forms as in `user`. */
  readonly migrated?: { readonly marker: string; readonly file: string };
  /** The file of a project, relative to it; `{server}` is the entry's name. */
  readonly project?: string;
  readonly entry: (server: ServerEntry) => EntryData;
  /** How a file of a project names a variable of the environment, where the client fills it in. */
  readonly reference?: (variable: string) => string;
  /** What a file that is made anew has besides. */
  readonly start?: (server: ServerEntry) => EntryData;
  /** What a person does after it. */
  readonly next: string;
}

// In: a client and a machine. Out: the files that may be its configuration, the likeliest first.

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
  const chosen = env['XDG_CONFIG_HOME'] ?? '';
  return posix.isAbsolute(chosen) ? chosen : posix.join(home, '.config');
}

// In: a server of a pack, and what there is of it. Out: the command that a client runs.

/** What a client can run: a built file, the published package, or the manifests with their handlers. The first that there is, is taken. */
export const ways = ['built', 'npx', 'start'] as const;
/** `dev` only where somebody asks for it: the same as `start`, while its author edits. */
export type Way = (typeof ways)[number] | 'dev';

export interface Runnable {
  readonly server: string;
  /** Absolute; undefined where nothing is built. */
  readonly built?: string | undefined;
  /** The name under which the package is published, if it has a server to run. */
  readonly published?: string | undefined;
  /** Where it is started; absolute. */
  readonly project: string;
  /** Node that runs now: clients that were not started from a shell know no `node`. */
  readonly node: string;
  /** The file of the command `toolwright`. */
  readonly cli: string;
  readonly isWindows: boolean;
}

/** A client that starts a server talks to it over stdio, whatever its definition says then. */
const over = '--stdio';

/** Undefined where there is nothing to run that way. */
export function commandFor(way: Way, runnable: Runnable): Pick<ServerEntry, 'command' | 'args'> | undefined {
  const { server, built, published, project, node, cli, isWindows } = runnable;
  switch (way) {
    case 'built':
      return built === undefined ? undefined : { command: node, args: [built, over] };
    case 'npx':
      if (published === undefined) return undefined;
      // There npx is a script, which only a shell runs.
      return isWindows
        ? { command: 'cmd', args: ['/c', 'npx', '-y', published, over] }
        : { command: 'npx', args: ['-y', published, over] };
    case 'start':
    case 'dev':
      return { command: node, args: [cli, way, server, '--cwd', project, over] };
    default:
      return way satisfies never;
  }
}
