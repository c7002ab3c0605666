// In: a server and flags. Out: the entry that a client gets: how it is run, with which settings.

import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Client, ServerEntry, Way } from '../../generator/clients/client.js';
import { configKeys } from '../../generator/doctor/config-rules.js';
import { optionsVariable } from '../../runtime/call/context/options.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import type { Program, Server } from '../../runtime/load/program.js';
import { findProject } from '../../runtime/packs/package-manager.js';
import type { ConfigEntry } from '../../schema/definitions.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible } from '../../schema/print/visible.js';
import type { InstallFlags as PackInstallFlags } from '../fetch/install-packs.js';
import { findPackAround, type PackFlags, workingFolder } from '../pack/pack-command.js';
import { chooseServer } from '../start/choose-server.js';
import { exitWithoutPack, type LoadedFolder, loadServerPack } from '../start/load-server.js';
import { talk } from '../start/opened-server.js';
import type { CommonFlags } from '../terminal/flags.js';
import { shellLine } from '../terminal/shell-words.js';
import { UsageError } from '../terminal/usage-error.js';
import { askConfig, unsetIn, type Values, valueProblem } from './ask-config.js';
import { builtFolders, type ChosenCommand, publishedName } from './choose-command.js';
import { mergeOptions, readOptionWords } from './entry-options.js';
import type { Asker } from './entry-owner.js';
import { composeForeign, composeWhole, settingsOf } from './entry-tools.js';

export interface EntryFlags {
  readonly name?: string;
  readonly run?: Way;
  readonly out?: string;
  readonly env: readonly string[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  /** `tool.option=value`. */
  readonly option?: readonly string[];
  readonly yes?: boolean;
}

export interface EntryPlan {
  /** `known`: what the client has set for it; that stays where nothing that was typed says otherwise. */
  entry(known: Values): ServerEntry;
  readonly way: Way;
  /** Variables that tools of the server need and that get no value. */
  unset(known: Values): readonly string[];
  /** What the person should hear about what was typed. */
  readonly notes: readonly string[];
}

/** A server, and how it is started from the project. */
export interface ChosenServer {
  readonly loaded: LoadedFolder;
  readonly program: Program;
  readonly server: Server;
  /** By which `start` knows it there. */
  readonly called: string;
  /** Where files of the project lie: the pack around, or the package that has installed another's. */
  readonly project: string;
}

/** An exit code where it is broken, which has been said. `command`: what was typed before the name. */
export async function findServer(
  name: string | undefined,
  flags: PackFlags & PackInstallFlags,
  command: string,
): Promise<ChosenServer | number> {
  const { loaded, item } = await loadServerPack(name, flags);
  const { program } = loaded;
  loaded.say(loaded.diagnostics.filter(({ severity }) => severity === 'error'));
  if (program === undefined) return exitWithoutPack(loaded);
  const server = chooseServer(item, loaded, program, {
    line: one => `toolwright ${command} ${one}`,
    note: text => talk(flags, text),
  });
  if (server === undefined) return 1;
  const isOwn = resolve(loaded.folder) === findPackAround(workingFolder(flags));
  if (isOwn) return { loaded, program, server, called: server.item, project: program.pack.folder };
  const isBuiltIn = resolve(loaded.folder) === resolve(builtinPack());
  const called = isBuiltIn ? server.item : `${program.pack.name}/${server.item}`;
  return { loaded, program, server, called, project: projectOf(flags) };
}

/** The pack around, else the package around: where clients look for settings of a project. */
export function projectOf(flags: CommonFlags): string {
  const cwd = workingFolder(flags);
  const around = findPackAround(cwd);
  return existsSync(join(around, manifestFile)) ? around : (findProject(cwd)?.folder ?? cwd);
}

export interface EntryCircumstances {
  readonly client: Client;
  readonly run: ChosenCommand;
  /** What the client has set for it already, and nobody is asked for. */
  readonly known: Values;
  /** For a file that others share. */
  readonly project?: string | undefined;
}

export async function planEntry(
  chosen: ChosenServer,
  flags: EntryFlags & CommonFlags & Pick<PackFlags, 'overlay'>,
  { client, run: { way, command, args: ofWay, notes: ofRun }, known, project }: EntryCircumstances,
): Promise<EntryPlan> {
  const { program, server, loaded } = chosen;
  const name = flags.name ?? nameOf(server);
  const { config } = program.pack;
  const cwd = workingFolder(flags);
  const args = [...ofWay, ...flags.overlay.flatMap(one => ['--overlay', resolve(cwd, one)])];
  const keys = configKeys([composeWhole(loaded, server, cwd) ?? []].flat());
  const given = readVariables(flags.env, config, client);
  if (project !== undefined) refuseSecrets(given, config, client);
  const options = readOptionWords(flags.option ?? [], { loaded, server, cwd });
  const asked = flags.yes ? {} : await askConfig(askable(program, keys, project !== undefined), { ...known, ...given });
  const settings = flags.enable.length + flags.disable.length === 0 ? undefined : settingsOf(loaded, server, flags);
  const shared = settings === undefined ? {} : { TOOLWRIGHT_SETTINGS: settings };
  const notes = strangeVariables(
    Object.keys(given).filter(one => given[one] !== ''),
    { loaded, server, config, cwd },
  );
  return {
    entry(now) {
      const all: Values = { ...now, ...given, ...asked, ...shared };
      // `--env NAME=` removes it.
      const env: Values = Object.fromEntries(Object.entries(all).filter(([key]) => given[key] !== ''));
      const set =
        Object.keys(options).length === 0 ? {} : { [optionsVariable]: mergeOptions(env[optionsVariable], options) };
      const entry = { name, command, args, env: { ...env, ...set } };
      return project === undefined ? entry : portable(entry, project);
    },
    unset(now) {
      const needed = keys.filter(({ neededBy }) => neededBy.length > 0).map(key => [key.name, key.entry] as const);
      return unsetIn(Object.fromEntries(needed), { ...now, ...asked, ...given });
    },
    way,
    notes: [...ofRun.map(text => `toolwright: ${visible(text)}`), ...notes],
  };
}

/** Under which a client knows it. */
export function nameOf({ definition, name, item }: Server): string {
  return definition.configName ?? name.split('/').at(-1) ?? item;
}

/** For whom an entry is put in or taken out. Without a server the pack around is meant, whatever it has. */
export function askerOf(
  chosen: Pick<ChosenServer, 'program' | 'project' | 'called'> | undefined,
  name: string | undefined,
  flags: Pick<EntryFlags, 'out'> & CommonFlags & { readonly project?: boolean },
): Asker {
  const isShared = flags.project === true;
  if (chosen === undefined) {
    const pack = findPackAround(workingFolder(flags));
    const called = name?.includes('/') ? name : undefined;
    return { pack, project: projectOf(flags), called, built: [], published: publishedName(pack), isShared };
  }
  const { program, project, called } = chosen;
  const pack = program.pack.folder;
  return { pack, project, called, built: builtFolders(program, flags), published: publishedName(pack), isShared };
}

/** A file that lies in a repository must not name folders of one machine. */
function portable(entry: ServerEntry, project: string): ServerEntry {
  const move = (word: string): string => {
    const way = relative(project, word);
    const isInside = resolve(word) === word && way !== '' && !way.startsWith('..');
    return isInside ? `./${way.split(sep).join('/')}` : resolve(word) === resolve(project) ? '.' : word;
  };
  const command = entry.command === process.execPath ? 'node' : entry.command;
  return { ...entry, command, args: entry.args.map(move) };
}

type Config = Readonly<Record<string, ConfigEntry>>;

/** Variables that tools of the server may need. Of secrets nobody is asked for a file that others read. */
function askable({ pack, tools }: Program, keys: ReturnType<typeof configKeys>, isShared: boolean): Config {
  const used = new Set(keys.filter(({ usedBy }) => usedBy.length > 0).map(({ name }) => name));
  // What no tool declares may be read by any of them.
  const declared = new Set(tools.flatMap(({ definition }) => Object.keys(definition.requires ?? {})));
  const isAsked = ([name, entry]: readonly [string, ConfigEntry]): boolean =>
    (used.has(name) || !declared.has(name)) && !(isShared && entry.secret === true);
  return Object.fromEntries(Object.entries(pack.config).filter(isAsked));
}

/** N15: a file of a project is committed and read by others. */
function refuseSecrets(given: Values, config: Config, { title, reference }: Client): void {
  const isSecret = ([name, value]: readonly [string, string]): boolean =>
    config[name]?.secret === true && !isReference(value, name, reference);
  const [name] = Object.entries(given).find(isSecret) ?? [];
  if (name === undefined) return;
  const instead =
    reference === undefined
      ? 'set it in the environment that the client is started from'
      : `${shellLine(['--env', `${name}=${reference(name)}`])} writes a reference, which ${title} fills in from its environment`;
  throw new UsageError(
    `${name} is secret, and the settings of a project are for everybody who has it: its value is not written there\n  hint: ${instead}; or leave out --project`,
  );
}

function isReference(value: string, name: string, reference: Client['reference']): boolean {
  // VS Code asks for an input, and both forms have defaults.
  return value === reference?.(name) || /^(?:\$\{[\w:.-]+\}|\{env:\w+\})$/.test(value);
}

/** @example readVariables(['LIMIT=3'], { LIMIT: { type: 'integer' } }, client) // { LIMIT: '3' } */
function readVariables(pairs: readonly string[], config: Config, { reference }: Client): Values {
  const given = Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--env takes NAME=value, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  // A server that gets them would not start.
  const literal = Object.entries(given).filter(([name, value]) => !isReference(value, name, reference));
  const problem = valueProblem(config, Object.fromEntries(literal));
  if (problem !== undefined) throw new UsageError(`--env: ${problem}`);
  return given;
}

/** What Node, the system or Toolwright itself reads. */
const common = /^(?:TOOLWRIGHT_.*|NODE_.*|PATH|HOME|TZ|LANG|LC_.*|DEBUG|(?:HTTPS?|ALL|NO)_PROXY)$/i;

interface Circumstances {
  readonly loaded: LoadedFolder;
  readonly server: Server;
  /** Of the server's pack. */
  readonly config: Config;
  readonly cwd: string;
}

/** A line for each that no pack of the server asks for. One that is nearly a key is a slip, and refused. */
function strangeVariables(names: readonly string[], around: Circumstances): readonly string[] {
  const own = Object.keys(around.config);
  const { auth } = around.server.definition;
  const known = new Set(auth?.type === 'bearer' ? [...own, auth.env] : own);
  const isStrange = (name: string): boolean => !known.has(name) && !common.test(name);
  if (!names.some(isStrange)) return [];
  const composed = composeForeign(around.loaded, around.server, around.cwd);
  const items = composed === undefined ? [] : [...composed.tools, ...composed.prompts, ...composed.resources];
  for (const { pack } of items) for (const name of Object.keys(pack.program.pack.config)) known.add(name);
  // What a pack asks for that is not there, nobody knows.
  const isSure = composed === undefined || composed.isComplete;
  const list = known.size === 0 ? 'it has none' : `it has ${[...known].join(', ')}`;
  return names.filter(isStrange).flatMap(name => {
    const what = `${visible(name)} is not a configuration key of this server`;
    const meant = didYouMean(name, known);
    if (isSure && meant !== undefined) throw new UsageError(`--env: ${what}: ${visible(meant)}`);
    const hint = isSure ? list : meant;
    return hint === undefined ? [] : [`toolwright: ${what}: ${visible(hint)}`];
  });
}
