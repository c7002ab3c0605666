// The settings of clients, as install and uninstall see them. In: what was typed. Out: the client, its file and the entry in it, and
// what is said of a change.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Backups, openBackups } from '../../generator/clients/backups.js';
import { comesToRest } from '../../generator/clients/change-file.js';
import { type Client, findUserFile, type Machine } from '../../generator/clients/client.js';
import { readSettings } from '../../generator/clients/client-file.js';
import { isRefusal, type Refusal } from '../../generator/clients/config-edit.js';
import { entryOfServer } from '../../generator/clients/edit-client.js';
import { hideValues, printChange, type Variable } from '../../generator/clients/print-change.js';
import { optionsVariable } from '../../runtime/call/context/options.js';
import { settingsVariable } from '../../runtime/load/overlay.js';
import { isMap } from '../../schema/document.js';
import { visibleLines } from '../../schema/print/visible.js';
import { homeFolder } from '../memory/home-folder.js';
import { stateFolder } from '../memory/state-folder.js';
import { type PackFlags, workingFolder } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import { type Known, toKnown } from './entry-owner.js';
import type { EntryFlags } from './install-server.js';

export interface InstallFlags extends PackFlags, EntryFlags {
  /** False for `--no-install`: of packs that are missing. */
  readonly install?: boolean;
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

/** A refusal where the file cannot be read. A client that is writing it this moment is given time to finish. */
export async function findEntry(client: Client, { file, server }: EntryPlace): Promise<FoundEntry | Refusal> {
  await comesToRest(file, performance.now() + 2000);
  const before = readSettings(file);
  return typeof before === 'object' ? before : entryInText(client, before, { file, server });
}

/** The same of a string that was read already. */
export async function entryInText(
  client: Client,
  before: string | undefined,
  { file, server }: Pick<EntryPlace, 'file' | 'server'>,
): Promise<FoundEntry | Refusal> {
  const found = await entryOfServer(client, before ?? '', server);
  return isRefusal(found) ? found : { before, ...toKnown(found.entry, backups().owner(file, server)) };
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

export function refuse(flags: InstallFlags, place: EntryPlace, { problem, hint, line, column }: Refusal): number {
  const where = line === undefined ? place.file : `${place.file}:${line}:${column ?? 1}`;
  process.stderr.write(
    `toolwright: ${where}: ${problem}. It was not changed.\n${hint === undefined ? '' : `  hint: ${hint}\n`}`,
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

/** Backups are not cache: they lie where programs keep their state. */
export function backups(): Backups {
  return openBackups(join(stateFolder(homeOf(), process.env), 'clients'));
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
    text === undefined
      ? undefined
      : hideValues(hideValues(text, added.filter(isPrivate), '*** (new)'), known.filter(isPrivate));
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (change.op === 'keep') process.stderr.write(`nothing would change: ${change.file}\n`);
  else process.stdout.write(visibleLines(printChange(change.file, hide(before), hide(after))));
  return 0;
}

/** What --enable, --disable and --option have set is for everybody to see. */
function isPrivate([name]: Variable): boolean {
  return name !== settingsVariable && name !== optionsVariable;
}

export function say(flags: InstallFlags, change: Change, text: string): void {
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify(change)}\n`);
  else if (!flags.quiet) process.stderr.write(`${text}\n`);
}

/** A file is replaced, not written into, so that it is whole at every moment. */
export function noteLinks(flags: InstallFlags, otherLinks: number, file: string): void {
  if (otherLinks === 0 || flags.quiet) return;
  const names = otherLinks === 1 ? 'one more name' : `${otherLinks} more names`;
  process.stderr.write(`toolwright: ${file} had ${names} (hard links), which keep the old content\n`);
}

// Where clients keep their settings depends on the machine, which only the command line knows.

function homeOf(): string {
  const home = homeFolder();
  if (home === undefined)
    throw new UsageError('HOME is not set: set it to the folder that has the settings of clients');
  return home;
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: homeOf(), env: process.env, exists: existsSync };
}
