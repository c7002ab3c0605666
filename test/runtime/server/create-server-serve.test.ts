// Servers made by code, with real clients of both lines: HTTP in both eras, fetch, stdio, list_changed, auth.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { build } from 'esbuild';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createServer, type ServerOptions, type ToolContext, type ToolServer } from '../../../runtime/index.js';
import { below, shop, writeFolder } from '../packs/code-packs.js';
import { audience, startIssuer } from '../serve/auth-issuer.js';

type AnyClient = Pick<NewClient, 'listTools' | 'callTool' | 'close' | 'getServerVersion' | 'getInstructions'>;
type Changed = (names: readonly string[]) => void;

const identity = { name: 'test', version: '1.0.0' };
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

function keep<T extends { close(): Promise<void> }>(one: T): T {
  closing.push(one);
  return one;
}

async function serve(options: Partial<ServerOptions> = {}): Promise<ToolServer> {
  return keep(await createServer({ name: 'desk', env: {}, report: () => {}, ...options }));
}

function listen(changed: Changed | undefined): object {
  if (changed === undefined) return {};
  const onChanged = (_error: unknown, tools: readonly { name: string }[] | null): void => {
    changed((tools ?? []).map(({ name }) => name));
  };
  return { listChanged: { tools: { onChanged, debounceMs: 0 } } };
}

/** A way to connect: which line of the SDK, and which era it speaks. */
const ways: Readonly<
  Record<string, (url: string, changed?: Changed, fetch?: typeof globalThis.fetch) => Promise<AnyClient>>
> = {
  'line 1, 2025': async (url, changed, fetch) => {
    const client = new OldClient(identity, listen(changed));
    const transport = new OldHttp(new URL(url), fetch && { fetch });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return client as unknown as AnyClient;
  },
  'line 2, 2026': async (url, changed, fetch) => {
    const client = new NewClient(identity, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      ...listen(changed),
    } as never);
    await client.connect(new NewHttp(new URL(url), fetch && { fetch }));
    return client;
  },
};

const ping = {
  name: 'ping',
  description: 'Answer.',
  parameters: { who: 'string' },
  handler: ({ who }: { who: string }) => `Hello ${who}`,
};

describe.each(Object.entries(ways))('a client of %s', (_name, connect) => {
  it('M35 a client lists over HTTP what the registry lists, and calls it', async () => {
    const app = writeFolder({ 'package.json': '{}', ...below('node_modules/@acme/shop', shop) });
    const server = await serve({
      cwd: app,
      version: '2.0.0',
      instructions: ['First.', 'Second.'],
      tools: ['acme/shop/*', ping],
    });
    const { url } = await server.serveHttp();
    const client = keep(await connect(url));
    expect(client.getServerVersion()).toMatchObject({ name: 'desk', version: '2.0.0' });
    expect(client.getInstructions()).toBe('First.\n\nSecond.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
      server.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    expect(server.registry.anthropic().map(({ input_schema }) => input_schema)).toEqual(
      tools.map(({ inputSchema }) => inputSchema),
    );
    const called = await client.callTool({ name: 'ping', arguments: { who: 'Ada' } });
    const invoked = await server.registry.invoke('ping', { who: 'Ada' });
    expect(called.content).toEqual([{ type: 'text', text: 'Hello Ada' }]);
    expect(invoked).toMatchObject({ ok: true, content: called.content });
    const found = await client.callTool({ name: 'shop.find', arguments: { query: 'lamp' } });
    expect(found.structuredContent).toEqual({ hits: ['lamp'], limit: 10 });
  });

  it('J85 a client hears of tools that come and go', async () => {
    const server = await serve({ tools: [ping] });
    const { url } = await server.serveHttp();
    const seen: (readonly string[])[] = [];
    let wake = (): void => {};
    const client = keep(
      await connect(url, names => {
        seen.push(names);
        wake();
      }),
    );
    const until = async (wanted: readonly string[]): Promise<void> => {
      while (JSON.stringify(seen.at(-1)) !== JSON.stringify(wanted)) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    };
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ping']);
    // The stream of changes opens some time after the handshake; what happens before is in the list that clients ask for.
    for (let round = 0; seen.length === 0; round++) {
      server.add({ name: `early${round}`, description: 'Early.' }, () => 'early');
      server.remove(`early${round}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    server.add({ name: 'pong', description: 'Answer back.' }, () => 'back');
    await until(['ping', 'pong']);
    expect((await client.callTool({ name: 'pong', arguments: {} })).content).toEqual([{ type: 'text', text: 'back' }]);
    expect(server.remove('ping')).toBe(true);
    await until(['pong']);
    await expect(client.callTool({ name: 'ping', arguments: { who: 'x' } })).rejects.toMatchObject({ code: -32602 });
  });

  it('M35 a client is served by `fetch`, without a server of ours', async () => {
    const server = await serve({ tools: [ping] });
    const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
      server.fetch(new Request(input, init));
    const client = keep(await connect('http://edge.example/mcp', undefined, fetch as typeof globalThis.fetch));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ping']);
    expect((await client.callTool({ name: 'ping', arguments: { who: 'Ada' } })).content).toEqual([
      { type: 'text', text: 'Hello Ada' },
    ]);
  });
});

describe('auth of servers in code', () => {
  const auth = { type: 'bearer', env: 'DESK_TOKEN' } as const;
  const token = 'a-token-that-is-long-enough-to-be-safe';
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: identity },
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  it('C14 a bearer token is required over HTTP and by `fetch`', async () => {
    const server = await serve({ auth, env: { DESK_TOKEN: token }, tools: [ping] });
    const { url } = await server.serveHttp();
    const ask = (extra: object): RequestInit => ({
      method: 'POST',
      headers: { ...headers, ...extra },
      body: initialize,
    });
    for (const send of [
      (init: RequestInit) => fetch(url, init),
      (init: RequestInit) => server.fetch(new Request(url, init)),
    ]) {
      const refused = await send(ask({}));
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('Bearer');
      expect((await send(ask({ authorization: 'Bearer wrong' }))).status).toBe(401);
      const passed = await send(ask({ authorization: `Bearer ${token}` }));
      expect(passed.status).toBe(200);
      expect(await passed.text()).toContain('"serverInfo"');
    }
  });

  it.each(Object.entries(ways))(
    'fix-A10 scopes count inside `ctx.call`, too, for a client of %s',
    async (_name, connect) => {
      const issuer = keep(await startIssuer());
      const server = await serve({
        auth: { type: 'oauth', issuer: issuer.url, audience },
        tools: [
          { name: 'admin', description: 'a', scopes: ['admin'], handler: () => 'admin ran' },
          {
            name: 'proxy',
            description: 'p',
            handler: async (_: object, ctx: ToolContext) => (await ctx.call('admin')).content,
          },
          {
            name: 'outer',
            description: 'o',
            handler: async (_: object, ctx: ToolContext) => (await ctx.call('proxy')).content,
          },
        ],
      });
      const { url } = await server.serveHttp();
      const clientOf = async (claims: object): Promise<AnyClient> => {
        const authorization = `Bearer ${await issuer.token({ exp: Math.floor(Date.now() / 1000) + 300, ...claims })}`;
        const withToken = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
          const given = new Headers(init.headers);
          given.set('authorization', authorization);
          return fetch(input, { ...init, headers: given });
        };
        return keep(await connect(url, undefined, withToken as typeof globalThis.fetch));
      };
      const ann = await clientOf({ sub: 'ann', scope: 'base' });
      const root = await clientOf({ sub: 'root', scope: 'base admin' });
      const run = (client: AnyClient, name: string, options: object | undefined) =>
        // Line 1 has a schema before them.
        (client.callTool as (...args: unknown[]) => ReturnType<AnyClient['callTool']>).call(
          client,
          { name, arguments: {} },
          ...(client instanceof OldClient ? [undefined, options] : [options]),
        );
      const onprogress = (): void => undefined;
      // With progress a call goes another way through the server.
      for (const options of [undefined, { onprogress }]) {
        for (const name of ['proxy', 'outer']) {
          const refused = await run(ann, name, options);
          expect(JSON.stringify(refused.content)).not.toContain('admin ran');
          expect(JSON.stringify(refused.content)).toContain('admin needs the scopes admin');
          const allowed = await run(root, name, options);
          expect(allowed.content).toEqual([{ type: 'text', text: 'admin ran' }]);
        }
        const answer = await run(ann, 'proxy', options);
        expect(answer).toMatchObject({
          isError: true,
          _meta: { 'toolwright/error': { code: 'INSUFFICIENT_SCOPE', status: 403 } },
        });
        await expect(run(ann, 'admin', options)).rejects.toThrow();
      }
      // Who calls from code is who answers for it.
      expect(await server.registry.invoke('proxy', {})).toMatchObject({ ok: true });
    },
  );

  it('C14 a host that knows the caller may pass it to `fetch`', async () => {
    const who = {
      name: 'who',
      description: 'Who.',
      handler: (_args: object, ctx: { auth: { subject?: string | undefined } | undefined }) =>
        ctx.auth?.subject ?? 'nobody',
    };
    const server = await serve({ auth, env: { DESK_TOKEN: token }, tools: [who] });
    const caller = { token: 't', clientId: 'c', scopes: [], subject: 'ada', claims: {} };
    const connectAs = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
      server.fetch(new Request(input, init), { auth: caller });
    const client = keep(
      (await ways['line 2, 2026']?.(
        'http://edge.example/mcp',
        undefined,
        connectAs as typeof globalThis.fetch,
      )) as AnyClient,
    );
    expect((await client.callTool({ name: 'who', arguments: {} })).content).toEqual([{ type: 'text', text: 'ada' }]);
  });

  it('C14 a token that is not set stops the server, and so does a public address without auth', async () => {
    const server = await serve({ auth, tools: [ping] });
    await expect(server.serveHttp()).rejects.toThrow(/DESK_TOKEN/);
    const open = await serve({ tools: [ping] });
    // In the words of whoever wrote the code: there is no command line.
    await expect(open.serveHttp({ host: '0.0.0.0' })).rejects.toThrow(/`auth`[\s\S]*`insecure: true` allows it/);
    const { port } = keep(await open.serveHttp({ host: '0.0.0.0', insecure: true }));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it('fix-A9 fix-A15 C14 names of pages and short tokens are refused in code as well', async () => {
    const open = await serve({ tools: [ping] });
    const { port } = keep(await open.serveHttp({ host: '0.0.0.0', insecure: true }));
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise(resolve => {
        get({ port, path: '/mcp', headers: { host } }, answer => resolve(answer.resume().statusCode));
      });
    expect([await statusFor('evil.example'), await statusFor('127.0.0.1')]).toEqual([403, 400]);
    const weak = await serve({ auth, tools: [ping], env: { DESK_TOKEN: 'short' } });
    await expect(weak.serveHttp({ host: '0.0.0.0' })).rejects.toThrow(/DESK_TOKEN has fewer than 16 characters/);
  });

  it('C14 OAuth callers without a token learn where to get one, at the address they know', async () => {
    const oauth = { type: 'oauth', issuer: 'https://login.example', audience: 'desk' } as const;
    const server = await serve({ auth: oauth, tools: [{ ...ping, scopes: ['desk:ping'] }] });
    const { url } = await server.serveHttp();
    const ways = [
      { send: (to: string, init?: RequestInit) => fetch(to, init), at: url },
      { send: (to: string, init?: RequestInit) => server.fetch(new Request(to, init)), at: 'https://edge.example/mcp' },
    ];
    for (const { send, at } of ways) {
      const refused = await send(at, { method: 'POST', headers, body: initialize });
      expect(refused.status).toBe(401);
      const told = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? 'nothing';
      expect(told).toBe(`${new URL(at).origin}/.well-known/oauth-protected-resource/mcp`);
      const metadata = await send(told);
      expect(metadata.status).toBe(200);
      expect(await metadata.json()).toMatchObject({
        resource: at,
        authorization_servers: ['https://login.example'],
        scopes_supported: ['desk:ping'],
      });
      const forged = await send(at, {
        method: 'POST',
        headers: { ...headers, authorization: 'Bearer e30.e30.x' },
        body: initialize,
      });
      expect(forged.status).toBe(401);
    }
  });

  it('C14 options of the call beat those of the server', async () => {
    const server = await serve({ http: { path: '/there' }, tools: [ping] });
    expect((await server.serveHttp()).url).toMatch(/\/there$/);
    expect((await server.serveHttp({ path: '/here' })).url).toMatch(/\/here$/);
  });

  it('W83 `close` ends all ways of serving', async () => {
    const server = await serve({ tools: [ping] });
    const { url } = await server.serveHttp();
    await server.fetch(new Request('http://edge.example/mcp'));
    await server.close();
    await expect(fetch(url)).rejects.toThrow();
    await expect(server.fetch(new Request('http://edge.example/mcp'))).rejects.toThrow(/closed/);
  });
});

describe('stdio of servers in code', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = join(root, 'node_modules/.cache/toolwright', `create-server-${process.pid}`);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('J85 a program of a user serves over stdio and adds a tool while it runs', async () => {
    await build({
      absWorkingDir: root,
      entryPoints: ['runtime/index.ts'],
      outdir: join(folder, 'dist'),
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      logLevel: 'error',
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'server.mjs'),
      `import { createServer } from './dist/index.js';
       const server = await createServer({
         name: 'desk',
         tools: [{ name: 'more', description: 'Add one.', handler() {
           console.log('this is not the protocol');
           server.add({ name: 'added', description: 'Added.' }, () => 'I am new');
           return 'done';
         } }],
       });
       const { closed } = await server.serveStdio();
       await closed;
       await server.close();
      `,
    );
    const seen: string[] = [];
    let wake = (): void => {};
    const client = new NewClient(
      identity,
      listen(names => {
        seen.push(names.join());
        wake();
      }) as never,
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'server.mjs')],
      stderr: 'pipe',
    });
    keep(client);
    await client.connect(transport);
    expect((await client.callTool({ name: 'more', arguments: {} })).content).toEqual([{ type: 'text', text: 'done' }]);
    while (seen.at(-1) !== 'more,added') {
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
    expect((await client.callTool({ name: 'added', arguments: {} })).content).toEqual([
      { type: 'text', text: 'I am new' },
    ]);
  });

  it('M35 loading a pack loads neither the SDK nor what runs tools', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['runtime/index.ts'],
      outdir: join(folder, 'light'),
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      metafile: true,
      write: false,
      logLevel: 'error',
    });
    const outputs = metafile.outputs;
    const start = Object.keys(outputs).find(name => outputs[name]?.entryPoint === 'runtime/index.ts') ?? '';
    const loaded = new Set<string>();
    const visit = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      for (const { path, kind, external } of outputs[name]?.imports ?? []) {
        if (kind !== 'import-statement') continue;
        if (external === true) loaded.add(path);
        else visit(path);
      }
    };
    visit(start);
    const inputs = [...loaded].flatMap(name => Object.keys(outputs[name]?.inputs ?? {}));
    expect(inputs).toContain('runtime/load/load.ts');
    // A lock pins what clients get to see, so that checking one prints it.
    const printers = /^runtime\/(context\/canonical|surface\/(mime-type|item-entries|guidelines|tool-entry))\.ts$/;
    const heavy = inputs.filter(path => /^runtime\/(sdk|serve|surface|handlers|context)\//.test(path));
    expect(heavy.filter(path => !printers.test(path))).toEqual([]);
    expect([...loaded].filter(name => /^(@modelcontextprotocol|ajv|esbuild|jose)/.test(name))).toEqual([]);
  });
});
