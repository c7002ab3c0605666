// A server of the shared surface on a free port of loopback, and raw requests to it.
import { afterEach } from 'vitest';
import { type HttpServer, type ServeHttpOptions, serveHttp } from '../../../runtime/serve/serve-http.js';
import { envelope, type Message, request } from './serve-pipes.js';
import type { Fixture, FixtureSurface } from './serve-surface.js';
import { makeTools, nobodyWatches, type Watched } from './serve-tools.js';

const running: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(server => server.close()));
});

export interface Setup extends ServeHttpOptions {
  readonly watched?: Watched;
  readonly fixture?: Fixture;
}

export interface Served {
  readonly server: HttpServer;
  readonly surface: FixtureSurface;
  readonly url: string;
}

/** Closed after the test. */
export async function serve({ watched = nobodyWatches(), fixture, ...options }: Setup = {}): Promise<Served> {
  const surface = makeTools(watched, fixture);
  const server = await serveHttp(surface, { graceMs: 100, ...options });
  running.push(server);
  return { server, surface, url: server.url };
}

export const jsonHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const about = { method: 'POST', headers: { ...jsonHeaders, ...headers }, body: text as string };
  return fetch(url, signal === undefined ? about : { ...about, signal });
}

/** The messages of an answer, whether JSON or a stream of events; the stream must end. */
export async function messagesOf(response: Response): Promise<readonly Message[]> {
  const text = await response.text();
  if (response.headers.get('content-type') === 'application/json') return [JSON.parse(text) as Message];
  return text
    .split('\n')
    .filter(line => line.startsWith('data: ') && line.length > 6)
    .map(line => JSON.parse(line.slice(6)) as Message);
}

export interface Session {
  readonly id: string;
  readonly headers: Record<string, string>;
  send(body: unknown): Promise<Response>;
  call(id: string | number, name: string, args?: object): Promise<Message | undefined>;
}

/** The handshake of 2025. */
export async function openSession(url: string, headers: Record<string, string> = {}): Promise<Session> {
  const clientInfo = { name: 'raw', version: '1' };
  const capabilities = { elicitation: {} };
  const answer = await post(
    url,
    request('init', 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }),
    headers,
  );
  const id = answer.headers.get('mcp-session-id') ?? '';
  await answer.text();
  const all = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  const session: Session = {
    id,
    headers: all,
    send: body => post(url, body, all),
    async call(callId, name, args = {}) {
      const response = await session.send(request(callId, 'tools/call', { name, arguments: args }));
      return (await messagesOf(response)).find(message => message.id === callId);
    },
  };
  await (await session.send({ jsonrpc: '2.0', method: 'notifications/initialized' })).text();
  return session;
}

export interface ModernOptions {
  readonly meta?: object;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
}

/** One request of 2026-07-28 with the headers that it needs. */
export function postModern(
  url: string,
  id: unknown,
  method: string,
  params: Record<string, unknown> = {},
  { meta = {}, headers = {}, signal }: ModernOptions = {},
): Promise<Response> {
  const name = params['name'] ?? params['uri'];
  const all = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  };
  return post(url, request(id, method, { ...params, _meta: { ...envelope, ...meta } }), all, signal);
}

export function textOf(message: Message | undefined): string | undefined {
  return (message?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text;
}

/** Frames of an event stream as they come; `take` gives those that have come, `until` waits for one. */
export interface Events {
  readonly messages: Message[];
  readonly ended: Promise<void>;
  until(fits: (message: Message) => boolean): Promise<Message>;
  cancel(): void;
}

export function readEvents(response: Response): Events {
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const pump = async (): Promise<void> => {
    try {
      for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
        const lines = (rest + read.value).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line.startsWith('data: ') && line.length > 6) messages.push(JSON.parse(line.slice(6)) as Message);
        }
        for (const look of waiting) look();
      }
    } catch {
      // The connection broke.
    }
  };
  return {
    messages,
    ended: pump(),
    until: fits =>
      new Promise(resolve => {
        const look = (): void => {
          const found = messages.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    cancel: () => void reader?.cancel().catch(() => undefined),
  };
}
