// T1. Tasks in `toolwright dev`: they are with the process that stays, and their handlers in one that is replaced.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type DevSession, endSessions, startDev } from './dev-kit.js';

afterEach(endSessions);

type Task = Readonly<Record<string, unknown>>;

async function send(dev: DevSession, method: string, params: object): Promise<Task> {
  const client = dev.client as Client;
  return (await client.request({ method, params: { ...params } }, ResultSchema)) as Task;
}

async function start(dev: DevSession, name: string): Promise<string> {
  const { task } = await send(dev, 'tools/call', { name, arguments: {}, task: {} });
  return String((task as Task)['taskId']);
}

/** What it comes to. */
async function textOf(dev: DevSession, taskId: string): Promise<string> {
  const { content } = await send(dev, 'tasks/result', { taskId });
  const [first] = content as readonly { readonly text: string }[];
  return first?.text ?? '';
}

/** Does one step, then waits until the test lets it go on. */
const source = (version: string): string => `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
export default async (_: object, ctx: any) => {
  await ctx.once('step', () => appendFileSync('effects.log', '${version}\\n'));
  ctx.task.note('${version} waits');
  while (!existsSync('go')) { await sleep(20); ctx.signal.throwIfAborted(); }
  return \`${version} \${ctx.task.attempt}\`;
};
`;

const files = (task: string) => ({
  'mcp/tools/work.yaml': `description: Works\ntask: ${task}\n`,
  'src/tools/work.ts': source('first'),
});

async function noted(dev: DevSession, taskId: string, note: string): Promise<void> {
  while ((await send(dev, 'tasks/get', { taskId }))['statusMessage'] !== note) await sleep(20);
}

describe('T1 tasks in `dev`', () => {
  it('T1 a task survives a reload of its handler and goes on by replay, with the new code', async () => {
    const dev = await startDev(files('{ mode: required, restart: resume }'));
    await dev.next('serving');
    const taskId = await start(dev, 'work');
    await noted(dev, taskId, 'first waits');
    await dev.change({ 'src/tools/work.ts': source('second') }, 'serving');
    await noted(dev, taskId, 'second waits');
    writeFileSync(join(dev.pack, 'go'), '');
    expect(await textOf(dev, taskId)).toBe('second 2');
    // What `ctx.once` kept is not done again.
    expect(readFileSync(join(dev.pack, 'effects.log'), 'utf8')).toBe('first\n');
    expect(dev.events.filter(one => one.event === 'call').map(({ result }) => result)).toEqual(['left', 'ok']);
  });

  it('T1 a task whose tool does not resume ends where it began', async () => {
    const dev = await startDev(files('optional'));
    await dev.next('serving');
    const taskId = await start(dev, 'work');
    await noted(dev, taskId, 'first waits');
    await dev.change({ 'src/tools/work.ts': source('second') }, 'serving');
    writeFileSync(join(dev.pack, 'go'), '');
    expect(await textOf(dev, taskId)).toBe('first 1');
  });

  it('T3 a task whose handler ends its process is begun again, and not for ever', async () => {
    const dev = await startDev({
      ...files('{ mode: optional, restart: resume }'),
      'src/tools/work.ts':
        "import { appendFileSync } from 'node:fs';\nexport default () => { appendFileSync('effects.log', 'x'); process.exit(3); };\n",
    });
    await dev.next('serving');
    const taskId = await start(dev, 'work');
    await dev.next('crashed');
    const ended = send(dev, 'tasks/result', { taskId });
    await expect(ended).rejects.toThrow('The server ended 5 times while the tool was running; it is not begun again');
    expect(readFileSync(join(dev.pack, 'effects.log'), 'utf8')).toBe('xxxxx');
  });

  it('T1 `dev --mock` answers tasks from examples', async () => {
    const dev = await startDev(
      { 'mcp/tools/work.yaml': 'description: Works\ntask: required\nexamples: [{ output: Done }]\n' },
      { args: ['--mock', '--no-generate'] },
    );
    await dev.next('serving');
    expect(await textOf(dev, await start(dev, 'work'))).toBe('Done');
    await expect(send(dev, 'tools/call', { name: 'work' })).rejects.toMatchObject({ code: -32601 });
  });
});
