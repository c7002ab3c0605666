// In: a server and flags. Out: the entry that a client gets: how it is run, with which settings.

import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Client, ServerEntry, Way } from '../../generator/clients/client.js';
import { type ConfigKey, configKeys } from '../../generator/doctor/config-rules.js';
import { optionsVariable } from '../../runtime/call/context/options.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import type { Program, Server } from '../../runtime/load/program.js';
import { findProject } from '../../runtime/packs/package-manager.js';
import { configOfItem } from '../../schema/backend/calls.js';
import type { ConfigEntry } from '../../schema/definitions.js';
import { visible } from '../../schema/print/visible.js';
import type { InstallFlags as PackInstallFlags } from '../fetch/install-packs.js';
import { findPackAround, type PackFlags, workingFolder } from '../pack/pack-command.js';
import type { WordFlags } from '../start/apply-words.js';
import { chooseServer } from '../start/choose-server.js';
import { exitWithoutPack, type LoadedFolder, loadServerPack } from '../start/load-server.js';
import { talk } from '../start/opened-server.js';
import type { CommonFlags } from '../terminal/flags.js';
import { askConfig, type Values } from './ask-config.js';
import { builtFolders, type ChosenCommand, publishedName } from './choose-command.js';
import { mergeOptions, readOptionWords } from './entry-options.js';
import type { Asker } from './entry-owner.js';
import { composeWhole, settingsOf } from './entry-tools.js';
import { isUnset, readVariables, refuseSecrets, strangeVariables } from './entry-variables.js';
import { type EntryWords, keptWords, readEntryWords } from './entry-words.js';

export interface EntryFlags extends WordFlags {
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

/** What the client has set for a server of ours; nothing where its entry is somebody else's. */
export interface KnownEntry {
  readonly env: Values;
  /** What it runs, the command first. */
  readonly words: readonly string[];
}

export interface EntryPlan {
  /** `known`: what the client has set for it; that stays where nothing that was typed says otherwise. */
  entry(known: KnownEntry): ServerEntry;
  readonly way: Way;
  /** Variables that tools of the server need and that get no value. */
  unset(known: KnownEntry): readonly ConfigKey[];
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
  readonly known: KnownEntry;
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
  const cwd = workingFolder(flags);
  const args = [...ofWay, ...flags.overlay.flatMap(one => ['--overlay', resolve(cwd, one)])];
  const composed = composeWhole(loaded, server, cwd);
  const keys = configKeys(composed === undefined ? [] : [composed]);
  const given = readVariables(flags.env, keys, client);
  if (project !== undefined) refuseSecrets(given, keys, client);
  const options = readOptionWords(flags.option ?? [], { loaded, server, cwd });
  const { config } = program.pack;
  const typed = flags.words === undefined ? undefined : readEntryWords(flags.words, config);
  if (project !== undefined && typed !== undefined) refuseSecrets(typed.variables, keys, client);
  const wordsFor = (now: KnownEntry): EntryWords => typed ?? keptWords(now.words, config);
  const { variables, problem } = wordsFor(known);
  const dropped =
    problem === undefined
      ? []
      : [`the flags of the entry are not kept, the server would not start with them: ${problem}`];
  const answered = { ...known.env, ...given, ...variables };
  const asked = flags.yes ? {} : await askConfig(askable(program, keys, project !== undefined), answered);
  const settings = flags.enable.length + flags.disable.length === 0 ? undefined : settingsOf(loaded, server, flags);
  const shared = settings === undefined ? {} : { TOOLWRIGHT_SETTINGS: settings };
  const notes = strangeVariables(
    Object.keys(given).filter(one => given[one] !== ''),
    { keys, auth: server.definition.auth, isSure: composed?.isComplete !== false },
  );
  return {
    entry(now) {
      const all: Values = { ...now.env, ...given, ...asked, ...shared };
      // `--env NAME=` removes it.
      const env: Values = Object.fromEntries(Object.entries(all).filter(([key]) => given[key] !== ''));
      const set =
        Object.keys(options).length === 0 ? {} : { [optionsVariable]: mergeOptions(env[optionsVariable], options) };
      const { words } = wordsFor(now);
      const passed = words.length > 0 && (way === 'start' || way === 'dev') ? ['--', ...words] : words;
      const entry = { name, command, args: [...args, ...passed], env: { ...env, ...set } };
      return project === undefined ? entry : portable(entry, project);
    },
    unset(now) {
      const needed = keys.filter(({ neededBy }) => neededBy.length > 0);
      return needed.filter(key => isUnset(key, { ...now.env, ...asked, ...given, ...wordsFor(now).variables }));
    },
    way,
    notes: [...[...ofRun, ...dropped].map(text => `toolwright: ${visible(text)}`), ...notes],
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

/** Variables that tools of the server may need. Of secrets nobody is asked for a file that others read. */
function askable(
  { pack, tools, prompts, resources }: Program,
  keys: readonly ConfigKey[],
  isShared: boolean,
): Readonly<Record<string, ConfigEntry>> {
  const used = new Set(keys.filter(({ usedBy }) => usedBy.length > 0).map(({ name }) => name));
  // What no tool declares may be read by any of them.
  const needed = [...tools, ...prompts, ...resources].flatMap(({ definition }) =>
    configOfItem({ ...definition }, pack.backends),
  );
  const declared = new Set([...tools.flatMap(({ definition }) => Object.keys(definition.requires ?? {})), ...needed]);
  const isAsked = ([name, entry]: readonly [string, ConfigEntry]): boolean =>
    (used.has(name) || !declared.has(name)) && !(isShared && entry.secret === true);
  return Object.fromEntries(Object.entries(pack.config).filter(isAsked));
}
