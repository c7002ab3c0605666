// toolwright start [server]

import { workingFolder } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import { applyEnvFiles } from './env-file.js';
import { keepTasks } from './keep-tasks.js';
import { type OpenSettings, openServer, type ServerFlags } from './open-server.js';
import { type ServeFlags, serveOpen } from './serve-opened.js';

export interface StartFlags extends ServerFlags, Omit<ServeFlags, 'quiet'> {
  /** Tasks end with the process, and it goes on with none of an earlier one: for tests. */
  readonly forgetTasks?: boolean;
}

export async function start(typed: string | undefined, flags: StartFlags): Promise<number> {
  if (flags.stdio && flags.http !== undefined) throw new UsageError('--stdio and --http exclude each other');
  const { name, port } = readWords(typed, flags.http);
  applyEnvFiles({ given: flags.envFile ?? [], cwd: workingFolder(flags) }, flags);
  const tasks: OpenSettings['tasks'] =
    flags.forgetTasks === true ? undefined : (folder, server) => keepTasks(folder, server, process.env);
  const opened = await openServer(name, flags, { command: 'start', showCauses: false, tasks });
  if ('exit' in opened) return opened.exit;
  return await serveOpen(opened.open, port, flags);
}

/** `--http` takes the next word for its port; a word that is not a number was meant as the server. */
export function readWords(
  typed: string | undefined,
  http: StartFlags['http'],
): { readonly name: string | undefined; readonly port: number | undefined } {
  if (typeof http !== 'string') return { name: typed, port: undefined };
  if (/^\d+$/.test(http) && Number(http) <= 65_535) return { name: typed, port: Number(http) };
  if (typed === undefined && /^[A-Za-z]/.test(http)) return { name: http, port: undefined };
  throw new UsageError(`--http needs a port from 0 to 65535, not "${http}"`);
}
