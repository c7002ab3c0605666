// toolwright install <client> [server], toolwright uninstall <client> [server]
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Client, ServerEntry } from '../generator/clients/client.js';
import { type Backups, openBackups, readText, writeText } from '../generator/clients/client-file.js';
import { clients } from '../generator/clients/client-table.js';
import { isMap, isRefusal, type Refusal } from '../generator/clients/config-edit.js';
import { userFiles } from '../generator/clients/config-paths.js';
import { addServer, entryOfServer, printEntry, removeServer } from '../generator/clients/edit-client.js';
import { findClient } from '../generator/clients/find-client.js';
import { printChange } from '../generator/clients/print-change.js';
import { codeOf } from '../runtime/load/folder.js';
import { packageOfPack } from '../schema/names.js';
import { didYouMean } from '../schema/nearest.js';
import { type EntryFlags, nameOf, planEntry } from './install-server.js';
import { chooseServer, loadServerPack, serverNames } from './load-server.js';
import { type PackFlags, workingFolder } from './pack-command.js';
import { UsageError } from './usage-error.js';

export interface InstallFlags extends PackFlags, EntryFlags {
  readonly project?: boolean;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly print?: boolean;
}

/** What happened to a file. */
interface Change {
  readonly op: 'create' | 'replace' | 'delete' | 'keep';
  readonly client: string;
  readonly server: string;
  readonly file: string;
}

export async function install(
  typed: string | undefined,
  name: string | undefined,
  flags: InstallFlags,
): Promise<number> {
  if (typed === undefined) return listClients(flags);
  const client = clientOf(typed);
  const chosen = await serverOf(name, flags);
  if (chosen === undefined) return 1;
  const project = flags.project ? chosen.program.pack.folder : undefined;
  const entryName = flags.name ?? nameOf(chosen.server);
  const file = fileOf(client, flags, { project, server: entryName });
  const before = readConfig(file);
  const known = before === undefined ? undefined : await entryOfServer(client, before, entryName);
  const { entry, way, unset } = await planEntry(chosen, flags, { known: envOf(known), project });
  if (flags.print) {
    process.stdout.write(await printEntry(client, entry));
    return 0;
  }
  const edited = await addServer(client, before, entry);
  if (isRefusal(edited)) return refuse(file, edited);
  const change: Change = {
    op: before === undefined ? 'create' : edited.text === before ? 'keep' : 'replace',
    client: client.id,
    server: entry.name,
    file,
  };
  if (flags.dryRun) return showChange(change, hideValues(before, entry), hideValues(edited.text, entry), flags);
  if (change.op !== 'keep') {
    // The backup first: what cannot be given back is not touched.
    backups().keep(file, entry.name, { before, after: edited.text });
    writeText(file, edited.text);
  }
  say(
    flags,
    change,
    change.op === 'keep'
      ? `${client.title} has it already: ${file}`
      : `${client.title}: ${file}\nRuns ${[entry.command, ...entry.args].join(' ')} (${way}). ${client.next}`,
  );
  if (unset.length > 0 && !flags.quiet) process.stderr.write(`Not set: ${unset.join(', ')}; give --env NAME=value\n`);
  return 0;
}

export async function uninstall(typed: string, name: string | undefined, flags: InstallFlags): Promise<number> {
  const client = clientOf(typed);
  const chosen = name === undefined || isServer(name, flags) ? await serverOf(name, flags) : undefined;
  // A server whose pack is gone can still be taken out by the name that the client knows.
  const entryName = flags.name ?? (chosen === undefined ? (name?.split('/').at(-1) ?? '') : nameOf(chosen.server));
  const file = fileOf(client, flags, {
    project: flags.project ? chosen?.program.pack.folder : undefined,
    server: entryName,
  });
  const before = readConfig(file);
  const has = before !== undefined && (await entryOfServer(client, before, entryName)) !== undefined;
  if (before === undefined || !has) {
    say(
      flags,
      { op: 'keep', client: client.id, server: entryName, file },
      `${client.title} has no server "${entryName}": ${file}`,
    );
    return 0;
  }
  const undone = backups().undo(file, entryName, before);
  const edited = undone === undefined ? await removeServer(client, before, entryName) : { text: undone.before };
  if (isRefusal(edited)) return refuse(file, edited);
  const change: Change = {
    op: edited.text === undefined ? 'delete' : 'replace',
    client: client.id,
    server: entryName,
    file,
  };
  if (flags.dryRun) return showChange(change, before, edited.text, flags);
  if (edited.text === undefined) (await import('node:fs')).rmSync(file);
  else writeText(file, edited.text);
  backups().drop(file, entryName);
  say(flags, change, `${client.title}: "${entryName}" is taken out of ${file}`);
  return 0;
}

/** Whether the pack around has such a server. */
function isServer(name: string, flags: InstallFlags): boolean {
  return serverNames(flags).includes(name);
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

async function serverOf(name: string | undefined, flags: InstallFlags) {
  const { loaded, item } = await loadServerPack(name, { ...flags, install: false });
  const { program } = loaded;
  loaded.say(loaded.diagnostics.filter(({ severity }) => severity === 'error'));
  const server = program === undefined ? undefined : chooseServer(item, loaded, program);
  return program === undefined || server === undefined ? undefined : { loaded, program, server };
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

function readConfig(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${codeOf(error) ?? 'it is no UTF-8 text'}); it was not touched`);
  }
}

function refuse(file: string, { problem, line, column }: Refusal): number {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  process.stderr.write(`toolwright: ${place}: ${problem}. It was not touched.\n`);
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

/** A diff goes to terminals and logs, where secrets do not belong. */
function hideValues(text: string | undefined, { env }: ServerEntry): string | undefined {
  return Object.values(env).reduce<string | undefined>(
    (shown, value) => (value.length < 4 ? shown : shown?.replaceAll(value, '***')),
    text,
  );
}

function showChange(
  change: Change,
  before: string | undefined,
  after: string | undefined,
  flags: InstallFlags,
): number {
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (change.op === 'keep') process.stderr.write(`nothing would change: ${change.file}\n`);
  else process.stdout.write(printChange(relative('/', change.file), before, after));
  return 0;
}

function say(flags: InstallFlags, change: Change, text: string): void {
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (!flags.quiet) process.stderr.write(`${text}\n`);
}

/** Without a client: which ones there are, and where their settings would be. */
function listClients(flags: InstallFlags): number {
  const machine = { platform: process.platform, home: homedir(), env: process.env };
  const rows = clients.map(client => {
    const files = userFiles(client, machine);
    const found = files.find(file => existsSync(file));
    return {
      client: client.id,
      title: client.title,
      file: found ?? files[0] ?? null,
      project: client.project ?? null,
      found: found !== undefined,
    };
  });
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify({ clients: rows }, undefined, 2)}\n`);
  else {
    const width = Math.max(...rows.map(({ client }) => client.length));
    const line = ({ client, file, found }: (typeof rows)[number]): string =>
      `${found ? '*' : ' '} ${client.padEnd(width)}  ${file ?? 'not on this system'}\n`;
    process.stdout.write(rows.map(line).join(''));
    process.stderr.write('* has settings on this machine. toolwright install <client> [server]\n');
  }
  return 0;
}
