// The story of installing: In: a client, its file and a server. Out: the file with the server's entry, or without it; or why not.
import { isMap } from '../../schema/document.js';
import type { Client, ConfigFormat, EntryData, ServerEntry } from './client.js';
import {
  type ConfigWriter,
  type Edited,
  entryIn,
  isRefusal,
  putEntry,
  type Refusal,
  type Target,
  takeEntry,
} from './config-edit.js';

/** Each writer is loaded for the files that need it. */
const writers: Readonly<Record<ConfigFormat, () => Promise<ConfigWriter>>> = {
  json: async () => (await import('./json-config.js')).jsonConfig,
  toml: async () => (await import('./toml-config.js')).tomlConfig,
  yaml: async () => (await import('./yaml-config.js')).yamlConfig,
};

/** `text` is undefined where there is no file. `isForeign`: nothing is kept of an entry of that name. */
export async function addServer(
  client: Client,
  text: string | undefined,
  server: ServerEntry,
  { isForeign = false }: { readonly isForeign?: boolean } = {},
): Promise<Edited> {
  const writer = await writers[client.format]();
  const start = client.start?.(server) ?? {};
  const found = await entryOfServer(client, text ?? '', server.name);
  if (isRefusal(found)) return found;
  return putEntry(writer, {
    text: text ?? '',
    target: targetOf(client, server.name),
    entry: withKnown(entryOf(client, server), isForeign ? undefined : found.entry),
    start,
  });
}

export async function removeServer(client: Client, text: string, name: string): Promise<Edited> {
  return takeEntry(await writers[client.format](), { text, target: targetOf(client, name) });
}

/** Puts back an entry that had the name before. */
export async function restoreServer(client: Client, text: string, name: string, entry: unknown): Promise<Edited> {
  const writer: ConfigWriter<unknown> = await writers[client.format]();
  return putEntry(writer, { text, target: targetOf(client, name), entry });
}

/** What the file has for a server now; no entry where it has nothing. */
export async function entryOfServer(
  client: Client,
  text: string,
  name: string,
): Promise<{ readonly entry?: unknown } | Refusal> {
  const writer = await writers[client.format]();
  const target = targetOf(client, name);
  const read = writer.read(text.replace(/^\uFEFF/, ''), target);
  return isRefusal(read) ? read : { entry: entryIn(read.value, target) };
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

/** How a server is run is ours to say; the rest of an entry is the client's and its user's, once it is there. */
const ownKeys: ReadonlySet<string> = new Set(['name', 'type', 'command', 'cmd', 'args', 'env', 'envs', 'environment']);

function withKnown(entry: EntryData, known: unknown): EntryData {
  if (!isMap(known)) return entry;
  const kept = Object.entries(known).filter(([key]) => !ownKeys.has(key));
  return { ...entry, ...Object.fromEntries(kept) };
}

function targetOf({ path, holds }: Client, name: string): Target {
  return { path, holds, name };
}
