// B4: servers at an address: our own in 2026, the first line of the SDK in 2025.
import { createServer as createHttp } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Asking } from '../../../../runtime/call/ports.js';
import { createServer, type ToolContext } from '../../../../runtime/index.js';
import type { CallToolResult } from '../../../../schema/support/mcp/content.js';
import { failureOf } from '../exec/exec-kit.js';
import { later, makeCall, open, runRounds, until } from './mcp-kit.js';
import { listen, serveSdkHttp } from './sdk-http.js';

const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');
const call = (name: string) => (client: { callTool(name: string): Promise<CallToolResult> }) => client.callTool(name);
const accept = ({ questions }: Asking) =>
  Object.fromEntries(Object.keys(questions).map(key => [key, { action: 'accept', content: { size: 'M' } }]));

const begun: string[] = [];
const cancelled: string[] = [];
const tools = [
  { name: 'echo', description: 'Echo.', parameters: { text: 'string' }, handler: ({ text }: { text: string }) => text },
  {
    name: 'region',
    description: 'With a header.',
    inputSchema: {
      type: 'object',
      properties: { where: { type: 'string', 'x-mcp-header': 'Region' }, n: { type: 'integer', 'x-mcp-header': 'N' } },
    },
    handler: ({ where }: { where: string }) => where,
  },
  {
    name: 'ask',
    description: 'Ask.',
    handler: async (_: object, ctx: ToolContext) => {
      const one = await ctx.elicit('one', { message: 'One?', schema: { size: 'string' } });
      const two = await ctx.elicit('two', { message: 'Two?', schema: { size: 'string' } });
      return `${one.action} ${two.action}`;
    },
  },
  {
    name: 'steps',
    description: 'Steps.',
    handler: (_: object, ctx: ToolContext) => {
      ctx.progress(1, 2, 'half');
      ctx.log.info('working', { n: 1 });
      return 'done';
    },
  },
  {
    name: 'hang',
    description: 'Hang.',
    handler: (_: object, ctx: ToolContext) =>
      new Promise(() => {
        ctx.signal.addEventListener('abort', () => cancelled.push('hang'));
        begun.push('hang');
      }),
  },
  { name: 'large', description: 'Large.', handler: () => 'x'.repeat(200_000) },
];

async function serveOurs(): Promise<{
  readonly url: string;
  readonly server: Awaited<ReturnType<typeof createServer>>;
}> {
  const server = await createServer({ name: 'desk', env: {}, report: () => {}, tools: tools as never });
  later(() => server.close());
  return { url: (await server.serveHttp()).url, server };
}

const local = { allowAddresses: ['127.0.0.1'] };

describe('2026 over HTTP', () => {
  it('B4 calls, results and errors of our own server', async () => {
    const { url } = await serveOurs();
    const backend = open({ url, ...local });
    const client = backend.of(makeCall());
    expect(await client.callTool('echo', { text: 'hi' })).toEqual({ content: [{ type: 'text', text: 'hi' }] });
    expect(await client.callTool('nothing').catch((error: unknown) => error)).toMatchObject({ code: -32602 });
    const offer = await backend.listAll(makeCall());
    expect(offer.serverInfo).toMatchObject({ name: 'desk' });
    expect(offer.tools).toHaveLength(tools.length);
    const many = await Promise.all(
      Array.from({ length: 100 }, (_, n) => backend.of(makeCall()).callTool('echo', { text: `${n}` })),
    );
    expect(many.map(textOf)).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
  });

  it('B4 arguments that a server wants in headers are there, whatever is in them', async () => {
    const { url } = await serveOurs();
    const backend = open({ url, ...local });
    for (const where of ['eu', ' Zürich ', ''])
      expect(textOf(await backend.of(makeCall()).callTool('region', { where, n: 5 }))).toBe(where);
  });

  it('B4 progress and logs reach the call', async () => {
    const { url } = await serveOurs();
    const made = makeCall();
    await open({ url, ...local })
      .of(made)
      .callTool('steps');
    expect(made.steps).toEqual([[1, 2, 'half']]);
    expect(made.logged).toEqual([{ level: 'info', message: 'working', data: { n: 1 } }]);
  });

  it('B4 questions travel through our rounds, with the state of the server', async () => {
    const { url } = await serveOurs();
    expect(textOf(await runRounds(open({ url, ...local }), call('ask'), accept))).toBe('accept accept');
  });

  it('B4 a call that is cancelled is cancelled there, too', async () => {
    const { url } = await serveOurs();
    const controller = new AbortController();
    const backend = open({ url, ...local });
    await backend.of(makeCall()).callTool('echo', { text: 'x' });
    begun.length = 0;
    cancelled.length = 0;
    const hanging = backend.of(makeCall({ signal: controller.signal })).callTool('hang');
    hanging.catch(() => undefined);
    await until(() => begun.length === 1);
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    await until(() => cancelled.length === 1);
  });

  it('B4 an answer above the limit is UPSTREAM_TOO_LARGE', async () => {
    const { url } = await serveOurs();
    const backend = open({ url, ...local, limits: { bytes: 50_000 } });
    expect((await failureOf(backend.of(makeCall()).callTool('large'))).code).toBe('UPSTREAM_TOO_LARGE');
  });

  it('B4 changes of lists are listened to', async () => {
    const { url, server } = await serveOurs();
    const backend = open({ url, ...local });
    await backend.of(makeCall()).callTool('echo', { text: 'x' });
    let count = 0;
    await until(() => {
      if (backend.changes.length > 0) return true;
      count += 1;
      server.add('tool', { name: `more-${count}`, description: 'More.', handler: () => 'x' } as never);
      return false;
    });
    expect(backend.changes[0]).toBe('tools');
  });
});

describe('2025 over HTTP', () => {
  it.each([{ isJson: false }, { isJson: true }, { lostStatus: 400 as const }])(
    'B4 a server of the SDK with sessions is recognised: %o',
    async options => {
      const { url, seen, headers } = await serveSdkHttp(options);
      const backend = open({ url, ...local, headers: { 'X-Own': 'yes' } });
      expect(textOf(await backend.of(makeCall()).callTool('echo', { text: 'hi' }))).toBe('hi');
      expect(await backend.of(makeCall()).callTool('fail')).toMatchObject({ isError: true });
      expect(seen.slice(0, 3)).toEqual(['POST server/discover', 'POST initialize', 'POST notifications/initialized']);
      expect(seen.filter(one => one === 'POST initialize')).toHaveLength(1);
      expect(headers.every(one => one['x-own'] === 'yes')).toBe(true);
      await backend.close();
      expect(seen.at(-1)).toBe('DELETE');
    },
  );

  it('B4 progress and logs of a call reach it', async () => {
    const { url } = await serveSdkHttp();
    const made = makeCall();
    await open({ url, ...local })
      .of(made)
      .callTool('steps');
    expect(made.steps).toEqual([[1, 2, undefined]]);
    expect(made.logged).toEqual([{ level: 'info', message: 'half', data: undefined }]);
  });

  it.each(['ask', 'ask-aside'])('B4 a question reaches our client, and its answer the server: %s', async name => {
    const { url, seen } = await serveSdkHttp();
    const backend = open({ url, ...local });
    await backend.of(makeCall()).callTool('echo', { text: 'x' });
    await until(() => seen.includes('GET'));
    const result = await runRounds(backend, call(name), accept);
    expect(JSON.parse(textOf(result))).toEqual({ action: 'accept', content: { size: 'M' } });
  });

  it.each([404, 400] as const)('B4 a session that the server has forgotten is opened again: %i', async lostStatus => {
    const { url, seen, forget } = await serveSdkHttp({ lostStatus });
    const backend = open({ url, ...local });
    expect(textOf(await backend.of(makeCall()).callTool('echo', { text: 'one' }))).toBe('one');
    forget();
    const results = await Promise.all(
      ['a', 'b', 'c'].map(text =>
        backend
          .of(makeCall())
          .callTool('echo', { text })
          .catch(() => undefined),
      ),
    );
    expect(results.some(result => result !== undefined)).toBe(true);
    expect(textOf(await backend.of(makeCall()).callTool('echo', { text: 'two' }))).toBe('two');
    expect(seen.filter(one => one === 'POST server/discover')).toHaveLength(1);
  });

  it('B4 changes of lists are passed on, and a call that is cancelled is cancelled there', async () => {
    const { url, seen, servers } = await serveSdkHttp();
    const backend = open({ url, ...local });
    await backend.of(makeCall()).callTool('echo', { text: 'x' });
    await until(() => seen.includes('GET'));
    await until(() => {
      if (backend.changes.length === 0) servers[0]?.sendToolListChanged();
      return backend.changes.length > 0;
    });
    const controller = new AbortController();
    const hanging = backend.of(makeCall({ signal: controller.signal })).callTool('hang');
    await until(() => seen.at(-1) === 'POST tools/call');
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    await until(() => seen.includes('POST notifications/cancelled'));
  });
});

describe('what can go wrong over HTTP', () => {
  it('B4 credentials that are wrong are reported with the status, and nothing else is tried', async () => {
    const { url, seen } = await serveSdkHttp({
      first: (_, response) => {
        response.writeHead(401).end();
        return true;
      },
    });
    const backend = open({ url, ...local, auth: { bearer: 'TOKEN' } }, { secrets: { TOKEN: 'sesame-sesame' } });
    const failure = await failureOf(backend.of(makeCall()).callTool('echo'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', status: 401, message: 'other answered 401 Unauthorized' });
    expect(seen).toHaveLength(1);
  });

  it('B4 an address where something else answers is reported', async () => {
    const html = await listen(
      createHttp((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')),
    );
    expect(
      (
        await failureOf(
          open({ url: html, ...local })
            .of(makeCall())
            .callTool('x'),
        )
      ).code,
    ).toBe('UPSTREAM_INVALID');
    const missing = await listen(createHttp((_, response) => response.writeHead(404).end()));
    const failure = await failureOf(
      open({ url: missing, ...local })
        .of(makeCall())
        .callTool('x'),
    );
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', status: 404 });
  });

  it('B4 an address where nobody answers is UPSTREAM_UNREACHABLE', async () => {
    const host = createHttp();
    const url = await listen(host);
    host.close();
    const failure = await failureOf(
      open({ url, ...local })
        .of(makeCall())
        .callTool('x'),
    );
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true });
  });

  it('B4 a server that breaks off fails the calls in flight, and the next one works', async () => {
    let isBroken = false;
    const { url } = await serveSdkHttp({
      first: request => {
        if (isBroken && request.method === 'POST') request.socket.destroy();
        return isBroken;
      },
    });
    const backend = open({ url, ...local });
    await backend.of(makeCall()).callTool('echo', { text: 'x' });
    isBroken = true;
    const failure = await failureOf(backend.of(makeCall()).callTool('echo', { text: 'x' }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: true });
    isBroken = false;
    expect(textOf(await backend.of(makeCall()).callTool('echo', { text: 'y' }))).toBe('y');
  });

  it('B4 a stream that a server of 2025 breaks off is taken up where it ended', async () => {
    const seen: (string | undefined)[] = [];
    const url = await listen(
      createHttp((request, response) => {
        let text = '';
        request.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        request.on('end', () => {
          const { id, method } = (text === '' ? {} : JSON.parse(text)) as { id?: number; method?: string };
          const event = (data: object) =>
            `id: e${seen.length}\nretry: 10\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...data })}\n\n`;
          const last = request.headers['last-event-id'];
          if (request.method === 'GET' && last === undefined) return response.writeHead(405).end();
          response.setHeader('content-type', 'text/event-stream');
          if (request.method === 'GET') {
            seen.push(String(last));
            return response.end(seen.length < 3 ? ': nothing yet\n\n' : event({ id: 3, result: { content: [] } }));
          }
          if (method === 'server/discover') return response.writeHead(400).end();
          if (method === 'initialize')
            return response.end(
              event({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } }),
            );
          if (id === undefined) return response.writeHead(202).end();
          return response.end('id: first\nretry: 10\ndata:\n\n');
        });
      }),
    );
    expect(
      await open({ url, ...local })
        .of(makeCall())
        .callTool('x'),
    ).toEqual({ content: [] });
    expect(seen).toEqual(['first', 'first', 'first']);
  });

  it('B4 with the token of the caller every caller has a session of their own', async () => {
    const { url, seen, headers } = await serveSdkHttp();
    const backend = open({ url, ...local, auth: { caller: { audience: 'other' } } });
    const auth = (token: string) => ({ token, clientId: 'c', scopes: [], claims: { aud: 'other' } });
    for (const who of ['ada', 'bob', 'ada'])
      await backend
        .of(makeCall({ request: { principal: who, auth: auth(`token-of-${who}`) } }))
        .callTool('echo', { text: who });
    expect(seen.filter(one => one === 'POST initialize')).toHaveLength(2);
    const pairs = headers
      .filter(one => one['mcp-session-id'] !== undefined)
      .map(one => `${one['mcp-session-id']} ${one.authorization}`);
    expect(new Set(pairs).size).toBe(2);
    expect(seen).not.toContain('GET');
  });
});
