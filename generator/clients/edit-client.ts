// The story of installing: In: a client, its file and a server. Out: the file with the server's entry, or without it; or why not.
import type { Client, ConfigFormat, ServerEntry } from './client.js';
import { type ConfigWriter, type Edited, isRefusal, putEntry, type Target, takeEntry } from './config-edit.js';

/** Each writer is loaded for the files that need it. */
const writers: Readonly<Record<ConfigFormat, () => Promise<ConfigWriter>>> = {
  json: async () => (await import('./json-config.js')).jsonConfig,
  toml: async () => (await import('./toml-config.js')).tomlConfig,
  yaml: async () => (await import('./yaml-config.js')).yamlConfig,
};

/** `text` is undefined where there is no file. */
export async function addServer(client: Client, text: string | undefined, server: ServerEntry): Promise<Edited> {
  const writer = await writers[client.format]();
  const start = client.start?.(server) ?? {};
  return putEntry(writer, {
    text: text ?? '',
    target: targetOf(client, server.name),
    entry: entryOf(client, server),
    start,
  });
}

export async function removeServer(client: Client, text: string, name: string): Promise<Edited> {
  return takeEntry(await writers[client.format](), { text, target: targetOf(client, name) });
}

/** What the file has for a server now; undefined where it has nothing, or cannot be read. */
export async function entryOfServer(client: Client, text: string, name: string): Promise<unknown> {
  const writer = await writers[client.format]();
  const target = targetOf(client, name);
  const read = writer.read(text.replace(/^\uFEFF/, ''), target);
  const { entryIn } = await import('./config-edit.js');
  return isRefusal(read) ? undefined : entryIn(read.value, target);
}

/** The snippet for people who edit by hand. */
export async function printEntry(client: Client, server: ServerEntry): Promise<string> {
  const made = await addServer(client, undefined, server);
  if (isRefusal(made)) throw new Error(`a new file cannot be made: ${made.problem}`);
  return made.text;
}

/** An empty environment is left out: clients show it as if something were missing. */
function entryOf(client: Client, server: ServerEntry): ReturnType<Client['entry']> {
  const entry = client.entry(server);
  if (Object.keys(server.env).length > 0) return entry;
  const isEmpty = (value: unknown): boolean => value === server.env;
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isEmpty(value)));
}

function targetOf({ path, holds }: Client, name: string): Target {
  return { path, holds, name };
}
