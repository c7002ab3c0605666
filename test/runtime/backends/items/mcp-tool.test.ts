// Tools, prompts and resources that another server has, as clients call them.
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../runtime/index.js';
import { createTestClient } from '../../../../runtime/server/testing/index.js';
import { writeFolder } from '../../packs/code-packs.js';

/** Tells what it is asked, asks the user in `ask`, and ends in `die`. */
const upstream = `
import { createInterface } from 'node:readline';
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const waiting = new Map();
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params, result } = JSON.parse(line);
  const text = value => send({ id, result: { content: [{ type: 'text', text: JSON.stringify(value) }] } });
  if (method === undefined) waiting.get(id)?.(result);
  else if (method === 'initialize') {
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'up', version: '1' } } });
  } else if (method === 'tools/call' && params.name === 'die') process.exit(1);
  else if (method === 'tools/call' && params.name === 'refuse') send({ id, error: { code: -32602, message: 'no such thing' } });
  else if (method === 'tools/call' && params.name === 'ask') {
    waiting.set('q' + id, answer => text(answer));
    const requestedSchema = { type: 'object', properties: { size: { type: 'string' } } };
    send({ id: 'q' + id, method: 'elicitation/create', params: { message: 'Which size?', requestedSchema } });
  } else if (method === 'tools/call') {
    send({ method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress: 1, total: 2, message: 'half' } });
    text([params.name, params.arguments, process.env.OWN]);
  } else if (method === 'prompts/get') send({ id, result: { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(params) } }] } });
  else if (method === 'resources/read') send({ id, result: { contents: [{ uri: params.uri, mimeType: 'text/plain', text: 'at ' + params.uri }] } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } });
});
`;

function packOf(files: Readonly<Record<string, object>>): string {
  const up = { type: 'mcp', command: ['node', 'up.mjs'], env: { OWN: '{config.OWN}' } };
  const texts = Object.entries(files).map(([path, one]) => [path, JSON.stringify(one)]);
  return writeFolder({
    'toolwright.yaml': JSON.stringify({ name: 'acme/demo', config: { OWN: 'string' }, backends: { up } }),
    'mcp/servers/main.json': '{"description":"The server"}',
    'up.mjs': upstream,
    ...Object.fromEntries(texts),
  });
}

const tool = (more: object): object => ({ description: 'The tool', mcp: {}, ...more });

describe('an item of another server', () => {
  it('B4 a call is forwarded under the name of the other server, after it was validated here', async () => {
    const folder = packOf({ 'mcp/tools/t.json': tool({ parameters: { a: 'integer' }, mcp: { name: 'theirs' } }) });
    const registry = await createRegistry(folder, {
      env: { PATH: process.env['PATH'], OWN: 'x' },
      report: () => undefined,
    });
    const progress: unknown[] = [];
    const onProgress = (one: unknown): void => void progress.push(one);
    expect(await registry.invoke('t', { a: 1 }, { onProgress })).toMatchObject({
      ok: true,
      result: { content: [{ type: 'text', text: '["theirs",{"a":1},"x"]' }] },
    });
    expect(progress).toMatchObject([{ done: 1, total: 2, message: 'half' }]);
    expect(await registry.invoke('t', { a: 'x' })).toMatchObject({ ok: false, error: { code: 'BAD_ARGUMENTS' } });
    await registry.close();
  });

  it('B4 questions of the other server reach the user, and the answers come back', async () => {
    const folder = packOf({ 'mcp/tools/ask.json': tool({}) });
    const registry = await createRegistry(folder, { env: { PATH: process.env['PATH'] }, report: () => undefined });
    const asked: unknown[] = [];
    const elicit = async (question: unknown) => {
      asked.push(question);
      return { action: 'accept', content: { size: 'M' } } as const;
    };
    expect(await registry.invoke('ask', {}, { elicit })).toMatchObject({
      ok: true,
      result: { content: [{ text: '{"action":"accept","content":{"size":"M"}}' }] },
    });
    expect(asked).toMatchObject([{ message: 'Which size?' }]);
    await registry.close();
  });

  it('B6 a server that ends is started again, and its calls fail with a clear error', async () => {
    const folder = packOf({ 'mcp/tools/die.json': tool({}), 'mcp/tools/live.json': tool({}) });
    const registry = await createRegistry(folder, { env: { PATH: process.env['PATH'] }, report: () => undefined });
    expect(await registry.invoke('die', {})).toMatchObject({ ok: false, error: { code: 'UPSTREAM_UNREACHABLE' } });
    expect(await registry.invoke('live', {})).toMatchObject({ ok: true });
    await registry.close();
  });

  it('B4 prompts and resources are forwarded', async () => {
    const folder = packOf({
      'mcp/prompts/p.json': { description: 'A prompt', arguments: { topic: {} }, mcp: { name: 'theirs' } },
      'mcp/resources/r.json': { uriTemplate: 'ours://{id}', mcp: { name: 'theirs://{id}/x' } },
      'mcp/resources/several.json': { uriTemplate: 'several://{+path}', mcp: { name: 'theirs://root/{+path}/end' } },
      'mcp/resources/same.json': { uri: 'theirs://same', mcp: {} },
    });
    const client = await createTestClient(folder, { env: { PATH: process.env['PATH'] } });
    const { messages } = await client.getPrompt('p', { topic: 'a' });
    expect(messages).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: expect.stringContaining('"name":"theirs","arguments":{"topic":"a"}') },
      },
    ]);
    // Another server has said all that it wanted to say: nothing of ours is added.
    expect(Object.keys(await client.getPrompt('p', {}))).not.toContain('description');
    expect(await client.readResource('ours://a%2Fb')).toMatchObject({
      text: 'at theirs://a%2Fb/x',
      contents: [{ uri: 'ours://a%2Fb' }],
    });
    expect(await client.readResource('theirs://same')).toMatchObject({ text: 'at theirs://same' });
    expect(await client.readResource('several://a%3Fb/c;d,%23é')).toMatchObject({
      text: 'at theirs://root/a%3Fb/c;d,%23%C3%A9/end',
    });
    for (const uri of ['ours://..', 'ours://%2E', 'several://a/../../b', 'several://..'])
      await expect(client.readResource(uri)).rejects.toThrow('. or ..');
    await client.close();
  });

  it('B4 an item is listed as its manifest says, with nothing beside', async () => {
    const folder = packOf({
      'mcp/tools/t.json': tool({ title: 'T', annotations: { readOnlyHint: true } }),
      'mcp/prompts/p.json': { title: 'P', arguments: { a: { required: true }, b: {} }, mcp: {} },
    });
    const client = await createTestClient(folder, { env: { PATH: process.env['PATH'] } });
    const [listed] = client.tools();
    expect([listed?.title, listed?.annotations]).toEqual(['T', { readOnlyHint: true }]);
    const [prompt] = client.prompts();
    expect(prompt).toEqual({ name: 'p', title: 'P', arguments: [{ name: 'a', required: true }, { name: 'b' }] });
    await client.close();
  });
});
