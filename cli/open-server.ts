// What `start` and `call` share. In: what a person typed for a server. Out: the server, its pack loaded and its code ready to
// run; or the exit code, everything having been said on stderr.
import { isAbsolute, join, relative, sep } from 'node:path';
import { readOptions } from '../runtime/context/options.js';
import { readRoots } from '../runtime/context/roots.js';
import { createSeal, readStateKey } from '../runtime/context/seal.js';
import { findMissing } from '../runtime/handlers/missing-handlers.js';
import { createPackHost, type OpenHost } from '../runtime/handlers/pack-host.js';
import { nodeFolder } from '../runtime/load/folder.js';
import { type LoadedPack, load } from '../runtime/load/load.js';
import type { Program, Server } from '../runtime/load/program.js';
import { printReport } from '../runtime/serve/print-report.js';
import { surfaceOf } from '../runtime/surface/serve-program.js';
import type { Surface } from '../runtime/surface/surface.js';
import { type Diagnostic, hasErrors } from '../schema/diagnostics.js';
import { didYouMean } from '../schema/nearest.js';
import { findPack, findPackAround } from './find-pack.js';
import { overlaysOf, type PackFlags, print, rebase, workingFolder } from './pack-command.js';
import { openParseCache } from './parse-cache.js';
import { UsageError } from './usage-error.js';

export interface ServerFlags extends PackFlags {
  readonly strict?: boolean;
  readonly mode?: string;
}

export interface OpenServer extends OpenHost {
  readonly program: Program;
  readonly server: Server;
  readonly surface: Surface;
}

/** A pack and what is said about it. */
interface Loaded extends LoadedPack {
  readonly folder: string;
  say(diagnostics: readonly Diagnostic[]): void;
  isOfOverlay(diagnostic: Diagnostic): boolean;
}

export type Opened = { readonly exit: number } | { readonly open: OpenServer };

export async function openServer(
  typed: string | undefined,
  flags: ServerFlags,
  { showCauses }: { readonly showCauses: boolean },
): Promise<Opened> {
  const loaded = loadPack(typed, flags);
  const { program, folder, say } = loaded;
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  say(errors);
  if (program === undefined) return { exit: errors.some(({ code }) => code === 'discover/no-manifest') ? 2 : 1 };
  const server = chooseServer(itemOf(typed), loaded, program);
  if (server === undefined) return { exit: 1 };
  // What an operator wants changed or switched off must not be served as it was.
  const isUnchanged = errors.some(loaded.isOfOverlay);
  if ((flags.strict || isUnchanged) && errors.length > 0) return { exit: 1 };
  const missing = await checkCode(loaded, flags.strict === true);
  say(missing);
  if (flags.strict && hasErrors(missing)) return { exit: 1 };
  if (errors.length + missing.length > 0) talk(flags, 'the rest is served; --strict refuses to start');
  const { env } = process;
  const host = createPackHost(program, { env, report: printReport, catalog: loaded.catalog });
  const options = readOptions(env['TOOLWRIGHT_OPTIONS'], [program]);
  const key = readStateKey(env['TOOLWRIGHT_STATE_KEY']);
  say(host.problems);
  const set = [...options.diagnostics, ...key.diagnostics];
  // These are about variables, which have no place in the pack.
  if (set.length > 0) process.stderr.write(print(set, { ...flags, format: 'text' }, folder, []));
  if (hasErrors([...host.problems, ...set])) return { exit: 1 };
  const surface = surfaceOf(program, server, host.host, {
    seal: createSeal({ key: key.value, now: Date.now }),
    showCauses,
    roots: readRoots(env['TOOLWRIGHT_ROOTS']),
    report: printReport,
    mode: flags.mode,
    optionsOf: options.optionsOf,
  });
  return { open: { ...host, program, server, surface } };
}

/** Names of the servers of the pack around, for telling a server from a tool on a command line. */
export function serverNames(flags: ServerFlags): readonly string[] {
  return loadPack(undefined, flags).catalog.server.map(({ name }) => name);
}

/** One line for a person, unless nobody wants to hear it. */
export function talk(flags: Pick<ServerFlags, 'quiet'>, text: string): void {
  if (!flags.quiet) printReport(text);
}

/** The project's own pack, or for a qualified name the one that it names. */
function loadPack(typed: string | undefined, flags: ServerFlags): Loaded {
  const cwd = workingFolder(flags);
  const own = loadFolder(findPackAround(cwd), cwd, flags);
  const wanted = packOf(typed);
  if (wanted === undefined || wanted === own.manifest?.name) return own;
  return loadFolder(findPack(wanted, cwd), cwd, flags);
}

function loadFolder(folder: string, cwd: string, flags: ServerFlags): Loaded {
  const overlays = overlaysOf(flags, cwd);
  const cache = openParseCache(folder);
  const loaded = load(folder, { overlays, cache });
  cache.save();
  return {
    ...loaded,
    folder,
    isOfOverlay: ({ code, file }) =>
      code === 'overlay/not-found' || overlays.some(overlay => isBelow(join(folder, file), overlay)),
    say(diagnostics) {
      if (diagnostics.length === 0) return;
      const shown = rebase(diagnostics, folder, cwd);
      process.stderr.write(print(shown, { ...flags, format: 'text' }, cwd, [folder, ...overlays]));
    },
  };
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `acme/jira/reporting` -> `acme/jira` and `reporting`. */
function packOf(typed: string | undefined): string | undefined {
  const slash = typed?.lastIndexOf('/') ?? -1;
  return slash < 0 ? undefined : typed?.slice(0, slash);
}

function itemOf(typed: string | undefined): string | undefined {
  return typed?.slice(typed.lastIndexOf('/') + 1);
}

/** Undefined where it is there but broken, which has been said. */
function chooseServer(item: string | undefined, { catalog }: Loaded, { servers, pack }: Program): Server | undefined {
  const names = catalog.server.map(({ name }) => name);
  const list = names.length === 0 ? `${pack.name} has no servers` : `${pack.name} has ${names.join(', ')}`;
  if (item !== undefined) {
    if (!names.includes(item)) {
      const hint = didYouMean(item, names);
      throw new UsageError(`there is no server "${item}"${hint === undefined ? '' : `: ${hint}`} (${list})`);
    }
    const found = servers.find(one => one.item === item);
    if (found?.definition.enabled === false) throw new UsageError(`the server "${item}" is switched off`);
    return found;
  }
  const usable = servers.filter(({ definition }) => definition.enabled !== false);
  const [only] = usable;
  if (names.length === 0) {
    throw new UsageError(
      `${pack.name} has no servers: write ${pack.root}/servers/main.yaml with one line, such as "description: My server"`,
    );
  }
  if (usable.length > 1) throw new UsageError(`which server? ${list}`);
  if (only === undefined && servers.length > 0) throw new UsageError(`every server is switched off (${list})`);
  return only;
}

/** Functions that manifests name and that are not there; `strict` looks into the modules too. */
async function checkCode(loaded: Loaded, isStrict: boolean): Promise<readonly Diagnostic[]> {
  const folder = nodeFolder(loaded.folder);
  const missing = findMissing(loaded, folder);
  if (!isStrict || missing.length > 0) return missing;
  const { checkHandlers } = await import('../generator/handlers/check-handlers.js');
  return (await checkHandlers(loaded, folder)).filter(({ severity }) => severity === 'error');
}
