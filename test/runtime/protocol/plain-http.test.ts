// Our own code for HTTP against the SDK: the same requests through both, and the same answers out of them.
import { afterEach, describe, expect, it } from 'vitest';
import { readInbound } from '../../../runtime/protocol/inbound.js';
import { openPlainHttp } from '../../../runtime/protocol/plain-http.js';
import { InFlight } from '../../../runtime/protocol/request.js';
import { createFetch, type FetchHandler } from '../../../runtime/serve/serve-fetch.js';
import type { ProtocolName } from '../../../runtime/serve/stdio-connection.js';
import type { Surface } from '../../../runtime/surface/surface.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';
import { envelope, request } from '../serve/serve-pipes.js';
import { encodeHeader, makeOddSurface, makeRequest, type Sent, type Told, tell } from './http-traffic.js';

const count = amount(2000);
const seed = seedOr(1);
const open: FetchHandler[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(handler => handler.close()));
});

function openBoth(surface: Surface): Readonly<Record<ProtocolName, FetchHandler>> {
  const both = { own: createFetch(surface, { protocol: 'own' }), sdk: createFetch(surface, { protocol: 'sdk' }) };
  open.push(both.own, both.sdk);
  return both;
}

const toRequest = ({ headers, body }: Sent): Request =>
  new Request('https://example.com/mcp', { method: 'POST', headers, body });

describe('generated traffic', () => {
  it(`C10 C11 W81 W82 ${count} requests of 2026-07-28 get the same answers from our own code as from the SDK`, async () => {
    const surface = makeOddSurface();
    const both = openBoth(surface);
    const opened = openPlainHttp(surface, new InFlight());
    const random = makeRandom(seed);
    const taken = new Map<string, number>();
    const statuses = new Set<number>();
    for (let id = 1; id <= count; id += 1) {
      const sent = makeRequest(random, id);
      const [own, sdk] = await Promise.all([both.own.fetch(toRequest(sent)), both.sdk.fetch(toRequest(sent))]);
      const [told, wanted] = [await tell(own), await tell(sdk)];
      expect(told, JSON.stringify(sent)).toEqual(wanted);
      statuses.add(wanted.status);
      const message = sent.body.startsWith('{"') ? (JSON.parse(sent.body) as { method?: unknown }) : undefined;
      const inbound = readInbound(message);
      if (inbound.kind !== 'request' || message === undefined) continue;
      if (opened.take(new Headers(sent.headers), inbound, undefined) === undefined) continue;
      taken.set(String(message.method), (taken.get(String(message.method)) ?? 0) + 1);
    }
    opened.close();
    // Our own code has answered all that it is there for, and much was refused.
    expect([...taken.keys()].sort()).toEqual([
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'server/discover',
      'tools/call',
      'tools/list',
    ]);
    expect(taken.get('tools/call')).toBeGreaterThan(count / 20);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 202, 400, 404, 415]));
  }, 300_000);
});

/** As a client sends it, but for what a case changes. */
function plain(method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}): Sent {
  const { name } = params;
  return {
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify(request(1, method, { ...params, _meta: envelope })),
  };
}

describe('header rules', () => {
  const region = (args: object, headers: Record<string, string>): Sent =>
    plain('tools/call', { name: 'region', arguments: args }, headers);
  const cases: readonly (readonly [what: string, sent: Sent, status: number, code: number | undefined])[] = [
    [
      'a name in base64',
      plain('tools/call', { name: 'näme ✓' }, { 'mcp-name': encodeHeader('näme ✓') }),
      200,
      undefined,
    ],
    [
      'a name that needs no base64, in it',
      plain('tools/call', { name: 'echo' }, { 'mcp-name': encodeHeader('echo') }),
      200,
      undefined,
    ],
    ['broken base64', plain('tools/call', { name: 'echo' }, { 'mcp-name': '=?base64?#?=' }), 400, -32020],
    ['another name', plain('tools/call', { name: 'echo' }, { 'mcp-name': 'add' }), 400, -32020],
    ['another method', plain('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32020],
    ['a parameter', region({ region: 'eu' }, { 'mcp-param-region': 'eu' }), 200, undefined],
    ['a parameter in base64', region({ region: 'bär' }, { 'mcp-param-region': encodeHeader('bär') }), 200, undefined],
    ['a parameter that is missing', region({ region: 'eu' }, {}), 400, -32020],
    ['another parameter', region({ region: 'eu' }, { 'mcp-param-region': 'us' }), 400, -32020],
    ['no argument, so no header', region({ region: null }, {}), 200, undefined],
    ['7 and 7.0', region({ zone: 7 }, { 'mcp-param-zone': '7.0' }), 200, undefined],
    ['7 and 07', region({ zone: 7 }, { 'mcp-param-zone': '07' }), 200, undefined],
    ['7 and 8', region({ zone: 7 }, { 'mcp-param-zone': '8' }), 400, -32020],
    ['7 and seven', region({ zone: 7 }, { 'mcp-param-zone': 'seven' }), 400, -32020],
    ['a flag inside an object', region({ deep: { flag: true } }, { 'mcp-param-deep-flag': 'true' }), 200, undefined],
    ['another flag', region({ deep: { flag: true } }, { 'mcp-param-deep-flag': 'false' }), 400, -32020],
    ['a list in place of the object', region({ deep: [1] }, {}), 200, undefined],
    [
      'a header where the schema may have none',
      plain('tools/call', { name: 'odd', arguments: { x: 'y' } }),
      200,
      undefined,
    ],
    ['an unknown method', plain('no/such'), 404, -32601],
    ['an unknown tool', plain('tools/call', { name: 'nope' }), 200, -32602],
  ];
  it.each(cases)('C11 our own protocol code checks headers as the SDK does: %s', async (_, sent, status, code) => {
    const both = openBoth(makeOddSurface());
    const told = await tell(await both.own.fetch(toRequest(sent)));
    expect(told).toEqual(await tell(await both.sdk.fetch(toRequest(sent))));
    expect([told.status, (told.messages[0] as { code?: number }).code]).toEqual([status, code]);
  });
});

describe('callers and limits of our own protocol code', () => {
  it('J85 a tool that was removed is missing from the next list', async () => {
    const surface = makeOddSurface();
    const both = openBoth(surface);
    const names = async (): Promise<unknown> => {
      const [own, sdk] = await Promise.all(
        [both.own, both.sdk].map(async ({ fetch }) => await tell(await fetch(toRequest(plain('tools/list'))))),
      );
      expect(own).toEqual(sdk);
      const [list] = (own?.messages ?? []) as { result: { tools: { name: string }[] } }[];
      return list?.result.tools.map(({ name }) => name);
    };
    expect(await names()).toContain('echo');
    expect(surface.removeTool('echo')).toBe(true);
    expect(await names()).not.toContain('echo');
  });

  it('C14 handlers know who called, and scopes are compared', async () => {
    const both = openBoth(makeOddSurface());
    const auth = { token: 't', clientId: 'c', subject: 's', scopes: ['a'], claims: {} };
    const ask = (choice: ProtocolName): Promise<Told> =>
      both[choice].fetch(toRequest(plain('tools/call', { name: 'who' })), { auth }).then(tell);
    const told = await ask('own');
    expect(told).toEqual(await ask('sdk'));
    expect(JSON.stringify(told)).toContain('c s');
  });

  it('C4 a request that is aborted before or during the call gets no answer', async () => {
    const both = openBoth(makeOddSurface());
    const early = new AbortController();
    early.abort();
    for (const { fetch } of [both.own, both.sdk]) {
      const { headers, body } = plain('tools/call', { name: 'echo' });
      const sent = new Request('https://example.com/mcp', { method: 'POST', headers, body, signal: early.signal });
      expect((await fetch(sent)).status).toBe(499);
    }
  });

  it('W82 a body beyond the limit is 413, and a closed server answers nothing', async () => {
    const surface = makeOddSurface();
    const both = (['own', 'sdk'] as const).map(protocol => createFetch(surface, { protocol, maxBodyBytes: 100 }));
    for (const { fetch, close } of both) {
      expect((await fetch(toRequest(plain('tools/list')))).status).toBe(413);
      await close();
      await expect(fetch(toRequest(plain('tools/list')))).rejects.toThrow();
    }
  });
});
