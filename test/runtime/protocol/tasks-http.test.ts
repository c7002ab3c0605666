// Tasks over HTTP, in both eras, with tasks that are kept in memory.
import { afterEach, describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../runtime/serve/auth/authorizer.js';
import { createFetch } from '../../../runtime/serve/serve-fetch.js';
import { type HttpServer, type ServeHttpOptions, serveHttp } from '../../../runtime/serve/serve-http.js';
import type { Message } from '../serve/serve-pipes.js';
import { request } from '../serve/serve-pipes.js';
import { type FixtureSurface, makeSurface } from '../serve/serve-surface.js';
import {
  type Events,
  messagesOf,
  openSession,
  post,
  postModern,
  readEvents,
  type Session,
} from '../serve/serve-web.js';
import { taskFixture, withTasks } from './fake-tasks.js';

const running: HttpServer[] = [];
const reading: Events[] = [];
afterEach(async () => {
  for (const events of reading.splice(0)) events.cancel();
  await Promise.all(running.splice(0).map(server => server.close()));
});

async function serve(
  options: ServeHttpOptions = {},
): Promise<{ url: string; surface: FixtureSurface; server: HttpServer }> {
  const surface = makeSurface(taskFixture);
  const server = await serveHttp(surface, { graceMs: 100, ...options });
  running.push(server);
  return { url: server.url, surface, server };
}

/** `Bearer ann:scope,scope`; `shared` is one token for everybody. */
const tokens: Authorizer = {
  async authorize({ authorization }) {
    const [, name = '', scopes = ''] = /^Bearer (\w+):?([\w:,]*)$/.exec(String(authorization)) ?? [];
    const auth = { token: 't', clientId: 'c', subject: name, scopes: scopes.split(',').filter(Boolean), claims: {} };
    return { ok: true, auth, principal: name, isShared: name === 'shared' };
  },
  refuseScopes({ scopes }, needed) {
    if (needed.every(scope => scopes.includes(scope))) return undefined;
    return { ok: false, status: 403, headers: {}, body: { error: 'insufficient_scope' } };
  },
};

const as = (name: string): Record<string, string> => ({ authorization: `Bearer ${name}` });
const capable = { 'io.modelcontextprotocol/clientCapabilities': { ...withTasks, elicitation: {} } };
type Fields = Record<string, unknown>;

let ids = 0;

interface Told extends Message {
  readonly status: number;
}

async function ask(
  url: string,
  method: string,
  params: Fields,
  { headers = {}, meta = capable }: { headers?: Record<string, string>; meta?: object } = {},
): Promise<Told> {
  ids += 1;
  const { taskId } = params;
  const named = typeof taskId === 'string' ? { 'mcp-name': taskId } : {};
  const response = await postModern(url, ids, method, params, { meta, headers: { ...named, ...headers } });
  const [message] = await messagesOf(response);
  return { ...message, status: response.status };
}

async function start(
  url: string,
  name: string,
  args: object = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const { result } = await ask(url, 'tools/call', { name, arguments: args }, { headers });
  return String(result?.['taskId']);
}

async function ended(url: string, taskId: string, headers: Record<string, string> = {}): Promise<Fields> {
  for (;;) {
    const { result } = await ask(url, 'tasks/get', { taskId }, { headers });
    if (result?.['status'] !== 'working') return result as Fields;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

async function sendIn(session: Session, method: string, params: object = {}): Promise<Message> {
  ids += 1;
  const id = ids;
  const all = await messagesOf(await session.send(request(id, method, params)));
  return all.find(message => message.id === id && message.method === undefined) ?? {};
}

async function startIn(session: Session, name: string, args: object = {}, more: object = {}): Promise<string> {
  const { result } = await sendIn(session, 'tools/call', { name, arguments: args, task: {}, ...more });
  return String((result?.['task'] as Fields | undefined)?.['taskId']);
}

async function listen(url: string, { headers }: Session): Promise<Events> {
  const events = readEvents(await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } }));
  reading.push(events);
  return events;
}

describe('2026-07-28', () => {
  it('T1 discovery declares the extension, and tasks are made, read, answered and cancelled', async () => {
    const { url } = await serve();
    const { result } = await ask(url, 'server/discover', {});
    expect(result?.['capabilities']).toMatchObject(withTasks);
    const odd = await ask(url, 'server/discover', {}, { meta: { ...capable, progressToken: 1 } });
    expect(odd.result).toEqual(result);
    const taskId = await start(url, 'inside');
    expect((await ended(url, taskId))['inputRequests']).toMatchObject({ name: { method: 'elicitation/create' } });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    expect(await ask(url, 'tasks/update', { taskId, inputResponses })).toMatchObject({
      status: 200,
      result: { resultType: 'complete' },
    });
    expect((await ended(url, taskId))['result']).toMatchObject({ content: [{ text: 'Ada' }] });
    expect((await ask(url, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  });

  it('T1 a client without the extension gets -32021 with status 400, whatever else is wrong', async () => {
    const { url } = await serve();
    const wrong = { meta: {}, headers: { 'mcp-name': 'something else' } };
    for (const [method, params] of [
      ['tools/call', { name: 'only' }],
      ['tasks/get', { taskId: 'x' }],
      ['tasks/update', {}],
      ['tasks/cancel', {}],
      ['subscriptions/listen', { notifications: { taskIds: [] } }],
    ] as const) {
      const told = await ask(url, method, params, wrong);
      expect(told).toMatchObject({ status: 400, error: { code: -32021, data: { requiredCapabilities: withTasks } } });
    }
  });

  it('T1 headers that say something else than the body are refused with -32020 and status 400', async () => {
    const { url } = await serve();
    const taskId = await start(url, 'work');
    const told = [
      await ask(url, 'tasks/get', { taskId }, { headers: { 'mcp-name': 'other' } }),
      await ask(url, 'tasks/cancel', { taskId }, { headers: { 'mcp-method': 'tasks/get' } }),
      await ask(url, 'tasks/update', { taskId, inputResponses: {} }, { headers: { 'mcp-name': '' } }),
      await ask(url, 'tools/call', { name: 'work' }, { headers: { 'mcp-name': 'plain' } }),
      await ask(url, 'tools/call', { name: 'region', arguments: { region: 'eu' } }),
    ];
    expect(told.map(({ status, error }) => [status, error?.code])).toEqual(told.map(() => [400, -32020]));
    const headers = { 'mcp-param-region': 'eu' };
    const right = await ask(url, 'tools/call', { name: 'region', arguments: { region: 'eu' } }, { headers });
    expect(right.result).toMatchObject({ resultType: 'task' });
  });

  it('T1 what 2026-07-28 does not have is -32601, whatever the headers say', async () => {
    const { url } = await serve();
    for (const method of ['tasks/result', 'tasks/list']) {
      const told = await ask(url, method, { taskId: 'x' }, { headers: { 'mcp-name': 'other' } });
      expect(told.error?.code).toBe(-32601);
    }
  });

  it('T1 a token for progress and a level for logs leave a call a task', async () => {
    const { url } = await serve();
    const meta = { ...capable, progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const told = await ask(url, 'tools/call', { name: 'work' }, { meta });
    expect(told.result).toMatchObject({ resultType: 'task' });
    const got = await ask(url, 'tasks/get', { taskId: told.result?.['taskId'] }, { meta });
    expect(got.result).toMatchObject({ taskId: told.result?.['taskId'] });
  });

  it('T1 rounds of questions before a required task stay with the task', async () => {
    const { url } = await serve();
    const asked = await ask(url, 'tools/call', { name: 'before', arguments: {} });
    expect(asked.result).toMatchObject({ resultType: 'input_required' });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const requestState = asked.result?.['requestState'];
    const handle = await ask(url, 'tools/call', { name: 'before', arguments: {}, inputResponses, requestState });
    const end = await ended(url, String(handle.result?.['taskId']));
    expect(end['result']).toMatchObject({ content: [{ text: 'Ada' }] });
    // A question that the client cannot answer is refused as that of any call.
    const mute = await ask(
      url,
      'tools/call',
      { name: 'before' },
      { meta: { 'io.modelcontextprotocol/clientCapabilities': withTasks } },
    );
    expect(mute).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });

  it('T1 a task of one caller is invisible to others, and the scopes of a tool hold for tasks', async () => {
    const { url } = await serve({ authorizer: tokens });
    const [ann, bob] = [as('ann'), as('bob')];
    const taskId = await start(url, 'inside', {}, ann);
    const unknown = await ask(url, 'tasks/get', { taskId: crypto.randomUUID() }, { headers: bob });
    for (const [method, params] of [
      ['tasks/get', {}],
      ['tasks/cancel', {}],
      ['tasks/update', { inputResponses: { name: { action: 'accept', content: { name: 'Eve' } } } }],
    ] as const) {
      const told = await ask(url, method, { taskId, ...params }, { headers: bob });
      expect([told.status, told.error]).toEqual([unknown.status, unknown.error]);
    }
    expect((await ended(url, taskId, ann))['status']).toBe('input_required');
    expect((await ask(url, 'tools/call', { name: 'guarded' }, { headers: ann })).status).toBe(403);
    const allowed = await ask(url, 'tools/call', { name: 'guarded' }, { headers: as('ann:tasks:make') });
    expect(allowed.result).toMatchObject({ resultType: 'task' });
  });

  it('T1 a stream has the tasks of its listener, until it is over', async () => {
    const { url, surface, server } = await serve({ authorizer: tokens });
    const [ann, bob] = [as('ann'), as('bob')];
    const taskId = await start(url, 'inside', {}, ann);
    const wanted = { notifications: { taskIds: [taskId, 'guessed'], toolsListChanged: true } };
    const open = async (headers: Record<string, string>): Promise<Events> => {
      const events = readEvents(await postModern(url, 'l', 'subscriptions/listen', wanted, { headers, meta: capable }));
      reading.push(events);
      return events;
    };
    const [mine, theirs] = [await open(ann), await open(bob)];
    const isAcknowledged = ({ method }: Message): boolean => method === 'notifications/subscriptions/acknowledged';
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'l' };
    expect((await mine.until(isAcknowledged)).params).toEqual({
      notifications: { taskIds: [taskId], toolsListChanged: true },
      _meta,
    });
    expect((await theirs.until(isAcknowledged)).params).toEqual({ notifications: { toolsListChanged: true }, _meta });
    await ask(url, 'tasks/update', { taskId, inputResponses: { name: { action: 'decline' } } }, { headers: ann });
    const done = await mine.until(({ params }) => params?.['status'] === 'completed');
    expect(done).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, result: { resultType: 'complete' }, _meta },
    });
    surface.announce({ list: 'tools' });
    await mine.until(({ method }) => method === 'notifications/tools/list_changed');
    await theirs.until(({ method }) => method === 'notifications/tools/list_changed');
    expect(theirs.messages.some(({ method }) => method === 'notifications/tasks')).toBe(false);
    await server.close();
    await mine.ended;
    expect(mine.messages.at(-1)).toMatchObject({ id: 'l', result: { resultType: 'complete', _meta } });
  });

  it('T1 a fetch handler serves tasks and those who listen as well', async () => {
    const handler = createFetch(makeSurface(taskFixture));
    const send = async (method: string, params: Fields, name?: unknown): Promise<Response> => {
      const envelope = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
        ...capable,
      };
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      };
      const body = JSON.stringify(request(1, method, { ...params, _meta: envelope }));
      return await handler.fetch(new Request('https://example.com/mcp', { method: 'POST', headers, body }));
    };
    const { result } = (await (
      await send('tools/call', { name: 'inside', arguments: {} }, 'inside')
    ).json()) as Message;
    const taskId = String(result?.['taskId']);
    const events = readEvents(await send('subscriptions/listen', { notifications: { taskIds: [taskId] } }));
    await events.until(({ params }) => params?.['status'] === 'input_required');
    const got = (await (await send('tasks/get', { taskId }, taskId)).json()) as Message;
    expect(got.result).toMatchObject({ status: 'input_required' });
    await handler.close();
    await events.ended;
    expect(events.messages.at(-1)?.result).toMatchObject({ resultType: 'complete' });
  });
});

describe('sessions of 2025-11-25', () => {
  const initialize = async (url: string, version: string, headers: Record<string, string> = {}): Promise<Fields> => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const [answer] = await messagesOf(await post(url, request(1, 'initialize', params), headers));
    return answer?.result?.['capabilities'] as Fields;
  };

  it('T1 tasks are offered to clients of 2025-11-25, and listed where callers can be told apart', async () => {
    const { url } = await serve();
    const calls = { cancel: {}, requests: { tools: { call: {} } } };
    expect((await initialize(url, '2025-11-25'))['tasks']).toEqual(calls);
    expect(await initialize(url, '2025-06-18')).not.toHaveProperty('tasks');
    expect((await sendIn(await openSession(url), 'tasks/list')).error?.code).toBe(-32601);
    const guarded = await serve({ authorizer: tokens });
    expect((await initialize(guarded.url, '2025-11-25', as('ann')))['tasks']).toEqual({ list: {}, ...calls });
    expect((await initialize(guarded.url, '2025-11-25', as('shared')))['tasks']).toEqual(calls);
    const [ann, bob] = [await openSession(guarded.url, as('ann')), await openSession(guarded.url, as('bob'))];
    const taskId = await startIn(ann, 'work');
    expect((await sendIn(ann, 'tasks/list')).result?.['tasks']).toMatchObject([{ taskId }]);
    expect((await sendIn(bob, 'tasks/list')).result?.['tasks']).toEqual([]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect((await sendIn(bob, method, { taskId })).error?.code).toBe(-32602);
  });

  it('T1 a task outlives the session that made it', async () => {
    const { url } = await serve();
    const first = await openSession(url);
    const taskId = await startIn(first, 'work', { ms: 50 });
    await fetch(url, { method: 'DELETE', headers: first.headers });
    const result = await sendIn(await openSession(url), 'tasks/result', { taskId });
    expect(result.result).toMatchObject({ structuredContent: { result: [1] } });
  });

  it('T1 questions come on the stream of `tasks/result`', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const taskId = await startIn(session, 'inside');
    const events = readEvents(await session.send(request('r', 'tasks/result', { taskId })));
    const { id, params } = await events.until(({ method }) => method === 'elicitation/create');
    expect(params?.['_meta']).toMatchObject({ 'io.modelcontextprotocol/related-task': { taskId } });
    await session.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } });
    const answer = await events.until(message => message.id === 'r');
    expect(answer.result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 questions come on the own stream of the session where nobody waits for the result', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const events = await listen(url, session);
    const taskId = await startIn(session, 'inside');
    const { id } = await events.until(({ method }) => method === 'elicitation/create');
    await session.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } });
    await events.until(({ params }) => params?.['status'] === 'completed');
    expect((await sendIn(session, 'tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 questions come with the answer to `tasks/get` where no other stream is open, once', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const taskId = await startIn(session, 'inside');
    let asked: Message | undefined;
    for (let turn = 0; asked === undefined; turn += 1) {
      const all = await messagesOf(await session.send(request(`g${turn}`, 'tasks/get', { taskId })));
      expect(all.at(-1)).toMatchObject({ id: `g${turn}` });
      asked = all.find(({ method }) => method === 'elicitation/create');
    }
    const again = await messagesOf(await session.send(request('again', 'tasks/get', { taskId })));
    expect(again).toMatchObject([{ id: 'again', result: { status: 'input_required' } }]);
    await session.send({ jsonrpc: '2.0', id: asked.id, result: { action: 'accept', content: { name: 'Ada' } } });
    expect((await sendIn(session, 'tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 a question whose stream broke is asked again on the next', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const lost = readEvents(await fetch(url, { headers: { ...session.headers, accept: 'text/event-stream' } }));
    const taskId = await startIn(session, 'inside');
    const first = await lost.until(({ method }) => method === 'elicitation/create');
    lost.cancel();
    await new Promise(resolve => setTimeout(resolve, 50));
    const events = readEvents(await session.send(request('r', 'tasks/result', { taskId })));
    const second = await events.until(({ method }) => method === 'elicitation/create');
    expect(second.id).not.toBe(first.id);
    await session.send({ jsonrpc: '2.0', id: second.id, result: { action: 'accept', content: { name: 'Ada' } } });
    expect((await events.until(message => message.id === 'r')).result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 a question whose stream broke is asked on one that is still open, after some time', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const taskId = await startIn(session, 'inside');
    const lost = readEvents(await session.send(request('r', 'tasks/result', { taskId })));
    await lost.until(({ method }) => method === 'elicitation/create');
    const events = await listen(url, session);
    lost.cancel();
    await events.until(({ method }) => method === 'elicitation/create');
  });

  it('T1 another session of the same client is asked as well, and the first answer counts', async () => {
    const { url } = await serve({ authorizer: tokens });
    const [one, two] = [await openSession(url, as('ann')), await openSession(url, as('ann'))];
    const [first, second] = [await listen(url, one), await listen(url, two)];
    const taskId = await startIn(one, 'inside');
    const mine = await first.until(({ method }) => method === 'elicitation/create');
    await sendIn(two, 'tasks/get', { taskId });
    const theirs = await second.until(({ method }) => method === 'elicitation/create');
    await two.send({ jsonrpc: '2.0', id: theirs.id, result: { action: 'accept', content: { name: 'Ada' } } });
    const back = await first.until(({ method }) => method === 'notifications/cancelled');
    expect(back.params?.['requestId']).toBe(mine.id);
    expect((await sendIn(one, 'tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'Ada' }] });
  });

  it('T1 a session that ends answers no question in the name of its user', async () => {
    const { url, surface } = await serve();
    const session = await openSession(url);
    const events = await listen(url, session);
    const taskId = await startIn(session, 'inside');
    await events.until(({ method }) => method === 'elicitation/create');
    await fetch(url, { method: 'DELETE', headers: session.headers });
    await new Promise(resolve => setTimeout(resolve, 50));
    const other = await openSession(url);
    expect((await sendIn(other, 'tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    expect(surface.reports).toEqual([]);
  });

  it('T1 progress and status go to the own stream of the session once the handle is out', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const events = await listen(url, session);
    const taskId = await startIn(session, 'work', { ms: 40 }, { _meta: { progressToken: 7 } });
    await events.until(({ params }) => params?.['status'] === 'completed');
    const told = events.messages.map(({ method, params }) => [method, params?.['progress'] ?? params?.['status']]);
    expect(told).toContainEqual(['notifications/progress', 2]);
    expect(told.at(-1)).toEqual(['notifications/tasks/status', 'completed']);
    expect(events.messages.at(-1)?.params).toMatchObject({ taskId, ttl: 60_000 });
  });

  it('T1 a server that ends does not wait for those who wait for a task', async () => {
    const { url, server } = await serve({ graceMs: 10_000 });
    const session = await openSession(url);
    const taskId = await startIn(session, 'work', { ms: 60_000 });
    const waiting = sendIn(session, 'tasks/result', { taskId });
    await sendIn(session, 'tasks/get', { taskId });
    const since = performance.now();
    await server.close();
    expect(performance.now() - since).toBeLessThan(3000);
    expect((await waiting).error?.message).toMatch(/goes on/);
  });
});

it('T1 where everything goes through the SDK no tasks are offered, and a required tool is refused', async () => {
  const { url } = await serve({ protocol: 'sdk' });
  const session = await openSession(url);
  expect((await sendIn(session, 'tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
  expect((await sendIn(session, 'tools/call', { name: 'only', arguments: {} })).error?.code).toBe(-32601);
  expect((await sendIn(session, 'tools/call', { name: 'work', arguments: {} })).result).toHaveProperty('content');
  const { result } = await ask(url, 'server/discover', {});
  expect(result?.['capabilities']).not.toHaveProperty('extensions');
  expect((await ask(url, 'tools/call', { name: 'only', arguments: {} })).error?.code).toBe(-32021);
});
