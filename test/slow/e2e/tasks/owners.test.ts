// Two people who sign in at the same issuer, and somebody who has seen an id of theirs: a task of one is invisible to everybody else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Issuer, startIssuer } from '../../../runtime/serve/auth-issuer.js';
import { connectExt, eras } from './ext-client.js';
import { openTaskServers, type TaskServers } from './task-servers.js';

const audience = 'https://jobs.example.com';
let issuer: Issuer;
let servers: TaskServers;
beforeAll(async () => {
  issuer = await startIssuer();
  const definition = `description: Jobs\nauth: { type: oauth, issuer: '${issuer.url}', audience: '${audience}' }\n`;
  servers = await openTaskServers(definition, ['start']);
}, 120_000);
afterAll(async () => {
  await servers.close();
  await issuer.close();
});

async function headersOf(sub: string): Promise<Record<string, string>> {
  const token = await issuer.token({ sub, aud: audience, exp: Math.floor(Date.now() / 1000) + 3600 });
  return { authorization: `Bearer ${token}` };
}

interface Message {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: object;
}

/** A request of 2026-07-28 by hand, as somebody sends it who knows an id. */
async function ask(method: string, params: Readonly<Record<string, unknown>>, sub: string): Promise<Message> {
  const headers = {
    ...(await headersOf(sub)),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': String(params['taskId'] ?? params['name']),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      elicitation: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const { url } = servers.target('start');
  const response = await fetch(String(url), { method: 'POST', headers, body });
  return (await response.json()) as Message;
}

it('T1 the id of a task of somebody else gives what an id gives that nobody has, and changes nothing', async () => {
  const made = await ask('tools/call', { name: 'remove', arguments: { file: 'a.txt' } }, 'ann');
  const taskId = String(made.result?.['taskId']);
  const guessed = `${taskId.slice(0, -4)}0000`;
  const inputResponses = { sure: { action: 'accept', content: { confirm: true } } };
  for (const [method, params] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses }],
    ['tasks/cancel', {}],
  ] as const) {
    const [theirs, nobodys] = [
      await ask(method, { taskId, ...params }, 'bob'),
      await ask(method, { taskId: guessed, ...params }, 'bob'),
    ];
    expect(theirs).toEqual(nobodys);
    expect(theirs.error).toMatchObject({ code: -32602 });
  }
  // Its own owner finds it as it was, with another token.
  await expect
    .poll(async () => (await ask('tasks/get', { taskId }, 'ann')).result)
    .toMatchObject({ status: 'input_required', inputRequests: { sure: {} } });
  await ask('tasks/update', { taskId, inputResponses }, 'ann');
  await expect
    .poll(async () => (await ask('tasks/get', { taskId }, 'ann')).result)
    .toMatchObject({ status: 'completed', result: { content: [{ text: 'deleted a.txt' }] } });
});

it.each(eras)('T1 a reference that is replayed by another person leads nowhere, %s', async era => {
  const connect = async (sub: string) =>
    await connectExt(era, 'http', { ...servers.target('start'), headers: await headersOf(sub) }, () => ({
      action: 'decline',
    }));
  const [ann, bob] = [await connect('ann'), await connect('bob')];
  const execution = await ann.call('compute', { seconds: 60 });
  const reference = execution.serializeReference();
  await execution.detach();
  await execution.result().catch(() => undefined);
  const replayed = bob.resume(reference).then(async resumed => await resumed.result());
  await expect(replayed).rejects.toThrow();
  const again = await ann.resume(reference);
  await again.cancel();
  expect((await again.result()).status).toBe('cancelled');
  await ann.close();
  await bob.close();
});
