// What many clients have alike: the form of an entry, the place of a file. For the rows of client-table.ts.
import type { EntryData, ServerEntry, System } from './client.js';

export const plain = ({ command, args, env }: ServerEntry): EntryData => ({ type: 'stdio', command, args, env });
export const switchable = (server: ServerEntry): EntryData => ({ ...plain(server), disabled: false, autoApprove: [] });

/** The same file below the home folder on every system. */
export const atHome = (...paths: readonly string[]): Readonly<Record<System, readonly string[]>> => {
  const files = paths.map(path => `~/${path}`);
  return { linux: files, darwin: files, win32: files };
};
/** The same file below the folder of application settings. */
export const inSettings = (path: string): Readonly<Record<System, readonly string[]>> => {
  const files = [`{config}/${path}`];
  return { linux: files, darwin: files, win32: files };
};

export const servers = { format: 'json', path: ['mcpServers'], holds: 'map', entry: plain } as const;
export const restart = 'Restart it, or reload its MCP servers.';
