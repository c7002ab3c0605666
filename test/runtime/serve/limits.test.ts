// What one caller can take of a server, and when it has to give back: sessions, events, connections, guesses, streams.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Authorizer } from '../../../runtime/serve/auth/authorizer.js';
import { addressOf } from '../../../runtime/serve/caller-usage.js';
import { type Message, request } from './serve-pipes.js';
import { messagesOf, openSession, post, postModern, readEvents, serve, textOf } from './serve-web.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Callers are who they say they are: `Bearer ann` is ann, until `expiresAt`; everything else is a wrong token. */
const byName = (expiresAt?: number): Authorizer => ({
  async authorize({ authorization }) {
    const [, name] = /^Bearer (ann|bob|cat)$/.exec(String(authorization)) ?? [];
    if (name === undefined) {
      return {
        ok: false,
        status: 401,
        headers: {},
        body: { error: 'invalid_token' },
        wrongToken: 'the token is not valid',
      };
    }
    const auth = { token: name, clientId: name, scopes: [], claims: {}, ...(expiresAt && { expiresAt }) };
    return { ok: true, auth, principal: name };
  },
  refuseScopes: () => undefined,
});
const as = (name: string): Record<string, string> => ({ authorization: `Bearer ${name}` });
const statusOf = async (answer: Promise<Response>): Promise<number> => {
  const response = await answer;
  await response.text();
  return response.status;
};

describe('limits of sessions', () => {
  it('fix-A11 C4 a caller that opens many sessions loses its own, and nobody else does', async () => {
    const { url } = await serve({ authorizer: byName(), limits: { sessions: 10, sessionsPerCaller: 6 } });
    const bob = await openSession(url, as('bob'));
    const ann = [];
    for (let turn = 0; turn < 30; turn += 1) ann.push(await openSession(url, as('ann')));
    expect(await statusOf(bob.send(request(1, 'ping')))).toBe(200);
    const alive = await Promise.all(ann.map(session => statusOf(session.send(request(1, 'ping')))));
    expect(alive).toEqual([...Array<number>(24).fill(404), ...Array<number>(6).fill(200)]);
    // All are full now; the next one takes from who has the most.
    for (let turn = 0; turn < 4; turn += 1) await openSession(url, as('cat'));
    expect(await statusOf(bob.send(request(2, 'ping')))).toBe(200);
  });

  it('fix-A11 C4 a caller whose sessions are all busy gets 429, while others are served', async () => {
    const { url } = await serve({ authorizer: byName(), limits: { sessions: 10, sessionsPerCaller: 2 } });
    const mine = [await openSession(url, as('ann')), await openSession(url, as('ann'))];
    const calls = mine.map(session => session.call(1, 'slow', { ms: 1500 }));
    await sleep(300);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const refused = await post(url, request(1, 'initialize', params), as('ann'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await openSession(url, as('bob'))).id).not.toBe('');
    await Promise.all(calls);
  });

  it('fix-A11 C4 the log of a quiet session survives chatty ones of another caller', async () => {
    const { url } = await serve({
      authorizer: byName(),
      limits: { events: 20_000 },
      fixture: {
        tools: {
          chat: {
            run: async (_, { log }) => {
              for (let line = 0; line < 40; line += 1) log('info', 'x'.repeat(100));
              await sleep(30);
              return { result: { content: [] } };
            },
          },
        },
      },
    });
    const bob = await openSession(url, as('bob'));
    const cut = new AbortController();
    const answer = await post(
      url,
      request(7, 'tools/call', { name: 'slow', arguments: { ms: 100, name: 'b' } }),
      bob.headers,
      cut.signal,
    );
    const reader = answer.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const [, last = ''] = /id: (\S+)/.exec(first) ?? [];
    cut.abort();
    for (let turn = 0; turn < 10; turn += 1) await (await openSession(url, as('ann'))).call(1, 'chat');
    await sleep(150);
    const again = await fetch(url, { headers: { ...bob.headers, accept: 'text/event-stream', 'last-event-id': last } });
    expect(again.status).toBe(200);
    expect(textOf((await messagesOf(again))[0])).toBe('slept b');
  });

  it('fix-A15 C4 a clock that is set two hours ahead ends no session', async () => {
    const { url } = await serve({ idleMs: 400 });
    const session = await openSession(url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    for (let turn = 0; turn < 4; turn += 1) {
      await sleep(120);
      expect(await statusOf(session.send(request(turn, 'ping')))).toBe(200);
    }
  });
});

describe('limits of calls', () => {
  it('fix-A4 a caller with too many calls gets 429, even if their connections are gone, and others are served', async () => {
    const { url } = await serve({ authorizer: byName(), limits: { calls: 10, callsPerCaller: 3 } });
    const ann = await openSession(url, as('ann'));
    // Calls of 2025 go on without their connection.
    for (let id = 0; id < 3; id += 1) {
      const cut = new AbortController();
      const call = request(id, 'tools/call', { name: 'stubborn', arguments: { ms: 1500 } });
      const answer = await post(url, call, ann.headers, cut.signal);
      expect(answer.status).toBe(200);
      cut.abort();
    }
    expect(await statusOf(ann.send(request(8, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } })))).toBe(429);
    const modern = postModern(url, 1, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, { headers: as('ann') });
    expect(await statusOf(modern)).toBe(429);
    const others = postModern(url, 1, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, { headers: as('bob') });
    expect(await statusOf(others)).toBe(200);
    expect(await statusOf(ann.send(request(9, 'ping')))).toBe(200);
    await sleep(1600);
    expect(await statusOf(ann.send(request(8, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } })))).toBe(200);
  });

  it('fix-A4 a batch counts with all of its calls, and a full server answers 503', async () => {
    const { url } = await serve({ authorizer: byName(), limits: { calls: 4, callsPerCaller: 3 } });
    const ann = await openSession(url, as('ann'));
    const calls = (from: number, count: number): object[] =>
      Array.from({ length: count }, (_, id) =>
        request(from + id, 'tools/call', { name: 'slow', arguments: { ms: 800 } }),
      );
    const running = ann.send(calls(10, 2));
    await sleep(100);
    expect(await statusOf(ann.send(calls(0, 2)))).toBe(429);
    const more = ann.send(calls(0, 1));
    await sleep(100);
    const bob = await openSession(url, as('bob'));
    const full = await bob.send(calls(20, 2));
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await statusOf(bob.send(calls(30, 1)))).toBe(200);
    for (const answer of [running, more]) await (await answer).text();
  });

  it('fix-A4 large arguments have a limit of their own, and a caller with nothing under way may always have one call', async () => {
    const { url } = await serve({
      authorizer: byName(),
      limits: { callBytes: 2_500_000, callBytesPerCaller: 900_000 },
    });
    const text = 'x'.repeat(1_000_000);
    const large = (name: string, id: number): Promise<Response> =>
      postModern(url, id, 'tools/call', { name: 'stubborn', arguments: { ms: 700, text } }, { headers: as(name) });
    const ann = large('ann', 1);
    await sleep(150);
    expect(await statusOf(large('ann', 2))).toBe(429);
    expect(await statusOf(large('bob', 3))).toBe(200);
    expect(await statusOf(ann)).toBe(200);
    const session = await openSession(url, as('ann'));
    const calls = [1, 2].map(id =>
      statusOf(session.send(request(id, 'tools/call', { name: 'stubborn', arguments: { ms: 500, text } }))),
    );
    expect((await Promise.all(calls)).toSorted()).toEqual([200, 429]);
    expect(await statusOf(large('ann', 4))).toBe(200);
  });

  it('fix-A4 a call gives its place back however it ends', async () => {
    const { url } = await serve({ limits: { calls: 2, callsPerCaller: 2 } });
    const session = await openSession(url);
    const hanging = { name: 'slow', arguments: { ms: 60_000 } };
    const shapes: readonly ((signal: AbortSignal, id: number) => Promise<unknown>)[] = [
      signal => postModern(url, 1, 'tools/call', hanging, { signal }),
      signal => postModern(url, 1, 'tools/call', hanging, { signal, meta: { progressToken: 1 } }),
      async (signal, id) => {
        await post(url, request(id, 'tools/call', hanging), session.headers, signal);
        await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      },
      async (signal, id) => {
        const other = await openSession(url);
        await post(url, request(id, 'tools/call', hanging), other.headers, signal);
        await fetch(url, { method: 'DELETE', headers: other.headers });
      },
      () => postModern(url, 1, 'tools/call', { name: 'fail' }),
      () => postModern(url, 1, 'tools/call', { name: 'ask' }),
      () => postModern(url, 1, 'tools/call', { name: 'nobody' }),
      () => postModern(url, 1, 'no/such'),
      () => session.send(request('x', 'prompts/get', { name: 5 })),
    ];
    for (const [index, shape] of shapes.entries()) {
      for (let turn = 0; turn < 4; turn += 1) {
        const cut = new AbortController();
        const asked = shape(cut.signal, index * 10 + turn).catch(() => undefined);
        await Promise.race([asked, sleep(150)]);
        cut.abort();
        await asked;
        await sleep(20);
      }
      const answer = await session.call(`after ${index}`, 'add', { a: 1, b: 2 });
      expect([index, answer?.error]).toEqual([index, undefined]);
    }
  });
});

describe('limits of connections', () => {
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });

  const open = (port: number): Promise<Socket> =>
    new Promise(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      socket.on('error', () => undefined);
      sockets.add(socket);
    });
  const ask = (socket: Socket, path: string): Promise<string> =>
    new Promise(resolve => {
      socket.once('data', data => resolve(String(data)));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });

  it.each([
    ['429', { connectionsPerAddress: 5 }],
    ['503', { connections: 5 }],
  ])(
    'fix-A4 one connection too many gets %s and a time to come back, probes are answered, and a freed place is used',
    async (status, limits) => {
      const { server } = await serve({ limits });
      const held = [];
      for (let turn = 0; turn < 5; turn += 1) held.push(await open(server.port));
      expect(await ask(held[0] as Socket, '/mcp')).toMatch(/^HTTP\/1.1 400/);
      const refused = await ask(await open(server.port), '/mcp');
      expect(refused).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
      expect(refused).toMatch(/retry-after: 1\r\n/i);
      expect(await ask(await open(server.port), '/healthz')).toMatch(/^HTTP\/1.1 200/);
      for (const socket of sockets) socket.destroy();
      for (;;) {
        const again = await ask(await open(server.port), '/mcp');
        if (again.startsWith('HTTP/1.1 400')) break;
        await sleep(20);
      }
    },
  );

  it('fix-A4 bodies that are still being sent have a limit, and small ones pass', async () => {
    const { server, url } = await serve({ limits: { receiving: 3_000_000, receivingPerAddress: 2_000_000 } });
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n';
    const send = async (): Promise<Socket> => {
      const socket = await open(server.port);
      socket.write(head + ' '.repeat(899_000));
      return socket;
    };
    await send();
    await send();
    await sleep(100);
    const third = await send();
    const said = await new Promise<string>(resolve => third.once('data', data => resolve(String(data))));
    expect(said).toMatch(/^HTTP\/1.1 429 [\s\S]*retry-after: 1\r\n/i);
    expect(await statusOf(postModern(url, 1, 'tools/list'))).toBe(200);
    for (const socket of sockets) socket.destroy();
    await sleep(100);
    const padded = `${JSON.stringify(request(1, 'ping'))}${' '.repeat(1_500_000)}`;
    for (let turn = 0; turn < 3; turn += 1) expect(await statusOf(post(url, padded))).toBe(400);
  });

  it('fix-A4 an address is an IPv4 address, or the network of an IPv6 one', () => {
    expect(
      ['127.0.0.1', '::ffff:10.0.0.1', '::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9', 'fe80::1', undefined].map(
        addressOf,
      ),
    ).toEqual([
      '127.0.0.1',
      '10.0.0.1',
      '0:0:0:0::/64',
      '2001:db8:1:2::/64',
      '2001:db8:1:2::/64',
      'fe80:0:0:0::/64',
      '',
    ]);
  });
});

describe('wrong and expired tokens', () => {
  it('fix-A15 C14 wrong tokens are reported with their address now and then, and after many the caller gets 429', async () => {
    const { url, surface } = await serve({ authorizer: byName(), limits: { wrongTokens: 5 } });
    const statuses = [];
    for (let turn = 0; turn < 8; turn += 1)
      statuses.push(await statusOf(post(url, request(1, 'ping'), as(`guess-${turn}`))));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const right = await postModern(url, 1, 'tools/list', {}, { headers: as('ann') });
    expect([right.status, Number(right.headers.get('retry-after')) > 30]).toEqual([429, true]);
    expect(surface.reports).toEqual([
      'a caller from 127.0.0.1 was refused: the token is not valid',
      expect.stringMatching(/^5 wrong tokens within a minute from 127\.0\.0\.1/),
    ]);
    expect(surface.reports.join()).not.toContain('guess');
  });

  it('fix-A15 C14 a caller refused for wrong tokens is served again after a minute', async () => {
    const { url } = await serve({ authorizer: byName(), limits: { wrongTokens: 2 } });
    for (let turn = 0; turn < 3; turn += 1) await statusOf(post(url, request(1, 'ping'), as('x')));
    expect(await statusOf(postModern(url, 1, 'tools/list', {}, { headers: as('ann') }))).toBe(429);
    const later = performance.now() + 61_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    try {
      expect(await statusOf(postModern(url, 1, 'tools/list', {}, { headers: as('ann') }))).toBe(200);
    } finally {
      vi.restoreAllMocks();
    }
  });

  // Tokens are taken for 30 seconds more than they say, since clocks differ.
  const soon = (): number => Math.floor(Date.now() / 1000) - 28;

  it('fix-A10 C14 the stream of a 2025 session ends with its token', async () => {
    const { url } = await serve({ authorizer: byName(soon()) });
    const session = await openSession(url, as('ann'));
    const stream = await fetch(url, { headers: { ...session.headers, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    await readEvents(stream).ended;
  });

  it('fix-A10 C9 C14 a listening client of 2026 hears in the words of the protocol that its token has expired', async () => {
    const { url, surface } = await serve({ authorizer: byName(soon()) });
    const listening = { notifications: { toolsListChanged: true } };
    const events = readEvents(await postModern(url, 'l', 'subscriptions/listen', listening, { headers: as('ann') }));
    await events.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    surface.announce({ list: 'tools' });
    await events.ended;
    const last = events.messages.at(-1) as Message;
    expect(last).toMatchObject({
      id: 'l',
      result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
    });
    expect(events.messages.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(true);
    // It is the same as at a shutdown.
    const other = await serve({});
    const until = readEvents(await postModern(other.url, 'l', 'subscriptions/listen', listening));
    await until.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await other.server.close();
    await until.ended;
    expect(last).toEqual(until.messages.at(-1));
  });
});
