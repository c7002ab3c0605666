// Real clients that know tasks: the client package of the extension in both eras and the experimental tasks of the 1.x client, over both transports,
// with a server started from its manifests and with a build of it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Target } from '../../../harness/interop-clients.js';
import { connectExt, type ExtClient, eras, type Outcome } from './ext-client.js';
import { type Form, forms, openTaskServers, type TaskServers } from './task-servers.js';

const transports = ['stdio', 'http'] as const;
let servers: TaskServers;
beforeAll(async () => {
  servers = await openTaskServers();
}, 120_000);
afterAll(() => servers.close());

const answerOf = (message: string): object => {
  const content = message.startsWith('Delete') ? { confirm: true } : { name: message.split(' ')[0] };
  return { action: 'accept', content };
};

const cases = forms.flatMap(form => transports.flatMap(transport => eras.map(era => ({ form, transport, era }))));

describe.each(cases)('the extension client in $era over $transport, $form', ({ form, transport, era }) => {
  let client: ExtClient;
  const asked: string[] = [];
  beforeAll(async () => {
    client = await connectExt(era, transport, servers.target(form), message => {
      asked.push(message);
      return answerOf(message);
    });
  }, 120_000);
  afterAll(() => client.close());

  async function call(name: string, args: object = {}): Promise<Outcome & { readonly kind: string }> {
    const execution = await client.call(name, args);
    const { outcome } = await execution.settle();
    return { ...outcome, kind: execution.kind };
  }

  it('T1 a tool without tasks answers at once, one with tasks as a task', async () => {
    const plain = await call('greet', { name: 'Ada' });
    expect([plain.kind, client.textOf(plain)]).toEqual(['immediate', 'Hello, Ada!']);
    const task = await call('compute', { seconds: 0.1 });
    expect([task.kind, client.textOf(task)]).toEqual(['task', 'computed']);
  });

  it('T1 a client sees a tool error as its era has it, and a protocol error as failed', async () => {
    const failed = await call('fail');
    if (era === '2026-07-28') expect(client.textOf(failed)).toContain('it did not work');
    else expect([failed.status, failed.error?.message]).toEqual(['failed', expect.stringContaining('it did not work')]);
    const broken = await call('break');
    expect([broken.status, broken.error?.message]).toEqual(['failed', 'the job broke']);
  });

  it('T1 a client answers the questions of a task, each once', async () => {
    asked.length = 0;
    expect(client.textOf(await call('remove', { file: 'a.txt' }))).toBe('deleted a.txt');
    expect(client.textOf(await call('names'))).toBe('First and Second');
    expect(asked.sort()).toEqual(['Delete a.txt?', 'First name?', 'Second name?']);
  });

  it('T1 a client leaves a task, finds it again by its reference, and cancels it', async () => {
    const long = await client.call('compute', { seconds: 60 });
    const reference = long.serializeReference();
    await long.detach();
    await long.result().catch(() => undefined);
    const resumed = await client.resume(reference);
    await resumed.cancel();
    expect((await resumed.result()).status).toBe('cancelled');
  });
});

/** What the experimental tasks of the client tell of a call. */
interface Told {
  readonly type: string;
  readonly task?: { readonly taskId: string; readonly status: string };
  readonly result?: { readonly content: readonly { readonly text?: string }[] };
  readonly error?: { readonly message: string };
}

const old = forms.flatMap(form => transports.map(transport => ({ form, transport })));

describe.each(old)('the 1.x client over $transport, $form', ({ form, transport }) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: 'old', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answerOf(params.message) as never);
    await client.connect(wireOf(servers.target(form)) as Parameters<typeof client.connect>[0]);
    // Else it does not know which tools want a task.
    await client.listTools();
  });
  afterAll(() => client.close());

  function wireOf({ command, args, cwd, env, url }: Target): unknown {
    if (transport === 'http') return new StreamableHTTPClientTransport(url as URL);
    const inherited = { ...process.env, ...env } as Record<string, string>;
    return new StdioClientTransport({ command, args: [...args], cwd, env: inherited, stderr: 'pipe' });
  }

  async function call(name: string, args: object = {}): Promise<readonly Told[]> {
    const params = { name, arguments: args as Record<string, unknown> };
    const stream = client.experimental.tasks.callToolStream(params, CallToolResultSchema, { task: { ttl: 60_000 } });
    const told: Told[] = [];
    for await (const message of stream) told.push(message as unknown as Told);
    return told;
  }

  const textOf = (told: readonly Told[]): string | undefined => told.at(-1)?.result?.content[0]?.text;

  it('T1 a client makes tasks, follows them and fetches their results', async () => {
    const told = await call('compute', { seconds: 0.1 });
    expect(told[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working' } });
    expect(textOf(told)).toBe('computed');
    expect((await call('fail')).at(-1)).toMatchObject({ type: 'error' });
  });

  it('T1 a client answers the questions of a task while it waits for the result', async () => {
    expect(textOf(await call('remove', { file: 'a.txt' }))).toBe('deleted a.txt');
    expect(textOf(await call('names'))).toBe('First and Second');
  });

  it('T1 a client cancels a task, once, and lists tasks where it is alone', async () => {
    const { tasks } = client.experimental;
    const params = { name: 'compute', arguments: { seconds: 60 } };
    const stream = tasks.callToolStream(params, CallToolResultSchema, { task: { ttl: 60_000 } });
    const first = (await stream.next()).value as unknown as Told;
    const taskId = first.task?.taskId ?? '';
    expect((await tasks.cancelTask(taskId)).status).toBe('cancelled');
    await expect(tasks.cancelTask(taskId)).rejects.toThrow('-32602');
    if (transport === 'http') await expect(tasks.listTasks()).rejects.toThrow('-32601');
    else expect((await tasks.listTasks()).tasks.map(task => task.taskId)).toContain(taskId);
  });
});

describe.each(forms)('a server that ends, %s', (form: Form) => {
  it('T1 T3 a task outlives its server, and is found by its reference at the next one', async () => {
    const first = await servers.serve(form);
    const make = (url: URL): Promise<ExtClient> =>
      connectExt('2026-07-28', 'http', { ...servers.target(form), url }, answerOf);
    const before = await make(first.url);
    const execution = await before.call('compute', { seconds: 3 });
    const reference = execution.serializeReference();
    await execution.detach();
    first.child.kill('SIGKILL');
    await before.close().catch(() => undefined);
    const after = await make((await servers.serve(form)).url);
    const { outcome } = await (await after.resume(reference)).settle();
    expect(after.textOf(outcome)).toBe('computed');
    await after.close();
  }, 60_000);
});
