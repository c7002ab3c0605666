// What is made of answers, good and bad.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { typedBytesOf } from '../../../../runtime/call/recognise-result.js';
import { failureOf, json, openBackend, startService } from './service.js';

interface Raw {
  readonly body?: string | Uint8Array;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

async function answered({ body, type, status = 200, headers = {} }: Raw, limits = {}): Promise<() => Promise<unknown>> {
  const service = await startService((_request, response) => {
    response.writeHead(status, { ...(type === undefined ? {} : { 'content-type': type }), ...headers }).end(body);
  });
  const backend = openBackend({ url: service.origin, limits });
  return () => backend.request({ path: '/x' });
}

describe('kinds of answers', () => {
  it.each([
    ['JSON', 'application/json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['JSON of another kind', 'application/problem+json', '[1]', [1]],
    ['JSON with a mark of its order of bytes', 'application/json', '\ufeff{"a":1}', { a: 1 }],
    ['text', 'text/plain', 'Grüße', 'Grüße'],
    ['XML', 'application/atom+xml', '<a/>', '<a/>'],
    ['text without a type', undefined, 'hello', 'hello'],
    ['nothing', 'application/json', '', null],
  ])('B5 %s is read', async (_what, type, body, value) => {
    expect(await (await answered({ body, ...(type === undefined ? {} : { type }) }))()).toEqual(value);
  });

  it('B5 text is read in its charset', async () => {
    const body = Buffer.from('Grüße', 'latin1');
    expect(await (await answered({ body, type: 'text/plain; charset="iso-8859-1"' }))()).toBe('Grüße');
    expect(await (await answered({ body: 'x', type: 'text/plain; charset=nobody-knows' }))()).toBe('x');
  });

  it('B5 bytes have their type', async () => {
    const value = await (await answered({ body: Buffer.from([0, 1, 255]), type: 'image/png' }))();
    expect(typedBytesOf(value)).toMatchObject({ mimeType: 'image/png' });
    expect([...(value as { data: Uint8Array }).data]).toEqual([0, 1, 255]);
    expect(await (await answered({ body: Buffer.from([0, 1, 255]) }))()).toMatchObject({
      mimeType: 'application/octet-stream',
    });
  });

  it('B5 204 and HEAD give null', async () => {
    expect(await (await answered({ status: 204 }))()).toBeNull();
    const service = await startService((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '5', 'content-encoding': 'gzip' })
        .end();
    });
    expect(await openBackend({ url: service.origin }).request({ method: 'HEAD' })).toBeNull();
  });

  it('B5 the answer to HEAD may name a size above the limit, since nothing of that size arrives', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-length': '5000' }).end();
    });
    expect(await openBackend({ url: service.origin, limits: { bytes: 100 } }).request({ method: 'HEAD' })).toBeNull();
  });

  it('B5 members named __proto__ are data', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"__proto__":{"admin":true},"a":1,"a":2}');
    });
    const value = await openBackend({ url: service.origin }).request({
      result: { pick: { __proto: '/__proto__/admin', none: '/constructor', a: '/a' } },
    });
    expect(value).toEqual({ __proto: true, a: 2 });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ])('B5 %s is decompressed', async (encoding, compress) => {
    const body = compress('{"a":"b"}');
    const ask = await answered({ body, type: 'application/json', headers: { 'content-encoding': encoding } });
    expect(await ask()).toEqual({ a: 'b' });
    expect(await ask()).toEqual({ a: 'b' });
  });
});

describe('answers that are wrong', () => {
  const codeOf = async (raw: Raw, limits = {}): Promise<unknown> =>
    (await failureOf((await answered(raw, limits))()))['code'];

  it('B6 broken JSON is UPSTREAM_INVALID and quotes no secrets', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"token": hunter22}');
    });
    const settings = { values: { TOKEN: 'hunter22' }, secrets: ['TOKEN'] };
    const failure = await failureOf(
      openBackend({ url: service.origin, auth: { bearer: 'TOKEN' } }, settings).request({}),
    );
    expect(failure).toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: 'jira answered with JSON that cannot be read',
      retryable: false,
    });
    expect(failure['meta']).toEqual({ status: 200, body: '{"token": [secret TOKEN]}' });
    expect(String(failure['cause'])).not.toContain('hunter22');
  });

  it.each([
    ['gzip', 'not gzip'],
    ['deflate', 'nothing'],
    ['br', 'not brotli'],
    ['gzip', gzipSync('{"a":1}'.repeat(1000)).subarray(0, 30)],
    ['zstd', 'x'],
    ['gzip, gzip, gzip', 'x'],
  ])('B6 %s that cannot be decompressed is UPSTREAM_INVALID', async (encoding, body) => {
    expect(await codeOf({ body, type: 'application/json', headers: { 'content-encoding': encoding } })).toBe(
      'UPSTREAM_INVALID',
    );
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('B5 a bomb in %s ends at the limit', async (encoding, compress) => {
    const body = compress(Buffer.alloc(20 * 1024 * 1024));
    const raw = { body, type: 'text/plain', headers: { 'content-encoding': encoding } };
    expect(await codeOf(raw, { bytes: 1_000_000 })).toBe('UPSTREAM_TOO_LARGE');
  });

  it('B5 an answer without an end is cut off, and its connection closed', async () => {
    let isClosed: (() => void) | undefined;
    const closed = new Promise<void>(done => {
      isClosed = done;
    });
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
        isClosed?.();
      });
    });
    const failure = await failureOf(openBackend({ url: service.origin, limits: { bytes: 50_000 } }).request({}));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_TOO_LARGE',
      message: 'The answer of jira has more than 50000 bytes',
    });
    await closed;
  });

  it('B5 an answer that says how large it is is not even read', async () => {
    expect(
      await codeOf(
        { body: 'x'.repeat(2000), type: 'text/plain', headers: { 'content-length': '2000' } },
        { bytes: 1999 },
      ),
    ).toBe('UPSTREAM_TOO_LARGE');
    expect(await (await answered({ body: 'x'.repeat(2000), type: 'text/plain' }, { bytes: 2000 }))()).toHaveLength(
      2000,
    );
  });

  it('B6 an answer that breaks off is UPSTREAM_UNREACHABLE, not half an answer', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('[1,2]');
      setTimeout(() => response.destroy(), 20);
    });
    const failure = await failureOf(openBackend({ url: service.origin }).request({}));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      upstream: 'ECONNRESET',
      message: 'The connection to jira broke off (ECONNRESET)',
    });
    expect(service.received).toHaveLength(1);
  });

  it('B6 a status other than 2xx is UPSTREAM_ERROR with a body that is cut and has no secrets', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(404, 'Custom', { 'content-type': 'text/plain' }).end(`hunter22 ${'x'.repeat(300_000)}`);
    });
    const settings = { values: { TOKEN: 'hunter22' }, secrets: ['TOKEN'] };
    const failure = await failureOf(
      openBackend({ url: service.origin, auth: { bearer: 'TOKEN' } }, settings).request({}),
    );
    expect(failure).toMatchObject({
      code: 'UPSTREAM_ERROR',
      status: 404,
      retryable: false,
      isAnswer: true,
      message: 'jira answered 404 Not Found',
    });
    const { body } = failure['meta'] as { body: string };
    expect(body).toMatch(/^\[secret TOKEN\] x+\.\.\.$/);
    expect(body).toHaveLength(2003);
  });

  it('B6 an error whose body breaks off or is binary still has its status', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('oops');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await failureOf(openBackend({ url: service.origin }).request({}))).toMatchObject({
      status: 500,
      meta: { status: 500 },
    });
    const failure = await failureOf((await answered({ status: 400, body: Buffer.from([0, 1]), type: 'image/png' }))());
    expect(failure['meta']).toEqual({ status: 400 });
  });
});

describe('parts of answers', () => {
  const issues = {
    issues: [
      { key: 'A', fields: { summary: 'x', labels: [{ name: 'l' }] } },
      { key: 'B', fields: {} },
    ],
    'a/b~': 1,
  };

  it('B5 at gives a part, and pick members of each of its elements', async () => {
    const service = await startService(json(issues));
    const { request } = openBackend({ url: service.origin });
    const pick = { key: '/key', summary: '/fields/summary', labels: '/fields/labels/name' };
    expect(await request({ result: { at: '/issues', pick } })).toEqual([
      { key: 'A', summary: 'x', labels: ['l'] },
      { key: 'B' },
    ]);
    expect(await request({ result: { at: '/issues/1/key' } })).toBe('B');
    expect(await request({ result: { at: '/issues/key' } })).toEqual(['A', 'B']);
    expect(await request({ result: { at: '/a~1b~0' } })).toBe(1);
    expect(await request({ result: { pick: { first: '/issues/0/key', none: '/nope' } } })).toEqual({ first: 'A' });
  });

  it('B5 a part that is not there is UPSTREAM_INVALID with its pointer', async () => {
    const service = await startService(json(issues));
    const failure = await failureOf(openBackend({ url: service.origin }).request({ result: { at: '/toString' } }));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: 'The answer of jira has nothing at /toString',
      meta: { pointer: '/toString' },
    });
  });

  it('B5 JSON under another type is read where pointers lead into it', async () => {
    const service = await startService((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/json' ? '{"a":1}' : '<html>');
    });
    const { request } = openBackend({ url: service.origin });
    expect(await request({ path: '/json', result: { at: '/a' } })).toBe(1);
    expect(await request({ path: '/json' })).toBe('{"a":1}');
    const failure = await failureOf(request({ path: '/page', result: { at: '/a' } }));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: 'jira answered with text/html that is not JSON',
      meta: { body: '<html>' },
    });
  });
});
