// toolwright install <client> [server], toolwright uninstall <client> [server]
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Client } from '../generator/clients/client.js';
import { type Backups, openBackups, readText, removeText, writeText } from '../generator/clients/client-file.js';
import { clients } from '../generator/clients/client-table.js';
import { isMap, isRefusal, type Refusal } from '../generator/clients/config-edit.js';
import { userFiles } from '../generator/clients/config-paths.js';
import { addServer, entryOfServer, printEntry, removeServer } from '../generator/clients/edit-client.js';
import { findClient } from '../generator/clients/find-client.js';
import { hideValues } from '../generator/clients/hide-values.js';
import { printChange } from '../generator/clients/print-change.js';
import { codeOf } from '../runtime/load/folder.js';
import { findByName } from '../runtime/packs/find-by-name.js';
import { packageOfPack } from '../schema/names.js';
import { didYouMean } from '../schema/nearest.js';
import { type EntryFlags, findServer, nameOf, planEntry, projectOf } from './install-server.js';
import { listClients } from './list-clients.js';
import { serverNames } from './load-server.js';
import { type PackFlags, workingFolder } from './pack-command.js';
import { shellLine } from './shell-words.js';
import { UsageError } from './usage-error.js';

export interface InstallFlags extends PackFlags, EntryFlags {
  readonly project?: boolean;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly print?: boolean;
}

/** What happened to a file. */
interface Change {
  readonly op: 'create' | 'replace' | 'delete' | 'keep' | 'refuse';
  readonly client: string;
  readonly server: string;
  readonly file: string;
  /** Why it was refused. */
  readonly problem?: string;
}

export async function install(
  typed: string | undefined,
  name: string | undefined,
  flags: InstallFlags,
): Promise<number> {
  if (typed === undefined) return listClients(flags);
  const client = clientOf(typed);
  const chosen = await findServer(name, flags);
  if (chosen === undefined) return 1;
  const project = flags.project ? chosen.project : undefined;
  const entryName = flags.name ?? nameOf(chosen.server);
  const file = fileOf(client, flags, { project, server: entryName });
  const place = { client: client.id, server: entryName, file };
  const looked = await findEntry(client, place);
  // Whoever edits by hand needs the entry all the more.
  if (isRefusal(looked) && !flags.print) return refuse(flags, place, looked);
  const found = isRefusal(looked) ? { before: undefined } : looked;
  const { before } = found;
  const { entry, way, unset, notes } = await planEntry(chosen, flags, { known: envOf(found.entry), project });
  if (flags.print) {
    process.stdout.write(await printEntry(client, entry));
    return 0;
  }
  const edited = await addServer(client, before, entry);
  if (isRefusal(edited)) return refuse(flags, place, edited);
  const change: Change = {
    op: before === undefined ? 'create' : edited.text === before ? 'keep' : 'replace',
    ...place,
  };
  if (!flags.quiet) for (const note of notes) process.stderr.write(`${note}\n`);
  if (flags.dryRun) {
    const known = valuesOf(found.entry);
    const added = Object.values(entry.env).filter(value => !known.includes(value));
    return showChange(change, { before, after: edited.text, known, added }, flags);
  }
  if (change.op !== 'keep') {
    // The backup first: what cannot be given back is not touched.
    backups().put(file, { server: entry.name, before, after: edited.text });
    writeText(file, edited.text);
  }
  say(
    flags,
    change,
    change.op === 'keep'
      ? `${client.title} has it already: ${file}`
      : `${client.title}: ${file}\nRuns ${shellLine([entry.command, ...entry.args])} (${way === 'built' ? 'built: after changes, run toolwright build' : way}). ${client.next}`,
  );
  if (unset.length > 0 && !flags.quiet) process.stderr.write(`Not set: ${unset.join(', ')}; give --env NAME=value\n`);
  return 0;
}

export async function uninstall(typed: string, name: string | undefined, flags: InstallFlags): Promise<number> {
  const client = clientOf(typed);
  const chosen = name === undefined || isServer(name, flags) ? await findServer(name, flags) : undefined;
  // A server whose pack is gone can still be taken out by the name that the client knows.
  const entryName = flags.name ?? (chosen === undefined ? (name?.split('/').at(-1) ?? '') : nameOf(chosen.server));
  const file = fileOf(client, flags, {
    project: flags.project ? (chosen?.project ?? projectOf(flags)) : undefined,
    server: entryName,
  });
  const place = { client: client.id, server: entryName, file };
  const found = await findEntry(client, place);
  if (isRefusal(found)) return refuse(flags, place, found);
  const { before } = found;
  if (before === undefined || found.entry === undefined) {
    say(flags, { op: 'keep', ...place }, `${client.title} has no server "${entryName}": ${file}`);
    return 0;
  }
  const edited = (await originalOf(client, place, before)) ?? (await removeServer(client, before, entryName));
  if (isRefusal(edited)) return refuse(flags, place, edited);
  const after = edited.text;
  const change: Change = { op: after === undefined ? 'delete' : 'replace', ...place };
  if (flags.dryRun) return showChange(change, { before, after, known: valuesOf(found.entry), added: [] }, flags);
  if (after === undefined) removeText(file);
  else writeText(file, after);
  backups().taken(file, { server: entryName, before, after });
  say(flags, change, `${client.title}: "${entryName}" is taken out of ${file}`);
  return 0;
}

/** Which entry of which file is meant. */
type EntryPlace = Pick<Change, 'client' | 'server' | 'file'>;

/** The file, and what it has for the server; a refusal where it cannot be read. */
async function findEntry(
  client: Client,
  { file, server }: EntryPlace,
): Promise<{ readonly before: string | undefined; readonly entry?: unknown } | Refusal> {
  const before = readConfig(file);
  if (typeof before === 'object') return before;
  const found = await entryOfServer(client, before ?? '', server);
  return isRefusal(found) ? found : { before, ...found };
}

/** What the file was before, where it had no such server then. */
async function originalOf(
  client: Client,
  { file, server }: EntryPlace,
  now: string,
): Promise<{ readonly text: string | undefined } | undefined> {
  const original = backups().original(file, server, now);
  const found = original === undefined ? undefined : await entryOfServer(client, original.text ?? '', server);
  return found === undefined || isRefusal(found) || found.entry !== undefined ? undefined : original;
}

/** Whether there is such a server: of the pack around, or of one that is installed. */
function isServer(name: string, flags: InstallFlags): boolean {
  const pack = name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  return pack === '' ? serverNames(flags).includes(name) : 'folder' in findByName(pack, workingFolder(flags));
}

function clientOf(typed: string): Client {
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

function fileOf(
  client: Client,
  flags: InstallFlags,
  { project, server }: { readonly project: string | undefined; readonly server: string },
): string {
  if (flags.file !== undefined) return resolve(workingFolder(flags), flags.file);
  if (flags.project) {
    if (client.project === undefined) throw new UsageError(`${client.title} has no file for projects`);
    return resolve(project ?? workingFolder(flags), client.project.replace('{server}', server));
  }
  const files = userFiles(client, { platform: process.platform, home: homedir(), env: process.env });
  const file = files.find(path => existsSync(path)) ?? files[0];
  if (file === undefined)
    throw new UsageError(`${client.title} does not run on this system; --file says where its settings are`);
  return file;
}

function readConfig(file: string): string | undefined | Refusal {
  try {
    return readText(file);
  } catch (error) {
    const code = codeOf(error);
    return { problem: code?.startsWith('ERR_ENCODING') ? 'it is no UTF-8 text' : `it cannot be read (${code})` };
  }
}

function refuse(flags: InstallFlags, place: EntryPlace, { problem, line, column }: Refusal): number {
  const where = line === undefined ? place.file : `${place.file}:${line}:${column ?? 1}`;
  process.stderr.write(`toolwright: ${where}: ${problem}. It was not touched.\n`);
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify({ op: 'refuse', ...place, problem })}\n`);
  return 1;
}

/** Settings that a client has for a server; they may lie under several names. */
function envOf(entry: unknown): Readonly<Record<string, string>> {
  const env = isMap(entry) ? (entry['env'] ?? entry['envs'] ?? entry['environment']) : undefined;
  if (!isMap(env)) return {};
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** Backups are no cache: they lie where programs keep their state. */
function backups(): Backups {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return openBackups(join(state || join(homedir(), '.local', 'state'), 'toolwright', 'clients'));
}

/** What an entry of a file sets, which may be secret whatever it is called. */
function valuesOf(entry: unknown): readonly string[] {
  return Object.values(envOf(entry));
}

interface Texts {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** A diff goes to terminals and logs, where secrets do not belong. */
  readonly known: readonly string[];
  readonly added: readonly string[];
}

function showChange(change: Change, { before, after, known, added }: Texts, flags: InstallFlags): number {
  const hide = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : hideValues(hideValues(text, added, '*** (new)'), known);
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (change.op === 'keep') process.stderr.write(`nothing would change: ${change.file}\n`);
  else process.stdout.write(printChange(relative('/', change.file), hide(before), hide(after)));
  return 0;
}

function say(flags: InstallFlags, change: Change, text: string): void {
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (!flags.quiet) process.stderr.write(`${text}\n`);
}
