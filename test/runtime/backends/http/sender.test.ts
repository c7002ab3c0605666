// What the http and mcp backends share: requests with the head of an answer, and a body to read.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSender } from '../../../../runtime/backends/http/sender.js';
import { failureOf, json, makeCall, makeScope, startService } from './service.js';

describe('the sender', () => {
  const open = (url: string, limits = {}) => {
    const sender = createSender('play', { url, limits }, makeScope());
    onTestFinished(() => sender.close());
    return sender;
  };

  it('B1 a stream has no limits of time and size, and gives its place back', async () => {
    const service = await startService((request, response, nth) => {
      if (request.url !== '/mcp') return json({})(request, response, nth);
      response.writeHead(200, { 'content-type': 'text/event-stream', link: '<a>' });
      for (let count = 0; count < 5; count += 1) setTimeout(() => response.write('data: x\n\n'), count * 250);
      setTimeout(() => response.end(), 1300);
    });
    const sender = open(`${service.origin}/mcp`, { timeoutMs: 1000, bytes: 20, concurrency: 1 });
    const sent = await sender.send(
      { method: 'POST', headers: { accept: 'text/event-stream' }, body: '{}', isStream: true },
      makeCall(),
    );
    expect(sent).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      url: `${service.origin}/mcp`,
    });
    const other = await sender.send({ method: 'GET', url: `${service.origin}/x`, headers: {} }, makeCall());
    expect((await other.body.read()).toString()).toBe('{}');
    let text = '';
    for await (const chunk of sent.body) text += Buffer.from(chunk).toString();
    expect(text).toBe('data: x\n\n'.repeat(5));
  });

  it('B1 who stops reading, or cancels, ends the connection', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: x\n\n');
    });
    const sender = open(service.origin);
    const ask = (signal?: AbortSignal) =>
      sender.send({ method: 'GET', headers: {}, isStream: true }, makeCall(signal === undefined ? {} : { signal }));
    for await (const _chunk of (await ask()).body) break;
    const controller = new AbortController();
    const { body } = await ask(controller.signal);
    const reading = failureOf(
      (async () => {
        for await (const _chunk of body) controller.abort(new Error('enough'));
      })(),
    );
    expect((await reading).message).toBe('enough');
    while (service.sockets.size > 0) await new Promise(done => setTimeout(done, 5));
  });

  it('B1 the limit of size holds for who reads piece by piece', async () => {
    const service = await startService((_request, response) => response.end('x'.repeat(1000)) as never);
    const { body } = await open(service.origin, { bytes: 999 }).send({ method: 'GET', headers: {} }, makeCall());
    const reading = failureOf(
      (async () => {
        for await (const _chunk of body);
      })(),
    );
    expect((await reading)['code']).toBe('UPSTREAM_TOO_LARGE');
  });

  it('B1 headers that come several times are joined', async () => {
    const service = await startService((_request, response) => {
      response.setHeader('link', ['<a>; rel="x"', '<b>; rel="next"']);
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end();
    });
    const { headers, body } = await open(service.origin).send({ method: 'GET', headers: {} }, makeCall());
    expect(headers).toMatchObject({ link: '<a>; rel="x", <b>; rel="next"', 'set-cookie': 'a=1, b=2' });
    body.discard();
  });
});
