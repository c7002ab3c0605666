// What a client has settled with a server survives the processes behind it: subscriptions, log levels, open questions, auth.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, it } from 'vitest';
import { command, editFiles, endSessions, makePack, startDev, toolOf } from './dev-kit.js';

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await endSessions();
});

async function connect(pack: string): Promise<{ readonly client: Client; said: () => string }> {
  const client = new Client({ name: 't', version: '1' }, { capabilities: { elicitation: {} } });
  const env = { ...(process.env as Record<string, string>), TOOLWRIGHT_CACHE: join(pack, '../cache') };
  const wire = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'dev'],
    cwd: pack,
    env,
    stderr: 'pipe',
  });
  let text = '';
  wire.stderr?.on('data', chunk => {
    text += String(chunk);
  });
  clients.push(client);
  await client.connect(wire as never);
  return { client, said: () => text };
}

const asking = (word: string): string =>
  `export default async (_: object, ctx: any) => { const { content } = await ctx.elicit('size', { message: 'Which?', schema: { size: { type: 'string' } } }); return '${word} ' + content.size; };\n`;

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}

it('P23 C9 subscriptions and the log level of a client outlive a reload', async () => {
  const handler =
    "export default (_: object, ctx: any) => { ctx.log.info('quiet'); ctx.log.error('loud'); ctx.notify.resourceUpdated('demo://r'); return '1'; };\n";
  const pack = makePack({
    'mcp/resources/r.yaml': 'uri: demo://r\ntext: R\nsubscribe: true\n',
    'mcp/tools/a.yaml': 'description: A\n',
    'src/tools/a.ts': handler,
  });
  const { client, said } = await connect(pack);
  const seen: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.push(String(params.data)));
  await client.subscribeResource({ uri: 'demo://r' });
  await client.setLoggingLevel('error');
  editFiles(pack, { 'src/tools/a.ts': `${handler}// edited\n` });
  await until(() => said().includes('reloaded'));
  await client.callTool({ name: 'a', arguments: {} });
  await until(() => seen.length === 2);
  expect([...seen].sort()).toEqual(['demo://r', 'loud']);
  expect(said()).toContain('[info] a: quiet');
});

it('P23 C4 a question that is open while the code changes is answered by the new code', async () => {
  const pack = makePack({ 'mcp/tools/a.yaml': 'description: A\n', 'src/tools/a.ts': asking('old') });
  const { client, said } = await connect(pack);
  client.setRequestHandler(ElicitRequestSchema, async () => {
    editFiles(pack, { 'src/tools/a.ts': asking('new') });
    await until(() => said().includes('reloaded'));
    return { action: 'accept', content: { size: 'M' } };
  });
  const { content } = await client.callTool({ name: 'a', arguments: {} });
  expect(content).toEqual([{ type: 'text', text: 'new M' }]);
});

it('T1 C4 a question that comes before a task is answered by the new code, and then there is a task', async () => {
  const definition = 'description: A\ntask: { mode: required, ask: before }\n';
  const pack = makePack({ 'mcp/tools/a.yaml': definition, 'src/tools/a.ts': asking('old') });
  const { client, said } = await connect(pack);
  client.setRequestHandler(ElicitRequestSchema, async () => {
    editFiles(pack, { 'src/tools/a.ts': asking('new') });
    await until(() => said().includes('reloaded'));
    return { action: 'accept', content: { size: 'M' } };
  });
  const params = { name: 'a', arguments: {}, task: {} };
  const { task } = await client.request({ method: 'tools/call', params }, ResultSchema);
  const { taskId } = task as { readonly taskId: string };
  const { content } = await client.request({ method: 'tasks/result', params: { taskId } }, ResultSchema);
  expect(content).toEqual([{ type: 'text', text: 'new M' }]);
});

it('P23 an initialize that never ends is given up for the next change', async () => {
  const dev = await startDev({
    ...toolOf('a', 'a'),
    'mcp/servers/main.yaml': 'initialize: src/init.ts\n',
    'src/init.ts': 'export default () => {};\n',
  });
  await dev.next('serving');
  dev.write({ 'src/init.ts': 'export default () => new Promise(() => {});\n' });
  await sleep(1000);
  await dev.change({ 'src/init.ts': 'export default () => 1;\n' }, 'serving');
  expect(await dev.call('a')).toBe('a');
  await until(() => dev.workers().length <= 2);
});

it('P23 `dev` reports what cannot be generated and still serves', async () => {
  const dev = await startDev(toolOf('a', 'a'));
  await dev.next('serving');
  rmSync(join(dev.pack, 'generated'), { recursive: true });
  dev.write({ generated: 'a file where a folder should be' });
  await dev.change({ 'mcp/tools/a.yaml': 'description: B\n' }, 'serving');
  expect((await dev.client.listTools()).tools[0]?.description).toBe('B');
  expect(dev.events.some(({ event }) => event === 'note' || event === 'broken')).toBe(true);
});

it('P23 C14 the bearer token of `dev` over HTTP may come from .env', async () => {
  const token = '0123456789abcdef0123456789abcdef';
  const pack = {
    ...toolOf('a', 'a'),
    'mcp/servers/main.yaml': 'auth: { type: bearer, env: DEV_TOKEN }\n',
    '.env': `DEV_TOKEN=${token}\n`,
  };
  const dev = await startDev(pack, { way: { line: '2.x', transport: 'http' }, token });
  expect(await dev.call('a')).toBe('a');
  const url = dev.events.flatMap(one => (one.event === 'listening' ? [one.url] : []))[0] ?? '';
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
});
