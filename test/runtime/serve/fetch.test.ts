// A surface behind a web-standard fetch function, without a server of ours.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetch, type FetchHandler } from '../../../runtime/serve/serve-fetch.js';
import { envelope, type Message, request } from './serve-pipes.js';
import { makeTools, nobodyWatches } from './serve-tools.js';
import { messagesOf } from './serve-web.js';

const open: FetchHandler[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(handler => handler.close()));
});

function make(options?: Parameters<typeof createFetch>[1]): FetchHandler {
  const handler = createFetch(makeTools(nobodyWatches()), options);
  open.push(handler);
  return handler;
}

function ask(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request('https://example.com/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
}

describe('`createFetch`', () => {
  it.each(['auto', 'legacy'] as const)('C10 a real client works through `createFetch`: %s', async mode => {
    const { fetch } = make();
    const client = new Client({ name: 'c', version: '1' }, mode === 'auto' ? { versionNegotiation: { mode } } : {});
    const transport = new StreamableHTTPClientTransport(new URL('https://example.com/mcp'), {
      fetch: (url, init) => fetch(new Request(url, init as RequestInit)),
    });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('add');
    const { structuredContent } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    expect(structuredContent).toEqual({ sum: 3 });
    await client.close();
  });

  it('W82 `createFetch` answers a body beyond the limit with 413', async () => {
    const { fetch } = make({ maxBodyBytes: 100 });
    expect((await fetch(ask(request(1, 'ping', { x: 'y'.repeat(200) })))).status).toBe(413);
  });

  it('C14 `createFetch` compares the scopes of a tool with those of the caller', async () => {
    const { fetch } = make();
    const call = request(1, 'tools/call', { name: 'scoped', _meta: envelope });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'scoped' };
    const auth = { token: 't', clientId: 'c', claims: {} };
    const refused = await fetch(ask(call, headers), { auth: { ...auth, scopes: ['issues:read'] } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="issues:write issues:read"'),
    ]);
    const scopes = ['issues:read', 'issues:write'];
    const [allowed] = await messagesOf(await fetch(ask(call, headers), { auth: { ...auth, scopes } }));
    expect((allowed as Message).result).toMatchObject({ content: [{ text: 'allowed' }] });
  });
});
