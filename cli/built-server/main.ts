// What a built server runs once more than its first answers is wanted. In: its parts and the words of its command line. Out:
// it serves, as `toolwright start` would; the process ends with an exit code.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { settingsVariable } from '../../runtime/load/overlay.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { createWatchdog } from '../../runtime/serve/watchdog.js';
import { openServer, type SettingsProblems } from '../../runtime/server/open-server.js';
import { composeExternal, openPatchedServer } from '../../runtime/server/stored/open-patched-server.js';
import { unpackLate, unpackProgram } from '../../runtime/server/stored/packed-program.js';
import type { ServerParts } from '../../runtime/server/stored/parts.js';
import { storedSource } from '../../runtime/server/stored/stored-source.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { isOfOverlay, overlaysOf, printDiagnostics, rebaseDiagnostics } from '../pack/pack-command.js';
import { applyEnvFiles, preferKeyFiles } from '../start/env-file.js';
import { keepTasks } from '../start/keep-tasks.js';
import { type Opened, talk, tellOfServer } from '../start/opened-server.js';
import { serveOpen } from '../start/serve-opened.js';
import { printHelp, readWords, type ServerFlags } from './read-words.js';
import { builtThreads } from './threads.js';

export type { ServerParts } from '../../runtime/server/stored/parts.js';

/** Serves, or says on stderr why not; the exit code is for the process. */
export async function main(parts: ServerParts, words: readonly string[]): Promise<number> {
  const { config } = unpackLate(parts.program()).pack;
  const read = readWords(words, config);
  if ('problem' in read) {
    printReport(`${read.problem} (--help lists the options)`);
    return 2;
  }
  const { flags } = read;
  if (flags.help === true || flags.version === true) {
    const { server } = unpackProgram(parts.program());
    process.stdout.write(flags.help === true ? printHelp(server.name, config) : `${server.version}\n`);
    return 0;
  }
  if (parts.hasSourceMaps === true) process.setSourceMapsEnabled(true);
  try {
    Object.assign(process.env, read.variables);
    applyEnvFiles({ given: flags.envFile, cwd: resolve(flags.cwd ?? '.') }, { ...flags, format: 'text' });
    preferKeyFiles(config);
    const opened = await open(parts, flags);
    if ('exit' in opened) return opened.exit;
    const port = typeof flags.http === 'string' ? Number(flags.http) : undefined;
    return await serveOpen(opened.open, port, flags);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'UsageError') throw error;
    printReport(error.message);
    return 2;
  }
}

/** What the files of diagnostics are relative to. Definitions that are inside have no file here, and are named as in the pack. */
function baseOf({ file }: Diagnostic, path: string, cwd: string): string {
  return file.startsWith('..') || existsSync(resolve(path, file)) ? path : cwd;
}

/** Settings have no file anywhere. */
function nameSettings(one: Diagnostic): Diagnostic {
  const start = one.file.indexOf(`$${settingsVariable}`);
  return start < 0 ? one : { ...one, file: one.file.slice(start) };
}

async function open(parts: ServerParts, flags: ServerFlags): Promise<Opened> {
  const cwd = resolve(flags.cwd ?? '.');
  const overlays = overlaysOf(flags, cwd);
  const settings = process.env[settingsVariable];
  const { stored, packs, server, diagnostics } = await openPatchedServer(parts, { overlays, settings });
  const { item } = stored.server;
  const path = packs?.own.folder?.path ?? cwd;
  const say = (found: readonly Diagnostic[]): void => {
    if (found.length === 0) return;
    const shown = found.flatMap(one => rebaseDiagnostics([one], baseOf(one, path, cwd), cwd)).map(nameSettings);
    process.stderr.write(printDiagnostics(shown, { ...flags, format: 'text' }, cwd, [path, ...overlays]));
  };
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const ofOverlays = diagnostics.filter(one => isOfOverlay(one, path, overlays));
  // A misspelt name in a patch is a warning; without one, a tool stays as it was and nobody knows.
  say(
    parts.external === undefined
      ? diagnostics
      : diagnostics.filter(one => errors.includes(one) || ofOverlays.includes(one)),
  );
  if (packs === undefined) return { exit: 1 };
  if (server === undefined) {
    printReport(`the server ${item} is no longer among the definitions, or broken`);
    return { exit: 1 };
  }
  if (server.definition.enabled === false) {
    printReport(`the server "${item}" is disabled`);
    return { exit: 2 };
  }
  const isRefused = flags.strict === true || parts.external === undefined || hasErrors(ofOverlays);
  if (isRefused && hasErrors(errors)) return { exit: 1 };
  if (errors.length > 0) talk(flags, 'everything else is served; --strict refuses to start');
  const compile = (await parts.external?.tools())?.compileValidators;
  const watchdog = createWatchdog();
  const { env } = process;
  const composeNow = parts.external === undefined ? undefined : composeExternal;
  const around = { env, report: printReport };
  const options = { ...around, compile, threadsOf: builtThreads(parts, around) };
  const source = storedSource({ stored, packs, server }, parts, options, composeNow);
  const tasks = keepTasks(parts.folder ?? '', item, env);
  const opened = openServer(source, { env, report: printReport, running: watchdog, mode: flags.mode, tasks });
  if (!sayProblems(opened.problems)) return { exit: 1 };
  return {
    open: tellOfServer(opened, { server, watchdog }, ({ composition: { composed }, problems }) => {
      say(composed.diagnostics.filter(({ severity }) => severity === 'error'));
      return composed.isComplete && sayProblems(problems);
    }),
  };

  /** Whether none of them stops the start. */
  function sayProblems({ config, variables }: SettingsProblems): boolean {
    say(config);
    // These have no place in the pack.
    if (variables.length > 0) process.stderr.write(printDiagnostics(variables, { ...flags, format: 'text' }, cwd, []));
    return !hasErrors([...config, ...variables]);
  }
}
