// Servers of code inside hosts that bring their own HTTP: plain http, Express, Hono, route handlers as Next.js has them.
import { once } from 'node:events';
import { createServer as createHttp, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { createServer, type ServerOptions, type ToolContext, type ToolServer } from '../../../runtime/index.js';
import { type AnyClient, ways } from '../../harness/interop-clients.js';
import { audience, startIssuer } from '../serve/auth-issuer.js';
import { request } from '../serve/serve-pipes.js';
import { messagesOf, openSession, post, postModern } from '../serve/serve-web.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const tools = [
  {
    name: 'greet',
    description: 'Greet.',
    parameters: { who: 'string' },
    handler: ({ who }: { who: string }) => `Hello ${who}`,
  },
  {
    name: 'ask',
    description: 'Ask for a name.',
    handler: async (_args: object, ctx: ToolContext) => {
      const answer = await ctx.elicit('who', {
        message: 'Who?',
        schema: { type: 'object', properties: { who: { type: 'string' } } },
      });
      return answer.action === 'accept' ? `Hello ${String(answer.content['who'])}` : 'nobody';
    },
  },
  {
    name: 'who',
    description: 'Who calls.',
    handler: (_args: object, ctx: ToolContext) => ctx.auth?.subject ?? 'nobody',
  },
];

async function make(options: Partial<ServerOptions> = {}): Promise<ToolServer> {
  const server = await createServer({ name: 'desk', env: {}, report: () => {}, tools: tools as never, ...options });
  closing.push(() => server.close());
  return server;
}

/** Listens on loopback as somebody's own server does; gives back its address. */
async function listen(listener: RequestListener): Promise<{ readonly origin: string; readonly host: Server }> {
  const host = createHttp(listener).listen(0, '127.0.0.1');
  await once(host, 'listening');
  closing.push(async () => {
    host.closeAllConnections();
    await new Promise(resolve => host.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, host };
}

/** What hosts of web-standard functions do around them. */
function webHost(answer: (request: Request) => Response | Promise<Response>): RequestListener {
  return async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { method = 'GET', headers, url } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(request);
    const init = { method, headers: headers as Record<string, string>, body, duplex: 'half', signal: gone.signal };
    const answered = await answer(new Request(`http://${headers.host}${url}`, init as never));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else Readable.fromWeb(answered.body as never).pipe(response);
  };
}

interface Host {
  readonly name: string;
  readonly path: string;
  /** Clients of 2025 have sessions, in which they can be asked. */
  readonly hasSessions: boolean;
  mount(server: ToolServer): RequestListener;
}

const hosts: readonly Host[] = [
  { name: 'plain http', path: '/', hasSessions: true, mount: server => server.handle },
  {
    name: 'Express',
    path: '/mcp',
    hasSessions: true,
    mount: server => express().all('/mcp', server.handle),
  },
  {
    name: 'Express with express.json() and a router',
    path: '/api/mcp',
    hasSessions: true,
    mount: server => express().use(express.json()).use('/api', express.Router().use('/mcp', server.handle)),
  },
  {
    name: 'Hono',
    path: '/mcp',
    hasSessions: false,
    mount: server => {
      const app = new Hono();
      app.all('/mcp', context => server.fetch(context.req.raw));
      return webHost(request => app.fetch(request));
    },
  },
  {
    name: 'a route handler in the style of Next.js',
    path: '/api/mcp',
    hasSessions: false,
    mount: server => {
      const POST = (request: Request): Promise<Response> => server.fetch(request);
      const route: Readonly<Record<string, typeof POST>> = { GET: POST, POST, DELETE: POST };
      return webHost(request => route[request.method]?.(request) ?? new Response(null, { status: 405 }));
    },
  },
];

async function connect(way: (typeof ways)[number], url: string, answers = {}): Promise<AnyClient> {
  const target = { command: '', args: [], cwd: '', url: new URL(url) };
  const client = await way.connect(target, answers);
  closing.push(() => client.close());
  return client;
}

const overHttp = ways.filter(({ transport }) => transport === 'http');

describe.each(hosts)('a server in $name', ({ path, hasSessions, mount }) => {
  it.each(overHttp)('M35 the tools of a mounted server answer a $name', async way => {
    const { origin } = await listen(mount(await make()));
    const elicit = () => ({ action: 'accept', content: { who: 'Ada' } });
    const client = await connect(way, origin + path, { elicit });
    expect(client.getServerVersion()).toMatchObject({ name: 'desk' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet', 'ask', 'who']);
    const greeted = await client.callTool({ name: 'greet', arguments: { who: 'Bo' } });
    expect(greeted.content).toEqual([{ type: 'text', text: 'Hello Bo' }]);
    const asked = await client.callTool({ name: 'ask', arguments: {} });
    if (hasSessions || way.era === 'modern') expect(asked.content).toEqual([{ type: 'text', text: 'Hello Ada' }]);
    else expect(asked._meta).toEqual({ 'toolwright/unfinished': true });
  });
});

const overExpress = hosts.filter(({ name }) => name.startsWith('Express'));

describe.each(overExpress)('requests to $name', ({ path, mount }) => {
  it('W82 the Host and the Origin of requests to a mounted server are checked', async () => {
    const { origin } = await listen(mount(await make()));
    const statusFor = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise(resolve => get(origin + path, { headers }, answer => resolve(answer.resume().statusCode)));
    expect(await statusFor({ host: 'evil.example' })).toBe(403);
    expect(await statusFor({ origin: 'https://evil.example' })).toBe(403);
    expect(await statusFor({ origin: 'http://localhost:5173' })).toBe(400);
    const named = await listen(mount(await make({ http: { allowedHosts: ['mcp.example.com'] } })));
    const { status } = await fetch(named.origin + path);
    expect(status).toBe(403);
    const asked = await new Promise<IncomingMessage>(resolve =>
      get(named.origin + path, { headers: { host: 'mcp.example.com' } }, resolve),
    );
    expect(asked.resume().statusCode).toBe(400);
  });

  it('W82 a body that is too large for a mounted server gets 413, with or without a length', async () => {
    const { origin } = await listen(mount(await make({ http: { maxBodyBytes: 500 } })));
    const large = JSON.stringify(request(1, 'tools/call', { name: 'greet', arguments: { who: 'x'.repeat(600) } }));
    expect((await post(origin + path, large)).status).toBe(413);
    const body = Readable.toWeb(Readable.from([Buffer.from(large)]));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    expect((await fetch(origin + path, init as never)).status).toBe(413);
  });

  it('C9 sessions of a mounted server hear of changes, and closing the server ends them but not the host', async () => {
    const server = await make();
    const { origin } = await listen(mount(server));
    const { headers } = await openSession(origin + path);
    const stream = await fetch(origin + path, { headers: { ...headers, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    server.add({ name: 'bye', description: 'Bye.' }, () => 'Bye');
    const told = messagesOf(stream);
    await server.close();
    expect((await told).map(({ method }) => method)).toContain('notifications/tools/list_changed');
    const late = await post(origin + path, request(5, 'tools/list'), headers);
    expect(late.status).toBe(503);
  });

  it('M35 a call to a mounted server that is under way is answered when the server closes', async () => {
    let begun = (): void => {};
    const started = new Promise<void>(resolve => {
      begun = resolve;
    });
    let finish = (): void => {};
    const gate = new Promise<void>(resolve => {
      finish = resolve;
    });
    const slow = {
      name: 'slow',
      description: 'Slow.',
      handler: async () => {
        begun();
        await gate;
        return 'done';
      },
    };
    const server = await make({ tools: [slow] });
    const { origin } = await listen(mount(server));
    const answer = postModern(origin + path, 1, 'tools/call', { name: 'slow', arguments: {} });
    await started;
    const closed = server.close();
    finish();
    expect(await (await answer).text()).toContain('done');
    await closed;
  });

  it('M35 a client that leaves cancels its call to a mounted server', async () => {
    let begun = (): void => {};
    const started = new Promise<void>(resolve => {
      begun = resolve;
    });
    let cancelled = (): void => {};
    const end = new Promise<void>(resolve => {
      cancelled = resolve;
    });
    const slow = {
      name: 'slow',
      description: 'Slow.',
      handler: async (_args: object, ctx: ToolContext) => {
        ctx.signal.addEventListener('abort', () => cancelled());
        begun();
        await end;
        return 'over';
      },
    };
    const { origin } = await listen(mount(await make({ tools: [slow as never] })));
    const leave = new AbortController();
    const params = { name: 'slow', arguments: {} };
    const answer = postModern(origin + path, 1, 'tools/call', params, { signal: leave.signal });
    answer.catch(() => undefined);
    await started;
    leave.abort();
    await end;
  });
});

describe('callers of a mounted server', () => {
  const ada = { token: 't', clientId: 'web', scopes: ['greet'], subject: 'ada', claims: {} };
  const call = (url: string, name: string, headers = {}): Promise<Response> =>
    postModern(url, 1, 'tools/call', { name, arguments: {} }, { headers });

  it('C14 a host that knows the caller passes it on, and scopes are compared', async () => {
    const scoped = (scope: string) => ({
      name: scope,
      description: 'd',
      scopes: [scope],
      handler: () => `${scope} ran`,
    });
    const server = await make({ tools: [...tools, scoped('admin'), { ...scoped('greet'), name: 'wave' }] as never });
    const app = express().all('/mcp', (req, res) => {
      server.handle(req, res, { auth: req.headers['x-user'] === 'ada' ? ada : undefined });
    });
    const url = `${(await listen(app)).origin}/mcp`;
    const as = { 'x-user': 'ada' };
    expect(await (await call(url, 'who', as)).text()).toContain('"ada"');
    expect(await (await call(url, 'who')).text()).toContain('"nobody"');
    expect((await call(url, 'admin', as)).status).toBe(403);
    expect((await call(url, 'wave')).status).toBe(403);
    expect(await (await call(url, 'wave', as)).text()).toContain('greet ran');
  });

  it('C14 a session belongs to the caller that the host named when it began', async () => {
    const server = await make();
    const app = express().all('/mcp', (req, res) => {
      server.handle(req, res, { auth: { ...ada, subject: String(req.headers['x-user']) } });
    });
    const url = `${(await listen(app)).origin}/mcp`;
    const session = await openSession(url, { 'x-user': 'ada' });
    const ping = request(2, 'ping');
    expect((await post(url, ping, { ...session.headers, 'x-user': 'ada' })).status).toBe(200);
    expect((await post(url, ping, { ...session.headers, 'x-user': 'bo' })).status).toBe(404);
  });

  it('C14 `auth` of the server holds in a host, and tells clients where tokens come from', async () => {
    const issuer = await startIssuer();
    closing.push(() => issuer.close());
    const server = await make({ auth: { type: 'oauth', issuer: issuer.url, audience } });
    const app = express().use('/.well-known', server.handle).all('/mcp', server.handle);
    const { origin } = await listen(app);
    const refused = await call(`${origin}/mcp`, 'who');
    expect(refused.status).toBe(401);
    const told = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? 'nothing';
    expect(told).toMatch(/\/\.well-known\/oauth-protected-resource/);
    const metadata = await fetch(origin + new URL(told).pathname);
    expect(await metadata.json()).toMatchObject({ authorization_servers: [issuer.url] });
    const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + 300, sub: 'cy' });
    const passed = await call(`${origin}/mcp`, 'who', { authorization: `Bearer ${token}` });
    expect(await passed.text()).toContain('"cy"');
  });

  it('C14 a token that is not set is a 500 for clients, and the operator reads why', async () => {
    const reports: string[] = [];
    const auth = { type: 'bearer', env: 'DESK_TOKEN' } as const;
    const server = await make({ auth, report: text => reports.push(text) });
    const { origin } = await listen(server.handle);
    const answer = await call(origin, 'who');
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('DESK_TOKEN')]);
    expect(reports.join()).toContain('DESK_TOKEN');
  });
});

describe('bodies that a host has read', () => {
  const body = request(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });

  it.each([
    ['text', express.text({ type: '*/*' })],
    ['bytes', express.raw({ type: '*/*' })],
    ['a value', express.json()],
  ])('M35 a mounted server takes %s from request.body', async (_name, parser) => {
    const { origin } = await listen(
      express()
        .use(parser)
        .all('/mcp', (await make()).handle),
    );
    const answer = await post(`${origin}/mcp`, body);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"serverInfo"')]);
    expect((await post(`${origin}/mcp`, '{')).status).toBe(400);
    expect((await post(`${origin}/mcp`, '')).status).toBe(400);
  });

  it('M35 a body that a host has read and thrown away is an error that says so', async () => {
    const server = await make();
    const { origin } = await listen(async (request, response) => {
      for await (const _ of request);
      server.handle(request, response);
    });
    const answer = await post(origin, body);
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('request.body')]);
  });

  it('M35 what Express 4 leaves in request.body without reading anything is not taken for the body', async () => {
    const server = await make();
    const { origin } = await listen((request, response) => {
      server.handle(Object.assign(request, { body: {} }), response);
    });
    expect(await (await post(origin, body)).text()).toContain('"serverInfo"');
  });
});

describe('a mounted server that is closed', () => {
  it.each([true, false])('W83 a closed server answers 503, used before: %s', async isUsed => {
    const server = await make();
    const { origin } = await listen(server.handle);
    if (isUsed) expect((await fetch(origin)).status).toBe(400);
    await server.close();
    expect((await fetch(origin)).status).toBe(503);
  });
});
