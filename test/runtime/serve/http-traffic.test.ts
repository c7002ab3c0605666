// HTTP as it should not be: wrong methods, hosts, origins, bodies; and what browsers and probes ask.
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { envelope, type Message, request } from './serve-pipes.js';
import { jsonHeaders, openSession, post, postModern, serve } from './serve-web.js';

const ping = request(1, 'ping');
const errorOf = async (response: Response): Promise<unknown> => {
  const { id, error } = (await response.json()) as Message;
  return [response.status, error?.code, id];
};

/** Sends bytes over a socket; gives back what the server said until it hung up. */
function raw(port: number, ...parts: readonly string[]): Promise<string> {
  return new Promise(resolve => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(said));
  });
}

describe('bodies of requests', () => {
  it.each([
    ['not JSON', '{', 400, -32700],
    ['nothing', '', 400, -32700],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ['a number', '5', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['no version', '{"id":1,"method":"ping"}', 400, -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    [
      'one id twice in a batch',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      400,
      -32600,
    ],
    ['a batch of 101', JSON.stringify(Array.from({ length: 101 }, (_, id) => request(id, 'ping'))), 400, -32600],
  ])('W82 a bad body gets its error: %s', async (_, body, status, code) => {
    const { url } = await serve();
    const { headers } = await openSession(url);
    const response = await post(url, body, headers);
    const { error } = (await response.json()) as Message;
    expect([response.status, error?.code]).toEqual([status, code]);
  });

  it('W82 wrong params of a call get the answer -32602', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    expect(await errorOf(await session.send(request(7, 'tools/call', { name: 5 })))).toEqual([200, -32602, 7]);
    expect(await errorOf(await post(url, request(8, 'initialize', {})))).toEqual([200, -32602, 8]);
  });

  it('W82 a body beyond the limit gets 413, with or without a length', async () => {
    const { url } = await serve({ maxBodyBytes: 1000 });
    const long = JSON.stringify(request(1, 'ping', { x: 'y'.repeat(2000) }));
    expect((await post(url, long)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 10; index += 1) controller.enqueue(Buffer.from('x'.repeat(500)));
        controller.close();
      },
    });
    const chunked = await fetch(url, {
      method: 'POST',
      headers: jsonHeaders,
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await post(url, ping)).status).toBe(400);
  });

  it.each([['text/plain'], ['application/jsonx'], ['text/html; x=application/json']])(
    'W82 the content type %s gets 415',
    async type => {
      const { url } = await serve();
      expect(await errorOf(await post(url, ping, { 'content-type': type }))).toEqual([415, -32000, null]);
    },
  );

  it('W82 JSON with a charset is accepted, compressed JSON is not', async () => {
    const { url } = await serve();
    const { headers } = await openSession(url);
    const plain = await post(url, ping, { ...headers, 'content-type': 'Application/JSON; charset=utf-8' });
    expect(plain.status).toBe(200);
    await plain.text();
    expect((await post(url, ping, { ...headers, 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('W82 the server survives garbage and still answers', async () => {
    const { url, server } = await serve({ maxBodyBytes: 1000 });
    await Promise.all([
      raw(server.port, 'GARBAGE\r\n\r\n'),
      raw(server.port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: nonsense\r\n\r\n'),
      raw(server.port, `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      raw(
        server.port,
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nZZZ\r\n',
      ),
    ]);
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
      );
      setTimeout(() => socket.destroy(), 20);
    });
    await new Promise(resolve => {
      socket.on('close', resolve);
    });
    const session = await openSession(url);
    expect(await session.call(1, 'add', { a: 1, b: 2 })).toMatchObject({ result: { structuredContent: { sum: 3 } } });
  });

  it('W82 a client that does not finish its request gets 408', async () => {
    const { server } = await serve({ requestTimeoutMs: 100 });
    const said = await raw(server.port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n');
    expect(said).toMatch(/^HTTP\/1.1 4(08|15)/);
    expect(await raw(server.port, 'POST /mcp HTTP/1.1\r\nHost: loc')).toMatch(/^HTTP\/1.1 408/);
  });
});

describe('headers of requests', () => {
  const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

  it('fix-A15 W82 two Host headers get 400, whichever comes first', async () => {
    const { server } = await serve();
    for (const hosts of ['Host: localhost\r\nHost: evil.example', 'Host: evil.example\r\nhost: localhost']) {
      expect(await raw(server.port, `GET /mcp HTTP/1.1\r\n${hosts}\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/);
    }
  });

  it('fix-A15 W82 a client that asks before it sends gets 413, 401 or 403 before it has sent anything', async () => {
    const refuse = async () => ({ ok: false as const, status: 401, headers: {}, body: {} });
    const { server } = await serve({ maxBodyBytes: 1000 });
    const guarded = await serve({ authorizer: { authorize: refuse, refuseScopes: () => undefined } });
    const asks = (length: number): string =>
      `Expect: 100-continue\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
    expect(await raw(server.port, `${head}${asks(5000)}`)).toMatch(/^HTTP\/1.1 413/);
    expect(await raw(guarded.server.port, `${head}${asks(20)}`)).toMatch(/^HTTP\/1.1 401/);
    const evil = head.replace('localhost', 'evil.example');
    expect(await raw(server.port, `${evil}${asks(20)}`)).toMatch(/^HTTP\/1.1 403/);
    const body = JSON.stringify(ping);
    expect(await raw(server.port, `${head}${asks(body.length)}`, body)).toMatch(/^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 400/);
    const old = head.replace('HTTP/1.1', 'HTTP/1.0');
    expect(await raw(server.port, `${old}${asks(body.length)}`, body)).toMatch(/^HTTP\/1.1 400/);
    expect(await raw(server.port, `${head}Expect: 200-ok\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 417/);
  });

  it('fix-A15 W82 a transfer encoding that nobody undoes is refused', async () => {
    const { server } = await serve();
    for (const encoding of ['gzip, chunked', 'identity, chunked']) {
      const chunked = `Transfer-Encoding: ${encoding}\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
      expect(await raw(server.port, head + chunked)).toMatch(/^HTTP\/1.1 501/);
    }
  });

  it('fix-A15 W82 an answer that nobody asked for, however deep, is not an error of the server', async () => {
    const { url, surface } = await serve();
    const session = await openSession(url);
    for (const depth of [10, 300, 100_000]) {
      const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      for (const answer of [`"result":${deep}`, `"error":{"code":1,"message":"x","data":${deep}}`]) {
        const response = await post(url, `{"jsonrpc":"2.0","id":0,${answer}}`, session.headers);
        expect([depth, response.status]).toEqual([depth, 202]);
      }
    }
    expect(surface.reports).toEqual([]);
  });

  it('fix-A15 W82 answers are not cached and not taken for something else', async () => {
    const { url, server } = await serve({ cors: true });
    const session = await openSession(url);
    const other = 'http://evil.example';
    const answers = [
      await postModern(url, 1, 'tools/list'),
      await postModern(url, 2, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
      await postModern(url, 3, 'prompts/get', { name: 'nobody' }),
      await postModern(url, 4, 'tools/call', { name: 'progress' }, { meta: { progressToken: 1 } }),
      await session.send(request(5, 'tools/call', { name: 'slow', arguments: { ms: 60 } })),
      await session.send(request(6, 'tools/list')),
      await session.send({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      await post(url, '{'),
      await fetch(`http://127.0.0.1:${server.port}/healthz`),
      await fetch(`http://127.0.0.1:${server.port}/other`),
      await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } }),
      await fetch(url, { method: 'PUT' }),
      await fetch(url, { headers: { origin: other } }),
      await fetch(url, { method: 'DELETE', headers: session.headers }),
    ];
    for (const { status, headers } of answers) {
      const about = [headers.get('x-content-type-options'), headers.get('cache-control')?.split(',')[0]];
      expect([status, ...about]).toEqual([status, 'nosniff', 'no-store']);
    }
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(5);
    for (const answer of answers) await answer.text();
  });

  it('fix-A15 W82 deeply nested data about a client is refused in both eras', async () => {
    const { url, surface } = await serve();
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const info = { name: 'a', version: '1' };
    const hello = request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { experimental: { a: 'DEEP' } },
      clientInfo: info,
    });
    const legacy = await post(url, JSON.stringify(hello).replace('"DEEP"', deep));
    expect(await errorOf(legacy)).toEqual([200, -32602, 1]);
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { experimental: { a: 'DEEP' } } };
    for (const more of [{}, { progressToken: 1 }]) {
      const params = { name: 'add', arguments: { a: 1, b: 2 }, _meta: { ...envelope, ...capabilities, ...more } };
      const body = JSON.stringify(request(1, 'tools/call', params)).replace('"DEEP"', deep);
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' };
      expect(await errorOf(await post(url, body, headers))).toEqual([400, -32602, 1]);
    }
    expect(surface.reports).toEqual([]);
  });
});

describe('methods and paths', () => {
  it('W82 wrong methods get 405 and what is allowed', async () => {
    const { url } = await serve();
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
      const response = await fetch(url, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, POST, DELETE']);
    }
  });

  it('W82 other paths get 404, and a trailing slash and a query make no difference', async () => {
    const { url, server } = await serve();
    expect((await fetch(`http://127.0.0.1:${server.port}/other`)).status).toBe(404);
    expect((await post(`${url}/?a=b`, ping)).status).toBe(400);
  });

  it('W82 a server may have a path of its own', async () => {
    const { url } = await serve({ path: '/deep/mcp' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/deep\/mcp$/);
    expect((await postModern(url, 1, 'tools/list')).status).toBe(200);
  });

  it('W82 /healthz returns name and version to everybody', async () => {
    const authorizer = {
      authorize: async () => ({ ok: false as const, status: 401, headers: {}, body: {} }),
      refuseScopes: () => undefined,
    };
    const { server } = await serve({ authorizer });
    const response = await fetch(`http://127.0.0.1:${server.port}/healthz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ok', name: 'fixture', version: '1.2.3' },
    ]);
    expect((await fetch(`http://127.0.0.1:${server.port}/healthz`, { method: 'POST' })).status).toBe(405);
  });
});

describe('Host and Origin', () => {
  const ask = async (port: number, host: string, origin?: string): Promise<string> => {
    const more = origin === undefined ? '' : `Origin: ${origin}\r\n`;
    const said = await raw(port, `GET /mcp HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);
    return said.slice(9, 12);
  };

  it('W82 loopback hosts pass and others get 403, so that a page cannot reach a local server by a name of its own', async () => {
    const {
      server: { port },
    } = await serve();
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', '[::1]:80', 'LOCALHOST']) {
      expect([host, await ask(port, host)]).toEqual([host, '400']);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil',
      '',
      'user:localhost',
    ]) {
      expect([host, await ask(port, host)]).toEqual([host, '403']);
    }
  });

  it('W82 requests without an origin or from loopback pass, others get 403', async () => {
    const {
      server: { port },
    } = await serve();
    for (const origin of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000']) {
      expect([origin, await ask(port, 'localhost', origin)]).toEqual([origin, '400']);
    }
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost.evil.example',
      'file://',
      'http://localhost@evil.example',
    ]) {
      expect([origin, await ask(port, 'localhost', origin)]).toEqual([origin, '403']);
    }
  });

  it('W82 allowedHosts and allowedOrigins are served, and nothing else', async () => {
    const {
      server: { port },
    } = await serve({
      allowedHosts: ['mcp.example.com', 'other.example:8080'],
      allowedOrigins: ['https://app.example.com/'],
    });
    const asked = [
      ['mcp.example.com', undefined],
      ['MCP.example.com:443', 'https://app.example.com'],
      ['other.example:8080', undefined],
      ['other.example:9090', undefined],
      ['localhost', undefined],
      ['mcp.example.com', 'http://localhost'],
    ] as const;
    const got = await Promise.all(asked.map(([host, origin]) => ask(port, host, origin)));
    expect(got).toEqual(['400', '400', '400', '403', '403', '403']);
  });

  it('fix-A9 W82 a server without tokens that listens everywhere accepts only hosts that no page can take', async () => {
    const {
      server: { port },
      surface,
    } = await serve({ host: '0.0.0.0' });
    const own = hostname();
    for (const host of ['localhost', `127.0.0.1:${port}`, '192.168.7.7:80', '[fe80::1]:80', own, `${own}:${port}`]) {
      expect([host, await ask(port, host)]).toEqual([host, '400']);
    }
    for (const host of ['evil.example', `evil.example:${port}`, '1.2.3.4.evil.example', '1.2.3', '', '0x7f.1', '[x]']) {
      expect([host, await ask(port, host)]).toEqual([host, '403']);
    }
    expect(await ask(port, `evil.example:${port}`, `http://evil.example:${port}`)).toBe('403');
    expect(surface.reports.filter(text => text.includes('http.allowedHosts'))).toHaveLength(1);
    const named = await serve({ host: '0.0.0.0', allowedHosts: ['mcp.example.com'] });
    expect(await ask(named.server.port, 'mcp.example.com')).toBe('400');
    expect(await ask(named.server.port, '127.0.0.1')).toBe('403');
    expect(named.surface.reports).toEqual([]);
  });

  it('W82 a server with tokens that listens everywhere accepts any host, but pages only from its own', async () => {
    const auth = { token: 't', clientId: 'c', scopes: [], claims: {} };
    const authorizer = {
      authorize: async () => ({ ok: true as const, auth, principal: 'c' }),
      refuseScopes: () => undefined,
    };
    const {
      server: { port },
    } = await serve({ host: '0.0.0.0', authorizer });
    expect(await ask(port, 'mcp.example.com')).toBe('400');
    expect(await ask(port, 'mcp.example.com', 'https://mcp.example.com')).toBe('400');
    expect(await ask(port, 'mcp.example.com', 'https://evil.example')).toBe('403');
  });
});

describe('CORS', () => {
  const asks = {
    origin: 'http://localhost:5173',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-param-region',
  };

  it('W82 without CORS there are no headers and no preflight', async () => {
    const { url } = await serve();
    const response = await fetch(url, { method: 'OPTIONS', headers: asks });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  it('W82 with CORS a preflight is answered before anybody asks for a token', async () => {
    const authorizer = {
      authorize: async () => ({ ok: false as const, status: 401, headers: { 'www-authenticate': 'Bearer' }, body: {} }),
      refuseScopes: () => undefined,
    };
    const { url } = await serve({ cors: true, authorizer });
    const { status, headers } = await fetch(url, { method: 'OPTIONS', headers: asks });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(headers.get('access-control-allow-headers')).toBe('mcp-param-region');
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
    expect(headers.get('vary')).toBe('origin');
    const refused = await post(url, ping, { origin: 'http://localhost:5173' });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'http://localhost:5173',
    ]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('www-authenticate');
  });

  it('W82 with CORS another origin still gets 403', async () => {
    const { url } = await serve({ cors: true, allowedOrigins: ['https://app.example.com'] });
    expect((await fetch(url, { method: 'OPTIONS', headers: asks })).status).toBe(403);
    const allowed = await postModern(url, 1, 'tools/list', {}, { headers: { origin: 'https://app.example.com' } });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example.com',
    ]);
  });
});
