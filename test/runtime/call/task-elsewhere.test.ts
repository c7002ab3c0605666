// Runs of tasks whose handlers are elsewhere: in a thread, or in the process that `dev` replaces.
import { setImmediate as later } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { RunLost } from '../../../runtime/call/run-lost.js';
import { taskPolicyOf } from '../../../runtime/load/program.js';
import { answerCalls } from '../../../runtime/server/dev/answer-calls.js';
import { createLiveSurface } from '../../../runtime/server/dev/live-surface.js';
import type { FromWorker, ToWorker } from '../../../runtime/server/dev/messages.js';
import { openRemote } from '../../../runtime/server/dev/remote-server.js';
import { supervise } from '../../../runtime/server/dev/supervise.js';
import { emptySnapshot } from '../../../runtime/server/dev/take-snapshot.js';
import { openSurface } from '../../../runtime/server/registry/create-registry.js';
import type { Surface } from '../../../runtime/surface/surface.js';
import type { Tasks } from '../../../runtime/tasks/tasks.js';
import { writeFolder } from '../packs/code-packs.js';
import { makeRequest, textsOf } from './call-kit.js';
import { accept, everything } from './context-round.js';
import { asked, type Call, FakeTask, resultOf } from './task-kit.js';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const shop = `import { threadId } from 'node:worker_threads';
export default async function pay(_args, ctx) {
  ctx.task?.note('attempt ' + ctx.task.attempt + ' of ' + ctx.task.id);
  const where = await ctx.once('where', () => (threadId === 0 ? 'here' : 'thread'));
  const answer = await ctx.elicit('sure', { message: 'Pay?', schema: { sure: 'boolean' } });
  await ctx.once('pay', () => undefined);
  return where + ' ' + answer.action;
}`;

async function openShop(isolate: 'thread' | 'none'): Promise<Surface> {
  const folder = writeFolder({
    'package.json': '{"name": "@acme/apart", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml': `isolate: ${isolate}\n`,
    'mcp/tools/t.yaml': 'description: d\neffect: destructive\n',
    'src/tools/t.js': shop,
  });
  const { surface, close } = await openSurface(folder, { env: {}, showCauses: true });
  closing.push(close);
  return surface;
}

/** The two processes of `dev` in one: what they say to each other goes through JSON. */
function overChannel(surface: Surface): Call {
  let tell = (_: FromWorker): void => undefined;
  const pass = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;
  const receiver = answerCalls(
    surface,
    message => void later().then(() => tell(pass(message))),
    text => text,
  );
  const channel = {
    send(message: ToWorker) {
      const { type } = message;
      if (type === 'call' || type === 'cancel' || type === 'told')
        void later().then(() => receiver.receive(pass(message)));
    },
    onMessage(listen: (message: FromWorker) => void) {
      tell = listen;
    },
    onExit: () => undefined,
    kill: () => undefined,
  };
  const remote = openRemote(channel, {}, { onChange: () => undefined, onLog: () => undefined });
  return async request =>
    (await remote.call('callTool', ['t', {}], { ...makeRequest(), ...request })) as Awaited<ReturnType<Call>>;
}

const ways: readonly (readonly [string, string, () => Promise<Call>])[] = [
  [
    'in a thread',
    'thread',
    async () => {
      const surface = await openShop('thread');
      return request => surface.callTool('t', {}, { ...makeRequest(), ...request });
    },
  ],
  ['in another process', 'here', async () => overChannel(await openShop('none'))],
  ['in a thread of another process', 'thread', async () => overChannel(await openShop('thread'))],
];

describe('a run of a task elsewhere', () => {
  it.each(ways)(
    'T1 X10 a handler %s has ctx.task, and its steps are kept where the task is',
    async (_, where, open) => {
      const plain = await open();
      const call: Call = request => plain({ client: everything, ...request });
      const task = new FakeTask();
      expect(await task.run(call, 'begin')).toBe('died');
      expect(await task.run(call, 'keep where')).toBe('died');
      expect(Object.keys(asked(await task.run(call)).questions)).toEqual(['sure']);
      task.answer({ sure: accept({ sure: true }) });
      expect(await task.run(call, 'keep pay')).toBe('died');
      expect(textsOf(resultOf(await task.run(call)))).toEqual([`${where} accept`]);
      expect(task.log).toEqual(['begin', 'begin', 'keep where', 'begin', 'keep pay']);
      expect(task.once).toEqual({ where: [where], pay: [] });
      expect(task.notes).toEqual([1, 2, 3, 4, 5].map(attempt => `attempt ${attempt} of task-1`));
    },
  );

  it('T1 a run whose process is gone is lost, and its task has not ended', async () => {
    const gone = { code: 1, signal: null };
    const { surface, close } = supervise({
      spawn: () => ({
        send: () => undefined,
        onMessage: () => undefined,
        onExit: listen => listen(gone),
        kill: () => undefined,
      }),
      order: () => ({}),
      prepare: async () => ({ diagnostics: [], folders: [] }),
      emit: () => undefined,
      onOpened: () => undefined,
      name: 's',
    });
    const call: Call = request => surface.callTool('t', {}, { ...makeRequest(), ...request });
    expect(resultOf(await call({})).isError).toBe(true);
    await expect(new FakeTask().run(call)).rejects.toBeInstanceOf(RunLost);
    await close();
  });

  it('T1 the surface that stays has tasks as long as the pack has a tool that runs as one', async () => {
    const opened: unknown[] = [];
    const tasks = {} as Tasks;
    const seal = { close: () => 'sealed', open: () => ({ answers: {}, once: {} }) };
    const surface = createLiveSurface(emptySnapshot('s'), {
      run: async () => undefined,
      report: () => undefined,
      tasks: {
        seal,
        async open(given) {
          opened.push(given);
          return tasks;
        },
      },
    });
    expect(surface.tasks).toBeUndefined();
    const entry = { name: 't', description: 'd', inputSchema: { type: 'object' } };
    const definition = { task: 'required', confirm: true } as const;
    const { lists, ...others } = emptySnapshot('s');
    const snapshot = { ...others, lists: { ...lists, tools: [entry] } };
    surface.replace({ ...snapshot, tasks: { t: definition } });
    expect(surface.replace({ ...snapshot, tasks: { t: { task: 'optional' } } })).toEqual(['tools']);
    expect(surface.replace({ ...snapshot, tasks: { t: definition } })).toEqual(['tools']);
    const served = surface.tool('t');
    expect(served && taskPolicyOf(served.tool)).toEqual({ mode: 'required', asksBefore: true, resumes: false });
    expect(await surface.tasks?.()).toBe(tasks);
    expect(await surface.tasks?.()).toBe(tasks);
    expect(opened).toEqual([surface]);
    expect(surface.services.seal).toBe(seal);
    surface.replace({ ...snapshot, tasks: {} });
    expect(surface.tasks).toBeUndefined();
  });

  it('T1 a store that fails fails the step in another process, too', async () => {
    const call = overChannel(await openShop('none'));
    const task = {
      ...{ id: 'x', attempt: 1, journal: { answers: {}, once: {} }, note: () => undefined },
      mayBegin: () => Promise.reject(new Error('the disk is full')),
      keep: async () => true,
    };
    const [text] = textsOf(resultOf(await call({ client: everything, task })));
    expect(text).toContain('the disk is full');
  });
});
