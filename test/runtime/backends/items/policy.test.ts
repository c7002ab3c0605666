// What holds for every tool holds for those without code: bound parameters, consent, turns, texts, limits, and what operators change.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry, type RegistryOptions } from '../../../../runtime/index.js';
import { writeFolder } from '../../packs/code-packs.js';
import { echo, type Service, startService } from '../http/service.js';

function packOf(tools: Readonly<Record<string, object>>, more: Readonly<Record<string, string>> = {}): string {
  const backends = { api: { type: 'http', url: '{config.API}', allowAddresses: ['loopback'] } };
  const config = { API: 'string', TEAM: 'string', TOKEN: { type: 'string', secret: true } };
  return writeFolder({
    'package.json': '{"name":"@acme/demo","version":"1.0.0","type":"module"}',
    'toolwright.yaml': JSON.stringify({ name: 'acme/demo', config, backends }),
    'mcp/tools.json': JSON.stringify(
      Object.fromEntries(Object.entries(tools).map(([name, one]) => [name, { description: name, ...one }])),
    ),
    'mcp/servers/main.json': '{"description":"The server"}',
    ...more,
  });
}

async function open(folder: string, { origin }: Pick<Service, 'origin'>, options: RegistryOptions = {}) {
  const env = { API: origin, TEAM: 'blue', TOKEN: 'canary-4711', PATH: process.env['PATH'] };
  return await createRegistry(folder, { report: () => undefined, ...options, env });
}

describe('tools without code, like any others', () => {
  it('B1 X14 a parameter that is bound to a setting arrives, and callers can neither see nor send it', async () => {
    const service = await startService(echo);
    const get = {
      parameters: { key: 'string', team: { type: 'string', from: 'config.TEAM' } },
      http: { path: '/{team}/{key}' },
    };
    await using registry = await open(packOf({ get }), service);
    expect(await registry.invoke('get', { key: 'A' })).toMatchObject({ ok: true });
    expect(service.received[0]?.url).toBe('/blue/A');
    expect(await registry.invoke('get', { key: 'A', team: 'red' })).toMatchObject({
      ok: false,
      error: { code: 'BAD_ARGUMENTS' },
    });
    expect(service.received.length).toBe(1);
  });

  it('B1 a tool with `confirm` sends nothing before the user agrees', async () => {
    const service = await startService(echo);
    const remove = { confirm: true, effect: 'destructive', http: 'DELETE /x' };
    await using registry = await open(packOf({ remove }), service);
    const elicit = async () => ({ action: 'decline' as const });
    expect(await registry.invoke('remove', {}, { elicit })).toMatchObject({ ok: false });
    expect(service.received).toEqual([]);
    const agree = async () => ({ action: 'accept' as const, content: { confirmed: true } });
    expect(await registry.invoke('remove', {}, { elicit: agree })).toMatchObject({ ok: true });
    expect(service.received.map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('B1 X9 `serial` and `limits.concurrency` make requests wait for each other', async () => {
    let running = 0;
    const most: Record<string, number> = {};
    const service = await startService(async (request, response) => {
      running += 1;
      most[request.url] = Math.max(most[request.url] ?? 0, running);
      // As long as others could come in.
      await new Promise(done => setTimeout(done, 30));
      running -= 1;
      echo(request, response, 0);
    });
    const tools = {
      one: { serial: 'x', http: 'GET /serial' },
      two: { serial: 'x', http: 'GET /serial' },
      three: { limits: { concurrency: 2 }, http: 'GET /two' },
    };
    await using registry = await open(packOf(tools), service);
    await Promise.all([1, 2, 3].flatMap(() => [registry.invoke('one', {}), registry.invoke('two', {})]));
    await Promise.all([1, 2, 3, 4, 5].map(() => registry.invoke('three', {})));
    expect(most).toEqual({ '/serial': 1, '/two': 2 });
  });

  it('B5 X4 `resultText` tells the data of an answer, and no secret is left in it', async () => {
    const service = await startService((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ key: 'A', owner: 'canary-4711' }));
    });
    const get = {
      parameters: { note: 'string' },
      resultText: '{{note}}: {{key}}',
      output: { key: 'string', owner: 'string' },
      http: 'GET /x',
    };
    const folder = packOf({ get: { ...get, http: { path: '/x', query: { note: '{note}' } } } });
    await using registry = await open(folder, service);
    const result = await registry.invoke('get', { note: 'Found' });
    expect(result).toMatchObject({
      ok: true,
      result: { content: [{ text: 'Found: A' }], structuredContent: { key: 'A' } },
    });
    expect(JSON.stringify(result)).not.toContain('canary-4711');
  });

  it('B1 a handler calls a tool without code, and gets its declared error', async () => {
    const service = await startService((_, response) => void response.writeHead(404).end());
    const folder = packOf(
      {
        get: { http: 'GET /x', errors: { GONE: { match: [404], message: 'It is gone' } } },
        outer: { handler: 'src/outer.js' },
      },
      { 'src/outer.js': "export default async (_, ctx) => (await ctx.call('get')).content[0].text;\n" },
    );
    await using registry = await open(folder, service);
    expect(JSON.stringify(await registry.invoke('outer', {}))).toContain('It is gone');
    expect(service.received.length).toBe(1);
  });

  it('B1 P2 an overlay changes texts and limits of a request, and never where it goes', async () => {
    const service = await startService(() => undefined);
    const folder = packOf(
      { get: { http: 'GET /x' } },
      { 'quiet/tools.yaml': 'get: { description: Ours, limits: { timeoutMs: 100 } }\n' },
    );
    await using registry = await open(folder, service, { overlays: [join(folder, 'quiet')] });
    expect(JSON.stringify(registry.list())).toContain('Ours');
    expect(await registry.invoke('get', {})).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    for (const key of [
      'http: GET /evil',
      'exec: { command: evil }',
      'sql: { text: SELECT 2 }',
      'mcp: {}',
      'backends: {}',
    ]) {
      const other = packOf({ get: { http: 'GET /x' } }, { 'evil/tools.yaml': `get: { ${key} }\n` });
      await expect(open(other, service, { overlays: [join(other, 'evil')] }), key).rejects.toThrow(
        /cannot change|unknown key/,
      );
    }
  });

  it('B1 closing a registry ends the connections of its backends', async () => {
    const service = await startService(echo);
    const registry = await open(packOf({ get: { http: 'GET /x' } }), service);
    await registry.invoke('get', {});
    expect(service.sockets.size).toBe(1);
    await registry.close();
    await expect.poll(() => service.sockets.size).toBe(0);
  });
});
