// What `start`, `dev` and `call` share. In: what a person typed for a server. Out: the server, its packs loaded and their code ready
// to run; or the exit code, everything having been said on stderr.
import { findMissingHandlers, missingOf } from '../../runtime/call/handlers/missing-handlers.js';
import { openHosts } from '../../runtime/call/handlers/open-hosts.js';
import { startsOf } from '../../runtime/load/find-pack.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { type OpenPack, toPack } from '../../runtime/packs/open-pack.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { createWatchdog } from '../../runtime/serve/watchdog.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import {
  type Operator,
  openServer as openPackServer,
  type Resolved,
  type SettingsProblems,
  type TaskKeeper,
} from '../../runtime/server/open-server.js';
import { type PackComposition, packSource } from '../../runtime/server/pack-source.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import type { InstallFlags } from '../fetch/install-packs.js';
import { installMissing } from '../fetch/missing-packs.js';
import { type PackFlags, printDiagnostics, workingFolder } from '../pack/pack-command.js';
import { keepAuthorFrames } from '../terminal/author-frames.js';
import { applyWords, asksForHelp, printWordsHelp, type WordFlags } from './apply-words.js';
import { chooseServer } from './choose-server.js';
import { preferKeyFiles } from './env-file.js';
import { exitWithoutPack, type LoadedFolder, loadServerPack } from './load-server.js';
import { type Opened, type OpenedServer, talk, tellOfServer } from './opened-server.js';

export interface ServerFlags extends PackFlags, InstallFlags, WordFlags {
  /** Files of variables. */
  readonly envFile?: readonly string[];
  readonly strict?: boolean;
  readonly mode?: string;
  /** Serves only those items of other packs that are as toolwright.lock has them. */
  readonly frozen?: boolean;
}

/** With the pack that has the server. */
export interface OpenServerPack extends OpenedServer {
  readonly pack: OpenPack;
}

export interface OpenSettings extends Pick<Operator, 'showCauses' | 'stage'> {
  /** Who asks. For one call, what other tools lack does not matter, and what this one lacks is its error. */
  readonly command: 'start' | 'call' | 'dev';
  /** Of a call: where no server was named, the one that has it is meant. */
  readonly tool?: string;
  /** Hears which server was chosen, in place of stderr. */
  readonly note?: (text: string) => void;
  /** Gets what calls report in place of stderr. */
  readonly report?: (text: string) => void;
  /** T2: in place of the tasks that a server of this operator has. */
  readonly tasks?: ((folder: string, server: string) => TaskKeeper) | undefined;
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
  const rest = settings.command === 'call' ? ` ${settings.tool ?? '<tool>'}` : '';
  const server = chooseServer(item, loaded, program, {
    line: one => `toolwright ${settings.command} ${one}${rest}`,
    note: settings.note ?? (text => talk(flags, text)),
    tool: settings.tool === undefined ? undefined : { typed: settings.tool, cwd: workingFolder(flags) },
  });
  if (server === undefined) return { exit: 1 };
  const { config } = program.pack;
  if (asksForHelp(flags)) {
    process.stdout.write(printWordsHelp(config, server.item) || `${server.item} has no flags\n`);
    return { exit: 0 };
  }
  preferKeyFiles(config);
  applyWords(config, flags);
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
  const { env } = process;
  const report = reportOf(settings);
  const watchdog = createWatchdog();
  const { foreignPatches, patches, cache, folder } = loaded;
  const { frozen } = flags;
  const [project, starts] = [workingFolder(flags), startsOf(folder, workingFolder(flags))];
  const around = { starts, project, cache, patches, foreignPatches, frozen };
  const source = packSource(own, server, openHosts(own, { env, report }), around);
  const { showCauses, stage } = settings;
  const tasks = (settings.tasks ?? (() => keepInMemory))(folder, server.item);
  const open = openPackServer(source, { env, report, showCauses, stage, running: watchdog, mode: flags.mode, tasks });
  if (!sayProblems(open.problems)) return { exit: 1 };
  return { open: { pack: own, ...tellOfServer(open, { server, watchdog }, accept) } };

  function accept({ composition, problems }: Resolved<PackComposition>): boolean {
    const { composed, packs, unaccepted, idlePatches } = composition;
    cache.save();
    const others = packs.filter(pack => pack !== own);
    const folders = others.map(({ program: { pack } }) => pack.folder);
    const isOneCall = settings.command === 'call' && !flags.strict;
    const lacking = isOneCall ? [] : others.flatMap(pack => missingOf(pack, composed));
    const wrong = [...composed.diagnostics, ...lacking].filter(({ severity }) => severity === 'error');
    const idle = composed.diagnostics.filter(
      ({ severity, code }) => severity !== 'error' && code.startsWith('overlay/'),
    );
    say([...wrong, ...idle, ...idlePatches, ...unaccepted], folders);
    if (!composed.isComplete || (flags.strict && wrong.length > 0)) return false;
    if (wrong.length > 0) tellOfRest(flags, settings);
    return sayProblems(problems, folders);
  }

  /** Whether none of them stops the start. */
  function sayProblems({ config, variables }: SettingsProblems, folders: readonly string[] = []): boolean {
    say(config, folders);
    sayOfVariables(variables, flags);
    return !hasErrors([...config, ...variables]);
  }
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
  else process.stderr.write(printDiagnostics(diagnostics, { ...flags, format: 'text' }, '', []));
}

/** Functions that manifests name and that are not there; `strict` looks into the modules too. */
async function checkCode(loaded: LoadedFolder, isStrict: boolean): Promise<readonly Diagnostic[]> {
  const folder = nodeFolder(loaded.folder);
  const missing = findMissingHandlers(loaded, folder);
  if (!isStrict || missing.length > 0) return missing;
  const { checkHandlers } = await import('../../generator/handlers/check-handlers.js');
  return (await checkHandlers(loaded, folder)).filter(({ severity }) => severity === 'error');
}
