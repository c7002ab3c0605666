// In: a server that is open. Out: it serves over stdio or HTTP until its client leaves or a signal comes; then the process ends.

import { printReport } from '../../runtime/serve/print-report.js';
import { onShutdown } from '../../runtime/serve/signals.js';
import type { ProtocolName } from '../../runtime/serve/stdio-connection.js';
import type { StdioServing } from '../../runtime/server/create-server/server.js';
import { UsageError } from '../terminal/usage-error.js';
import { isRefused, listenHttp } from './listen-http.js';
import { type OpenedServer, talk } from './opened-server.js';
import { type LastWords, leave, listenForExit, surviveRejections } from './unexpected-end.js';

interface Serving extends StdioServing {
  abandon(reason: string): void;
}

/** What counts once a server is open. */
export interface ServeFlags {
  /** `--http` alone, or with a port. */
  readonly http?: boolean | string;
  /** Serves over stdio, whatever the server's definition says. */
  readonly stdio?: boolean;
  readonly host?: string;
  readonly insecure?: boolean;
  /** `sdk` leaves everything to the MCP SDK. */
  readonly protocol?: ProtocolName;
  /** What `protocol` was called before. */
  readonly lane?: 'lean' | 'sdk';
  /** False: only lists are wanted, and no code of the pack runs for them. */
  readonly initialize?: boolean;
  readonly quiet?: boolean;
  /** Where paths of flags begin. */
  readonly cwd?: string;
}

/** Serves until the client leaves or a signal comes, and ends the process. */
export async function serveOpen(open: OpenedServer, port: number | undefined, given: ServeFlags): Promise<never> {
  const flags: ServeFlags = given.lane === 'sdk' ? { ...given, protocol: 'sdk' } : given;
  let words: LastWords | undefined;
  surviveRejections(open, printReport, () => words?.abandon());
  const serve = async (server: Serving): Promise<number> => {
    const report = (text: string): void => printReport(open.hosts.redact(text));
    words = listenForExit({ names: open.watchdog.names, abandon: server.abandon, report });
    const code = await run(server);
    words.stop();
    return code;
  };
  const isHttp = !flags.stdio && (flags.http !== undefined || open.server.definition.transport === 'http');
  if (!isHttp && flags.host !== undefined) throw new UsageError('--host is for HTTP: add --http');
  const code = await (isHttp ? startHttp(open, { serve, port, flags }) : startStdio(open, { serve, flags }));
  // Whatever handlers left running must not keep the process alive.
  leave(code, text => printReport(open.hosts.redact(text)));
}

/** N23: to a person at a terminal. */
const waiting = 'waiting for an MCP client on stdin; Ctrl+C ends';

interface Start {
  readonly flags: ServeFlags;
  readonly port?: number | undefined;
  serve(server: Serving): Promise<number>;
}

async function startStdio(open: OpenedServer, { serve, flags }: Start): Promise<number> {
  const [{ serveStdio }, { installStdoutGuard }, { takeStdin }] = await Promise.all([
    import('../../runtime/serve/serve-stdio.js'),
    import('../../runtime/serve/stdout-guard.js'),
    import('../../runtime/serve/stdin-guard.js'),
  ]);
  const isTerminal = process.stdin.isTTY === true;
  // Before any code of the pack runs.
  const guard = installStdoutGuard();
  const stdin = takeStdin();
  const served = flags.initialize === false ? open.resolve() : await open.start();
  if (served === undefined) return 1;
  const { protocol } = flags;
  open.watchdog.arm({ hasStdin: true });
  if (isTerminal) talk(flags, waiting);
  return await serve(serveStdio(served.surface, { guard, stdin, protocol, onClose: () => open.close() }));
}

async function startHttp(open: OpenedServer, { serve, port, flags }: Start): Promise<number> {
  const { definition, name } = open.server;
  if (isRefused(definition, flags)) return 1;
  const served = await open.start();
  if (served === undefined) return 1;
  const server = await listenHttp(served.surface, {
    definition,
    flags,
    port,
    toolScopes: served.composed.tools.flatMap(({ item }) => item.definition.scopes ?? []),
    env: process.env,
    report: printReport,
    onClose: () => open.close(),
  });
  if (server === undefined) return 1;
  talk(flags, `${name} listens on ${server.url}`);
  open.watchdog.arm({ hasStdin: false });
  return await serve(server);
}

/** Until the client leaves or a signal comes. */
export async function run(server: StdioServing): Promise<number> {
  const stop = onShutdown(() => server.close());
  await server.closed;
  stop();
  return 0;
}
