// toolwright start [server]
import { messageOf } from '../runtime/call/print-cause.js';
import { type Authorizer, AuthProblem } from '../runtime/serve/auth/authorizer.js';
import { checkBind } from '../runtime/serve/auth/check-bind.js';
import { printReport } from '../runtime/serve/print-report.js';
import { onShutdown } from '../runtime/serve/signals.js';
import { type OpenServer, openServer, type ServerFlags, talk } from './open-server.js';
import { runInitialize } from './run-initialize.js';
import { surviveRejections } from './survive.js';
import { UsageError } from './usage-error.js';

export interface StartFlags extends ServerFlags {
  /** `--http` alone, or with a port. */
  readonly http?: boolean | string;
  readonly host?: string;
  readonly insecure?: boolean;
}

interface Running {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const defaultPort = 3000;

export async function start(typed: string | undefined, flags: StartFlags): Promise<number> {
  const { name, port } = readWords(typed, flags.http);
  const opened = await openServer(name, flags, { showCauses: false });
  if ('exit' in opened) return opened.exit;
  const { open } = opened;
  surviveRejections(open);
  const isHttp = flags.http !== undefined || open.server.definition.transport === 'http';
  if (!isHttp && flags.host !== undefined) throw new UsageError('--host is for HTTP: add --http');
  const code = await (isHttp ? startHttp(open, port, flags) : startStdio(open));
  // Whatever handlers left running must not keep the process alive.
  process.exit(code);
}

/** `--http` takes the next word for its port; a word that is no number was meant as the server. */
function readWords(
  typed: string | undefined,
  http: StartFlags['http'],
): { readonly name: string | undefined; readonly port: number | undefined } {
  if (typeof http !== 'string') return { name: typed, port: undefined };
  if (/^\d+$/.test(http) && Number(http) <= 65_535) return { name: typed, port: Number(http) };
  if (typed === undefined && /^[A-Za-z]/.test(http)) return { name: http, port: undefined };
  throw new UsageError(`--http takes a port from 0 to 65535, not "${http}"`);
}

async function startStdio(open: OpenServer): Promise<number> {
  const [{ serveStdio }, { installStdoutGuard }, { takeStdin }] = await Promise.all([
    import('../runtime/serve/serve-stdio.js'),
    import('../runtime/serve/stdout-guard.js'),
    import('../runtime/serve/spare-stdin.js'),
  ]);
  // Before any code of the pack runs.
  const guard = installStdoutGuard();
  const stdin = takeStdin();
  if (!(await runInitialize(open, open.surface))) return 1;
  return await run(serveStdio(open.surface, { guard, stdin, onClose: () => open.host.close() }));
}

async function startHttp(open: OpenServer, port: number | undefined, flags: StartFlags): Promise<number> {
  const { http = {}, auth } = open.server.definition;
  const host = flags.host ?? http.host ?? '127.0.0.1';
  const refused = checkBind({ host, hasAuth: auth !== undefined, insecure: flags.insecure === true });
  if (refused !== undefined) {
    printReport(refused);
    return 1;
  }
  let url = '';
  const authorizer = await openAuthorizer(open, () => url);
  if (authorizer === 'refused') return 1;
  if (!(await runInitialize(open, open.surface))) return 1;
  const { serveHttp } = await import('../runtime/serve/serve-http.js');
  try {
    const { path, allowedHosts, allowedOrigins, cors, maxBodyBytes } = http;
    const server = await serveHttp(open.surface, {
      ...{ host, path, allowedHosts, allowedOrigins, cors, maxBodyBytes, authorizer },
      port: port ?? http.port ?? defaultPort,
      onClose: () => open.host.close(),
    });
    url = server.url;
    talk(flags, `${open.server.name} listens on ${url}`);
    return await run(server);
  } catch (error) {
    await open.host.close();
    printReport(explainListening(error, host, port ?? http.port ?? defaultPort));
    return 1;
  }
}

async function openAuthorizer(
  { server, program }: OpenServer,
  resourceUrl: () => string,
): Promise<Authorizer | 'refused' | undefined> {
  const { auth } = server.definition;
  if (auth === undefined) return undefined;
  const { createAuthorizer } = await import('../runtime/serve/auth/create-authorizer.js');
  const toolScopes = program.tools.flatMap(({ definition }) => definition.scopes ?? []);
  try {
    return createAuthorizer(auth, { env: process.env, resourceUrl, toolScopes, report: printReport });
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    printReport(error.message);
    return 'refused';
  }
}

async function run(server: Running): Promise<number> {
  const stop = onShutdown(() => server.close());
  await server.closed;
  stop();
  return 0;
}

function explainListening(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: stop the other program, or take another port (--http 0 takes a free one)`;
    case 'EACCES':
      return `port ${port} needs rights that this process does not have: take one above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}`;
    default:
      return `the server cannot listen on ${host}:${port}: ${messageOf(error)}`;
  }
}
