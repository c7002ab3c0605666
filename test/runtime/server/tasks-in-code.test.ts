// T1. Tools with `task` as code and tests of authors call them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { createTestClient, type TestClient } from '../../../runtime/server/testing/index.js';
import { writeFolder } from '../packs/code-packs.js';

const source = `
import { setTimeout as sleep } from 'node:timers/promises';
export const report = async ({ ms = 0 }, ctx) => {
  ctx.progress(1, 4, 'Begun');
  ctx.task?.note('Working');
  await sleep(ms, undefined, { signal: ctx.signal });
  return { attempt: ctx.task?.attempt, id: ctx.task?.id };
};
export const order = async (_, ctx) => {
  const made = await ctx.once('made', () => (ctx.app.made += 1));
  const { action, content } = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string', enum: ['S', 'M'] } } });
  return { made, all: ctx.app.made, attempt: ctx.task?.attempt, size: action === 'accept' ? content.size : action };
};
export const fails = () => { throw new TypeError('the reason'); };
`;

const slow = 'parameters: { ms: { type: integer, required: false } }\nlimits: { timeoutMs: 50 }\n';
const folder = writeFolder({
  'package.json': '{"name": "long", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml': 'description: Works long\n',
  'mcp/tools/report.yaml': `description: R\ntask: required\n${slow}handler: src/tools.js#report\n`,
  'mcp/tools/order.yaml': 'description: O\ntask: optional\nhandler: src/tools.js#order\n',
  'mcp/tools/first.yaml': 'description: O\ntask: { mode: optional, ask: before }\nhandler: src/tools.js#order\n',
  'mcp/tools/fails.yaml': 'description: F\ntask: optional\nhandler: src/tools.js#fails\n',
  'mcp/tools/plain.yaml': `description: P\n${slow}handler: src/tools.js#report\n`,
  'src/tools.js': source,
});

const accept = { action: 'accept', content: { size: 'M' } } as const;

describe('T1 createRegistry', () => {
  it('T1 a tool with `task` is a promise with progress, without a time limit', async () => {
    const registry = await createRegistry(folder, { env: {} });
    const steps: unknown[] = [];
    const result = await registry.invoke('report', { ms: 100 }, { onProgress: step => void steps.push(step) });
    expect(result).toMatchObject({ ok: true, value: { attempt: 1, id: expect.stringMatching(/^\w{41}$/) } });
    expect(steps).toEqual([
      { done: 1, total: 4, message: 'Begun' },
      { done: 1, total: 4, message: 'Working' },
    ]);
    expect(await registry.invoke('plain', { ms: 100 })).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    await registry.close();
  });

  it('T1 a question of a tool with `task` is answered by callbacks, again where the answer is wrong, and no step is done twice', async () => {
    const registry = await createRegistry(folder, { env: {}, app: { made: 0 } });
    const answers = [{ action: 'accept', content: { size: 'XXL' } }, accept] as const;
    let asked = 0;
    const elicit = () => answers[asked++] ?? accept;
    const result = await registry.invoke('order', {}, { elicit });
    expect(result).toMatchObject({ ok: true, value: { made: 1, all: 1, attempt: 3, size: 'M' } });
    expect(asked).toBe(2);
    await registry.close();
  });

  it('T1 a signal cancels the call of a tool with `task`', async () => {
    const registry = await createRegistry(folder, { env: {} });
    const stop = new AbortController();
    const calling = registry.invoke('report', { ms: 60_000 }, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(await calling).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    await registry.close();
  });
});

describe('T1 createTestClient', () => {
  let client: TestClient;
  let reports: string[] = [];
  const app = { made: 0 };
  beforeAll(async () => {
    client = await createTestClient(folder, { app, elicit: () => accept, report: text => void reports.push(text) });
  });
  afterAll(() => client.close());

  it('T1 a tool that runs as a task is started, looked at and waited for', async () => {
    const task = await client.startTask<{ id: string }>('report', { ms: 300 });
    await expect.poll(() => task.status()).toEqual({ status: 'working', note: 'Begun', questions: {} });
    const result = await task.result();
    expect(result).toMatchObject({ ok: true, value: { attempt: 1, id: task.id }, progress: [{ done: 1, total: 4 }] });
    expect(await task.status()).toMatchObject({ status: 'completed', note: 'Working' });
  });

  it('T1 a task is cancelled', async () => {
    const task = await client.startTask('report', { ms: 60_000 });
    await task.cancel();
    expect(await task.status()).toMatchObject({ status: 'cancelled' });
    expect(await task.result()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  it.each([['order'], ['first']])('T1 the callbacks answer the questions of %s', async name => {
    app.made = 0;
    const task = await client.startTask(name);
    expect(await task.result()).toMatchObject({ ok: true, value: { made: 1, all: 1, size: 'M' } });
  });

  it('T1 a test answers the questions of a task by hand', async () => {
    app.made = 0;
    const task = await client.startTask('order', {}, { byHand: true });
    await expect.poll(async () => (await task.status()).status).toBe('input_required');
    const { questions } = await task.status();
    expect(questions).toMatchObject({ size: { kind: 'elicit', params: { message: 'Which size?' } } });
    await task.answer({ size: { action: 'accept', content: { size: 'XXL' } } });
    // A key stands for one question for the whole life of a task.
    await expect.poll(async () => Object.keys((await task.status()).questions)).toEqual(['size~2']);
    await task.answer({ 'size~2': accept });
    expect(await task.result()).toMatchObject({ ok: true, value: { made: 1, all: 1, attempt: 3, size: 'M' } });
  });

  it('T1 the error of a tool is the result of its task', async () => {
    reports = [];
    const task = await client.startTask('fails');
    expect(await task.result()).toMatchObject({ ok: false, error: { code: 'UNEXPECTED_ERROR' } });
    expect(await task.status()).toMatchObject({ status: 'failed' });
    expect(reports.join()).toContain('the reason');
  });

  it('T1 what does not run as a task is not started as one', async () => {
    await expect(client.startTask('plain')).rejects.toThrow('plain does not run as a task');
    await expect(client.startTask('nothing')).rejects.toThrow('Unknown tool: nothing');
  });

  it('T1 a callback that throws ends its task', async () => {
    const elicit = () => {
      throw new Error('nobody is here');
    };
    const task = await client.startTask('order', {}, { elicit });
    expect(await task.result()).toMatchObject({ ok: false, error: { code: 'QUESTION_FAILED' } });
    expect(await task.status()).toMatchObject({ status: 'cancelled' });
  });

  it('T1 a task ends with its client', async () => {
    const other = await createTestClient(folder, {});
    const task = await other.startTask('report', { ms: 60_000 });
    await other.close();
    expect(await task.result()).toMatchObject({ ok: false, error: { code: 'CLOSED' } });
  });
});
