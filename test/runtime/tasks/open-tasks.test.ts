// Tasks from their start to their end, in one process.
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../runtime/call/protocol-error.js';
import { openMemoryStore } from '../../../runtime/tasks/memory-store.js';
import type { Store } from '../../../runtime/tasks/store.js';
import { StoreFailure } from '../../../runtime/tasks/store.js';
import type { Task } from '../../../runtime/tasks/tasks.js';
import { accept, makeRequest } from '../call/context-round.js';
import { gate, openTasksBench, text } from './tasks-kit.js';

const which = { message: 'Which one?', schema: { it: 'string' } } as const;
const before = { task: { mode: 'optional', ask: 'before' } } as const;

describe('a task', () => {
  it('T1 a handle is given out before the handler is done, and the result comes later', async () => {
    const { opened, open } = gate();
    const { tasks, start, ended } = await openTasksBench(async ({ month }) => {
      await opened;
      return text(`Report of ${String(month)}`);
    });
    const task = await start({ month: 'May' });
    expect(task).toMatchObject({ tool: 'report', ttlMs: 3_600_000, end: undefined, asking: {}, note: undefined });
    expect(await tasks.get(task.id, 'alice')).toEqual(task);
    expect(await tasks.get(task.id, 'bob')).toBeUndefined();
    open();
    expect((await ended(task)).end).toEqual({ kind: 'result', result: text('Report of May') });
    await tasks.close();
  });

  it('T1 the ttl is what the client wishes, up to a limit', async () => {
    const { tasks } = await openTasksBench(() => text(''));
    const ttlOf = async (ttlMs: number) => {
      const started = await tasks.start({ tool: 'report', args: {}, request: makeRequest(), ttlMs });
      return 'task' in started && started.task.ttlMs;
    };
    expect([await ttlOf(5000), await ttlOf(1e12), await ttlOf(-1)]).toEqual([5000, 86_400_000, 1]);
    await tasks.close();
  });

  it('T1 unknown tools, tools that never run as tasks and arguments that are too large are refused', async () => {
    const options = { definition: { task: 'forbidden' as const } };
    const { tasks } = await openTasksBench(() => text(''), options);
    const start = (tool: string, args: unknown = {}) => tasks.start({ tool, args, request: makeRequest() });
    await expect(start('other')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: other' });
    await expect(start('report')).rejects.toMatchObject({ code: -32601 });
    const bench = await openTasksBench(() => text(''));
    await expect(bench.start({ text: 'x'.repeat(2 ** 20) })).rejects.toMatchObject({
      code: -32602,
      message: 'The arguments have 1048587 bytes; at most 1048576 are kept of a task',
    });
    for (const one of [tasks, bench.tasks]) await one.close();
  });

  it('T1 a caller with too many tasks gets no more until one is over', async () => {
    const { opened, open } = gate();
    const { tasks, start, ended } = await openTasksBench(() => opened.then(() => text('')), {
      limits: { mostOpen: 2 },
    });
    const [first] = [await start(), await start()];
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining('2 tasks of this caller') });
    await tasks.start({ tool: 'report', args: {}, request: makeRequest({ principal: 'bob' }) });
    open();
    await ended(first);
    await start();
    await tasks.close();
  });

  it('T1 so many run at once, and the others wait for their turn', async () => {
    let [running, most] = [0, 0];
    const handler = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(resolve => setTimeout(resolve, 5));
      running -= 1;
      return text('');
    };
    const { tasks, start, ended } = await openTasksBench(handler, { limits: { mostRunning: 2 } });
    const started = await Promise.all(Array.from({ length: 8 }, () => start()));
    for (const task of started) expect((await ended(task)).end?.kind).toBe('result');
    expect(most).toBe(2);
    await tasks.close();
  });

  it('T1 what a handler throws ends it: protocol errors as they are, anything else under an id', async () => {
    const { tasks, start, ended, reported } = await openTasksBench(({ how }) => {
      throw how === 'protocol' ? new ProtocolError(-32050, 'Never', { why: 1 }) : new Error('the secret reason');
    });
    const protocol = await ended(await start({ how: 'protocol' }));
    expect(protocol).toMatchObject({
      note: 'Never',
      end: { kind: 'error', error: { code: -32050, message: 'Never', data: { why: 1 } } },
    });
    const other = await ended(await start({ how: 'other' }));
    expect(other.end).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/^Internal error \(\w+\)$/) },
    });
    expect(reported.join()).toContain('the secret reason');
    await tasks.close();
  });

  it('T1 a result that is too large is not kept, and the task says so', async () => {
    const { tasks, start, ended } = await openTasksBench(() => text('x'.repeat(2000)), {
      limits: { largestResult: 1000 },
    });
    expect((await ended(await start())).note).toMatch(/^The result has 2\d{3} bytes; at most 1000 are kept/);
    await tasks.close();
  });

  it('T1 progress becomes the note, at most once in a second, and reaches the client that started it', async () => {
    const told: unknown[] = [];
    const { opened, open } = gate();
    const store = openMemoryStore();
    let notes = 0;
    const counting: Store = { ...store, note: (...args) => store.note(...args).finally(() => (notes += 1)) };
    const handler = async (_args: unknown, ctx: { progress(done: number, total: number, text: string): void }) => {
      for (let part = 1; part <= 100; part += 1) ctx.progress(part, 100, `part ${part}`);
      await opened;
      return text('');
    };
    const { tasks, start, ended } = await openTasksBench(handler as never, { store: counting });
    const task = await start({}, { progress: (...args) => told.push(args) });
    await expect.poll(() => told.length).toBe(100);
    expect((await tasks.get(task.id, 'alice'))?.note).toBe('part 1');
    open();
    expect((await ended(task)).note).toBe('part 100');
    expect([told[99], notes]).toEqual([[100, 100, 'part 100'], 2]);
    await tasks.close();
  });

  it('T1 a cancellation counts at once, aborts the signal, and does not wait for the handler', async () => {
    const { opened, open } = gate();
    const { tasks, start, handled } = await openTasksBench(() => opened.then(() => text('too late')));
    const task = await start();
    expect((await tasks.cancel(task.id, 'alice'))?.end).toEqual({ kind: 'cancelled' });
    expect(handled[0]?.signal.aborted).toBe(true);
    open();
    await new Promise(resolve => setTimeout(resolve, 20));
    expect((await tasks.cancel(task.id, 'alice'))?.end).toEqual({ kind: 'cancelled' });
    expect(await tasks.cancel(task.id, 'bob')).toBeUndefined();
    await tasks.close();
  });

  it('T1 a task that is not over at the end of its ttl has failed', async () => {
    const { tasks, handled, ended } = await openTasksBench(() => new Promise(() => undefined));
    const started = await tasks.start({ tool: 'report', args: {}, request: makeRequest(), ttlMs: 50 });
    const task = await ended((started as { task: Task }).task);
    expect(task.note).toBe('The task was not over when its time to live ended');
    expect(handled[0]?.signal.aborted).toBe(true);
    await tasks.close();
  });

  it('T1 questions inside a task leave it waiting, and the handler goes on with the answers', async () => {
    const effects: string[] = [];
    const { tasks, start, ended, asking, handled } = await openTasksBench(async (_args, ctx) => {
      await ctx.once('reserve', () => {
        effects.push('reserve');
      });
      const [a, b] = await Promise.all([ctx.elicit('a', which), ctx.elicit('b', which)]);
      return text(`${String(a.content?.['it'])} ${String(b.content?.['it'])}`);
    });
    const task = await start();
    expect(Object.keys((await asking(task)).asking)).toEqual(['a', 'b']);
    const half = await tasks.answer(task.id, 'alice', { a: accept({ it: 'x' }), c: 1 });
    expect(Object.keys(half?.asking ?? {})).toEqual(['b']);
    expect(await tasks.answer(task.id, 'bob', { b: accept({ it: 'y' }) })).toBeUndefined();
    await tasks.answer(task.id, 'alice', { b: accept({ it: 'y' }) });
    expect((await ended(task)).end).toEqual({ kind: 'result', result: text('x y') });
    expect([effects, handled.map(({ task: run }) => run?.attempt)]).toEqual([['reserve'], [1, 2]]);
    await tasks.close();
  });

  it('T1 a question that is asked again comes under a key of its own', async () => {
    const { tasks, start, ended, asking } = await openTasksBench(async (_args, ctx) => {
      const { content } = await ctx.elicit('age', { message: 'How old?', schema: { age: 'integer' } });
      return text(String(content?.['age']));
    });
    const task = await start();
    await asking(task);
    for (const [key, age] of [
      ['age', 'old'],
      ['age~2', 'older'],
      ['age~3', 7],
    ] as const) {
      await expect.poll(async () => Object.keys((await tasks.get(task.id, 'alice'))?.asking ?? {})).toEqual([key]);
      await tasks.answer(task.id, 'alice', { [key]: accept({ age }) });
    }
    expect((await ended(task)).end).toEqual({ kind: 'result', result: text('7') });
    await tasks.close();
  });

  it('T1 a watcher sees each state, and the end', async () => {
    const { tasks, start, asking } = await openTasksBench(async (_args, ctx) => {
      await ctx.elicit('a', which);
      return text('done');
    });
    const task = await start();
    const seen: string[] = [];
    const stop = tasks.watch(task.id, ({ end, asking }) => seen.push(end?.kind ?? Object.keys(asking).join()));
    await asking(task);
    await tasks.answer(task.id, 'alice', { a: accept({ it: 'x' }) });
    await expect.poll(() => seen.at(-1)).toBe('result');
    stop();
    expect(seen.filter((state, index) => state !== seen[index - 1])).toEqual(['a', '', 'result']);
    await tasks.close();
  });

  it('T1 tasks are listed in pages, and other cursors are refused', async () => {
    const { tasks, start } = await openTasksBench(() => text(''));
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1) ids.unshift((await start()).id);
    const first = await tasks.list('alice');
    const second = await tasks.list('alice', first.nextCursor);
    const listed = [...first.tasks, ...second.tasks].map(({ id }) => id);
    expect([listed.toSorted(), first.tasks.length, second.nextCursor]).toEqual([ids.toSorted(), 50, undefined]);
    for (const cursor of ['', 'x', 'A'.repeat(1000), Buffer.from('../..').toString('base64url')]) {
      await expect(tasks.list('alice', cursor)).rejects.toMatchObject({ code: -32602 });
    }
    expect((await tasks.list('bob')).tasks).toEqual([]);
    await tasks.close();
  });
});

describe('a task that asks before it begins', () => {
  it('T1 questions come first, nothing is kept of them, and the round with all answers gives the task', async () => {
    const { tasks, ended, store } = await openTasksBench(
      async (_args, ctx) => {
        const a = await ctx.elicit('a', which);
        const b = await ctx.elicit('b', which);
        return text(`${String(a.content?.['it'])} ${String(b.content?.['it'])}`);
      },
      { definition: before },
    );
    const round = (request: Parameters<typeof makeRequest>[0]) =>
      tasks.start({ tool: 'report', args: {}, request: makeRequest(request) });
    const states: string[] = [];
    for (const [key, answers] of [
      ['a', {}],
      ['b', { a: accept({ it: 'x' }) }],
      ['b', { b: accept({ it: 7 }) }],
    ] as const) {
      const started = await round({ state: states.at(-1), answers });
      if (!('asking' in started)) throw new Error('it does not ask');
      expect(Object.keys(started.asking.questions)).toEqual([key]);
      states.push(started.asking.state);
    }
    expect(await store.list('alice', undefined, 10)).toEqual([]);
    const started = await round({ state: states.at(-1), answers: { b: accept({ it: 'y' }) } });
    if (!('task' in started)) throw new Error('it asks again');
    expect(started.task.end).toBeUndefined();
    expect((await ended(started.task)).end).toEqual({ kind: 'result', result: text('x y') });
    await tasks.close();
  });

  it('T1 the answers of a first round count for nothing where somebody must agree', async () => {
    const { tasks } = await openTasksBench(() => text('done'), { definition: { ...before, confirm: true } });
    const request = makeRequest({ answers: { 'toolwright/confirm': accept({ confirm: true }) } });
    expect(await tasks.start({ tool: 'report', args: {}, request })).toHaveProperty('asking');
    await expect(
      tasks.start({ tool: 'report', args: {}, request: makeRequest({ state: 'forged' }) }),
    ).rejects.toMatchObject({ code: -32602 });
    await tasks.close();
  });

  it('T1 it is a task before its first effect, and after a while without a question', async () => {
    const { opened, open } = gate();
    const seen: number[] = [];
    const { tasks, start, ended, store } = await openTasksBench(
      async ({ once }, ctx) => {
        if (once === true) {
          await ctx.once('effect', async () => {
            seen.push((await store.list('alice', undefined, 10)).length);
          });
        }
        await opened;
        return text('done');
      },
      { definition: before, limits: { beforeMs: 50 } },
    );
    const [effect, slow] = [await start({ once: true }), await start()];
    expect(seen).toEqual([1]);
    open();
    for (const task of [effect, slow]) expect((await ended(task)).end?.kind).toBe('result');
    await tasks.close();
  });

  it('T1 a call that its client cancels before it is a task leaves nothing', async () => {
    const { tasks, store, handled } = await openTasksBench(() => new Promise(() => undefined), {
      definition: before,
      limits: { beforeMs: 50 },
    });
    const client = new AbortController();
    const started = tasks.start({ tool: 'report', args: {}, request: makeRequest({ signal: client.signal }) });
    client.abort();
    await expect(started).rejects.toMatchObject({ code: -32603 });
    expect(await store.list('alice', undefined, 10)).toEqual([]);
    expect(handled[0]?.signal.aborted).toBe(true);
    await tasks.close();
  });
});

describe('a store that fails', () => {
  it('T2 a task that cannot be kept is refused with the reason, and its handler has no effect', async () => {
    const full = async () => {
      throw new StoreFailure('The task could not be kept: the disk is full');
    };
    for (const definition of [{}, before]) {
      const effects: string[] = [];
      const { tasks, start, reported } = await openTasksBench(
        async (_args, ctx) => {
          await ctx.once('effect', () => effects.push('done'));
          return text('');
        },
        { definition, store: { ...openMemoryStore(), accept: full } },
      );
      await expect(start()).rejects.toMatchObject({
        code: -32603,
        message: 'The task could not be kept: the disk is full',
      });
      expect([effects, reported.length]).toEqual([[], 1]);
      await tasks.close();
    }
  });

  it('T2 a step and an end wait until they can be written down', async () => {
    const store = openMemoryStore();
    let left = 2;
    const failing =
      <A extends unknown[]>(write: (...args: A) => Promise<boolean>) =>
      async (...args: A): Promise<boolean> => {
        left -= 1;
        if (left >= 0) throw new StoreFailure('The task could not be kept: the disk is full');
        left = 2;
        return await write(...args);
      };
    const effects: string[] = [];
    const { tasks, start, ended, reported } = await openTasksBench(
      async (_args, ctx) => {
        await ctx.once('effect', () => effects.push('done'));
        return text('done');
      },
      { store: { ...store, keep: failing(store.keep), finish: failing(store.finish) } },
    );
    expect((await ended(await start())).end?.kind).toBe('result');
    expect([effects, reported.length]).toEqual([['done'], 2]);
    expect(reported[0]).toContain('waits until it can be written down: The task could not be kept: the disk is full');
    await tasks.close();
  });
});
