// The settings of clients, as install and uninstall see them. In: what was typed. Out: the client, its file and the entry in it, and
// what is said of a change.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Backups, openBackups } from '../generator/clients/backups.js';
import type { Client } from '../generator/clients/client.js';
import { readText } from '../generator/clients/client-file.js';
import { clients } from '../generator/clients/client-table.js';
import { isMap, isRefusal, type Refusal } from '../generator/clients/config-edit.js';
import { findUserFile } from '../generator/clients/config-paths.js';
import { entryOfServer } from '../generator/clients/edit-client.js';
import { findClient } from '../generator/clients/find-client.js';
import { hideValues, type Variable } from '../generator/clients/hide-values.js';
import { printChange } from '../generator/clients/print-change.js';
import { codeOf } from '../runtime/load/folder.js';
import { packageOfPack } from '../schema/names.js';
import { didYouMean } from '../schema/nearest.js';
import type { EntryFlags } from './install-server.js';
import { type PackFlags, workingFolder } from './pack-command.js';
import { thisMachine } from './this-machine.js';
import { UsageError } from './usage-error.js';
import { type Known, toKnown } from './whose-entry.js';

export interface InstallFlags extends PackFlags, EntryFlags {
  readonly project?: boolean;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  /** Also an entry that is not ours. */
  readonly force?: boolean;
}

/** What happened to a file. */
export interface Change {
  readonly op: 'create' | 'replace' | 'delete' | 'keep' | 'refuse';
  readonly client: string;
  readonly server: string;
  readonly file: string;
  /** Why it was refused. */
  readonly problem?: string;
}

/** Which entry of which file is meant. */
export type EntryPlace = Pick<Change, 'client' | 'server' | 'file'>;

/** A file, and what it has for a server; no entry where it has none. */
export interface FoundEntry extends Known {
  readonly before: string | undefined;
}

/** A refusal where the file cannot be read. */
export async function findEntry(client: Client, { file, server }: EntryPlace): Promise<FoundEntry | Refusal> {
  const before = readConfig(file);
  if (typeof before === 'object') return before;
  const found = await entryOfServer(client, before ?? '', server);
  return isRefusal(found) ? found : { before, ...toKnown(found.entry, backups().owner(file, server)) };
}

export function clientOf(typed: string): Client {
  const client = findClient(typed);
  if (client !== undefined) return client;
  // W55: a pack is uninstalled by the package manager that installed it.
  if (typed.includes('/'))
    throw new UsageError(
      `"${typed}" is no client. A pack is uninstalled with npm: npm uninstall ${packageOfPack(typed.split('/').slice(0, 2).join('/'))}`,
    );
  const ids = clients.map(({ id }) => id);
  const hint = didYouMean(typed, ids);
  throw new UsageError(
    `there is no client "${typed}"${hint === undefined ? '' : `: ${hint}`} (there are ${ids.join(', ')})`,
  );
}

export function fileOf(
  client: Client,
  flags: InstallFlags,
  { project, server }: { readonly project: string | undefined; readonly server: string },
): string {
  if (flags.file !== undefined) return resolve(workingFolder(flags), flags.file);
  if (flags.project) {
    if (client.project === undefined) throw new UsageError(`${client.title} has no file for projects`);
    return resolve(project ?? workingFolder(flags), client.project.replace('{server}', server));
  }
  const file = findUserFile(client, thisMachine());
  if (file === undefined)
    throw new UsageError(`${client.title} does not run on this system; --file says where its settings are`);
  return file.path;
}

function readConfig(file: string): string | undefined | Refusal {
  try {
    return readText(file);
  } catch (error) {
    const code = codeOf(error);
    return { problem: code?.startsWith('ERR_ENCODING') ? 'it is no UTF-8 text' : `it cannot be read (${code})` };
  }
}

export function refuse(flags: InstallFlags, place: EntryPlace, { problem, hint, line, column }: Refusal): number {
  const where = line === undefined ? place.file : `${place.file}:${line}:${column ?? 1}`;
  process.stderr.write(
    `toolwright: ${where}: ${problem}. It was not touched.\n${hint === undefined ? '' : `  hint: ${hint}\n`}`,
  );
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify({ op: 'refuse', ...place, problem, hint })}\n`);
  return 1;
}

/** Settings that a client has for a server; they may lie under several names. */
export function envOf(entry: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environmentOf(entry)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

function environmentOf(entry: unknown): Readonly<Record<string, unknown>> {
  const env = isMap(entry) ? (entry['env'] ?? entry['envs'] ?? entry['environment']) : undefined;
  return isMap(env) ? env : {};
}

/** Backups are no cache: they lie where programs keep their state. */
export function backups(): Backups {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return openBackups(join(state || join(homedir(), '.local', 'state'), 'toolwright', 'clients'));
}

/** What an entry of a file sets, which may be secret whatever it is called. */
export function variablesOf(entry: unknown): readonly Variable[] {
  // People write numbers without quotes.
  return Object.entries(environmentOf(entry)).map(([name, value]) => [name, String(value)]);
}

interface Texts {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** A diff goes to terminals and logs, where secrets do not belong. */
  readonly known: readonly Variable[];
  readonly added: readonly Variable[];
}

export function showChange(change: Change, { before, after, known, added }: Texts, flags: InstallFlags): number {
  const hide = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : hideValues(hideValues(text, added, '*** (new)'), known);
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (change.op === 'keep') process.stderr.write(`nothing would change: ${change.file}\n`);
  else process.stdout.write(printChange(change.file, hide(before), hide(after)));
  return 0;
}

export function say(flags: InstallFlags, change: Change, text: string): void {
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (!flags.quiet) process.stderr.write(`${text}\n`);
}
