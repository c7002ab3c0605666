// In: a surface and what its server's definition and the command line say about HTTP. Out: it is served there; or it was said why
// not.

import { resolve } from 'node:path';
import type { Environment } from '../../runtime/call/context/config.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import { codeOf } from '../../runtime/load/folder.js';
import type { Authorizer, AuthProblem } from '../../runtime/serve/auth/authorizer.js';
import { checkBind } from '../../runtime/serve/auth/check-bind.js';
import { printReport } from '../../runtime/serve/print-report.js';
import type { HttpServer } from '../../runtime/serve/serve-http.js';
import type { Surface } from '../../runtime/surface/surface.js';
import type { ServerDefinition } from '../../schema/definitions.js';
import { peekDotEnv } from './env-file.js';
import type { ServeFlags } from './serve-opened.js';

type HttpDefinition = Pick<ServerDefinition, 'http' | 'auth'>;

export interface Listening {
  readonly definition: HttpDefinition;
  readonly flags: Pick<ServeFlags, 'host' | 'insecure' | 'protocol' | 'cwd'>;
  /** Of the command line. */
  readonly port: number | undefined;
  readonly toolScopes: readonly string[];
  readonly env: Environment;
  report(text: string): void;
  onClose(): Promise<void>;
}

const defaultPort = 3000;

/** Whether the address must not be listened on as things are; it is said why. */
export function isRefused(
  { http, auth }: HttpDefinition,
  flags: Pick<ServeFlags, 'host' | 'insecure'>,
  report: (text: string) => void = printReport,
): boolean {
  const host = hostOf(http, flags);
  const refused = checkBind({ host, hasAuth: auth !== undefined, insecure: flags.insecure === true });
  if (refused !== undefined) report(refused);
  return refused !== undefined;
}

function hostOf(http: HttpDefinition['http'], flags: Pick<ServeFlags, 'host'>): string {
  return flags.host ?? http?.host ?? '127.0.0.1';
}

/** Undefined where it cannot listen; `onClose` has run then. */
export async function listenHttp(surface: Surface, listening: Listening): Promise<HttpServer | undefined> {
  const { definition, flags, report, onClose } = listening;
  const { http = {} } = definition;
  const host = hostOf(http, flags);
  const port = listening.port ?? http.port ?? defaultPort;
  let url = '';
  const authorizer = await openAuthorizer(listening, () => url);
  if (authorizer === 'refused') {
    await onClose();
    return undefined;
  }
  const { serveHttp } = await import('../../runtime/serve/serve-http.js');
  try {
    const { path, allowedHosts, allowedOrigins, cors, maxBodyBytes } = http;
    const server = await serveHttp(surface, {
      ...{ host, port, path, allowedHosts, allowedOrigins, cors, maxBodyBytes, authorizer, onClose },
      protocol: flags.protocol,
    });
    url = server.url;
    return server;
  } catch (error) {
    await onClose();
    report(explainListening(error, host, port));
    return undefined;
  }
}

async function openAuthorizer(
  { definition, flags, toolScopes, env, report }: Listening,
  resourceUrl: () => string,
): Promise<Authorizer | 'refused' | undefined> {
  const { auth } = definition;
  if (auth === undefined) return undefined;
  const { createAuthorizer } = await import('../../runtime/serve/auth/create-authorizer.js');
  try {
    return createAuthorizer(auth, { env, host: hostOf(definition.http, flags), resourceUrl, toolScopes, report });
  } catch (error) {
    // By its name: files of a built server have a class each.
    if (!(error instanceof Error) || error.name !== ('AuthProblem' satisfies AuthProblem['name'])) throw error;
    report(inDotEnv(auth, env, flags) ?? error.message);
    return 'refused';
  }
}

/** `dev` and `call` read `.env` by themselves, so that it looks set to anyone who comes from there. */
function inDotEnv(
  auth: NonNullable<HttpDefinition['auth']>,
  env: Environment,
  { cwd }: Listening['flags'],
): string | undefined {
  if (auth.type !== 'bearer' || (env[auth.env] ?? '').trim() !== '') return undefined;
  if ((peekDotEnv(resolve(cwd ?? '.'))[auth.env] ?? '') === '') return undefined;
  return `the server asks callers for the token in ${auth.env}, which is not set. It is in .env, but that file is read only with --env-file .env`;
}

function explainListening(error: unknown, host: string, port: number): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `port ${port} is in use: stop the other program, or choose another port (--http 0 picks a free one)`;
    case 'EACCES':
      return `this process is not allowed to use port ${port}: choose one above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}`;
    default:
      return `the server cannot listen on ${host}:${port}: ${messageOf(error)}`;
  }
}
