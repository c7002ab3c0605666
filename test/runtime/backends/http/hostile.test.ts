// Services that answer with what no service should, and go away at the wrong moment: below HTTP, byte by byte.
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closeOf, failureOf, json, openBackend, startRaw, startService } from './service.js';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;

/** Answers every request with these bytes, and ends. */
const says = (bytes: string | Uint8Array) => (socket: Socket) => void socket.once('data', () => socket.end(bytes));

async function asked(bytes: string | Uint8Array, definition = {}): Promise<unknown> {
  const { url } = await startRaw(says(bytes));
  return await openBackend({ url, retries: 0, limits: { timeoutMs: 5000 }, ...definition }).request({});
}

describe('answers that are cut or broken', () => {
  it.each([
    ['a chunk that is cut', `${chunked}5\r\n{"a"`, 'UPSTREAM_UNREACHABLE', 'ECONNRESET'],
    ['chunks without an end', `${chunked}2\r\n{}\r\n`, 'UPSTREAM_UNREACHABLE', 'ECONNRESET'],
    ['a chunk whose size is none', `${chunked}zz\r\n{}`, 'UPSTREAM_INVALID', 'HPE_INVALID_CHUNK_SIZE'],
    ['fewer bytes than it says', `${head}content-length: 9\r\n\r\n{}`, 'UPSTREAM_UNREACHABLE', 'ECONNRESET'],
    ['two lengths', `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `, 'UPSTREAM_INVALID', undefined],
    [
      'a length and chunks',
      `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n`,
      'UPSTREAM_INVALID',
      undefined,
    ],
    ['a length below zero', `${head}content-length: -2\r\n\r\n{}`, 'UPSTREAM_INVALID', undefined],
    ['a folded header', `${head}x: a\r\n b\r\ncontent-length: 2\r\n\r\n{}`, 'UPSTREAM_INVALID', undefined],
    ['lines without CR', 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}', 'UPSTREAM_INVALID', undefined],
    ['a status of two digits', 'HTTP/1.1 99 No\r\ncontent-length: 0\r\n\r\n', 'UPSTREAM_INVALID', undefined],
    ['no head', '{"a":1}', 'UPSTREAM_INVALID', undefined],
    [
      'headers without an end',
      `${head}${`x: ${'y'.repeat(90)}\r\n`.repeat(300)}\r\n`,
      'UPSTREAM_TOO_LARGE',
      'HPE_HEADER_OVERFLOW',
    ],
    ['data in many layers', `${head}\r\n${'['.repeat(1e6)}${']'.repeat(1e6)}`, 'UPSTREAM_INVALID', undefined],
  ])('B6 an answer with %s fails by its kind', async (_what, bytes, code, upstream) => {
    const { url } = await startRaw(says(bytes));
    const failure = await failureOf(openBackend({ url, retries: 0 }).request({ result: { pick: { a: '/a' } } }));
    expect(failure['code']).toBe(code);
    if (upstream !== undefined) expect(failure['upstream']).toBe(upstream);
  });

  it.each([
    ['more bytes than it says', `${head}content-length: 2\r\n\r\n{}GARBAGE`],
    ['no length, to the end of the connection', `${head}\r\n{}`],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{}'],
    ['informational answers before it', `${'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(200)}${head}\r\n{}`],
    ['trailers', `${chunked}2\r\n{}\r\n0\r\nx: y\r\n\r\n`],
  ])('B5 an answer with %s is read', async (_what, bytes) => {
    expect(await asked(bytes)).toEqual({});
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, br'])('B5 an empty body in %s is nothing', async encoding => {
    expect(
      await asked(`${head}content-encoding: ${encoding}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    ).toBeNull();
  });

  it('B6 an error in an encoding that nobody asked for still has its status', async () => {
    const answer = 'HTTP/1.1 404 Not Found\r\ncontent-encoding: zstd\r\ncontent-length: 3\r\n\r\nabc';
    expect(await failureOf(asked(answer))).toMatchObject({
      code: 'UPSTREAM_ERROR',
      status: 404,
      meta: { status: 404 },
    });
  });

  it('B6 an answer that comes before all of the request is read counts', async () => {
    const { url } = await startRaw(socket => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const failing = openBackend({ url }).request({ method: 'POST', body: { text: 'x'.repeat(5_000_000) } });
    expect(await failureOf(failing)).toMatchObject({ code: 'UPSTREAM_ERROR', status: 413 });
  });

  it('B6 bytes that come without a request are no answer to the next one', async () => {
    const answer = (text: string) => `${head}content-length: ${text.length}\r\n\r\n${text}`;
    const { url } = await startRaw(socket => socket.on('data', () => socket.write(answer('1') + answer('"evil"'))));
    const { request } = openBackend({ url });
    expect([await request({}), await request({}), await request({})]).toEqual([1, 1, 1]);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['100000000000', 86_400_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('B6 %j is %s ms', async (text, milliseconds) => {
    const answer = `HTTP/1.1 429 Wait\r\nretry-after: ${text}\r\ncontent-length: 0\r\n\r\n`;
    const { meta } = await failureOf(asked(answer));
    expect((meta as { retryAfterMs?: number }).retryAfterMs).toBe(milliseconds);
  });
});

describe('connections that end', () => {
  it('B6 whether a write whose connection breaks was done is unsure, and trying again is not advised', async () => {
    const { url } = await startRaw(socket => socket.once('data', () => socket.resetAndDestroy()));
    const failed = async (address: string, request: object) => {
      const { retryable, suggestedFix } = await failureOf(openBackend({ url: address, retries: 0 }).request(request));
      return [retryable, suggestedFix];
    };
    const look = 'It may have been done nevertheless: look before it is sent again.';
    expect(await failed(url, { method: 'POST', body: {} })).toEqual([false, look]);
    expect(await failed(url, { method: 'POST', body: {}, isRead: true })).toEqual([true, undefined]);
    expect(await failed(url, { method: 'PUT', body: {} })).toEqual([true, undefined]);
    // Nobody has heard of this one.
    expect(await failed('http://127.0.0.1:1', { method: 'POST', body: {} })).toEqual([true, undefined]);
    const silent = await startRaw(() => {});
    const slow = openBackend({ url: silent.url, limits: { timeoutMs: 200 } });
    expect(await failureOf(slow.request({ method: 'PATCH' }))).toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      retryable: false,
      suggestedFix: look,
    });
  });

  it('B6 a call that waits for its next attempt fails at once when the backend is closed', async () => {
    const service = await startService(json({}, 503, { 'retry-after': '25' }));
    const { open, request } = openBackend({ url: service.origin });
    const failing = failureOf(request({}));
    while (service.received.length === 0) await new Promise(done => setTimeout(done, 5));
    await new Promise(done => setTimeout(done, 50));
    await open.close();
    expect(await failing).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: false });
    expect(service.received).toHaveLength(1);
  });

  it('B6 a tunnel that a proxy does not open is closed with the backend', async () => {
    const proxy = await startRaw(() => {});
    const { open, request } = openBackend({ url: 'https://jira.invalid' }, { env: { HTTPS_PROXY: proxy.url } });
    const failing = failureOf(request({}));
    while (proxy.count() === 0) await new Promise(done => setTimeout(done, 5));
    const [socket] = proxy.sockets;
    const gone = socket && closeOf(socket.resume());
    await open.close();
    expect(await failing).toMatchObject({ message: 'The connections to jira were closed' });
    await gone;
  });

  it.each([
    ['HTTPS_PROXY', 'https://jira.invalid'],
    ['HTTP_PROXY', 'http://jira.invalid'],
  ])('B6 a proxy in %s that refuses connections is named', async (variable, url) => {
    const { request } = openBackend({ url, retries: 0 }, { env: { [variable]: 'http://127.0.0.1:1' } });
    expect(await failureOf(request({}))).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      upstream: 'ECONNREFUSED',
      message: 'the proxy on the way to jira refuses connections (ECONNREFUSED)',
    });
  });

  it('B6 a kept connection is closed when the service says that it will close it, though that does not', async () => {
    const { url, sockets } = await startRaw(socket => {
      socket.on('data', () => socket.write(`${head}keep-alive: timeout=1\r\ncontent-length: 2\r\n\r\n{}`));
    });
    expect(await openBackend({ url }).request({})).toEqual({});
    const [socket] = sockets;
    expect(socket?.destroyed).toBe(false);
    if (socket !== undefined) await closeOf(socket);
  });
});
