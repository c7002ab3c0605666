// Real clients of both SDK lines against the shared surface: a process over stdio, a server over HTTP, in both eras.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, serveHttp } from '../../../runtime/serve/serve-http.js';
import {
  type Answers,
  type AnyClient,
  type CallOptions,
  callWith,
  type Target,
  type Way,
  ways,
} from '../../harness/interop-clients.js';
import { bundleChild } from '../../runtime/serve/serve-bundle.js';
import type { FixtureSurface } from '../../runtime/serve/serve-surface.js';
import { addInput, makeTools, nobodyWatches, type Watched } from '../../runtime/serve/serve-tools.js';

let bundle = '';
let server: HttpServer;
let surface: FixtureSurface;
const watched: Watched = nobodyWatches();
/** One of each way for all tests, but where it must answer questions. */
const clients = new Map<string, Promise<AnyClient>>();

beforeAll(async () => {
  bundle = await bundleChild('serve-child');
  surface = makeTools(watched);
  server = await serveHttp(surface, { graceMs: 100 });
});
afterAll(async () => {
  await Promise.all([...clients.values()].map(async client => (await client).close()));
  await server.close();
  rmSync(bundle, { force: true });
});

function connect(way: Way, answers?: Answers): Promise<AnyClient> {
  const target: Target = {
    command: process.execPath,
    // No code from texts: neither the SDK nor we may need it.
    args: ['--disallow-code-generation-from-strings', bundle],
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    url: new URL(server.url),
  };
  const key = `${way.name} ${answers === undefined}`;
  const client = clients.get(key) ?? way.connect(target, answers);
  clients.set(key, client);
  return client;
}

const call = (way: Way, client: AnyClient, name: string, args: object, options: CallOptions): Promise<unknown> =>
  callWith(way, client, { name, arguments: args }, options);

describe.each(ways)('a surface with a $name', way => {
  it('C10 a real client lists everything, with schemas as they were written', async () => {
    const client = await connect(way);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'add')?.inputSchema).toEqual(addInput);
    const { outputSchema } = tools.find(({ name }) => name === 'list') ?? {};
    expect(outputSchema?.type).toBe(way.era === 'modern' ? 'array' : 'object');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['hello']);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memo://1', 'memo://2']);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect(client.getServerVersion()).toMatchObject({ name: 'fixture', version: '1.2.3' });
    expect(client.getInstructions()).toBe('Be kind.');
  });

  it('W80 a real client calls, and gets errors for unknown names', async () => {
    const client = await connect(way);
    expect((await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    expect((await client.callTool({ name: 'list', arguments: {} })).structuredContent).toEqual(
      way.era === 'modern' ? [1, 2] : { result: [1, 2] },
    );
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'memo://none' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.getPrompt({ name: 'hello', arguments: { name: 'Zoë' } })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Hi Zoë' } },
    ]);
    expect((await client.readResource({ uri: 'memo://1' })).contents).toEqual([{ uri: 'memo://1', text: 'one' }]);
    const ref = { type: 'ref/prompt' as const, name: 'hello' };
    const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'A' } });
    expect(completion.values).toEqual(['A!']);
  });

  it('C6 a real client answers two questions of one handler', async () => {
    const asked: unknown[] = [];
    const client = await connect(way, {
      elicit({ message }) {
        asked.push(message);
        return { action: 'accept', content: message === 'Your name?' ? { name: 'Ann' } : { colour: 'red' } };
      },
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'pong' } }),
    });
    expect(await client.callTool({ name: 'ask', arguments: {} })).toMatchObject({
      content: [{ text: 'Ann likes red' }],
    });
    expect(asked).toEqual(['Your name?', 'Your colour?']);
    expect(await client.callTool({ name: 'sample', arguments: {} })).toMatchObject({
      content: [{ text: 'model: pong' }],
    });
  });

  it('C3 a real client sees progress', async () => {
    const client = await connect(way);
    const seen: number[] = [];
    await call(way, client, 'progress', {}, { onprogress: ({ progress }) => void seen.push(progress) });
    // The last one may get lost inside a client that reads it together with the result.
    expect(seen.slice(0, 2)).toEqual([0, 50]);
  });

  it('C4 a real client cancels a call, and the next one works', async () => {
    const client = await connect(way);
    const cancel = new AbortController();
    const name = `${way.name} cancels`;
    const calling = call(way, client, 'slow', { ms: 60_000, name }, { signal: cancel.signal });
    const failed = expect(calling).rejects.toThrow();
    if (way.transport === 'http') while (!watched.started.includes(name)) await new Promise(setImmediate);
    else await client.callTool({ name: 'slow', arguments: { ms: 50 } });
    cancel.abort('enough');
    await failed;
    if (way.transport === 'http') while (!watched.aborted.includes(name)) await new Promise(setImmediate);
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } })).toMatchObject({
      structuredContent: { sum: 2 },
    });
  });

  it('C5 a real client gets its answers back for many calls at once', async () => {
    const client = await connect(way);
    const sums = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, a) => (await client.callTool({ name: 'add', arguments: { a, b: 1 } })).structuredContent,
      ),
    );
    expect(sums).toEqual(Array.from({ length: 40 }, (_, a) => ({ sum: a + 1 })));
  });

  it('M20 a real client gets an unexpected error as a number and an id', async () => {
    const client = await connect(way);
    await expect(client.callTool({ name: 'fail', arguments: {} })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/Internal error \(\w+\)$/),
    });
  });

  it('W82 a real client sends large arguments and gets large results', async () => {
    const client = await connect(way);
    const { content } = await client.callTool({
      name: 'big',
      arguments: { size: 2_000_000, x: 'y'.repeat(1_000_000) },
    });
    expect((content as { text: string }[])[0]?.text).toHaveLength(2_000_000);
  });
});
