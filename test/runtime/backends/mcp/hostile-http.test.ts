// B4: servers at an address that break the rules, by accident or not.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { json, startService } from '../http/service.js';
import { makeCall, open, until } from './mcp-kit.js';
import { reply, serveRaw } from './raw-http.js';

const local = { allowAddresses: ['127.0.0.1'] };

describe('streams of other servers', () => {
  it('B4 a stream that goes on after its answer is ended, and another call works', async () => {
    const streams = new Set<unknown>();
    const { url } = await serveRaw(({ id, method }, response) => {
      if (method !== 'tools/call') return false;
      streams.add(response);
      response.on('close', () => streams.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`);
      return true;
    });
    const backend = open({ url, ...local });
    for (let count = 0; count < 3; count += 1)
      expect(await backend.of(makeCall()).callTool('x')).toEqual({ content: [] });
    await until(() => streams.size === 0);
  });

  it('B4 a server that wants to be asked again at once is asked now and then', async () => {
    const { url, seen } = await serveRaw((_, response, { method }) => {
      if (method !== 'GET') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\n\n');
      return true;
    });
    await open({ url, ...local })
      .of(makeCall())
      .callTool('x');
    await until(() => seen.includes('GET'));
    const begun = performance.now();
    await sleep(500);
    // Every 100 ms at most.
    const most = (performance.now() - begun) / 50;
    expect(seen.filter(one => one === 'GET').length).toBeLessThan(most);
  });

  it('B4 a connection that is closed during its handshake listens to nothing afterwards', async () => {
    const { url, seen } = await serveRaw(({ method }) => method === 'notifications/initialized');
    const backend = open({ url, ...local });
    const failing = backend
      .of(makeCall())
      .callTool('x')
      .catch(() => undefined);
    await until(() => seen.includes('POST notifications/initialized'));
    await backend.close();
    await failing;
    await sleep(50);
    expect(seen).not.toContain('GET');
  });
});

describe('what other servers repeat', () => {
  it('B8 a token of the token service is in no result and in no error', async () => {
    const token = 'token-of-the-service';
    const tokens = await startService(json({ access_token: token }));
    const { url } = await serveRaw((message, response, { headers }) => {
      if (message.method !== 'tools/call') return false;
      const { authorization } = headers;
      if (message.params?.['name'] === 'echo')
        return reply(response, message, { content: [{ type: 'text', text: authorization }] });
      const error = { code: -32000, message: `no: ${authorization}`, data: { authorization } };
      if (message.params?.['name'] === 'stream') {
        response.setHeader('content-type', 'text/event-stream');
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, error })}\n\n`);
      } else {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
      }
      return true;
    });
    const auth = { clientCredentials: { tokenUrl: tokens.origin, id: 'ID', secret: 'SECRET' } };
    const backend = open({ url, ...local, auth }, { config: { ID: 'me', SECRET: 'sesame-sesame' } });
    const ask = (name: string): Promise<unknown> => backend.of(makeCall()).callTool(name);
    expect(await ask('echo')).toEqual({ content: [{ type: 'text', text: 'Bearer [secret token]' }] });
    for (const name of ['stream', 'plain']) {
      const { message, data } = (await ask(name).catch((error: unknown) => error)) as {
        message: string;
        data: unknown;
      };
      expect([message, data]).toEqual(['no: Bearer [secret token]', { authorization: 'Bearer [secret token]' }]);
    }
  });
});

describe('lists of other servers', () => {
  it('B4 a list may be very long', async () => {
    const { url } = await serveRaw((message, response) =>
      message.method === 'tools/list'
        ? reply(response, message, { tools: Array.from({ length: 300_000 }, () => 1) })
        : false,
    );
    const { tools } = await open({ url, ...local }).listAll(makeCall());
    expect(tools).toHaveLength(300_000);
  });
});
