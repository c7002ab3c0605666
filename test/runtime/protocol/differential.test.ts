// Our own protocol code says what the SDK says: the same traffic through both, in both eras, handed over at every point.
import { describe, expect, it } from 'vitest';
import { call, envelope, modern, type RawClient, request } from '../serve/serve-pipes.js';
import { makeSurface } from '../serve/serve-surface.js';
import { makeTools, nobodyWatches } from '../serve/serve-tools.js';
import { type Play, play, type Reply, type Step } from './both-ways.js';

async function same(script: Play): Promise<readonly string[]> {
  const own = await play(makeTools(nobodyWatches()), script, 'own');
  const sdk = await play(makeTools(nobodyWatches()), script, 'sdk');
  expect(own).toEqual(sdk);
  return own as readonly string[];
}

const clientInfo = { name: 'raw', version: '1', title: 'Raw', extra: 1 };
const initialize = (capabilities: object = {}, more: object = {}): object =>
  request('init', 'initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo, ...more });
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const cancel = (requestId: unknown, reason?: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, ...(reason && { reason }) },
});
const answersTo =
  (...ids: (string | number)[]) =>
  (client: RawClient): Promise<unknown> =>
    Promise.all(ids.map(id => client.answer(id)));
const can = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} } };
const able = { elicitation: {}, sampling: {}, roots: {}, unknown: { x: 1 } };

const oldTraffic: readonly object[] = [
  initialize(able),
  initialized,
  request(1, 'tools/list'),
  request(2, 'tools/list', { _meta: { progressToken: 4 } }),
  request(3, 'ping'),
  call(4, 'add', { a: 1, b: 2 }),
  call(5, 'list'),
  call(6, 'nope'),
  call(7, 'fail'),
  call(8, 'circular'),
  call(9, 'missing'),
  request(10, 'logging/setLevel', { level: 'info' }),
  call(11, 'log'),
  request(12, 'tools/call', { name: 'progress', _meta: { progressToken: 'tok' } }),
  call(13, 'who'),
  request(14, 'prompts/list'),
  request(15, 'resources/list', {}),
  request(16, 'resources/templates/list'),
  call(17, 'changes'),
  request(18, 'no/such/method'),
  request(19, 'server/discover'),
  request(20, 'tools/call', { name: 'add', arguments: { a: 1, b: 1 }, task: { ttl: 5 } }),
  request(21, 'tools/call', { name: 'add', arguments: { a: 1, b: 1 }, inputResponses: { x: {} } }),
  request(22, 'tools/call', { name: 'who', _meta: { ...envelope } }),
  request(23, 'tools/call', { name: 'who', extra: true }),
  call(24, 'late'),
  { jsonrpc: '2.0', id: 77, result: {} },
  { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
  { jsonrpc: '2.0', method: 'notifications/made/up', params: {} },
];

const newTraffic: readonly object[] = [
  modern(0, 'server/discover'),
  modern(1, 'tools/list'),
  modern(2, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
  modern(3, 'tools/call', { name: 'list' }),
  modern(4, 'tools/call', { name: 'nope' }),
  modern(5, 'tools/call', { name: 'fail' }),
  modern(6, 'tools/call', { name: 'circular' }),
  modern(7, 'tools/call', { name: 'missing' }),
  modern(8, 'tools/call', { name: 'log' }, { 'io.modelcontextprotocol/logLevel': 'info' }),
  modern(9, 'tools/call', { name: 'progress' }, { progressToken: 9 }),
  modern(10, 'tools/call', { name: 'who' }),
  modern(11, 'tools/call', { name: 'ask' }),
  modern(12, 'tools/call', { name: 'ask' }, can),
  modern(13, 'tools/call', { name: 'sample' }, can),
  modern(14, 'prompts/list'),
  modern(15, 'resources/templates/list'),
  modern(16, 'ping'),
  modern(17, 'logging/setLevel', { level: 'info' }),
  modern(18, 'resources/subscribe', { uri: 'memo://1' }),
  modern(19, 'no/such/method'),
  request(20, 'tools/list'),
  request(21, 'no/such/method'),
  modern(22, 'tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }),
  modern(23, 'tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': 5 }),
  modern(24, 'tools/call', { name: 'who' }, { 'io.modelcontextprotocol/logLevel': 'loud' }),
  modern(25, 'tools/call', { name: 'who' }, { 'io.modelcontextprotocol/clientInfo': { name: 'x' } }),
  modern(26, 'tools/call', { name: 'ask', inputResponses: { name: 5 }, requestState: 7 }, can),
  modern(27, 'tools/list', { cursor: 'mine' }),
  initialize(),
  modern(28, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  modern(29, 'tools/call', { name: 'changes' }),
];

describe('our own code and the SDK', () => {
  it('W81 W85 our own code and the SDK answer everything alike when it is sent at once, in both eras', async () => {
    expect((await same({ steps: [oldTraffic] })).length).toBeGreaterThan(30);
    expect((await same({ steps: [newTraffic] })).length).toBeGreaterThan(30);
  });

  it.each([
    ['2025', oldTraffic, (id: string): object => request(id, 'prompts/get', { name: 'hello' })],
    ['2026', newTraffic, (id: string): object => modern(id, 'prompts/get', { name: 'hello' })],
  ])(
    'W85 our own code and the SDK answer alike wherever the SDK takes over: %s',
    async (_, traffic, handOver) => {
      for (let point = 0; point <= traffic.length; point += 1) {
        const steps: Step[] = [[...traffic.slice(0, point), handOver('x')], answersTo('x'), traffic.slice(point)];
        await same({ steps });
      }
    },
    120_000,
  );

  it.each([2, 5, 9])('W82 our own code and the SDK answer alike however the bytes are cut (%i)', async pieces => {
    const bytes = Buffer.from([...oldTraffic, 'zoë €'].map(message => `${JSON.stringify(message)}\n`).join(''));
    const size = Math.ceil(bytes.length / pieces);
    const steps = Array.from({ length: pieces }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
    await same({ steps: steps.flatMap((part): Step[] => [part, () => new Promise(setImmediate)]) });
  });

  it('C1 our own code and the SDK answer alike to a client that tries an era first', async () => {
    await same({ steps: [[modern(0, 'server/discover')], answersTo(0), [initialize(), initialized, call(1, 'who')]] });
    await same({ steps: [[modern(0, 'server/discover'), modern(1, 'server/discover'), call(2, 'who')]] });
    await same({
      steps: [[modern(0, 'server/discover'), request(1, 'prompts/get', { name: 'hello' }), call(2, 'who')]],
    });
    await same({
      steps: [[modern(0, 'server/discover'), modern(1, 'prompts/get', { name: 'hello' }), request(2, 'tools/list')]],
    });
  });

  it.each([
    ['a call without a handshake', [call(1, 'who'), modern(2, 'tools/call', { name: 'who' })]],
    ['a notification first', [cancel(9), modern(2, 'tools/call', { name: 'who' })]],
    ['a handshake over before it began', [initialized, call(1, 'changes'), initialize(), call(2, 'changes')]],
    [
      'a notification of 2026 first',
      [{ jsonrpc: '2.0', method: 'notifications/x', params: { _meta: envelope } }, request(1, 'tools/list')],
    ],
    ['an answer to nothing first', [{ jsonrpc: '2.0', id: 1, result: {} }, modern(2, 'tools/list')]],
    ['a broken envelope first', [modern(1, 'tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': 5 })]],
    [
      'an era that nobody knows',
      [modern(1, 'tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '3' }), call(2, 'who')],
    ],
    ['initialize with an envelope', [modern(1, 'initialize', {}), initialize(), call(2, 'who')]],
    [
      'initialize again after the SDK came',
      [
        initialize(),
        initialized,
        request('p', 'prompts/get', { name: 'hello' }),
        initialize(able),
        request('q', 'prompts/get', { name: 'hello' }),
        call(2, 'who'),
      ],
    ],
    ['initialize with a mistake, then without', [initialize({ roots: 5 }), initialize(), call(2, 'who')]],
    ['listening as the first thing', [modern('s', 'subscriptions/listen', { notifications: {} }), request(1, 'ping')]],
  ])('C1 our own code and the SDK answer alike to an odd beginning: %s', async (_, messages) => {
    await same({ steps: [messages] });
  });

  it('C1 our own code and the SDK answer alike to a client that introduces itself again', async () => {
    const steps = [[initialize(), initialized, call(1, 'who')], answersTo(1), [initialize(able), call(2, 'who')]];
    const said = await same({ steps });
    expect(said.filter(text => text.includes('sampling'))).toHaveLength(1);
  });

  it('C4 our own code and the SDK treat cancelled calls alike, wherever they run', async () => {
    for (const [hello, slow] of [
      [[initialize(), initialized], (id: unknown) => call(id, 'slow', { ms: 60_000 })],
      [[], (id: unknown) => modern(id, 'tools/call', { name: 'slow', arguments: { ms: 60_000 } })],
      [
        [initialize(), initialized],
        (id: unknown) => request(id, 'tools/call', { name: 'slow', arguments: { ms: 60_000 }, extra: 1 }),
      ],
    ] as const) {
      const later = (): Promise<unknown> => new Promise(resolve => setTimeout(resolve, 150));
      await same({
        steps: [[...hello, slow(1), slow('two')], later, [cancel(1, 'why'), cancel('two'), cancel('three')]],
      });
    }
  });

  const questions: readonly (readonly [string, Reply | undefined])[] = [
    ['answers', undefined],
    ['declines', () => ({ result: { action: 'decline' } })],
    ['fails', () => ({ error: { code: -1, message: 'no' } })],
    ['talks nonsense', () => ({ result: { action: 'perhaps' } })],
    ['answers with a number', () => ({ result: 5 })],
    ['answers with nothing', () => ({ result: null })],
  ];
  it.each(questions)('C6 our own code and the SDK answer alike to a client that %s', async (_, reply) => {
    for (const capabilities of [able, { elicitation: { form: {} } }, { elicitation: { url: {} } }, {}]) {
      const steps = [[initialize(capabilities), initialized, call(1, 'ask'), call(2, 'sample')], answersTo(1, 2)];
      await same({ steps, ...(reply && { reply }) });
    }
  });

  it('C6 our own code and the SDK withdraw their questions when the call is cancelled', async () => {
    const asked = (client: RawClient): Promise<unknown> => client.wait(({ method }) => method === 'elicitation/create');
    const said = await same({
      steps: [[initialize(able), initialized, call(1, 'ask')], asked, [cancel(1)], () => new Promise(setImmediate)],
      reply: () => undefined,
    });
    expect(said.join()).toContain('notifications/cancelled');
  });

  it('J85 our own code and the SDK announce lists alike that change while they run', async () => {
    const run = async (protocol: 'own' | 'sdk'): Promise<unknown> => {
      const surface = makeTools(nobodyWatches());
      const change = async (): Promise<void> => {
        surface.addTool({ name: 'fresh' } as never);
        surface.removeTool('add');
      };
      const listed = request(1, 'tools/list');
      const steps = [
        [initialize(), initialized, listed],
        answersTo(1),
        change,
        [request(2, 'tools/list'), call(3, 'fresh')],
      ];
      return await play(surface, { steps }, protocol);
    };
    expect(await run('own')).toEqual(await run('sdk'));
  });

  it('W83 our own code and the SDK end alike: calls under way finish, and nothing follows', async () => {
    await same({
      steps: [[initialize(), initialized, call(1, 'slow', { ms: 300 }), call(2, 'stubborn', { ms: 100 })]],
    });
    await same({ steps: [[initialize()], `${JSON.stringify(call(3, 'who'))}`] });
  });

  it('J63 our own code and the SDK pass on alike what the protocol does not know in results', async () => {
    const odd: readonly unknown[] = [
      { content: [{ type: 'text', text: 'a', extra: 1, annotations: { priority: 1, more: 2 } }] },
      { content: [{ type: 'resource', resource: { uri: 'x:y', text: 't', blob: 'aGk=', more: 1 }, more: 2 }] },
      { content: [{ type: 'resource', resource: { uri: 'x:y', blob: 'aGk=', size: 1 } }] },
      { content: [{ type: 'resource_link', uri: 'x:y', name: 'n', icons: [{ src: 's', more: 1 }], more: 1 }] },
      { content: [{ type: 'resource_link', uri: 'x:y', name: 'n', icons: [{}] }] },
      { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png', alt: 'x' }], isError: false, extra: 'kept' },
      { content: [{ type: 'video', data: 'x' }] },
      { content: [], isError: 'yes' },
      { content: [], _meta: { a: 1, 'io.modelcontextprotocol/serverInfo': { name: 'mine', version: '0' } } },
      { content: [], structuredContent: [1] },
      { content: [], structuredContent: null },
      { content: [], structuredContent: 'text' },
    ];
    const tools = Object.fromEntries(odd.map((result, n) => [`odd${n}`, { run: () => ({ result: result as never }) }]));
    for (const make of [call, (id: unknown, name: string) => modern(id, 'tools/call', { name })]) {
      const script: Play = { steps: [odd.map((_, n) => make(n, `odd${n}`))] };
      const own = await play(makeSurface({ tools }), script, 'own');
      expect(own).toEqual(await play(makeSurface({ tools }), script, 'sdk'));
    }
  });
});
