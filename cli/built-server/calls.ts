// What a built server loads with its first call, as one file of CommonJS: the pack's code and everything that runs tools, without the
// SDK, the loader and the printing of diagnostics. In: its parts. Out: calls on the connection that the entry holds.
import { makeCallPort } from '../../runtime/protocol/call-port.js';
import type { Handshake } from '../../runtime/protocol/handshake.js';
import { capabilitiesOf, makeHandshake } from '../../runtime/protocol/make-handshake.js';
import type { CallPort } from '../../runtime/protocol/ports.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { takeStdin } from '../../runtime/serve/stdin-guard.js';
import { installStdoutGuard } from '../../runtime/serve/stdout-guard.js';
import { createWatchdog } from '../../runtime/serve/watchdog.js';
import { openServer } from '../../runtime/server/open-server.js';
import { unpackLate } from '../../runtime/server/stored/packed-program.js';
import type { ServerParts } from '../../runtime/server/stored/parts.js';
import { openStoredServer, storedSource } from '../../runtime/server/stored/stored-source.js';
import { switchOff } from '../../runtime/server/stored/switches.js';
import type { Change, Surface } from '../../runtime/surface/surface.js';
import { keepTasks } from '../start/keep-tasks.js';
import { leave, listenForExit, surviveRejections } from '../start/unexpected-end.js';
import { builtThreads } from './threads.js';

// main.cjs and sdk.cjs both need it: they take it from here, so that a server has it once.
export { missingExtension, onlyAsTask, routeLegacyTask, routeModernTask } from '../../runtime/protocol/task-route.js';
export { serveBuiltThread } from './threads.js';

export interface OpenedCalls {
  readonly surface: Surface;
  readonly calls: CallPort;
  /** `listen` gets the new handshake with each change. */
  onChange(listen: (handshake: Handshake, change: Change) => void): void;
  /** Loads what calls of every tool share, without any code of the pack. */
  warm(): void;
  /** Disposes of what handlers share, and ends the process. */
  leave(): Promise<never>;
}

/**
 * Only where nothing of the start can change what the build knew (entry.ts). stdin and stdout are guarded from here on.
 * `abandon` answers every open request with an error.
 */
export function openCalls(parts: ServerParts, abandon: (reason: string) => void): OpenedCalls {
  if (parts.hasSourceMaps === true) process.setSourceMapsEnabled(true);
  const { env } = process;
  const built = openStoredServer(unpackLate(parts.program()), parts);
  // The stored answers were found to hold with these settings.
  const own = switchOff(built.packs.own, env['TOOLWRIGHT_SETTINGS']) ?? built.packs.own;
  const source = storedSource({ ...built, packs: { ...built.packs, own } }, parts, {
    ...{ env, report: printReport },
    threadsOf: builtThreads(parts, { env, report: printReport }),
  });
  const watchdog = createWatchdog();
  const tasks = keepTasks(parts.folder ?? '', built.server.item, env);
  const open = openServer(source, { env, report: printReport, running: watchdog, tasks });
  const { hosts } = open;
  for (const { file, line, column, severity, message } of open.problems.config) {
    printReport(`${file}:${line}:${column} ${severity} ${message}`);
  }
  installStdoutGuard();
  takeStdin();
  watchdog.arm({ hasStdin: true });
  const report = (text: string): void => printReport(hosts.redact(text));
  const exit = listenForExit({ names: watchdog.names, abandon, report });
  surviveRejections({ hosts, watchdog }, printReport, exit.abandon);
  const { surface } = open.resolve();
  if (surface === undefined) throw new Error(`${built.server.name} cannot start as it is configured`);
  const capabilities = capabilitiesOf(surface);
  return {
    surface,
    calls: makeCallPort(surface),
    onChange: listen => {
      surface.onChange(change => listen(makeHandshake(surface, capabilities), change));
    },
    warm: () => {
      open.resume();
      // The first call starts a thread (runtime/serve/watchdog.ts), whose module takes a millisecond.
      process.getBuiltinModule('node:worker_threads');
      const [first] = own.program.tools;
      // Node's loader of ES modules takes longest for the first one; validators are ours, and share a module.
      if (first !== undefined)
        hosts
          .of(own)
          .validators(first)
          .catch(() => undefined);
    },
    async leave() {
      await open.close();
      exit.stop();
      // Whatever handlers left running must not keep the process alive.
      return leave(0, report);
    },
  };
}
