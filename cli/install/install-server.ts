// In: a server and flags. Out: the entry that a client gets: how it is run, with which settings.

import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandFor, type Runnable, type ServerEntry, type Way, ways } from '../../generator/clients/client.js';
import { optionsVariable } from '../../runtime/call/context/options.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { builtinPack, packageFile } from '../../runtime/load/own-package.js';
import type { Program, Server } from '../../runtime/load/program.js';
import { readUtf8 } from '../../runtime/load/read-file.js';
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
import { UsageError } from '../terminal/usage-error.js';
import { askConfig, unsetIn, type Values, valueProblem } from './ask-config.js';
import { mergeOptions, readOptionWords } from './entry-options.js';
import type { Asker } from './entry-owner.js';
import { composeForeign, settingsOf } from './entry-tools.js';

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
  /** Variables that the pack knows and that get no value. */
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

/** `known`: what the client has set for it already, and nobody is asked for. `project`: for a file that others share. */
export async function planEntry(
  chosen: ChosenServer,
  flags: EntryFlags & CommonFlags,
  { known, project }: { readonly known: Values; readonly project?: string | undefined },
): Promise<EntryPlan> {
  const { program, server, loaded } = chosen;
  const name = flags.name ?? nameOf(server);
  const { way, command, args } = chooseCommand(chosen, flags);
  const { config } = program.pack;
  const given = readVariables(flags.env, config);
  const cwd = workingFolder(flags);
  const options = readOptionWords(flags.option ?? [], { loaded, server, cwd });
  const asked = flags.yes ? {} : await askConfig(config, { ...known, ...given });
  const settings = flags.enable.length + flags.disable.length === 0 ? undefined : settingsOf(loaded, server, flags);
  const shared = settings === undefined ? {} : { TOOLWRIGHT_SETTINGS: settings };
  const notes = strangeVariables(Object.keys(given), { loaded, server, config, cwd });
  return {
    entry(now) {
      const env: Values = { ...now, ...given, ...asked, ...shared };
      const set =
        Object.keys(options).length === 0 ? {} : { [optionsVariable]: mergeOptions(env[optionsVariable], options) };
      const entry = { name, command, args, env: { ...env, ...set } };
      return project === undefined ? entry : portable(entry, project);
    },
    unset: now => unsetIn(config, { ...now, ...asked }).filter(one => !Object.hasOwn(given, one)),
    way,
    notes,
  };
}

/** What the client would run. */
export function wayOf(chosen: ChosenServer, flags: EntryFlags): Way {
  return chooseCommand(chosen, flags).way;
}

/** Under which a client knows it. */
export function nameOf({ definition, name, item }: Server): string {
  return definition.configName ?? name.split('/').at(-1) ?? item;
}

/** Where a build may have put it. */
function builtFolders({ pack }: Program, { out }: Pick<EntryFlags, 'out'>): readonly string[] {
  return [out ?? pack.dist, 'dist'].map(path => resolve(pack.folder, path));
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

function chooseCommand({ program, server, called, project }: ChosenServer, { run, out }: EntryFlags) {
  const { folder } = program.pack;
  const candidates = builtFolders(program, out === undefined ? {} : { out }).flatMap(path =>
    ['mjs', 'cjs', 'js'].map(extension => join(path, `${server.item}.${extension}`)),
  );
  const published = publishedName(folder);
  // An author's own folder may never have been published, and then the name is perhaps somebody else's.
  const mayBeTaken = run !== 'npx' && !folder.split(sep).includes('node_modules');
  const runnable: Runnable = {
    server: called,
    isHttp: server.definition.transport === 'http',
    built: candidates.find(file => existsSync(file)),
    published: mayBeTaken ? undefined : published,
    project,
    node: process.execPath,
    cli: fileURLToPath(packageFile('dist/cli/main.js')),
    isWindows: process.platform === 'win32',
  };
  for (const way of run === undefined ? ways : [run]) {
    const command = commandFor(way, runnable);
    if (command !== undefined) return { way, ...command };
  }
  throw new UsageError(
    run === 'built'
      ? `there is no built server: run toolwright build ${server.item}`
      : 'the package has no "bin" that npx could run: see docs/guides/publishing.md',
  );
}

/** The package's name where `npx` would run something of it. */
function publishedName(folder: string): string | undefined {
  try {
    const data = JSON.parse(readUtf8(join(folder, 'package.json'))) as Record<string, unknown>;
    const isRunnable = data['private'] !== true && data['bin'] !== undefined;
    return isRunnable && typeof data['name'] === 'string' ? data['name'] : undefined;
  } catch {
    return undefined;
  }
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

/** @example readVariables(['LIMIT=3'], { LIMIT: { type: 'integer' } }) // { LIMIT: '3' } */
function readVariables(pairs: readonly string[], config: Config): Readonly<Record<string, string>> {
  const given = Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--env takes NAME=value, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  // A server that gets them would not start.
  const problem = valueProblem(config, given);
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

/** A line for each that no pack of the server asks for. Any variable may be set, but mostly that is a slip. */
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
    const hint = didYouMean(name, known) ?? (isSure ? list : undefined);
    const what = `toolwright: the server has no configuration "${visible(name)}", but it is set`;
    return hint === undefined ? [] : [`${what}: ${visible(hint)}`];
  });
}
