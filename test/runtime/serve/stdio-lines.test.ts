// Malformed traffic over pipes: every mistake has its answer, and the next good request works.
import { afterEach, describe, expect, it } from 'vitest';
import { call, connectRaw, type Message, modern, type RawClient, type RawOptions, request } from './serve-pipes.js';
import { makeTools, nobodyWatches } from './serve-tools.js';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ connection }) => connection.close(0)));
});

function connect(options?: RawOptions): RawClient {
  const client = connectRaw(makeTools(nobodyWatches()), options);
  open.push(client);
  return client;
}

async function ready(options?: RawOptions): Promise<RawClient> {
  const client = connect(options);
  await client.initialize();
  return client;
}

/** What the server says to some bytes, before it answers a good request after them. */
async function replies(client: RawClient, bytes: string | Uint8Array): Promise<readonly Message[]> {
  const before = client.received.length;
  client.write(bytes);
  // One for our own code, one for the SDK: neither waits for the other.
  client.send(request('next', 'ping'), request('last', 'prompts/get', { name: 'hello' }));
  await Promise.all([client.answer('next'), client.answer('last')]);
  return client.received.slice(before).filter(({ id }) => id !== 'next' && id !== 'last');
}

const codes = (messages: readonly Message[]): unknown => messages.map(({ id, error }) => [id, error?.code]);

describe('malformed lines', () => {
  it.each([
    ['garbage', 'hello\n'],
    ['half a message', '{"jsonrpc":"2.0","id":1\n'],
    ['a NUL', '{"jsonrpc":"2.0","id":1,"method":"ping"}\0\n'],
    [
      'invalid UTF-8',
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}\n'),
      ]),
    ],
    ['a cut character', Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}\n')])],
  ])('W82 a line with %s gets -32700 with id null, and the server lives', async (_, bytes) => {
    expect(codes(await replies(await ready(), bytes))).toEqual([[null, -32700]]);
  });

  it('W82 a good line among bad ones is answered', async () => {
    const client = await ready();
    client.write(
      Buffer.concat([
        Buffer.from([0xff, 10]),
        Buffer.from(`${JSON.stringify(request(7, 'ping'))}\n`),
        Buffer.from('}\n'),
      ]),
    );
    expect(await client.answer(7)).toMatchObject({ result: {} });
    await client.wait(({ id }) => id === null);
    expect(client.received.filter(({ error }) => error?.code === -32700)).toHaveLength(2);
  });

  it.each([
    ['a number', '5', null],
    ['null', 'null', null],
    ['a text', '"hi"', null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null],
    ['an empty batch', '[]', null],
    ['no version', '{"id":1,"method":"ping"}', 1],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
    ['no method', '{"jsonrpc":"2.0","id":3}', 3],
    ['a method that is no text', '{"jsonrpc":"2.0","id":4,"method":7}', 4],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5],
    ['an id beyond integers', '{"jsonrpc":"2.0","id":1e300,"method":"ping"}', 1e300],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['params that are a text', '{"jsonrpc":"2.0","id":5,"method":"ping","params":"x"}', 5],
    ['params that are null', '{"jsonrpc":"2.0","id":5,"method":"ping","params":null}', 5],
  ])('W82 JSON that is not JSON-RPC gets -32600: %s', async (_, line, id) => {
    expect(codes(await replies(await ready(), `${line}\n`))).toEqual([[id, -32600]]);
  });

  it.each([
    ['a list', 'ping', []],
    ['_meta that is a text', 'ping', { _meta: 'x' }],
    ['a progressToken that is an object', 'ping', { _meta: { progressToken: {} } }],
    ['a related task without id', 'ping', { _meta: { 'io.modelcontextprotocol/related-task': {} } }],
    ['no name', 'tools/call', {}],
    ['a name that is a number', 'tools/call', { name: 5 }],
    ['arguments that are a list', 'tools/call', { name: 'add', arguments: [] }],
    ['a cursor that is a number', 'tools/list', { cursor: 5 }],
    ['a uri that is a number', 'resources/read', { uri: 5 }],
    ['no prompt', 'prompts/get', {}],
    ['no level', 'logging/setLevel', { level: 'loud' }],
    ['no ref', 'completion/complete', { argument: { name: 'a', value: 'b' } }],
    ['no argument', 'completion/complete', { ref: { type: 'ref/prompt', name: 'hello' } }],
    ['nothing to initialize with', 'initialize', {}],
  ])('W82 wrong params get -32602: %s', async (_, method, params) => {
    const [reply, ...others] = await replies(await ready(), `${JSON.stringify(request(9, method, params))}\n`);
    expect([reply?.id, reply?.error?.code, others]).toEqual([9, -32602, []]);
    expect(reply?.error?.message).not.toMatch(/\n|ZodError/);
  });

  it('W82 members that the protocol does not know are ignored', async () => {
    const [reply] = await replies(await ready(), '{"jsonrpc":"2.0","id":1,"method":"ping","extra":true}\n');
    expect(reply).toMatchObject({ id: 1, result: {} });
  });

  it('W82 CRLF, blank lines and white space are not mistakes', async () => {
    const client = await ready();
    const [reply, ...others] = await replies(client, '\r\n\n  \t\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
    expect([reply?.id, others]).toEqual([1, []]);
  });

  it('W82 a message may come in pieces, also inside a character', async () => {
    const client = await ready();
    const bytes = Buffer.from(`${JSON.stringify(call(1, 'who', { name: 'Zoë €' }))}\n`);
    for (const byte of bytes) client.write(Buffer.from([byte]));
    expect(await client.answer(1)).toHaveProperty('result');
  });

  it('W82 a line beyond the limit is refused once and skipped', async () => {
    const client = await ready({ maxLineBytes: 1000 });
    expect(codes(await replies(client, `{"x":"${'y'.repeat(5000)}"}\n`))).toEqual([[null, -32700]]);
    client.write('z'.repeat(3000));
    await client.wait(() => client.received.filter(({ id }) => id === null).length === 2);
    client.write('z'.repeat(3000));
    client.write('\n');
    expect(codes(await replies(client, ''))).toEqual([]);
    expect(codes(client.received.filter(({ id }) => id === null))).toEqual([
      [null, -32700],
      [null, -32700],
    ]);
  });

  it('W82 deep nesting does no harm', async () => {
    const client = await ready();
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    client.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who","arguments":{"a":${deep}}}}\n`);
    expect(await client.answer(1)).toHaveProperty('result');
    expect(codes(await replies(client, `${deep}\n`))).toEqual([[null, -32600]]);
  });

  it('W82 names that mean something to JavaScript are ordinary names', async () => {
    const client = await ready();
    client.write('{"jsonrpc":"2.0","id":1,"method":"__proto__"}\n{"jsonrpc":"2.0","id":2,"method":"constructor"}\n');
    client.send(call(3, 'toString'), call(4, '__proto__'), request(5, 'prompts/get', { name: 'constructor' }));
    client.write('{"jsonrpc":"2.0","id":6,"method":"ping","params":{"__proto__":{"_meta":5}}}\n');
    await Promise.all([client.answer(5), client.answer(6)]);
    const got = [1, 2, 3, 4, 5].map(id => client.received.find(message => message.id === id)?.error?.code);
    expect(got).toEqual([-32601, -32601, -32602, -32602, -32602]);
  });
});

describe('odd messages', () => {
  it('W81 an unknown method gets -32601, an unknown notification no answer', async () => {
    const client = await ready();
    client.send(request(1, 'no/such'), { jsonrpc: '2.0', method: 'notifications/no-such' }, request(2, 'ping'));
    await client.answer(2);
    expect(codes(client.received.filter(({ id }) => id !== 'init'))).toEqual([
      [1, -32601],
      [2, undefined],
    ]);
  });

  it('W81 a notification with wrong params and a response to nothing get no answer', async () => {
    const client = await ready();
    const lines = [
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}',
      '{"jsonrpc":"2.0","method":"notifications/initialized","params":5}',
      '{"jsonrpc":"2.0","id":77,"result":{}}',
      '{"jsonrpc":"2.0","id":78,"result":5}',
      '{"jsonrpc":"2.0","id":79,"error":"no"}',
      '{"jsonrpc":"2.0","result":{}}',
    ];
    expect(await replies(client, `${lines.join('\n')}\n`)).toEqual([]);
  });

  it('W80 an unknown tool gets -32602 in both eras', async () => {
    const old = await ready();
    old.send(call(1, 'nope'));
    expect((await old.answer(1)).error).toMatchObject({ code: -32602, message: 'Unknown tool: nope' });
    const recent = connect();
    recent.send(modern(1, 'tools/call', { name: 'nope' }));
    expect((await recent.answer(1)).error).toMatchObject({ code: -32602, message: 'Unknown tool: nope' });
  });

  it('W82 requests with the same id are each answered', async () => {
    const client = await ready();
    client.send(
      call(1, 'slow', { ms: 30, name: 'a' }),
      call(1, 'slow', { ms: 10, name: 'b' }),
      call(1, 'add', { a: 1, b: 1 }),
    );
    await client.wait(() => client.received.filter(({ id }) => id === 1).length === 3);
    client.input.end();
    await client.connection.closed;
    expect(client.received.filter(({ id }) => id === 1)).toHaveLength(3);
  });

  it('W82 answers of one turn go out in a few writes', async () => {
    const client = await ready();
    const before = client.writes();
    const ids = Array.from({ length: 50 }, (_, index) => index);
    client.send(...ids.map(id => call(id, 'add', { a: id, b: 1 })));
    await client.answer(49);
    expect(client.received.filter(({ result }) => result?.['structuredContent'])).toHaveLength(50);
    expect(client.writes() - before).toBeLessThan(5);
  });

  it('M20 an unexpected error reaches the client as an id and the operator with its cause', async () => {
    const surface = makeTools(nobodyWatches());
    const client = connectRaw(surface);
    open.push(client);
    await client.initialize();
    client.send(call(1, 'fail'));
    const { error } = await client.answer(1);
    expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/^Internal error \(\w+\)$/) });
    const id = error?.message.match(/\((\w+)\)/)?.[1] ?? 'none';
    expect(surface.reports).toHaveLength(1);
    expect(surface.reports[0]).toContain(`tools/call fail failed (${id}): Error: the password is ***`);
  });

  it('M20 a result that is not JSON is an error, not silence', async () => {
    const client = await ready();
    client.send(call(1, 'circular'), request(2, 'ping'));
    expect((await client.answer(1)).error?.code).toBe(-32603);
    await client.answer(2);
  });

  it('W82 answers that nobody reads make the server stop reading until they are read', async () => {
    const client = await ready();
    client.output.pause();
    const calls = Array.from({ length: 40 }, (_, id) => call(id, 'big', { size: 1_000_000 }));
    for (const one of calls) {
      client.send(one);
      await new Promise(setImmediate);
    }
    client.send(call('last', 'add', { a: 1, b: 1 }));
    await new Promise(setImmediate);
    expect(client.input.isPaused()).toBe(true);
    client.output.resume();
    await client.answer('last');
    expect(client.received.filter(({ result }) => result !== undefined)).toHaveLength(42);
    expect(client.input.isPaused()).toBe(false);
  });
});
