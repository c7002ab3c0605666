// Both eras on one address: sessions and streams of 2025, single requests of 2026, changes, scopes, and the end of it all.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../runtime/serve/auth/authorizer.js';
import { request } from './serve-pipes.js';
import { addInput, nobodyWatches } from './serve-tools.js';
import { messagesOf, openSession, post, postModern, readEvents, serve, textOf } from './serve-web.js';

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await sleep(5);
};

/** A token is `name` or `name:scope,scope`. */
const tokens: Authorizer = {
  async authorize({ authorization }) {
    const [, name, scopes = ''] = /^Bearer (\w+):?([\w:,]*)$/.exec(String(authorization)) ?? [];
    if (name === undefined)
      return { ok: false, status: 401, headers: { 'www-authenticate': 'Bearer' }, body: { error: 'x' } };
    const auth = { token: 't', clientId: 'c', subject: name, scopes: scopes.split(',').filter(Boolean), claims: {} };
    return { ok: true, auth, principal: name };
  },
  metadata: path => (path === '/.well-known/oauth-protected-resource/mcp' ? { resource: 'https://x' } : undefined),
  refuseScopes({ scopes }, needed) {
    if (needed.every(scope => scopes.includes(scope))) return undefined;
    const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`;
    return {
      ok: false,
      status: 403,
      headers: { 'www-authenticate': challenge },
      body: { error: 'insufficient_scope' },
    };
  },
};
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe('requests of 2026-07-28', () => {
  it('C10 one request of 2026 gets one JSON answer with schemas byte for byte and cache hints', async () => {
    const { url } = await serve();
    const response = await postModern(url, 1, 'tools/list');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const text = await response.text();
    expect(text).toContain(JSON.stringify(addInput));
    expect(text).toContain('"ttlMs":60000,"cacheScope":"public"');
  });

  it('C11 a header that does not match its argument gets 400 and -32020', async () => {
    const { url } = await serve();
    const call = { name: 'region', arguments: { region: 'eu' } };
    const wrong = await postModern(url, 1, 'tools/call', call, { headers: { 'mcp-param-region': 'us' } });
    const [message] = await messagesOf(wrong);
    expect([wrong.status, message?.error?.code]).toEqual([400, -32020]);
    const right = await postModern(url, 2, 'tools/call', call, { headers: { 'mcp-param-region': 'eu' } });
    expect(textOf((await messagesOf(right))[0])).toBe('region eu');
  });

  it('W81 an unknown method gets 404 and -32601, an unknown tool -32602', async () => {
    const { url } = await serve();
    const unknown = await postModern(url, 1, 'no/such');
    expect([unknown.status, (await messagesOf(unknown))[0]?.error?.code]).toEqual([404, -32601]);
    const tool = await postModern(url, 1, 'tools/call', { name: 'nope' });
    expect([tool.status, (await messagesOf(tool))[0]?.error?.code]).toEqual([200, -32602]);
  });

  it('W82 a broken envelope gets -32602, a missing header -32020, a future version -32022', async () => {
    const { url } = await serve();
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const code = async (response: Response): Promise<unknown> => [
      response.status,
      (await messagesOf(response))[0]?.error?.code,
    ];
    expect(await code(await post(url, request(1, 'tools/list', { _meta: meta }), headers))).toEqual([400, -32602]);
    expect(await code(await post(url, request(1, 'tools/list'), headers))).toEqual([400, -32602]);
    expect(await code(await postModern(url, 1, 'tools/list', {}, { headers: { 'mcp-method': 'ping' } }))).toEqual([
      400, -32020,
    ]);
    const future = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    const asked = await postModern(
      url,
      1,
      'tools/list',
      {},
      { meta: future, headers: { 'mcp-protocol-version': '2030-01-01' } },
    );
    expect(await code(asked)).toEqual([400, -32022]);
    expect(
      (await fetch(url, { headers: { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' } })).status,
    ).toBe(405);
  });

  it('C3 progress and logs come as a stream with the answer at its end', async () => {
    const { url } = await serve();
    const response = await postModern(url, 1, 'tools/call', { name: 'progress' }, { meta: { progressToken: 't' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const messages = await messagesOf(response);
    expect(messages.map(({ method, params }) => method && params?.['progress'])).toEqual([0, 50, 100, undefined]);
    const log = await messagesOf(
      await postModern(
        url,
        1,
        'tools/call',
        { name: 'log' },
        { meta: { 'io.modelcontextprotocol/logLevel': 'error' } },
      ),
    );
    expect(log.map(({ params }) => params?.['level'])).toEqual(['error', undefined]);
  });

  it('C4 a client of 2026 that hangs up has cancelled its call', async () => {
    const watched = nobodyWatches();
    const { url } = await serve({ watched });
    const gone = new AbortController();
    const asking = fetch(url, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'slow',
      },
      body: JSON.stringify(
        request(1, 'tools/call', {
          name: 'slow',
          arguments: { ms: 60_000, name: 'it' },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
      ),
    }).catch(() => 'gone');
    await until(() => watched.started.length > 0);
    gone.abort();
    await until(() => watched.aborted.length > 0);
    expect(await asking).toBe('gone');
  });

  it('C9 a client that listens hears of changes, and its stream ends properly with the server', async () => {
    const { url, server } = await serve();
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['memo://1'] };
    const events = readEvents(await postModern(url, 'sub', 'subscriptions/listen', { notifications }));
    await events.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await messagesOf(await postModern(url, 2, 'tools/call', { name: 'changes' }));
    await events.until(({ method }) => method === 'notifications/resources/updated');
    expect(events.messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    await server.close();
    await events.ended;
    expect(events.messages.at(-1)).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
  });

  it('C5 a call that needs a capability the client lacks gets 400 and -32021', async () => {
    const { url } = await serve();
    const response = await postModern(url, 1, 'tools/call', { name: 'missing' });
    const [message] = await messagesOf(response);
    expect([response.status, message?.error]).toMatchObject([
      400,
      { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    ]);
  });
});

describe('sessions of 2025', () => {
  it('C6 a question goes out on the stream of its call, and the answer comes in another request', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const events = readEvents(await session.send(request(1, 'tools/call', { name: 'ask' })));
    for (const key of ['name', 'colour']) {
      const { id } = await events.until(({ params }) => params?.['message'] === `Your ${key}?`);
      const answer = await session.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { [key]: key } } });
      expect(answer.status).toBe(202);
    }
    await events.ended;
    expect(textOf(events.messages.at(-1))).toBe('name likes colour');
  });

  it('C3 a quick call is answered with JSON, and one that takes time or sends messages with a stream', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const typeOf = async (name: string, args: object, meta: object = {}): Promise<string | null> => {
      const params = { name, arguments: args, _meta: meta };
      const response = await session.send(request(name, 'tools/call', params));
      expect((await messagesOf(response)).at(-1)).toMatchObject({ id: name, result: {} });
      return response.headers.get('content-type');
    };
    expect(await typeOf('add', { a: 1, b: 2 })).toBe('application/json');
    expect(await typeOf('slow', { ms: 100 })).toBe('text/event-stream');
    expect(await typeOf('progress', {}, { progressToken: 1 })).toBe('text/event-stream');
  });

  it('W82 a session checks what a client accepts and which version it speaks', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const status = async (headers: Record<string, string>, body: unknown = request(1, 'ping')): Promise<number> => {
      const response = await post(url, body, { ...session.headers, ...headers });
      await response.text();
      return response.status;
    };
    expect(await status({ accept: 'application/json' })).toBe(406);
    expect(await status({ accept: '*/*' })).toBe(406);
    expect(await status({ 'mcp-protocol-version': '2025-01-01' })).toBe(400);
    const again = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expect(await status({}, request(1, 'initialize', again))).toBe(400);
    expect((await fetch(url, { headers: session.headers })).status).toBe(406);
    const stream = { ...session.headers, accept: 'text/event-stream' };
    const events = readEvents(await fetch(url, { headers: stream }));
    expect((await fetch(url, { headers: stream })).status).toBe(409);
    events.cancel();
    expect(await status({})).toBe(200);
  });

  it('W82 a handshake that is refused leaves no session behind', async () => {
    const { url } = await serve({ maxSessions: 1 });
    const clientInfo = { name: 'a', version: '1' };
    const hello = request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    for (const body of [[hello, request(2, 'ping')], hello]) {
      const headers: Record<string, string> = Array.isArray(body) ? {} : { accept: 'text/plain' };
      const response = await post(url, body, headers);
      expect([400, 406]).toContain(response.status);
      expect(
        (await post(url, request(1, 'ping'), { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }))
          .status,
      ).toBe(404);
    }
  });

  it('W82 a request without a session gets 400, and with an unknown one 404', async () => {
    const { url } = await serve();
    expect((await post(url, request(1, 'tools/list'))).status).toBe(400);
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(400);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(400);
    const unknown = { 'mcp-session-id': 'nope' };
    expect((await post(url, request(1, 'tools/list'), unknown)).status).toBe(404);
    expect((await fetch(url, { headers: { accept: 'text/event-stream', ...unknown } })).status).toBe(404);
  });

  it('W82 DELETE ends a session and its streams', async () => {
    const { url } = await serve();
    const { headers, send } = await openSession(url);
    const stream = readEvents(await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } }));
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
    await stream.ended;
    expect((await send(request(1, 'tools/list'))).status).toBe(404);
  });

  it('W82 a session that nobody uses ends, and one with an open stream or call does not', async () => {
    const { url } = await serve({ idleMs: 60 });
    const idle = await openSession(url);
    const busy = await openSession(url);
    const calling = busy.call(1, 'slow', { ms: 400, name: 'x' });
    const listening = await openSession(url);
    const stream = readEvents(await fetch(url, { headers: { ...listening.headers, accept: 'text/event-stream' } }));
    await sleep(250);
    expect((await idle.send(request(1, 'ping'))).status).toBe(404);
    expect((await listening.send(request(1, 'ping'))).status).toBe(200);
    expect(textOf(await calling)).toBe('slept x');
    stream.cancel();
  });

  it('W82 beyond the limit the session that was idle longest ends, and if all are busy a new one gets 503', async () => {
    const { url } = await serve({ maxSessions: 2 });
    const [first, second] = [await openSession(url), await openSession(url)];
    await (await first.send(request(1, 'ping'))).text();
    const third = await openSession(url);
    expect((await second.send(request(1, 'ping'))).status).toBe(404);
    expect((await first.send(request(2, 'ping'))).status).toBe(200);
    const calls = [first, third].map(session => session.call(9, 'slow', { ms: 300 }));
    await sleep(50);
    const refused = await post(
      url,
      request(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
    );
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    await Promise.all(calls);
  });

  it('W82 an id that is in use is refused, and free again afterwards', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const calling = session.call(1, 'slow', { ms: 150, name: 'x' });
    await sleep(50);
    expect((await session.send(request(1, 'ping'))).status).toBe(400);
    expect(textOf(await calling)).toBe('slept x');
    expect((await session.send(request(1, 'ping'))).status).toBe(200);
  });

  it('C4 a cancelled call is aborted and gets no answer, and its stream ends', async () => {
    const watched = nobodyWatches();
    const { url } = await serve({ watched });
    const session = await openSession(url);
    const response = await session.send(request(1, 'tools/call', { name: 'slow', arguments: { ms: 60_000 } }));
    await until(() => watched.started.length > 0);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await session.send(cancel)).status).toBe(202);
    expect(await messagesOf(response)).toEqual([]);
    await until(() => watched.aborted.length > 0);
    expect((await session.send(request(1, 'ping'))).status).toBe(200);
  });

  it('C4 a client of 2025 that hangs up can fetch its answer later', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const response = await session.send(request(1, 'tools/call', { name: 'slow', arguments: { ms: 150, name: 'x' } }));
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const lastEventId = /^id: (.+)$/m.exec(first)?.[1] ?? '';
    expect(first).toContain('retry: 1000');
    await reader?.cancel();
    await sleep(250);
    const headers = { ...session.headers, accept: 'text/event-stream', 'last-event-id': lastEventId };
    const resumed = await fetch(url, { headers });
    const text = await resumed.text();
    expect(text).toContain('slept x');
    const after = { ...headers, 'last-event-id': /^id: (.+)$/m.exec(text)?.[1] ?? '' };
    expect((await fetch(url, { headers: after })).status).toBe(204);
    expect((await fetch(url, { headers: { ...headers, 'last-event-id': 'made up' } })).status).toBe(400);
  });

  it('C9 every session hears of lists, and of resources that it subscribed to', async () => {
    const { url, surface } = await serve();
    const open = async (): Promise<{
      session: Awaited<ReturnType<typeof openSession>>;
      events: ReturnType<typeof readEvents>;
    }> => {
      const session = await openSession(url);
      const events = readEvents(await fetch(url, { headers: { ...session.headers, accept: 'text/event-stream' } }));
      return { session, events };
    };
    const [one, two] = [await open(), await open()];
    await (await one.session.send(request(1, 'resources/subscribe', { uri: 'memo://1' }))).text();
    await two.session.call(2, 'changes');
    surface.announce({ list: 'tools' });
    await one.events.until(() => one.events.messages.length === 5);
    await two.events.until(() => two.events.messages.length === 4);
    expect(one.events.messages.map(({ method }) => method)).toContain('notifications/resources/updated');
    expect(two.events.messages.map(({ method }) => method)).not.toContain('notifications/resources/updated');
  });

  it('C2 the log level belongs to the session', async () => {
    const { url } = await serve();
    const [quiet, loud] = [await openSession(url), await openSession(url)];
    await (await quiet.send(request(1, 'logging/setLevel', { level: 'emergency' }))).text();
    expect(textOf(await quiet.call(2, 'log'))).toBe('false false false');
    expect(textOf(await loud.call(2, 'log'))).toBe('true true true');
  });

  it('W82 batches of old revisions are answered as batches', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const messages = await messagesOf(await session.send([request(1, 'ping'), request(2, 'ping')]));
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
  });
});

describe('callers', () => {
  it('C14 a caller without a token gets only health and metadata', async () => {
    const { url, server } = await serve({ authorizer: tokens });
    const refused = await post(url, request(1, 'tools/list'));
    expect([refused.status, refused.headers.get('www-authenticate'), await refused.json()]).toEqual([
      401,
      'Bearer',
      { error: 'x' },
    ]);
    const metadata = await fetch(`http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource/mcp`);
    expect([metadata.status, metadata.headers.get('access-control-allow-origin'), await metadata.json()]).toEqual([
      200,
      '*',
      { resource: 'https://x' },
    ]);
    expect((await fetch(`http://127.0.0.1:${server.port}/.well-known/other`)).status).toBe(404);
  });

  it('C14 the scopes of a tool are enforced with 403 in both eras', async () => {
    const { url } = await serve({ authorizer: tokens });
    const rich = bearer('ann:issues:write,issues:read');
    for (const [headers, status] of [
      [bearer('ann:issues:read'), 403],
      [rich, 200],
    ] as const) {
      const recent = await postModern(url, 1, 'tools/call', { name: 'scoped' }, { headers });
      const session = await openSession(url, headers);
      const before = await session.send(request(1, 'tools/call', { name: 'scoped' }));
      expect([recent.status, before.status]).toEqual([status, status]);
      if (status === 200) continue;
      expect(recent.headers.get('www-authenticate')).toContain('insufficient_scope');
      const batch = await session.send([request(1, 'ping'), request(2, 'tools/call', { name: 'scoped' })]);
      expect(batch.status).toBe(403);
    }
  });

  it('C14 handlers know who called in both eras', async () => {
    const { url } = await serve({ authorizer: tokens });
    const [message] = await messagesOf(
      await postModern(url, 1, 'tools/call', { name: 'who' }, { headers: bearer('ann:a,b') }),
    );
    expect(JSON.parse(textOf(message) ?? '')).toMatchObject({ principal: 'ann', scopes: ['a', 'b'] });
    const session = await openSession(url, bearer('bob'));
    expect(JSON.parse(textOf(await session.call(1, 'who')) ?? '')).toMatchObject({ principal: 'bob', scopes: [] });
  });

  it('C14 the principal of a session without auth is the session', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    expect(JSON.parse(textOf(await session.call(1, 'who')) ?? '')).toMatchObject({ principal: session.id });
    const [message] = await messagesOf(await postModern(url, 1, 'tools/call', { name: 'who' }));
    expect(JSON.parse(textOf(message) ?? '')).toMatchObject({ principal: '' });
  });

  it('C14 the session of another caller does not exist for others', async () => {
    const { url } = await serve({ authorizer: tokens });
    const { headers, send } = await openSession(url, bearer('ann'));
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? JSON.stringify(request(1, 'ping')) : null;
      const all = {
        ...headers,
        ...bearer('bob'),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      expect((await fetch(url, { method, headers: all, body })).status).toBe(404);
    }
    expect((await send(request(1, 'ping'))).status).toBe(200);
  });
});

describe('closing the server', () => {
  it('W83 calls under way finish when the server closes, new ones are refused, and streams end', async () => {
    const watched = nobodyWatches();
    const { url, server } = await serve({ watched, graceMs: 5000 });
    const session = await openSession(url);
    const stream = readEvents(await fetch(url, { headers: { ...session.headers, accept: 'text/event-stream' } }));
    const calls = [
      session.call(1, 'slow', { ms: 300, name: 'old' }),
      postModern(url, 1, 'tools/call', { name: 'slow', arguments: { ms: 300, name: 'new' } }).then(messagesOf),
    ];
    await until(() => watched.started.length === 2);
    const closing = server.close();
    const refused = await post(url, request(5, 'ping'), session.headers).then(
      ({ status }) => status,
      () => 'no connection',
    );
    expect([503, 'no connection']).toContain(refused);
    const [before, after] = await Promise.all(calls);
    expect(textOf(before as never)).toBe('slept old');
    expect(textOf((after as readonly never[])[0])).toBe('slept new');
    await closing;
    await stream.ended;
    await expect(fetch(url)).rejects.toThrow();
  });

  it('W83 calls that do not finish within the grace time are aborted', async () => {
    const watched = nobodyWatches();
    const { url, server } = await serve({ watched, graceMs: 50 });
    const session = await openSession(url);
    const calls = [
      session.call(1, 'slow', { ms: 60_000, name: 'old' }),
      postModern(url, 1, 'tools/call', { name: 'slow', arguments: { ms: 60_000, name: 'new' } }),
    ].map(call => (call as Promise<unknown>).catch(() => 'broken'));
    await until(() => watched.started.length === 2);
    await server.close();
    await server.closed;
    expect(watched.aborted.toSorted()).toEqual(['new', 'old']);
    await Promise.all(calls);
  });

  it('W83 a call whose client is gone is waited for, too, and onClose comes last', async () => {
    const watched = nobodyWatches();
    const order: string[] = [];
    const { url, server } = await serve({
      watched,
      graceMs: 5000,
      onClose: () => void order.push('closed'),
      fixture: {
        tools: {
          finish: {
            run: async () => {
              watched.started.push('finish');
              await sleep(200);
              order.push('finished');
              return { result: { content: [] } };
            },
          },
        },
      },
    });
    const session = await openSession(url);
    const response = await session.send(request(1, 'tools/call', { name: 'finish' }));
    await until(() => watched.started.length === 1);
    await response.body?.cancel();
    await Promise.all([server.close(), server.close()]);
    expect(order).toEqual(['finished', 'closed']);
  });
});

it('W82 a port that is taken is an error of the start', async () => {
  const { server } = await serve();
  await expect(serve({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
