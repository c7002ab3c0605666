// What `start` and `call` share. In: what a person typed for a server. Out: the server, its packs loaded and their code ready
// to run; or the exit code, everything having been said on stderr.
import { readOptions } from '../runtime/context/options.js';
import { readRoots } from '../runtime/context/roots.js';
import { createSeal, readStateKey } from '../runtime/context/seal.js';
import type { Hosts } from '../runtime/handlers/keep-hosts.js';
import { findMissingHandlers, missingOf } from '../runtime/handlers/missing-handlers.js';
import { openHosts } from '../runtime/handlers/open-hosts.js';
import { nodeFolder } from '../runtime/load/folder.js';
import type { Server } from '../runtime/load/program.js';
import { type ComposedServer, compose, foreignPacks, hasForeign, packsOf } from '../runtime/packs/compose.js';
import { startsOf } from '../runtime/packs/find-pack.js';
import { applyLock, readLock } from '../runtime/packs/lock.js';
import { checkPatches, makeLookup, type PackLookup } from '../runtime/packs/look-up.js';
import { type OpenPack, toPack } from '../runtime/packs/open-pack.js';
import { printReport } from '../runtime/serve/print-report.js';
import { createWatchdog, type Watchdog } from '../runtime/serve/watchdog.js';
import { type ServeSettings, surfaceOf } from '../runtime/surface/serve-program.js';
import type { Surface } from '../runtime/surface/surface.js';
import { type Diagnostic, hasErrors } from '../schema/diagnostics.js';
import { keepAuthorFrames } from './author-frames.js';
import type { InstallFlags } from './install-packs.js';
import { chooseServer, exitWithoutPack, type LoadedFolder, loadServerPack } from './load-server.js';
import { installMissing } from './missing-packs.js';
import { type PackFlags, print, workingFolder } from './pack-command.js';

export interface ServerFlags extends PackFlags, InstallFlags {
  readonly strict?: boolean;
  readonly mode?: string;
  /** Serves only those items of other packs that are as toolwright.lock has them. */
  readonly frozen?: boolean;
}

export interface Served {
  readonly composed: ComposedServer;
  readonly surface: Surface;
}

export interface OpenServer {
  readonly server: Server;
  readonly hosts: Hosts;
  /** Knows what runs; serving arms it. */
  readonly watchdog: Watchdog;
  /** `initialize` of the server; throws what it throws. */
  startServer(): Promise<void>;
  /**
   * W60: what the server names is looked up and gets its final names, once. Undefined where it cannot be served, which has
   * been said.
   */
  resolve(): Served | undefined;
}

/** With the pack that has the server. */
export interface OpenServerPack extends OpenServer {
  readonly pack: OpenPack;
}

export type Opened<O extends OpenServer = OpenServer> = { readonly exit: number } | { readonly open: O };

export interface OpenSettings extends Pick<ServeSettings, 'showCauses' | 'stage'> {
  /** Who asks. For one call, what other tools lack does not matter, and what this one lacks is its error. */
  readonly command: 'start' | 'call' | 'dev';
  /** Gets what calls report in place of stderr. */
  readonly report?: (text: string) => void;
}

/** Missing packs are installed first; nothing of any pack has run yet when this is over. */
export async function openServer(
  typed: string | undefined,
  flags: ServerFlags,
  settings: OpenSettings,
): Promise<Opened<OpenServerPack>> {
  const { loaded, item } = await loadServerPack(typed, flags);
  const { say } = loaded;
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  // A misspelt name in a patch is a warning; without one, a tool stays as it was and nobody knows.
  say(loaded.diagnostics.filter(one => one.severity === 'error' || loaded.isOfOverlay(one)));
  const own = toPack(loaded);
  if ('unusable' in own) return { exit: exitWithoutPack(loaded) };
  const { program } = own;
  const rest = settings.command === 'call' ? ' <tool>' : '';
  const server = chooseServer(item, loaded, program, one => `toolwright ${settings.command} ${one}${rest}`);
  if (server === undefined) return { exit: 1 };
  // What an operator wants changed or switched off must not be served as it was.
  const isUnchanged = errors.some(loaded.isOfOverlay);
  if ((flags.strict || isUnchanged) && errors.length > 0) return { exit: 1 };
  const missing = settings.command === 'call' && !flags.strict ? [] : await checkCode(loaded, flags.strict === true);
  say(missing);
  if (flags.strict && hasErrors(missing)) return { exit: 1 };
  if (errors.length + missing.length > 0) tellOfRest(flags, settings);
  const absent = await installMissing(program, server, flags);
  say(absent);
  if (absent.length > 0) return { exit: 1 };
  const hosts = openHosts(own, { env: process.env, report: reportOf(settings) });
  const { problems, startServer } = hosts.open(own);
  const key = readStateKey(process.env['TOOLWRIGHT_STATE_KEY']);
  say(problems);
  sayOfVariables(key.diagnostics, flags);
  if (hasErrors([...problems, ...key.diagnostics])) return { exit: 1 };
  const watchdog = createWatchdog();
  let served: { readonly result: Served | undefined } | undefined;
  return {
    open: {
      server,
      pack: own,
      hosts,
      watchdog,
      startServer: () => startServer(server),
      resolve() {
        served ??= { result: serve(own, server, { loaded, hosts, watchdog, flags, settings, key: key.value }) };
        return served.result;
      },
    },
  };
}

interface Circumstances {
  readonly loaded: LoadedFolder;
  readonly hosts: Hosts;
  readonly watchdog: Watchdog;
  readonly flags: ServerFlags;
  readonly settings: OpenSettings;
  /** Seals the state of questions. */
  readonly key: string | undefined;
}

/** W46: other packs are looked up now, never earlier, and nothing of them is kept. */
function serve(own: OpenPack, server: Server, circumstances: Circumstances): Served | undefined {
  const { loaded, hosts, watchdog, flags, settings, key } = circumstances;
  const { patches, foreignPatches, cache, folder, say } = loaded;
  const { env } = process;
  const starts = startsOf(folder, workingFolder(flags));
  const lookUp = (overlays: LoadedFolder['patches']): PackLookup =>
    makeLookup({ starts, project: workingFolder(flags), overlays, cache });
  const patched = lookUp(patches);
  const found = compose(own, server, patched);
  const plain = patches.length === 0 ? undefined : lookUp([]);
  const { composed, diagnostics: unaccepted } = hasForeign(server)
    ? applyLock(found, readLock(nodeFolder(folder)), flags.frozen === true, plain)
    : { composed: found, diagnostics: [] };
  cache.save();
  const { diagnostics, isComplete } = composed;
  const packs = packsOf(composed);
  const others = packs.filter(pack => pack !== own);
  const folders = others.map(({ program }) => program.pack.folder);
  const missing = settings.command === 'call' && !flags.strict ? [] : others.flatMap(pack => missingOf(pack, composed));
  const told = [...diagnostics, ...missing].filter(({ severity }) => severity === 'error');
  const idle = [
    ...diagnostics.filter(({ severity, code }) => severity !== 'error' && code.startsWith('overlay/')),
    ...checkPatches(foreignPatches, patched, foreignPacks(server)),
  ];
  say([...told, ...idle, ...unaccepted], folders);
  if (!isComplete || (flags.strict && told.length > 0)) return undefined;
  if (told.length > 0) tellOfRest(flags, settings);
  for (const pack of others) hosts.open(pack);
  const options = readOptions(
    env['TOOLWRIGHT_OPTIONS'],
    packs.map(({ program }) => program),
  );
  // Those of the own pack have been reported.
  const problems = hosts.problems().slice(hosts.open(own).problems.length);
  say(problems, folders);
  sayOfVariables(options.diagnostics, flags);
  if (hasErrors([...problems, ...options.diagnostics])) return undefined;
  const surface = surfaceOf(composed, hosts.of, {
    ...settings,
    seal: createSeal({ key, now: Date.now }),
    roots: readRoots(env['TOOLWRIGHT_ROOTS']),
    running: watchdog,
    report: reportOf(settings),
    mode: flags.mode,
    optionsOf: options.optionsOf,
  });
  return { composed, surface };
}

function tellOfRest(flags: ServerFlags, { command }: OpenSettings): void {
  if (command !== 'call') talk(flags, 'everything else is served; --strict refuses to start');
}

function reportOf({ report = printReport }: OpenSettings): (text: string) => void {
  return text => report(keepAuthorFrames(text));
}

/** Variables have no place in a pack. */
function sayOfVariables(diagnostics: readonly Diagnostic[], flags: ServerFlags): void {
  if (diagnostics.length === 0) return;
  if (flags.tell !== undefined) flags.tell(diagnostics, []);
  else process.stderr.write(print(diagnostics, { ...flags, format: 'text' }, '', []));
}

/** One line for a person, unless nobody wants to hear it. */
export function talk(flags: Pick<ServerFlags, 'quiet'>, text: string): void {
  if (!flags.quiet) printReport(text);
}

/** Functions that manifests name and that are not there; `strict` looks into the modules too. */
async function checkCode(loaded: LoadedFolder, isStrict: boolean): Promise<readonly Diagnostic[]> {
  const folder = nodeFolder(loaded.folder);
  const missing = findMissingHandlers(loaded, folder);
  if (!isStrict || missing.length > 0) return missing;
  const { checkHandlers } = await import('../generator/handlers/check-handlers.js');
  return (await checkHandlers(loaded, folder)).filter(({ severity }) => severity === 'error');
}
