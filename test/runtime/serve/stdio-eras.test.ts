// What a surface offers, over pipes, in both eras: the same handlers, each era's own words.
import { afterEach, describe, expect, it } from 'vitest';
import { makeBlueprint } from '../../../runtime/sdk/blueprint.js';
import { ManifestServer } from '../../../runtime/sdk/manifest-server.js';
import { call, connectRaw, type Message, modern, type RawClient, type RawOptions, request } from './serve-pipes.js';
import type { Fixture } from './serve-surface.js';
import { addInput, makeTools, nobodyWatches, type Watched } from './serve-tools.js';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ connection }) => connection.close(0)));
});

interface Setup extends RawOptions {
  readonly watched?: Watched;
  readonly fixture?: Fixture;
}

function connect({ watched = nobodyWatches(), fixture, ...options }: Setup = {}): RawClient {
  const client = connectRaw(makeTools(watched, fixture), options);
  open.push(client);
  return client;
}

async function old(setup?: Setup, capabilities?: object): Promise<RawClient> {
  const client = connect(setup);
  await client.initialize(capabilities);
  return client;
}

const logLevelKey = 'io.modelcontextprotocol/logLevel';
const textOf = ({ result }: Message): unknown => (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;
const methods = (client: RawClient): unknown => client.received.flatMap(({ method }) => method ?? []);

describe('capabilities and lists', () => {
  it('C1 `initialize` in 2025 returns name, version, instructions and only the capabilities that the surface offers', async () => {
    const { result } = await connect().initialize();
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'fixture', version: '1.2.3', title: 'Fixture', description: 'For tests.' },
      instructions: 'Be kind.',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
    });
    const bare = connectRaw(makeBare());
    open.push(bare);
    expect((await bare.initialize()).result).toEqual({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'fixture', version: '1.2.3', title: 'Fixture', description: 'For tests.' },
      capabilities: { tools: { listChanged: true }, logging: {} },
    });
  });

  it('C10 `server/discover` in 2026 returns the same, with cache hints', async () => {
    const client = connect();
    client.send(modern(1, 'server/discover'));
    expect((await client.answer(1)).result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      instructions: 'Be kind.',
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  it('W81 a method that the surface does not offer gets -32601', async () => {
    const client = connectRaw(makeBare());
    open.push(client);
    await client.initialize();
    client.send(
      request(1, 'prompts/list'),
      request(2, 'resources/read', { uri: 'x' }),
      request(3, 'resources/subscribe', { uri: 'x' }),
    );
    client.send(request(4, 'completion/complete', {}), request(5, 'ping'));
    await Promise.all([client.answer(4), client.answer(5)]);
    expect([1, 2, 3, 4].map(id => client.received.find(message => message.id === id)?.error?.code)).toEqual([
      -32601, -32601, -32601, -32601,
    ]);
  });

  it('C10 schemas reach the wire byte for byte, in order, in both eras', async () => {
    for (const isModern of [false, true]) {
      const client = isModern ? connect() : await old();
      let wire = '';
      client.output.on('data', (text: string) => {
        wire += text;
      });
      client.send(isModern ? modern(1, 'tools/list') : request(1, 'tools/list'));
      await client.answer(1);
      expect(wire).toContain(
        `{"name":"add","description":"Adds","x-extra":true,"inputSchema":${JSON.stringify(addInput)},`,
      );
      expect(wire.includes('"ttlMs":60000')).toBe(isModern);
    }
  });

  it('J62 an output that is not an object is wrapped only for 2025, in list and result alike', async () => {
    const client = await old();
    client.send(request(1, 'tools/list'), call(2, 'list'));
    const { result } = await client.answer(1);
    const tools = result?.['tools'] as { name: string; outputSchema: unknown }[] | undefined;
    const listed = tools?.find(({ name }) => name === 'list');
    expect(listed?.outputSchema).toMatchObject({ type: 'object', properties: { result: { type: 'array' } } });
    expect((await client.answer(2)).result?.['structuredContent']).toEqual({ result: [1, 2] });
    const recent = connect();
    recent.send(modern(2, 'tools/call', { name: 'list' }));
    expect((await recent.answer(2)).result?.['structuredContent']).toEqual([1, 2]);
  });

  it('J84 pages follow each other, and a foreign cursor gets -32602', async () => {
    const client = await old({ fixture: { pageSize: 4 } });
    const names: string[] = [];
    let cursor: unknown;
    for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
      client.send(request(page, 'tools/list', cursor === undefined ? {} : { cursor }));
      const { result } = await client.answer(page);
      const tools = result?.['tools'] as { name: string }[];
      expect(tools.length).toBeLessThanOrEqual(4);
      names.push(...tools.map(({ name }) => name));
      cursor = result?.['nextCursor'];
    }
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
    client.send(request('bad', 'tools/list', { cursor: 'mine' }));
    expect((await client.answer('bad')).error?.code).toBe(-32602);
  });

  it('W76 prompts, resources and completion answer in both eras', async () => {
    const check = async (
      client: RawClient,
      make: (id: number, method: string, params: object) => object,
    ): Promise<void> => {
      client.send(
        make(1, 'prompts/get', { name: 'hello', arguments: { name: 'Ann' } }),
        make(2, 'prompts/get', { name: 'nope' }),
        make(3, 'resources/read', { uri: 'memo://1' }),
        make(4, 'resources/read', { uri: 'memo://none' }),
        make(5, 'completion/complete', {
          ref: { type: 'ref/prompt', name: 'hello' },
          argument: { name: 'name', value: 'A' },
        }),
        make(6, 'resources/templates/list', {}),
        make(7, 'prompts/list', {}),
        make(8, 'resources/list', {}),
      );
      expect(await client.answer(1)).toMatchObject({ result: { messages: [{ content: { text: 'Hi Ann' } }] } });
      expect((await client.answer(2)).error?.code).toBe(-32602);
      expect(await client.answer(3)).toMatchObject({ result: { contents: [{ uri: 'memo://1', text: 'one' }] } });
      expect((await client.answer(4)).error?.code).toBe(-32602);
      expect(await client.answer(5)).toMatchObject({
        result: { completion: { values: ['A!'], total: 1, hasMore: false } },
      });
      expect(await client.answer(6)).toMatchObject({ result: { resourceTemplates: [] } });
      expect(await client.answer(7)).toMatchObject({ result: { prompts: [{ name: 'hello' }] } });
      expect(await client.answer(8)).toMatchObject({
        result: { resources: [{ uri: 'memo://1' }, { uri: 'memo://2' }] },
      });
    };
    const before = await old();
    await check(before, request);
    expect((await before.answer(3)).result).not.toHaveProperty('ttlMs');
    const after = connect();
    await check(after, modern);
    // Its own hints, or none: those of the server are for lists.
    expect((await after.answer(3)).result).toMatchObject({ ttlMs: 5000, cacheScope: 'private' });
  });
});

describe('calls over stdio', () => {
  it('C2 the log level of a 2025 session decides, and before it is set all messages are sent', async () => {
    const client = await old();
    client.send(call(1, 'log'));
    expect(textOf(await client.answer(1))).toBe('true true true');
    client.send(request(2, 'logging/setLevel', { level: 'error' }), call(3, 'log'));
    expect(textOf(await client.answer(3))).toBe('false false true');
    const logs = client.received.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);
    expect(logs).toEqual([
      { level: 'debug', logger: 'fixture', data: 'fine' },
      { level: 'info', logger: 'fixture', data: { message: 'hello', data: { n: 1 } } },
      { level: 'error', logger: 'fixture', data: 'bad' },
      { level: 'error', logger: 'fixture', data: 'bad' },
    ]);
  });

  it('C2 the log level of a 2026 request decides, and without one nothing is sent', async () => {
    const client = connect();
    client.send(
      modern(1, 'tools/call', { name: 'log' }),
      modern(2, 'tools/call', { name: 'log' }, { [logLevelKey]: 'info' }),
    );
    expect([textOf(await client.answer(1)), textOf(await client.answer(2))]).toEqual([
      'false false false',
      'false true true',
    ]);
    expect(client.received.filter(({ method }) => method === 'notifications/message')).toHaveLength(2);
  });

  it('C3 progress goes to the client that asked for it, and grows', async () => {
    for (const isModern of [false, true]) {
      const client = isModern ? connect() : await old();
      const params = { name: 'progress', _meta: { progressToken: 'tok' } };
      client.send(isModern ? modern(1, 'tools/call', params, params._meta) : request(1, 'tools/call', params));
      client.send(isModern ? modern(2, 'tools/call', { name: 'progress' }) : call(2, 'progress'));
      await Promise.all([client.answer(1), client.answer(2)]);
      const sent = client.received
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ params: told }) => told);
      expect(sent).toEqual(
        [0, 50, 100].map(progress => ({ progressToken: 'tok', progress, total: 100, message: `at ${progress}` })),
      );
    }
  });

  it('C3 nothing is sent for a call that is over', async () => {
    const client = await old();
    client.send(request(1, 'tools/call', { name: 'late', _meta: { progressToken: 1 } }), call(2, 'slow', { ms: 80 }));
    await client.answer(2);
    expect(methods(client)).toEqual([]);
  });

  it('C4 a cancelled call is aborted and gets no answer', async () => {
    for (const isModern of [false, true]) {
      const watched = nobodyWatches();
      const client = isModern ? connect({ watched }) : await old({ watched });
      client.send(
        isModern
          ? modern(1, 'tools/call', { name: 'slow', arguments: { ms: 60_000, name: 'it' } })
          : call(1, 'slow', { ms: 60_000, name: 'it' }),
      );
      while (watched.started.length === 0) await new Promise(setImmediate);
      client.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'changed my mind' },
      });
      while (watched.aborted.length === 0) await new Promise(setImmediate);
      client.input.end();
      await client.connection.closed;
      expect(client.received.filter(({ id }) => id === 1)).toEqual([]);
    }
  });

  it('C6 a question in 2025 is a request of its own, and the handler runs again with each answer', async () => {
    const client = await old({}, { elicitation: {} });
    client.send(call(1, 'ask'));
    for (const [key, value] of [
      ['name', 'Ann'],
      ['colour', 'red'],
    ] as const) {
      const { id, params } = await client.wait(
        ({ method, params: asked }) => method === 'elicitation/create' && asked?.['message'] === `Your ${key}?`,
      );
      expect(params).toMatchObject({ mode: 'form', requestedSchema: { required: [key] } });
      client.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { [key]: value } } });
    }
    expect(textOf(await client.answer(1))).toBe('Ann likes red');
  });

  it('C6 a malformed answer in 2025 fails the call instead of keeping it waiting', async () => {
    const client = await old({}, { elicitation: {} });
    client.send(call(1, 'ask'));
    const { id } = await client.wait(({ method }) => method === 'elicitation/create');
    client.send({ jsonrpc: '2.0', id, result: 5 });
    expect(await client.answer(1)).toMatchObject({ result: { isError: true } });
  });

  it('C6 a question in 2026 is a result, and comes back with its answer and the state', async () => {
    const client = connect();
    const can = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    client.send(modern(1, 'tools/call', { name: 'ask' }, can));
    const first = (await client.answer(1)).result;
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?' } } },
    });
    const name = { action: 'accept', content: { name: 'Ann' } };
    const colour = { action: 'accept', content: { colour: 'red' } };
    client.send(
      modern(2, 'tools/call', { name: 'ask', requestState: first?.['requestState'], inputResponses: { name } }, can),
    );
    const { requestState } = (await client.answer(2)).result ?? {};
    client.send(modern(3, 'tools/call', { name: 'ask', requestState, inputResponses: { colour } }, can));
    expect(textOf(await client.answer(3))).toBe('Ann likes red');
  });

  it('C5 a capability that the client lacks gets -32021 in 2026 and a result in 2025', async () => {
    const recent = connect();
    recent.send(modern(1, 'tools/call', { name: 'missing' }), modern(2, 'tools/call', { name: 'sample' }));
    const told = { code: -32021, data: { requiredCapabilities: { sampling: {} } } };
    expect((await recent.answer(1)).error).toMatchObject({ ...told, message: 'needs sampling' });
    expect((await recent.answer(2)).error).toMatchObject(told);
    const before = await old();
    before.send(call(1, 'missing'));
    expect((await before.answer(1)).result).toMatchObject({ isError: true });
  });

  it('C5 handlers know the client in both eras', async () => {
    const before = await old({}, { roots: {}, elicitation: {} });
    before.send(call(1, 'who'));
    expect(JSON.parse(String(textOf(await before.answer(1))))).toEqual({
      client: { name: 'raw', version: '1', title: 'Raw', capabilities: { roots: {}, elicitation: { form: {} } } },
      principal: '',
    });
    const after = connect();
    after.send(modern(1, 'tools/call', { name: 'who' }));
    expect(JSON.parse(String(textOf(await after.answer(1))))).toEqual({
      client: { name: 'raw', version: '2', capabilities: {} },
      principal: '',
    });
  });
});

describe('the choice of an era', () => {
  it('fix-A15 a broken initialize that claims 2026-07-28 gets -32602 and what is missing, from our own code and from the SDK', async () => {
    const version = 'io.modelcontextprotocol/protocolVersion';
    for (const protocol of ['own', 'sdk'] as const) {
      for (const claimed of ['2026-07-28', 5, '1999-01-01', null]) {
        const client = connect({ protocol });
        client.send(request(1, 'initialize', { _meta: { [version]: claimed } }));
        const message = 'Invalid params: initialize needs protocolVersion, capabilities and clientInfo';
        expect((await client.answer(1)).error).toEqual({ code: -32602, message });
      }
    }
  });

  it('fix-A4 the description of a client has a limit, and nothing else of a handshake is kept', async () => {
    const hello = (capabilities: object, more: object = {}): object => ({
      ...{ protocolVersion: '2025-11-25', capabilities },
      clientInfo: { name: 'a', version: '1', ...more },
    });
    const seen: unknown[] = [];
    const fixture: Fixture = {
      tools: {
        who: {
          run: (_, { client }) => {
            seen.push(client);
            return { result: { content: [] } };
          },
        },
      },
    };
    for (const protocol of ['own', 'sdk'] as const) {
      const large = connect({ protocol, fixture });
      large.send(request(1, 'initialize', hello({ experimental: { x: { y: 'z'.repeat(16_400) } } })));
      expect((await large.answer(1)).error).toMatchObject({ code: -32602, message: expect.stringContaining('16384') });
      large.send(request(2, 'initialize', hello({}, { title: 'z'.repeat(16_400) })));
      expect((await large.answer(2)).error).toMatchObject({ code: -32602 });
      // The connection lives, and what is large but read by nobody does no harm.
      const icons = [{ src: `data:image/png;base64,${'A'.repeat(50_000)}` }];
      const experimental = { x: { y: 'z'.repeat(15_000) } };
      large.send(request(3, 'initialize', hello({ experimental }, { title: 'T', icons })));
      expect((await large.answer(3)).result).toBeDefined();
      large.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, call(4, 'who'));
      await large.answer(4);
      expect(seen.pop()).toEqual({ name: 'a', version: '1', title: 'T', capabilities: { experimental } });
    }
  });

  it('C10 a client that tries 2026 first and then initializes is served in 2025', async () => {
    const client = connect();
    client.send(modern(0, 'server/discover'));
    await client.answer(0);
    await client.initialize({ elicitation: {} });
    client.send(call(1, 'add', { a: 1, b: 2 }));
    await client.answer(1);
    client.send(call(2, 'who'), call(3, 'list'));
    expect(JSON.parse(String(textOf(await client.answer(2))))).toMatchObject({ client: { version: '1' } });
    expect((await client.answer(3)).result?.['structuredContent']).toEqual({ result: [1, 2] });
  });

  it('C10 a connection keeps its era: an initialize after 2026 is refused, and an envelope is still needed', async () => {
    const client = connect();
    client.send(modern(1, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }));
    await client.answer(1);
    const clientInfo = { name: 'a', version: '1' };
    client.send(
      request(2, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
      request(3, 'tools/list'),
    );
    expect((await client.answer(2)).error?.code).toBe(-32022);
    expect((await client.answer(3)).error?.code).toBe(-32602);
  });

  it('C10 the SDK still has the dispatcher that requests are handed to', () => {
    const { server } = new ManifestServer(makeBlueprint(makeTools(nobodyWatches())), 'legacy');
    expect(Reflect.get(server, '_onrequest')).toBeTypeOf('function');
  });
});

describe('announcements of changes', () => {
  it('C9 lists are announced to every client of 2025, a resource to those that subscribed to it', async () => {
    const client = await old();
    client.send(
      request(1, 'resources/subscribe', { uri: 'memo://1' }),
      request(2, 'resources/subscribe', { uri: 'memo://2' }),
      request(3, 'resources/subscribe', { uri: 'memo://none' }),
      call(4, 'changes'),
    );
    await client.answer(4);
    expect((await client.answer(1)).result).toEqual({});
    expect([(await client.answer(2)).error?.code, (await client.answer(3)).error?.code]).toEqual([-32602, -32602]);
    const updated = await client.wait(({ method }) => method === 'notifications/resources/updated');
    expect(updated.params).toEqual({ uri: 'memo://1' });
    expect(methods(client)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated',
    ]);
    const seen = client.received.length;
    client.send(request(5, 'resources/unsubscribe', { uri: 'memo://1' }), call(6, 'changes'));
    await client.answer(6);
    client.send(request(7, 'prompts/get', { name: 'hello' }));
    await client.answer(7);
    expect(client.received.slice(seen).filter(({ method }) => method === 'notifications/resources/updated')).toEqual(
      [],
    );
  });

  it('C9 nothing is announced in 2025 before the handshake is over', async () => {
    const surface = makeTools(nobodyWatches());
    const client = connectRaw(surface);
    open.push(client);
    client.send(
      request(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
    );
    await client.answer(1);
    surface.announce({ list: 'tools' });
    client.send(request(2, 'ping'));
    await client.answer(2);
    expect(methods(client)).toEqual([]);
  });

  it('C9 a listening client of 2026 hears of what it listens to, until it stops', async () => {
    const client = connect();
    client.send(
      modern('sub', 'subscriptions/listen', {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['memo://2'] },
      }),
    );
    await client.wait(({ method }) => method === 'notifications/subscriptions/acknowledged');
    client.send(modern(1, 'tools/call', { name: 'changes' }));
    await client.answer(1);
    expect(methods(client)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    const seen = client.received.length;
    client.send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'sub' } },
      modern(2, 'tools/call', { name: 'changes' }),
    );
    await client.answer(2);
    expect(client.received.slice(seen).filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it('J85 a tool added to a running server is announced, listed and callable', async () => {
    const surface = makeTools(nobodyWatches());
    const client = connectRaw(surface);
    open.push(client);
    await client.initialize();
    client.send(request(0, 'ping'));
    await client.answer(0);
    surface.addTool({ name: 'fresh' } as never);
    await client.wait(({ method }) => method === 'notifications/tools/list_changed');
    client.send(call(1, 'fresh'));
    expect(textOf(await client.answer(1))).toBe('added');
    surface.removeTool('fresh');
    client.send(call(2, 'fresh'));
    expect((await client.answer(2)).error?.code).toBe(-32602);
    expect(client.received.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(2);
  });
});

describe('closing the connection', () => {
  it('W83 calls under way finish after EOF, and their answers are written', async () => {
    const client = await old();
    client.send(call(1, 'slow', { ms: 50, name: 'a' }), call(2, 'slow', { ms: 100, name: 'b' }));
    client.input.end();
    await client.connection.closed;
    expect(client.received.slice(1).map(textOf)).toEqual(['slept a', 'slept b']);
  });

  it('W83 a last line without a line break is still a message', async () => {
    const client = await old();
    client.write(JSON.stringify(call(1, 'add', { a: 1, b: 2 })));
    client.input.end();
    await client.connection.closed;
    expect(client.received.at(-1)?.result).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('W83 calls that do not finish within the grace time are aborted', async () => {
    const watched = nobodyWatches();
    const client = await old({ watched, graceMs: 50 });
    client.send(call(1, 'slow', { ms: 60_000, name: 'a' }), call(2, 'stubborn', { ms: 200 }));
    client.input.end();
    await client.connection.closed;
    expect(watched.aborted).toEqual(['a']);
    expect(client.received).toHaveLength(1);
  });

  it('W83 an open subscription does not delay the end, and ends properly', async () => {
    const client = connect({ graceMs: 600_000 });
    client.send(modern('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
    await client.wait(({ method }) => method === 'notifications/subscriptions/acknowledged');
    client.input.end();
    await client.connection.closed;
    expect(client.received.at(-1)).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
  });

  it('W83 a client that accepts no more answers is gone, and everything is aborted quietly', async () => {
    const watched = nobodyWatches();
    const client = await old({ watched, graceMs: 600_000 });
    client.send(call(1, 'slow', { ms: 60_000, name: 'a' }));
    while (watched.started.length === 0) await new Promise(setImmediate);
    client.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await client.connection.closed;
    expect(watched.aborted).toEqual(['a']);
  });

  it('W83 `close` lets calls finish and reads no more', async () => {
    const client = await old();
    client.send(call(1, 'slow', { ms: 50, name: 'a' }));
    await new Promise(setImmediate);
    const closing = client.connection.close();
    client.send(call(2, 'add', { a: 1, b: 1 }));
    await closing;
    expect(client.received.slice(1).map(({ id }) => id)).toEqual([1]);
  });
});

function makeBare(): ReturnType<typeof makeTools> {
  const surface = makeTools(nobodyWatches(), { instructions: '' });
  const offers = { tools: true, prompts: false, resources: false, completions: false, subscribe: false };
  return Object.assign(surface, { offers });
}
