// Routes of the author's own beside the endpoint: behind its checks, never in its place; in start, dev and built servers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createServer, type ServerOptions, type ToolServer } from '../../../runtime/index.js';
import { serveHttp } from '../../../runtime/serve/serve-http.js';
import type { Route, Surface } from '../../../runtime/surface/surface.js';
import { writeFolder } from '../packs/code-packs.js';
import { command, makePack, toolwright } from '../packs/packs-kit.js';
import { makeTools, nobodyWatches } from './serve-tools.js';
import { postModern } from './serve-web.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Served {
  readonly server: ToolServer;
  readonly origin: string;
  readonly reports: readonly string[];
}

async function serve(routes: ServerOptions['routes'], options: Partial<ServerOptions> = {}): Promise<Served> {
  const reports: string[] = [];
  const report = (text: string): void => void reports.push(text);
  const server = await createServer({ name: 'desk', env: {}, tools: [], report, routes, ...options });
  closing.push(() => server.close());
  const { url } = await server.serveHttp({ graceMs: 100 });
  return { server, origin: new URL(url).origin, reports };
}

const token = 'a-token-that-is-long-enough';

const statusOf = (url: string, headers: Record<string, string>, path?: string): Promise<number | undefined> =>
  new Promise(resolve =>
    get(url, { headers, ...(path !== undefined && { path }) }, answer => resolve(answer.resume().statusCode)),
  );

describe('routes of a server', () => {
  it('M35 a route answers beside the endpoint with what it is given, and undefined is a 404', async () => {
    const { origin } = await serve(
      async (request, { app, auth }) => {
        if (new URL(request.url).pathname !== '/echo') return undefined;
        const headers = new Headers({ 'x-method': request.method });
        headers.append('set-cookie', 'a=1');
        headers.append('set-cookie', 'b=2');
        return new Response(`${await request.text()} ${String(app)} ${String(auth)}`, { status: 201, headers });
      },
      { app: 'shared' },
    );
    const answer = await fetch(`${origin}/echo?x=1`, { method: 'PUT', body: 'Hello' });
    expect([answer.status, await answer.text()]).toEqual([201, 'Hello shared undefined']);
    expect([answer.headers.get('x-method'), answer.headers.getSetCookie()]).toEqual(['PUT', ['a=1', 'b=2']]);
    const head = await fetch(`${origin}/echo`, { method: 'HEAD' });
    expect([head.status, head.headers.get('x-method'), await head.text()]).toEqual([201, 'HEAD', '']);
    expect((await fetch(`${origin}/other`)).status).toBe(404);
    expect((await postModern(`${origin}/mcp`, 1, 'tools/list')).status).toBe(200);
  });

  it('M35 no route takes the place of the endpoint, of /healthz or of metadata, in any spelling', async () => {
    const seen: string[] = [];
    const { origin } = await serve(request => {
      seen.push(request.url);
      return new Response('taken');
    });
    for (const path of [
      '/mcp',
      '/mcp/',
      '/mcp?a',
      '/healthz',
      '/.well-known/x',
      '/.well-known',
      '/x/../mcp',
      '/./healthz',
    ])
      await statusOf(origin, {}, path);
    expect(seen).toEqual([]);
    expect(await (await fetch(`${origin}/healthz`)).text()).toContain('"ok"');
    expect(await (await fetch(`${origin}/mine`)).text()).toBe('taken');
  });

  it('W82 C14 a route is behind the checks of Host and Origin, and behind `auth`', async () => {
    let calls = 0;
    const routes: ServerOptions['routes'] = (_request, { auth }) => {
      calls += 1;
      return new Response(auth?.clientId ?? 'nobody');
    };
    const { origin } = await serve(routes);
    expect(await statusOf(`${origin}/x`, { host: 'evil.example' })).toBe(403);
    expect(await statusOf(`${origin}/x`, { origin: 'https://evil.example' })).toBe(403);
    const closed = await serve(routes, { auth: { type: 'bearer', env: 'T' }, env: { T: token } });
    expect((await fetch(`${closed.origin}/x`)).status).toBe(401);
    expect((await fetch(`${closed.origin}/x`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect(calls).toBe(0);
    const passed = await fetch(`${closed.origin}/x`, { headers: { authorization: `Bearer ${token}` } });
    expect(await passed.text()).toBe('bearer');
  });

  it('M35 a route that fails is a 500 without its cause, which the operator reads', async () => {
    const { origin, reports } = await serve(request => {
      if (request.url.endsWith('/number')) return 5 as never;
      throw new Error('the pool is empty');
    });
    const answer = await fetch(`${origin}/x`);
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('pool')]);
    expect(reports.join()).toContain('GET /x failed');
    expect(reports.join()).toContain('the pool is empty');
    expect((await fetch(`${origin}/number`)).status).toBe(500);
    expect(reports.join()).toContain('neither a Response nor undefined');
  });

  it('M35 a body beyond the limit never reaches a route whole, with or without a length', async () => {
    const { origin } = await serve(async request => new Response(await request.text()), {
      http: { maxBodyBytes: 100 },
    });
    const post = (body: unknown): Promise<Response> =>
      fetch(`${origin}/x`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    const large = 'x'.repeat(200);
    expect((await post(large)).status).toBe(413);
    expect((await post(Readable.toWeb(Readable.from([Buffer.from(large)])))).status).toBe(413);
    expect(await (await post('small')).text()).toBe('small');
  });

  it('M35 a route streams, hears that its client has left, and ends with the server', async () => {
    let left = (): void => {};
    const gone = new Promise<void>(resolve => {
      left = resolve;
    });
    const { origin, server } = await serve(request => {
      request.signal.addEventListener('abort', () => left());
      const body = new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('first')) });
      return new Response(body);
    });
    const leaving = new AbortController();
    const stream = await fetch(`${origin}/x`, { signal: leaving.signal });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('first');
    leaving.abort();
    await gone;
    const open = await fetch(`${origin}/x`);
    const rest = open.text();
    rest.catch(() => undefined);
    await server.close();
    await expect(rest).rejects.toThrow();
  });

  it('M35 a route that gives no answer in time is a 504, hears of it, and what it answers after all is not read', async () => {
    const surface = makeTools(nobodyWatches());
    const reports: string[] = [];
    let hear = (_: string): void => {};
    const unread = new Promise<string>(resolve => {
      hear = resolve;
    });
    const route: Route = async request => {
      await new Promise<void>(resolve => request.signal.addEventListener('abort', () => resolve()));
      return new Response(new ReadableStream({ cancel: () => hear('cancelled') }));
    };
    const services = { ...surface.services, report: (text: string) => void reports.push(text) };
    const slow = Object.create(surface, { route: { value: route }, services: { value: services } }) as Surface;
    const server = await serveHttp(slow, { graceMs: 100, limits: { routeMs: 20 } });
    closing.push(() => server.close());
    const answer = await fetch(`${new URL(server.url).origin}/slow`);
    expect([answer.status, await answer.text()]).toEqual([504, expect.stringContaining('did not answer in time')]);
    expect(reports).toEqual(['the route for GET /slow gave no answer within 0.02 seconds']);
    expect(await unread).toBe('cancelled');
  });

  it('M35 a route gets no request whose method or address has no web form, and its Content-Length is not believed', async () => {
    const seen: string[] = [];
    const { origin } = await serve(
      request => {
        seen.push(request.method);
        return new Response('hello', { headers: { 'content-length': '3' } });
      },
      { auth: { type: 'bearer', env: 'T' }, env: { T: token } },
    );
    const bearer = { authorization: `Bearer ${token}` };
    const { port } = new URL(origin);
    const status = (method: string, path: string): Promise<number | undefined> =>
      new Promise(resolve => {
        request({ port, method, path, headers: bearer }, answer => resolve(answer.resume().statusCode)).end();
      });
    expect(await status('TRACE', '/x')).toBe(405);
    expect(await status('GET', 'http://elsewhere.example/x')).toBe(400);
    expect(seen).toEqual([]);
    expect(await (await fetch(`${origin}/x`, { headers: bearer })).text()).toBe('hello');
  });

  it('M35 a body that a route does not read does not hold up the next request of its connection', async () => {
    const { origin } = await serve(() => new Response('ok'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asking = request(`${origin}/x`, { method: 'POST', agent }, answer => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        });
        asking.on('error', reject).end('x'.repeat(1_000_000));
      });
    expect([await send(), await send(), await send()]).toEqual([200, 200, 200]);
    agent.destroy();
  });

  it('M35 routes of another type than a function are refused', async () => {
    await expect(createServer({ name: 'desk', routes: 'src/routes.ts' as never })).rejects.toThrow(
      /routes.*a function/,
    );
  });
});

describe('routes of a pack', () => {
  const files: Readonly<Record<string, string>> = {
    ...makePack('desk', { tools: { own: '' } }),
    'mcp/servers/main.yaml': 'transport: http\nhttp: { port: 0 }\nroutes: lib/routes.js\n',
    'lib/routes.js': route('first'),
  };

  function route(text: string): string {
    return `export default async (request, { config, log }) =>
      new URL(request.url).pathname === '/hi' ? new Response('${text} ' + typeof log.info + await request.text()) : undefined;\n`;
  }

  async function listening(args: readonly string[], cwd: string): Promise<string> {
    const child: ChildProcess = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    closing.push(async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    let said = '';
    return await new Promise((resolve, reject) => {
      const hear = (text: Buffer): void => {
        said += text.toString();
        const [, url] = /(http:\/\/127\.0\.0\.1:\d+)\/mcp/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', () => reject(new Error(said)));
    });
  }

  const ask = async (origin: string): Promise<unknown> => {
    const found = await fetch(`${origin}/hi`, { method: 'POST', body: '!' });
    return [found.status, await found.text(), (await fetch(`${origin}/other`)).status];
  };

  it('M35 routes are served by `start`', async () => {
    expect(await ask(await listening([command, 'start'], writeFolder(files)))).toEqual([200, 'first function!', 404]);
  });

  it('M35 routes are served by a built server', async () => {
    const cwd = writeFolder(files);
    const built = await toolwright(['build', 'main'], { cwd });
    expect([built.status, built.stderr]).toEqual([0, expect.anything()]);
    expect(await ask(await listening(['dist/main.cjs'], cwd))).toEqual([200, 'first function!', 404]);
  });

  it('M35 routes are served by `dev`, and are new after a change', async () => {
    const cwd = writeFolder(files);
    const origin = await listening([command, 'dev', '--http', '0'], cwd);
    let answer = await ask(origin);
    // Until the first process has loaded the pack there are none.
    while (JSON.stringify(answer).includes('404,')) answer = await ask(origin);
    expect(answer).toEqual([200, 'first function!', 404]);
    writeFileSync(join(cwd, 'lib/routes.js'), route('second'));
    while (JSON.stringify(answer).includes('first')) answer = await ask(origin);
    expect(answer).toEqual([200, 'second function!', 404]);
  });

  it('M35 routes are served by a server built for workers, with the same limits, and one that fails is a 500', async () => {
    const cwd = writeFolder({
      ...files,
      'mcp/servers/main.yaml': 'transport: http\nhttp: { maxBodyBytes: 100 }\nroutes: lib/routes.js\n',
      'lib/routes.js': `export default async request => {
        if (request.url.endsWith('/slow')) return new Promise(() => undefined);
        if (request.url.endsWith('/echo')) return new Response(await request.text());
        if (request.url.endsWith('/fail')) throw new Error('no');
        return request.url.endsWith('/hi') ? new Response('worker') : undefined;
      };`,
    });
    const built = await toolwright(['build', 'main', '--target', 'worker'], { cwd });
    expect([built.status, built.stderr]).toEqual([0, expect.anything()]);
    const { default: worker } = (await import(pathToFileURL(join(cwd, 'dist/main.worker.mjs')).href)) as {
      default: { fetch(request: Request, env: object): Promise<Response> };
    };
    const ask = async (path: string): Promise<unknown> => {
      const answer = await worker.fetch(new Request(`https://desk.example${path}`), {});
      return [answer.status, path === '/hi' ? await answer.text() : ''];
    };
    expect(await ask('/hi')).toEqual([200, 'worker']);
    expect(await ask('/other')).toEqual([404, '']);
    expect(await ask('/fail')).toEqual([500, '']);
    expect(await ask('/healthz')).toEqual([200, '']);
    expect(await ask('/.well-known')).toEqual([404, '']);
    const post = async (size: number): Promise<number> => {
      const body = Readable.toWeb(Readable.from([Buffer.from('x'.repeat(size))]));
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
      return (await worker.fetch(new Request('https://desk.example/echo', init), {})).status;
    };
    expect([await post(50), await post(200)]).toEqual([200, 413]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const late = ask('/slow');
      await vi.advanceTimersByTimeAsync(61_000);
      expect(await late).toEqual([504, '']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('M35 a missing module of routes gets a stub with its types', async () => {
    const { 'lib/routes.js': _, ...rest } = files;
    const cwd = writeFolder(rest);
    const generated = await toolwright(['generate'], { cwd });
    expect([generated.status, generated.stdout + generated.stderr]).toEqual([0, expect.stringContaining('routes.js')]);
    expect(readFileSync(join(cwd, 'lib/routes.js'), 'utf8')).toContain('.Routes_Context} _ctx');
    expect(readFileSync(join(cwd, 'generated/index.d.ts'), 'utf8')).toContain('Routes_Context');
    const origin = await listening([command, 'start'], cwd);
    expect(await (await fetch(`${origin}/hello`)).text()).toBe('Hello\n');
  });
});
