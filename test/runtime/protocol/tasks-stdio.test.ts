// Tasks over pipes, in both eras, with tasks that are kept in memory.
import { afterEach, describe, expect, it } from 'vitest';
import { connectRaw, envelope, type Message, modern, type RawClient, request } from '../serve/serve-pipes.js';
import { makeSurface } from '../serve/serve-surface.js';
import { taskFixture, withTasks } from './fake-tasks.js';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(client => client.connection.close(0)));
});

function connect(fixture = taskFixture): RawClient {
  const client = connectRaw(makeSurface(fixture));
  open.push(client);
  return client;
}

let ids = 0;

async function send(client: RawClient, method: string, params: object = {}): Promise<Message> {
  ids += 1;
  const id = `t${ids}`;
  client.send(request(id, method, params));
  return await client.answer(id);
}

const capable = { 'io.modelcontextprotocol/clientCapabilities': { ...withTasks, elicitation: {} } };

async function sendModern(
  client: RawClient,
  method: string,
  params: object = {},
  meta: object = capable,
): Promise<Message> {
  ids += 1;
  const id = `t${ids}`;
  client.send(modern(id, method, params, meta));
  return await client.answer(id);
}

type Fields = Record<string, unknown>;
const taskOf = ({ result }: Message): Fields => result?.['task'] as Fields;

async function start(client: RawClient, name: string, args: object = {}, more: object = {}): Promise<string> {
  const answer = await send(client, 'tools/call', { name, arguments: args, task: {}, ...more });
  return String(taskOf(answer)['taskId']);
}

async function startModern(client: RawClient, name: string, args: object = {}): Promise<string> {
  const { result } = await sendModern(client, 'tools/call', { name, arguments: args });
  return String(result?.['taskId']);
}

async function ended(client: RawClient, taskId: string): Promise<Fields> {
  for (;;) {
    const { result = {} } = await sendModern(client, 'tasks/get', { taskId });
    if (result['status'] !== 'working') return result as Fields;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

const related = (taskId: string): object => ({ 'io.modelcontextprotocol/related-task': { taskId } });

describe('2025-11-25', () => {
  it('T1 a server with tasks says so to clients of 2025-11-25 alone, and which tools run as tasks', async () => {
    const client = connect();
    const { result } = await client.initialize();
    const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
    expect(result?.['capabilities']).toMatchObject({ tasks });
    const listed = (await send(client, 'tools/list')).result?.['tools'] as Fields[];
    const support = Object.fromEntries(listed.map(({ name, execution }) => [name, execution]));
    expect(support).toMatchObject({ work: { taskSupport: 'optional' }, only: { taskSupport: 'required' } });
    expect(support['plain']).toBeUndefined();
    const older = connect();
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const told = await send(older, 'initialize', params);
    expect(told.result?.['capabilities']).not.toHaveProperty('tasks');
    expect((await send(older, 'tasks/list')).error?.code).toBe(-32601);
    // A wish that was not meant for us.
    const answer = await send(older, 'tools/call', { name: 'work', arguments: {}, task: {} });
    expect(answer.result).toMatchObject({ structuredContent: { result: [1] } });
    expect((await send(older, 'tools/call', { name: 'only' })).error?.code).toBe(-32601);
  });

  it('T1 a call with a task gets a handle that says working, and its result later, exactly as a plain call', async () => {
    const client = connect();
    await client.initialize();
    const plain = await send(client, 'tools/call', { name: 'work', arguments: {} });
    const answer = await send(client, 'tools/call', { name: 'work', arguments: {}, task: { ttl: 5000 } });
    const handle = taskOf(answer);
    expect(handle).toMatchObject({ status: 'working', ttl: 5000, pollInterval: expect.any(Number) as number });
    expect(handle['createdAt']).toMatch(/^\d{4}-.*Z$/);
    const taskId = String(handle['taskId']);
    expect((await send(client, 'tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' });
    const result = await send(client, 'tasks/result', { taskId });
    expect(result.result).toEqual({ ...plain.result, _meta: related(taskId) });
    const got = await send(client, 'tasks/get', { taskId });
    expect(got.result).toMatchObject({ status: 'completed' });
    expect(got.result).not.toHaveProperty('result');
  });

  it('T1 a tool error is failed, with its text as the message, and an error of JSON-RPC comes back as one', async () => {
    const client = connect();
    await client.initialize();
    const taskId = await start(client, 'only');
    const { result } = await send(client, 'tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true, _meta: related(taskId) });
    const got = await send(client, 'tasks/get', { taskId });
    expect(got.result).toMatchObject({ status: 'failed', statusMessage: 'it did not work' });
    const broken = await start(client, 'breaks');
    expect((await send(client, 'tasks/result', { taskId: broken })).error).toMatchObject({ code: -32050 });
    const failed = await send(client, 'tasks/get', { taskId: broken });
    expect(failed.result).toMatchObject({ status: 'failed', statusMessage: 'the job broke' });
  });

  it('T1 the wrong mode, unknown tools, wrong params and unknown tasks are refused', async () => {
    const client = connect();
    await client.initialize();
    const codes = [
      await send(client, 'tools/call', { name: 'plain', task: {} }),
      await send(client, 'tools/call', { name: 'only' }),
      await send(client, 'tools/call', { name: 'nobody', task: {} }),
      await send(client, 'tools/call', { name: 'work', task: 'yes' }),
      await send(client, 'tools/call', { name: 'work', task: { ttl: 'long' } }),
      await send(client, 'tasks/get', { taskId: 'guessed' }),
      await send(client, 'tasks/result', { taskId: 'guessed' }),
      await send(client, 'tasks/cancel', { taskId: 'guessed' }),
      await send(client, 'tasks/get', {}),
      await send(client, 'tasks/update', { taskId: 'guessed', inputResponses: {} }),
      await send(client, 'tasks/list', { cursor: 'made up' }),
      await send(client, 'tasks/list', { cursor: 7 }),
    ].map(({ error }) => error?.code);
    const wrong = -32602;
    expect(codes).toEqual([-32601, -32601, wrong, wrong, wrong, wrong, wrong, wrong, wrong, -32601, wrong, wrong]);
  });

  it('T1 `tasks/cancel` answers with the cancelled task, and refuses one that is over', async () => {
    const client = connect();
    await client.initialize();
    const taskId = await start(client, 'work', { ms: 60_000 });
    client.send(request('waits', 'tasks/result', { taskId }));
    expect((await send(client, 'tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
    expect((await client.answer('waits')).error?.code).toBe(-32603);
    expect((await send(client, 'tasks/cancel', { taskId })).error?.code).toBe(-32602);
    const over = await start(client, 'work', { ms: 0 });
    await send(client, 'tasks/result', { taskId: over });
    expect((await send(client, 'tasks/cancel', { taskId: over })).error?.code).toBe(-32602);
  });

  it('T1 `notifications/cancelled` ends the wait for a result, and not the task', async () => {
    const client = connect();
    await client.initialize();
    client.send(request('call', 'tools/call', { name: 'work', arguments: { ms: 80 }, task: {} }));
    const taskId = String(taskOf(await client.answer('call'))['taskId']);
    client.send(request('waits', 'tasks/result', { taskId }));
    for (const requestId of ['call', 'waits'])
      client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    expect((await send(client, 'tasks/result', { taskId })).result).toMatchObject({
      structuredContent: { result: [1] },
    });
    expect(client.received.some(({ id }) => id === 'waits')).toBe(false);
  });

  it('T1 the list has pages, the newest first, as `tasks/get` shows them', async () => {
    const client = connect();
    await client.initialize();
    const made = [await start(client, 'work'), await start(client, 'work'), await start(client, 'work')];
    const first = await send(client, 'tasks/list');
    const { nextCursor: cursor } = first.result as { nextCursor: string };
    const second = await send(client, 'tasks/list', { cursor });
    const all = [first, second].flatMap(({ result }) => result?.['tasks'] as Fields[]);
    expect(all.map(({ taskId }) => taskId)).toEqual(made.reverse());
    expect(all[0]).toHaveProperty('pollInterval');
  });

  it('T1 questions inside a task come as requests of their own while it says input_required', async () => {
    const client = connect();
    await client.initialize({ elicitation: {} });
    const taskId = await start(client, 'both');
    const first = await client.wait(({ params }) => params?.['message'] === 'Your first?');
    const second = await client.wait(({ params }) => params?.['message'] === 'Your second?');
    expect(first).toMatchObject({ method: 'elicitation/create', params: { _meta: related(taskId) } });
    // The handle went out before.
    expect(client.received.findIndex(({ result }) => result?.['task'])).toBeLessThan(client.received.indexOf(first));
    expect((await send(client, 'tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    client.send(request('waits', 'tasks/result', { taskId }));
    client.send({ jsonrpc: '2.0', id: first.id, result: { action: 'accept', content: { first: 'Ada' } } });
    client.send({ jsonrpc: '2.0', id: second.id, result: { action: 'decline' } });
    expect((await client.answer('waits')).result).toMatchObject({ content: [{ text: 'Ada and decline' }] });
    // Each was asked once.
    expect(client.received.filter(({ method }) => method === 'elicitation/create')).toHaveLength(2);
  });

  it('T1 a form that the client answers with an error counts as cancelled', async () => {
    const client = connect();
    await client.initialize({ elicitation: {} });
    const taskId = await start(client, 'inside');
    const { id } = await client.wait(({ method }) => method === 'elicitation/create');
    client.send({ jsonrpc: '2.0', id, error: { code: -32000, message: 'no screen' } });
    expect((await send(client, 'tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'cancel' }] });
  });

  it('T1 a question that nobody needs any more is taken back', async () => {
    const client = connect();
    await client.initialize({ elicitation: {} });
    const taskId = await start(client, 'inside');
    const { id } = await client.wait(({ method }) => method === 'elicitation/create');
    await send(client, 'tasks/cancel', { taskId });
    const { params } = await client.wait(({ method }) => method === 'notifications/cancelled');
    expect(params?.['requestId']).toBe(id);
  });

  it('T1 questions before a task are those of the call, which then gets its handle', async () => {
    const client = connect();
    await client.initialize({ elicitation: {} });
    client.send(request('call', 'tools/call', { name: 'before', arguments: {}, task: {} }));
    const asked = await client.wait(({ method }) => method === 'elicitation/create');
    expect(asked.params?.['_meta']).not.toHaveProperty(['io.modelcontextprotocol/related-task']);
    client.send({ jsonrpc: '2.0', id: asked.id, result: { action: 'accept', content: { name: 'Ada' } } });
    const taskId = String(taskOf(await client.answer('call'))['taskId']);
    expect((await send(client, 'tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 sampling inside a task is asked of those who declared it', async () => {
    const client = connect();
    await client.initialize({ sampling: {} });
    const taskId = await start(client, 'sample');
    const { id, params } = await client.wait(({ method }) => method === 'sampling/createMessage');
    expect(params?.['_meta']).toMatchObject(related(taskId));
    const answer = { role: 'assistant', model: 'm', content: { type: 'text', text: 'pong' } };
    client.send({ jsonrpc: '2.0', id, result: answer });
    expect((await send(client, 'tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'pong' }] });
  });

  it('T1 the token of a call reports progress as long as its task works, and each change of status is sent', async () => {
    const client = connect();
    await client.initialize();
    const taskId = await start(client, 'work', { ms: 30 }, { _meta: { progressToken: 'p' } });
    await send(client, 'tasks/result', { taskId });
    const told = client.received.filter(({ method }) => method === 'notifications/progress');
    expect(told.map(({ params }) => [params?.['progressToken'], params?.['progress']])).toEqual([
      ['p', 1],
      ['p', 2],
    ]);
    const statuses = client.received.filter(({ method }) => method === 'notifications/tasks/status');
    expect(statuses.at(-1)?.params).toMatchObject({ taskId, status: 'completed' });
  });

  it('T1 a connection that ends tells those who wait at once, and the task goes on', async () => {
    const client = connect();
    await client.initialize();
    const taskId = await start(client, 'work', { ms: 60_000 });
    client.send(request('waits', 'tasks/result', { taskId }));
    await send(client, 'ping');
    const since = performance.now();
    await client.connection.close(5000);
    expect(performance.now() - since).toBeLessThan(1000);
    expect((await client.answer('waits')).error?.message).toMatch(/goes on/);
  });
});

describe('2026-07-28', () => {
  it('T1 the extension is declared in discovery, and nothing else of tasks', async () => {
    const { result } = await sendModern(connect(), 'server/discover');
    const capabilities = result?.['capabilities'] as Fields;
    expect(capabilities['extensions']).toEqual({ 'io.modelcontextprotocol/tasks': {} });
    expect(capabilities).not.toHaveProperty('tasks');
    const tools = (await sendModern(connect(), 'tools/list')).result?.['tools'] as Fields[];
    expect(tools.some(tool => 'execution' in tool)).toBe(false);
  });

  it('T1 a client with the extension always gets a flat handle, and the result inlined by `tasks/get`', async () => {
    const client = connect();
    const { result } = await sendModern(client, 'tools/call', { name: 'work', arguments: {} });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 60_000, pollIntervalMs: 500 });
    for (const key of ['task', 'result', 'error', 'inputRequests', 'requestState', 'ttl', 'pollInterval'])
      expect(result).not.toHaveProperty(key);
    const taskId = String(result?.['taskId']);
    const end = await ended(client, taskId);
    expect(end).toMatchObject({ resultType: 'complete', status: 'completed', ttlMs: 60_000 });
    const plain = await sendModern(client, 'tools/call', { name: 'work', arguments: {} }, {});
    expect(end['result']).toEqual({
      resultType: 'complete',
      content: plain.result?.['content'],
      structuredContent: [1],
    });
  });

  it('T1 a tool error is completed, an error of JSON-RPC failed', async () => {
    const client = connect();
    const completed = await ended(client, await startModern(client, 'only'));
    expect(completed).toMatchObject({
      status: 'completed',
      statusMessage: 'it did not work',
      result: { isError: true },
    });
    const failed = await ended(client, await startModern(client, 'breaks'));
    expect(failed).toMatchObject({ status: 'failed', error: { code: -32050 }, statusMessage: 'the job broke' });
    expect(failed).not.toHaveProperty('result');
  });

  it('T1 without the extension a required tool and all of tasks are refused, and an optional tool is a plain call', async () => {
    const client = connect();
    const requiredCapabilities = withTasks;
    for (const [method, params] of [
      ['tools/call', { name: 'only' }],
      ['tasks/get', {}],
      ['tasks/update', {}],
      ['tasks/cancel', { taskId: 7 }],
      ['subscriptions/listen', { notifications: { taskIds: ['x'] } }],
    ] as const) {
      const { error } = await sendModern(client, method, params, {});
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    }
    for (const params of [{}, { task: { ttl: 5 } }]) {
      const { result } = await sendModern(client, 'tools/call', { name: 'work', arguments: {}, ...params }, {});
      expect(result).toMatchObject({ resultType: 'complete', structuredContent: [1] });
    }
  });

  it('T1 what 2026-07-28 does not have does not exist, and unknown tasks are wrong params', async () => {
    const client = connect();
    const codes = [
      await sendModern(client, 'tasks/result', { taskId: 'x' }),
      await sendModern(client, 'tasks/list'),
      await sendModern(client, 'tasks/get', { taskId: 'x' }),
      await sendModern(client, 'tasks/cancel', { taskId: 'x' }),
      await sendModern(client, 'tasks/update', { taskId: 'x', inputResponses: {} }),
      await sendModern(client, 'tasks/update', { taskId: 'x' }),
      await sendModern(client, 'tools/call', { name: 'work', arguments: {}, inputResponses: 'x' }),
      await sendModern(client, 'subscriptions/listen', { notifications: { taskIds: 'x' } }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([-32601, -32601, -32602, -32602, -32602, -32602, -32602, -32602]);
  });

  it('T1 open questions stand in `tasks/get` until `tasks/update` answers them, one by one', async () => {
    const client = connect();
    const taskId = await startModern(client, 'both');
    const asked = await ended(client, taskId);
    expect(asked).toMatchObject({ status: 'input_required' });
    expect(asked['inputRequests']).toMatchObject({
      first: { method: 'elicitation/create', params: { mode: 'form' } },
      second: { method: 'elicitation/create' },
    });
    const first = { first: { action: 'accept', content: { first: 'Ada' } }, unknown: {} };
    const told = await sendModern(client, 'tasks/update', { taskId, inputResponses: first });
    expect(told.result).toEqual({ resultType: 'complete', _meta: expect.anything() as object });
    const rest = (await sendModern(client, 'tasks/get', { taskId })).result;
    expect(Object.keys(rest?.['inputRequests'] as object)).toEqual(['second']);
    await sendModern(client, 'tasks/update', { taskId, inputResponses: { second: { action: 'decline' } } });
    const end = await ended(client, taskId);
    expect(end['result']).toMatchObject({ content: [{ text: 'Ada and decline' }] });
  });

  it('T1 questions before a task are the answer to the call, and the round with all answers gives the handle', async () => {
    const client = connect();
    const asked = await sendModern(client, 'tools/call', { name: 'before', arguments: {} });
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { name: {} } });
    expect(asked.result).not.toHaveProperty('taskId');
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const requestState = asked.result?.['requestState'];
    const round = { name: 'before', arguments: {}, inputResponses, requestState };
    const { result } = await sendModern(client, 'tools/call', round);
    expect(result).toMatchObject({ resultType: 'task' });
    expect(result).not.toHaveProperty('requestState');
    const end = await ended(client, String(result?.['taskId']));
    expect(end['result']).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 cancelling is acknowledged always, also of a task that is over', async () => {
    const client = connect();
    const taskId = await startModern(client, 'work', { ms: 60_000 });
    for (let turn = 0; turn < 2; turn += 1) {
      const { result } = await sendModern(client, 'tasks/cancel', { taskId });
      expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() as object });
    }
    const end = await ended(client, taskId);
    expect(end).toMatchObject({ status: 'cancelled' });
    expect(end).not.toHaveProperty('error');
  });

  it('T1 a token for progress and a level for logs change nothing about a task, which has neither', async () => {
    const client = connect();
    const meta = { ...capable, progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const { result } = await sendModern(client, 'tools/call', { name: 'work', arguments: {} }, meta);
    expect(result).toMatchObject({ resultType: 'task' });
    await ended(client, String(result?.['taskId']));
    expect(client.received.some(({ method }) => method !== undefined)).toBe(false);
  });

  it('T1 who listens for tasks hears of those that are theirs, and of what else they asked for', async () => {
    const fixture = { ...taskFixture };
    const surface = makeSurface(fixture);
    const client = connectRaw(surface);
    open.push(client);
    const taskId = await startModern(client, 'inside');
    const notifications = { taskIds: [taskId, 'guessed'], toolsListChanged: true, promptsListChanged: true };
    client.send(modern('listen', 'subscriptions/listen', { notifications }, capable));
    const acknowledged = await client.wait(({ method }) => method === 'notifications/subscriptions/acknowledged');
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'listen' };
    expect(acknowledged.params).toEqual({ notifications: { taskIds: [taskId], toolsListChanged: true }, _meta });
    surface.announce({ list: 'tools' });
    expect(await client.wait(({ method }) => method === 'notifications/tools/list_changed')).toMatchObject({
      params: { _meta },
    });
    const asks = ({ params }: Message): boolean => params?.['status'] === 'input_required';
    expect(await client.wait(asks)).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, _meta, inputRequests: {} },
    });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    await sendModern(client, 'tasks/update', { taskId, inputResponses });
    const done = await client.wait(({ params }) => params?.['status'] === 'completed');
    expect(done.params).toMatchObject({ taskId, result: { resultType: 'complete', content: [{ text: 'Ada' }] } });
    await client.connection.close();
    expect((await client.answer('listen')).result).toMatchObject({ resultType: 'complete', _meta });
  });

  it('T1 who has enough of listening hears nothing more', async () => {
    const client = connect();
    const taskId = await startModern(client, 'work', { ms: 60 });
    client.send(modern('listen', 'subscriptions/listen', { notifications: { taskIds: [taskId] } }, capable));
    await client.wait(({ method }) => method === 'notifications/subscriptions/acknowledged');
    client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'listen', _meta: envelope },
    });
    await ended(client, taskId);
    expect(client.received.some(({ params }) => params?.['status'] === 'completed')).toBe(false);
  });
});

it('T1 a server whose tools never run as tasks says nothing of them, and has none of their methods', async () => {
  const { tools = {} } = taskFixture;
  const client = connect({ ...taskFixture, tools: { plain: tools['plain'] as NonNullable<(typeof tools)['plain']> } });
  const { result } = await client.initialize();
  expect(result?.['capabilities']).not.toHaveProperty('tasks');
  expect((await send(client, 'tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
  expect((await send(client, 'tools/call', { name: 'plain', task: {} })).result).toMatchObject({ content: [{}] });
});
