// A service on loopback that does what a test says, and backends and calls to reach it with.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRaw, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type OpenHttp, openHttp } from '../../../../runtime/backends/http/open-http.js';
import type { NetworkHooks } from '../../../../runtime/backends/http/resolve-name.js';
import type { BackendScope, CallScope } from '../../../../runtime/backends/ports.js';
import { createRedact } from '../../../../runtime/call/context/secret-forms.js';
import type { HttpBackendDefinition } from '../../../../schema/definitions.js';
import type { HttpRequest } from '../../../../schema/support/mcp/backends.js';
import type { Auth } from '../../../../schema/support/mcp/client.js';

export interface Received {
  readonly method: string;
  /** As it came: nothing is decoded. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Service {
  /** http://127.0.0.1:port */
  readonly origin: string;
  readonly port: number;
  readonly received: readonly Received[];
  readonly sockets: ReadonlySet<Socket>;
  /** How many connections there were. */
  readonly connections: () => number;
}

type Answer = (request: Received, response: ServerResponse, nth: number) => void | Promise<void>;

/** Answers with JSON. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
}

/** Answers with what it was asked. */
export const echo: Answer = ({ method, url, headers, body }, response) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ method, url, headers, body: body.toString('utf8') }));
};

/** Ends with the test. */
export async function startService(answer: Answer): Promise<Service> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks) };
    received.push(one);
    await answer(one, response, received.length - 1);
  });
  server.on('connection', socket => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    const closed = new Promise(done => server.close(done));
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, received, sockets, connections: () => connections };
}

/** Also after an error: who is reset learns of it that way. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise(done => socket.once('close', () => done()));
}

/** A server below HTTP. It ends with the test. */
export async function startRaw(
  connected: (socket: Socket, nth: number) => void,
): Promise<{ readonly url: string; readonly sockets: ReadonlySet<Socket>; count(): number }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createRaw(socket => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
    connected(socket, count);
    count += 1;
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, count: () => count };
}

export interface TestSettings {
  readonly values?: Readonly<Record<string, unknown>>;
  /** Keys whose values are secret. */
  readonly secrets?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function makeScope({ values = {}, secrets = [], env = {} }: TestSettings = {}): BackendScope {
  const redact = createRedact(secrets.map(key => [key, String(values[key])] as const));
  return { folder: '/', settings: { values, redact }, env, report() {} };
}

export interface TestCall {
  readonly signal?: AbortSignal;
  readonly auth?: Partial<Auth>;
}

export function makeCall({ signal = new AbortController().signal, auth }: TestCall = {}): CallScope {
  const known = auth === undefined ? undefined : { token: '', clientId: 'c', scopes: [], claims: {}, ...auth };
  const request = { id: 1, signal, auth: known } as unknown as CallScope['request'];
  return { signal, log: {} as CallScope['log'], request, questions: undefined, progress() {} };
}

export interface TestBackend {
  readonly open: OpenHttp;
  request(request: HttpRequest, call?: TestCall): Promise<unknown>;
}

/** A backend whose address the author wrote; `null`: no backend. It is closed after the test. */
export function openBackend(
  definition: Omit<HttpBackendDefinition, 'type'> | null,
  settings: TestSettings = {},
  hooks: NetworkHooks = {},
): TestBackend {
  const whole = definition === null ? undefined : ({ type: 'http', ...definition } as const);
  const open = openHttp('jira', whole, makeScope(settings), hooks);
  onTestFinished(() => open.close());
  return { open, request: (request, call) => open.of(makeCall(call)).request(request) };
}

/** What a promise failed with; fails itself where it did not. */
export async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown> & { message: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown> & { message: string };
  }
  throw new Error('it did not fail');
}
