// B6: services that are slow, down, overloaded, or gone.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closeOf, failureOf, json, openBackend, startRaw, startService } from './service.js';

describe('connections', () => {
  it('B6 a service that is down is UPSTREAM_UNREACHABLE with the code of the system', async () => {
    const { url } = await startRaw(() => {});
    const port = Number(new URL(url).port);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const free = (closed.address() as AddressInfo).port;
    await new Promise(done => closed.close(done));
    expect(free).not.toBe(port);
    const failure = await failureOf(openBackend({ url: `http://127.0.0.1:${free}`, retries: 0 }).request({}));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      upstream: 'ECONNREFUSED',
      retryable: true,
      message: 'jira refuses connections (ECONNREFUSED)',
    });
  });

  it('B6 a name that nobody knows is UPSTREAM_DNS', async () => {
    const codes = ['ENOTFOUND', 'EAI_AGAIN'];
    for (const code of codes) {
      const lookup = (
        _name: string,
        _options: object,
        callback: (error: NodeJS.ErrnoException | null, all: []) => void,
      ): void => callback(Object.assign(new Error('no'), { code }), []);
      const failure = await failureOf(
        openBackend({ url: 'http://jira.invalid', retries: 0 }, {}, { lookup }).request({}),
      );
      expect(failure).toMatchObject({ code: 'UPSTREAM_DNS', upstream: code, retryable: true });
    }
  });

  it('B6 a service that does not speak HTTP is UPSTREAM_INVALID', async () => {
    const { url } = await startRaw(socket => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    expect((await failureOf(openBackend({ url }).request({})))['code']).toBe('UPSTREAM_INVALID');
    const large = await startRaw(socket =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)),
    );
    expect((await failureOf(openBackend({ url: large.url }).request({})))['code']).toBe('UPSTREAM_TOO_LARGE');
    const upgrade = await startRaw(socket =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      ),
    );
    expect((await failureOf(openBackend({ url: upgrade.url }).request({})))['code']).toBe('UPSTREAM_INVALID');
  });

  it('B6 connections are kept', async () => {
    const service = await startService(json({}));
    const { request } = openBackend({ url: service.origin });
    for (let nth = 0; nth < 5; nth += 1) await request({});
    expect(service.connections()).toBe(1);
  });

  it('B6 a kept connection that was closed meanwhile costs nothing, also where nothing is tried again', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    // Every connection answers one request and resets at the second.
    const make = () =>
      startRaw(socket => {
        let count = 0;
        socket.on('data', () => {
          count += 1;
          if (count === 1) socket.write(answer);
          else socket.resetAndDestroy();
        });
      });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { url, count } = await make();
      const { request } = openBackend({ url, retries: 0 });
      expect([await request({ method }), await request({ method })]).toEqual([{}, {}]);
      expect(count()).toBe(2);
    }
    const { url } = await make();
    const { request } = openBackend({ url });
    await request({ method: 'POST' });
    expect(await failureOf(request({ method: 'POST' }))).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      upstream: 'ECONNRESET',
    });
  });
});

describe('time', () => {
  it.each([
    ['never answers', () => {}],
    [
      'stops in the middle of an answer',
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
    ],
    [
      'sends a byte now and then',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n');
        const timer = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('B6 a service that %s is UPSTREAM_TIMEOUT, and its connection is closed', async (_what, act) => {
    let noteEnd = (): void => {};
    // Of a connection that a busy machine may take after the call has ended.
    const gone = new Promise<void>(done => {
      noteEnd = done;
    });
    const { url, count } = await startRaw(socket => {
      void closeOf(socket).then(noteEnd);
      socket.once('data', () => act(socket));
    });
    const failure = await failureOf(openBackend({ url, limits: { timeoutMs: 500 } }).request({}));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      status: 504,
      retryable: true,
      message: 'jira did not answer within 500 ms',
    });
    await gone;
    expect(count()).toBe(1);
  });

  it.each(['before the answer', 'in its middle'])(
    'B6 a call that is cancelled %s ends at once with its reason',
    async when => {
      const controller = new AbortController();
      let gone: Promise<unknown> | undefined;
      const { url } = await startRaw(socket => {
        gone = closeOf(socket);
        socket.once('data', () => {
          if (when !== 'before the answer') socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
          setTimeout(() => controller.abort(new Error('enough')), 20);
        });
      });
      const { request } = openBackend({ url });
      expect((await failureOf(request({}, { signal: controller.signal }))).message).toBe('enough');
      await gone;
      expect((await failureOf(request({}, { signal: controller.signal }))).message).toBe('enough');
    },
  );

  it('B6 a call that waits for its next attempt can be cancelled', async () => {
    const controller = new AbortController();
    const service = await startService((request, response, nth) => {
      void json({}, 503, { 'retry-after': '20' })(request, response, nth);
      setTimeout(() => controller.abort(new Error('enough')), 20);
    });
    const failure = await failureOf(openBackend({ url: service.origin }).request({}, { signal: controller.signal }));
    expect(failure.message).toBe('enough');
  });
});

describe('trying again', () => {
  it.each([429, 502, 503, 504])('B6 a read that is answered with %i is tried again', async status => {
    const service = await startService((request, response, nth) =>
      json({ nth }, nth < 2 ? status : 200)(request, response, nth),
    );
    expect(await openBackend({ url: service.origin }).request({})).toEqual({ nth: 2 });
  });

  it.each([400, 401, 404, 408, 500])('B6 %i is final', async status => {
    const service = await startService(json({}, status));
    const failure = await failureOf(openBackend({ url: service.origin }).request({}));
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', status, retryable: status === 408 });
    expect(service.received).toHaveLength(1);
  });

  it('B6 a write is tried again only where that is safe', async () => {
    const tried = async (method: string, extra = {}, retries?: number): Promise<number> => {
      const service = await startService(json({}, 503));
      await failureOf(
        openBackend({ url: service.origin, ...(retries === undefined ? {} : { retries }) }).request({
          method,
          ...extra,
        }),
      );
      return service.received.length;
    };
    expect(await tried('POST', {}, 2)).toBe(1);
    expect(await tried('PATCH', {}, 2)).toBe(1);
    expect(await tried('PUT')).toBe(1);
    expect(await tried('PUT', {}, 1)).toBe(2);
    expect(await tried('POST', { isRead: true, body: {} }, 1)).toBe(2);
    expect(await tried('GET', {}, 0)).toBe(1);
    expect(await tried('GET')).toBe(3);
  });

  it('B6 a connection that breaks before an answer is tried again', async () => {
    const { url, count } = await startRaw((socket, nth) => {
      socket.once('data', () => {
        if (nth === 0) socket.resetAndDestroy();
        else socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    expect(await openBackend({ url }).request({})).toBe('ok');
    expect(count()).toBe(2);
  });

  it('B6 Retry-After is honoured, and given to who called where it is too long', async () => {
    const service = await startService((request, response, nth) =>
      json(
        { nth },
        nth === 0 ? 429 : 200,
        nth === 0 ? { 'retry-after': new Date(Date.now() - 5000).toUTCString() } : {},
      )(request, response, nth),
    );
    expect(await openBackend({ url: service.origin }).request({})).toEqual({ nth: 1 });
    const busy = await startService(json({}, 429, { 'retry-after': '120' }));
    const failure = await failureOf(openBackend({ url: busy.origin }).request({}));
    expect(failure).toMatchObject({
      status: 429,
      retryable: true,
      suggestedFix: 'Try again in 120 s.',
      meta: { retryAfterMs: 120_000 },
    });
    expect(busy.received).toHaveLength(1);
  });
});

describe('many calls', () => {
  it('B6 no more requests are under way than the backend allows, and the queue is limited', async () => {
    let running = 0;
    let most = 0;
    const service = await startService(async (request, response, nth) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(done => setTimeout(done, 20));
      running -= 1;
      void json({})(request, response, nth);
    });
    const { request } = openBackend({ url: service.origin, limits: { concurrency: 2, queue: 3 } });
    const all = await Promise.allSettled(Array.from({ length: 7 }, () => request({})));
    expect(most).toBe(2);
    const failed = all.filter(one => one.status === 'rejected').map(({ reason }) => reason as Record<string, unknown>);
    expect(failed).toEqual([expect.objectContaining({ code: 'BUSY' }), expect.objectContaining({ code: 'BUSY' })]);
    expect(await request({})).toEqual({});
  });

  it('B6 places are given back by calls that fail, in every way', async () => {
    const service = await startService((request, response, nth) => {
      if (request.url === '/hang') return;
      if (request.url === '/break') response.destroy();
      else if (request.url === '/far') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      else if (request.url === '/odd') response.writeHead(200, { 'content-encoding': 'odd' }).end('x');
      else void json({}, request.url === '/bad' ? 500 : 200)(request, response, nth);
    });
    const { request } = openBackend({ url: service.origin, retries: 0, limits: { concurrency: 1, timeoutMs: 500 } });
    for (const path of ['/hang', '/break', '/far', '/odd', '/bad']) await failureOf(request({ path }));
    expect(await request({})).toEqual({});
  });

  it('B6 calls that are under way fail when the backend is closed', async () => {
    const service = await startService(() => {});
    const { open, request } = openBackend({ url: service.origin });
    const failing = failureOf(request({}));
    while (service.received.length === 0) await new Promise(done => setTimeout(done, 5));
    await open.close();
    expect(await failing).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: 'The connections to jira were closed',
    });
    expect(await failureOf(request({}))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });

  it('B6 calls that wait for their turn fail when the backend is closed, and nothing more is sent', async () => {
    const service = await startService(() => {});
    const { open, request } = openBackend({ url: service.origin, limits: { concurrency: 1, timeoutMs: 2000 } });
    const failing = [failureOf(request({})), failureOf(request({}))];
    while (service.received.length === 0) await new Promise(done => setTimeout(done, 5));
    await open.close();
    for (const failure of await Promise.all(failing))
      expect(failure.message).toBe('The connections to jira were closed');
    expect(service.received).toHaveLength(1);
  });
});
