// Sessions of 2025 over HTTP: the same requests through our own code and through the SDK, and the same answers out of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Request } from '../../../runtime/call/ports.js';
import { type HttpServer, serveHttp } from '../../../runtime/serve/serve-http.js';
import type { ProtocolName } from '../../../runtime/serve/stdio-connection.js';
import { makeRandom } from '../../harness/random.js';
import { request } from '../serve/serve-pipes.js';
import { said } from '../serve/serve-surface.js';
import { nobodyWatches } from '../serve/serve-tools.js';
import { openSession, readEvents, serve, textOf } from '../serve/serve-web.js';
import { makeOddSurface, makeRequest, type Sent, type Told, tell } from './http-traffic.js';

const protocols: readonly ProtocolName[] = ['own', 'sdk'];
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const prefix = 'io.modelcontextprotocol/';

/** A request of 2026-07-28 as a client of 2025 would send it; some keep a part of what only the other era has. */
function toLegacy({ headers, body }: Sent, keepsPart: boolean): Sent {
  const value = body.startsWith('{"') || body.startsWith('[{"') ? (JSON.parse(body) as object) : undefined;
  const [message] = [value].flat() as { params?: { _meta?: Record<string, unknown> } }[];
  const meta = message?.params?._meta;
  if (typeof meta === 'object' && meta !== null && !Array.isArray(meta)) {
    delete meta[`${prefix}protocolVersion`];
    if (!keepsPart) for (const name of ['clientInfo', 'clientCapabilities']) delete meta[prefix + name];
  }
  const { 'mcp-protocol-version': version, ...others } = headers;
  const renamed = version === '2026-07-28' ? '2025-11-25' : version;
  return {
    headers: { ...others, ...(renamed !== undefined && { 'mcp-protocol-version': renamed }) },
    body: value === undefined ? body : JSON.stringify(value),
  };
}

describe('sessions of 2025 in our own code', () => {
  it('C10 W82 generated requests in a session get the same answers with our own protocol code and without', async () => {
    const sessions = await Promise.all(
      protocols.map(async protocol => {
        const server = await serveHttp(makeOddSurface(), { protocol });
        servers.push(server);
        return { url: server.url, ...(await openSession(server.url)) };
      }),
    );
    const random = makeRandom(11);
    const statuses = new Set<number>();
    for (let id = 1; id <= 700; id += 1) {
      const { headers, body } = toLegacy(makeRequest(random, id), random.below(100) < 10);
      // It would wait for an answer to its question: the next test gives one.
      if (body.includes('"name":"ask"')) continue;
      const [own, sdk] = await Promise.all(
        sessions.map(async session => {
          const all = { ...headers, 'mcp-session-id': session.id };
          const told = await fetch(session.url, { method: 'POST', headers: all, body }).then(tell);
          // The name under which a caller without one is known.
          return JSON.parse(JSON.stringify(told).replaceAll(session.id, 'session')) as Told;
        }),
      );
      expect(own, JSON.stringify({ headers, body })).toEqual(sdk);
      statuses.add(own?.status ?? 0);
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 202, 400, 406, 415]));
  }, 120_000);

  it.each(protocols)('C6 a call that asks continues where it was and runs once for each round: %s', async protocol => {
    let runs = 0;
    const count = {
      run: (_: unknown, { answers }: { answers: Readonly<Record<string, unknown>> }) => {
        runs += 1;
        if (answers['size'] !== undefined) return said(JSON.stringify(answers['size']));
        const params = { message: 'Size?', requestedSchema: { type: 'object', properties: {} } };
        return { asking: { questions: { size: { kind: 'elicit', params } }, state: 'sealed' } } as never;
      },
    };
    const { url } = await serve({ protocol, fixture: { tools: { count } } });
    const session = await openSession(url);
    const events = readEvents(await session.send(request(5, 'tools/call', { name: 'count' })));
    const question = await events.until(({ method }) => method === 'elicitation/create');
    expect(runs).toBe(1);
    const result = { action: 'accept', content: { n: 3 } };
    expect((await session.send({ jsonrpc: '2.0', id: question.id, result })).status).toBe(202);
    const answer = await events.until(({ id, method }) => id === 5 && method === undefined);
    expect([textOf(answer), runs]).toEqual([JSON.stringify(result), 2]);
  });

  it.each(protocols)(
    'C3 progress is sent on the stream of its call and grows over all rounds of questions: %s',
    async protocol => {
      const step = {
        run: (_: unknown, request: Request) => {
          for (const done of [1, 2, 1]) request.progress(done, 3, `step ${done}`);
          if (request.answers['size'] === undefined) {
            const params = { message: 'Size?', requestedSchema: { type: 'object', properties: {} } };
            return { asking: { questions: { size: { kind: 'elicit', params } }, state: 'sealed' } } as never;
          }
          request.progress(3);
          return said('done');
        },
      };
      const { url } = await serve({ protocol, fixture: { tools: { step } } });
      const session = await openSession(url);
      const params = { name: 'step', _meta: { progressToken: 'p' } };
      const events = readEvents(await session.send(request(5, 'tools/call', params)));
      const question = await events.until(({ method }) => method === 'elicitation/create');
      await session.send({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: {} } });
      const answer = await events.until(({ id, method }) => id === 5 && method === undefined);
      expect(textOf(answer)).toBe('done');
      const told = events.messages
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ params: sent }) => sent);
      expect(told).toEqual([
        { progressToken: 'p', progress: 1, total: 3, message: 'step 1' },
        { progressToken: 'p', progress: 2, total: 3, message: 'step 2' },
        { progressToken: 'p', progress: 3 },
      ]);
    },
  );

  it.each(protocols)('C2 our own code and the SDK in a session share one log level: %s', async protocol => {
    const { url } = await serve({ protocol });
    const session = await openSession(url);
    const before = await session.call(1, 'log');
    await (await session.send(request(2, 'logging/setLevel', { level: 'error' }))).text();
    expect([textOf(before), textOf(await session.call(3, 'log'))]).toEqual(['true true true', 'false false true']);
  });

  it.each(protocols)(
    'C4 a call is cancelled by its id, and all calls by the end of the session: %s',
    async protocol => {
      const watched = nobodyWatches();
      const { url } = await serve({ protocol, watched });
      const session = await openSession(url);
      const call = (id: number, name: string): Promise<Response> =>
        session.send(request(id, 'tools/call', { name: 'slow', arguments: { ms: 60_000, name } }));
      const [one] = [call(1, 'one'), call(2, 'two')];
      while (watched.started.length < 2) await sleep(5);
      // An id that is in use is refused, whoever has it.
      expect((await session.send(request(1, 'tools/call', { name: 'add' }))).status).toBe(400);
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'no' } };
      expect((await session.send(cancelled)).status).toBe(202);
      await (await one)?.text();
      while (watched.aborted.length < 1) await sleep(5);
      expect(watched.aborted).toEqual(['one']);
      await fetch(url, { method: 'DELETE', headers: session.headers });
      while (watched.aborted.length < 2) await sleep(5);
      expect((await session.send(request(3, 'ping'))).status).toBe(404);
    },
  );
});
