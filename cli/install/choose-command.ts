// In: a server and what there is of it: a build, a published package, its sources. Out: the command that a client runs, and what is said
// about the choice.

import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newerThanBuild } from '../../generator/build/outdated-build.js';
import { commandFor, type Runnable, type ServerEntry, type Way, ways } from '../../generator/clients/client.js';
import { upwards } from '../../runtime/load/find-pack.js';
import { packageFile } from '../../runtime/load/own-package.js';
import type { Program } from '../../runtime/load/program.js';
import { readUtf8 } from '../../runtime/load/read-file.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { UsageError } from '../terminal/usage-error.js';
import { isSamePath, startOf } from './entry-owner.js';
import type { ChosenServer } from './install-server.js';

export interface ChosenCommand extends Pick<ServerEntry, 'command' | 'args'> {
  readonly way: Way;
  /** What a person should hear about it. */
  readonly notes: readonly string[];
}

export interface CommandChoice {
  readonly run: Way | undefined;
  readonly out: string | undefined;
  /** How an existing entry runs it: that stays, unless `run` says otherwise. */
  readonly before: Way | undefined;
  /** Of a file that others share. */
  readonly isShared: boolean;
}

/** Without `run`: as before, else the first that there is, but no build that is outdated or that others do not get. */
export function chooseCommand(chosen: ChosenServer, choice: CommandChoice): ChosenCommand {
  const { program, server, called, project } = chosen;
  const { run, before, out, isShared } = choice;
  const candidates = builtFolders(program, { out }).flatMap(path =>
    ['mjs', 'cjs', 'js'].map(extension => join(path, `${server.item}.${extension}`)),
  );
  const built = candidates.find(file => existsSync(file));
  const wanted = run ?? before;
  const runnable: Runnable = {
    server: called,
    built,
    published: findPublished(program, wanted),
    project,
    node: process.execPath,
    cli: commandFile(project),
    isWindows: process.platform === 'win32',
  };
  const doubt = built === undefined ? undefined : doubtOf(built, { program, project, isShared });
  const order = wanted === undefined ? ways.filter(way => way !== 'built' || doubt === undefined) : [wanted];
  // What an entry ran before may be gone.
  for (const way of run === undefined ? [...order, ...ways] : order) {
    const command = commandFor(way, runnable);
    if (command === undefined) continue;
    return { way, ...command, notes: [noteBuild(way), noteHttp(server)].filter(note => note !== undefined) };
  }
  throw new UsageError(
    run === 'npx'
      ? notPublished(program, server.item)
      : `there is no built server: run toolwright build ${server.item}`,
  );

  function noteBuild(way: Way): string | undefined {
    if (built === undefined) return undefined;
    const shown = relative(project, built).split(sep).join('/');
    if (doubt === undefined) {
      const isKept = run === undefined && before === 'start' && way === 'start';
      return isKept ? `the entry still runs "start"; ${shown} is built: --run built runs it` : undefined;
    }
    if (wanted !== undefined && way !== 'built') return undefined;
    return `${doubt.problem}${way === 'built' ? '' : `, so the client runs "${way}"`}: ${doubt.advice}`;
  }
}

/** Who defines a server for HTTP may expect that the client connects to a running one. */
function noteHttp({ item, definition: { transport, auth, http } }: ChosenServer['server']): string | undefined {
  if (transport !== 'http') return undefined;
  const header = auth?.type === 'bearer' ? ` and the header "Authorization: Bearer <the value of ${auth.env}>"` : '';
  return `${item} is defined for HTTP; this entry starts it over stdio. To connect to a running server instead, give the client its URL (https://<host>${http?.path ?? '/mcp'})${header}`;
}

/** By the project's own link, where it has one: the real folder that pnpm makes has the version in its name and is gone after an upgrade. */
function commandFile(project: string): string {
  const file = 'dist/cli/main.js';
  const own = fileURLToPath(packageFile(file));
  const links = upwards(project).map(folder => join(folder, 'node_modules', 'toolwright', file));
  return links.find(link => isSamePath(link, own)) ?? own;
}

/** Why a build is not taken unless somebody asks for it. */
function doubtOf(
  built: string,
  { program, project, isShared }: { readonly program: Program; readonly project: string; readonly isShared: boolean },
): { readonly problem: string; readonly advice: string } | undefined {
  const shown = relative(project, built).split(sep).join('/');
  const newer = newerThanBuild(program.pack, built);
  if (newer !== undefined) return { problem: `${shown} is older than ${newer}`, advice: 'run toolwright build' };
  if (!isShared || !isIgnored(built, project)) return undefined;
  return {
    problem: `.gitignore excludes ${shown}`,
    advice: 'others who clone the project do not have it',
  };
}

/** By the lines of .gitignore that name a folder or a file on the way. What it does not see is only not warned about. */
function isIgnored(file: string, project: string): boolean {
  const steps = relative(project, file).split(sep);
  if (steps[0] === '..') return false;
  let text: string;
  try {
    text = readUtf8(join(project, '.gitignore'));
  } catch {
    return false;
  }
  const names = new Set([...steps, ...steps.map((_, index) => steps.slice(0, index + 1).join('/'))]);
  const lines = text.split(/\r?\n/).map(line =>
    line
      .trim()
      .replace(/^\/|^\*\*\/|\/(?:\*+)?$/g, '')
      .replace(/\/$/, ''),
  );
  return lines.some(line => names.has(line));
}

/** How an entry runs it, by its words. */
export function wayOfWords(words: readonly string[]): Way | undefined {
  if (words.some(word => /(?:^|[\\/])npx(?:\.cmd)?$/.test(word))) return 'npx';
  return startOf(words)?.way ?? (/\.[cm]?js$/.test(words[1] ?? '') ? 'built' : undefined);
}

/** Where a build may have put it. */
export function builtFolders({ pack }: Program, { out }: { readonly out?: string | undefined }): readonly string[] {
  return [out ?? pack.dist, 'dist'].map(path => resolve(pack.folder, path));
}

/** An author's own folder may never have been published, and then the name is perhaps somebody else's. */
function findPublished({ pack: { folder } }: Program, wanted: Way | undefined): string | undefined {
  const mayBeTaken = wanted !== 'npx' && !folder.split(sep).includes('node_modules');
  return mayBeTaken ? undefined : publishedName(folder);
}

/** The package's name where `npx` would run something of it. */
export function publishedName(folder: string): string | undefined {
  const { name, bin, private: isPrivate } = readMap(folder, 'package.json');
  return isPrivate !== true && bin !== undefined && typeof name === 'string' ? name : undefined;
}

function notPublished({ pack }: Program, server: string): string {
  const { name, bin, private: isPrivate } = readMap(pack.folder, 'package.json');
  const file = join(pack.folder, 'package.json');
  if (isPrivate === true) return `npx runs only published packages: remove "private": true from ${file}`;
  if (typeof name !== 'string') return `npx runs a package by its name: write "name" into ${file}`;
  const path = join(pack.dist, `${server}.cjs`).split(sep).join('/');
  const command = name.split('/').at(-1) ?? server;
  const lines = `"bin": { "${command}": "${path}" }`;
  return bin === undefined
    ? `the package has no "bin" that npx could run: write ${lines} into ${file}, and run toolwright build before you publish`
    : `npx cannot run the package in ${dirname(file)}`;
}
