// What becomes of tasks whose process ends. Another bench on the same store is another process.
import { describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../../runtime/tasks/memory-store.js';
import type { Store } from '../../../runtime/tasks/store.js';
import type { ToolContext } from '../../../schema/support.js';
import { accept } from '../call/context-round.js';
import { openTasksBench, type TasksBenchOptions, text } from './tasks-kit.js';

const resume = { task: { mode: 'optional', restart: 'resume' } } as const;
const leaseMs = 150;

/** A process that is killed: what it has begun goes on nowhere, and nothing is said about it. */
function mortal(store: Store): { readonly store: Store; kill(): void } {
  let isDead = false;
  const refuse = <A extends unknown[], T>(use: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => (isDead ? new Promise<T>(() => undefined) : use(...args));
  };
  const { accept: take, take: next, renew, keep, note, ask, leave, finish, answer, cancel, sweep } = store;
  return {
    kill: () => {
      isDead = true;
    },
    store: {
      ...store,
      ...{ accept: refuse(take), take: refuse(next), renew: refuse(renew), keep: refuse(keep), note: refuse(note) },
      ...{ ask: refuse(ask), leave: refuse(leave), finish: refuse(finish), answer: refuse(answer) },
      ...{ cancel: refuse(cancel), sweep: refuse(sweep) },
    },
  };
}

/** Hangs in each run of `hangs`, after its first step. */
function steps(hangs: readonly number[], effects: string[]) {
  return async (_args: unknown, ctx: ToolContext) => {
    const attempt = ctx.task?.attempt ?? 0;
    await ctx.once('first', () => effects.push(`first in ${attempt}`));
    if (hangs.includes(attempt)) await new Promise(() => undefined);
    const second = await ctx.once('second', () => effects.push(`second in ${attempt}`));
    return text(`done in ${attempt} after ${second}`);
  };
}

async function twoProcesses(options: TasksBenchOptions, later: TasksBenchOptions = options) {
  const store = openMemoryStore({ leaseMs });
  const effects: string[] = [];
  const { store: first, kill } = mortal(store);
  const one = await openTasksBench(steps([1], effects), { leaseMs, ...options, store: first });
  const task = await one.start();
  await expect.poll(() => effects.length).toBe(1);
  await expect
    .poll(async () => Object.keys((await store.get({ id: task.id, owner: 'alice' }))?.once ?? {}))
    .toEqual(['first']);
  return { one, kill, task, effects, next: () => openTasksBench(steps([], effects), { leaseMs, ...later, store }) };
}

describe('a task whose process ends', () => {
  it('T3 a killed process: another one runs it from the top, and what was kept is not done again', async () => {
    const { kill, task, effects, next } = await twoProcesses({ definition: resume });
    kill();
    const { ended, tasks } = await next();
    expect((await ended(task)).end).toEqual({ kind: 'result', result: text('done in 2 after 2') });
    expect(effects).toEqual(['first in 1', 'second in 2']);
    await tasks.close();
  });

  it('T3 a process that closes gives its tasks back at once, and aborts their signals', async () => {
    const { one, task, effects, next } = await twoProcesses({ definition: { effect: 'read' } });
    await one.tasks.close();
    expect(one.handled[0]?.signal.aborted).toBe(true);
    expect((await one.tasks.get(task.id, 'alice'))?.end).toBeUndefined();
    await expect(one.start()).rejects.toMatchObject({ code: -32603 });
    const { ended, tasks } = await next();
    expect((await ended(task)).end?.kind).toBe('result');
    expect(effects).toEqual(['first in 1', 'second in 2']);
    await tasks.close();
  });

  it('T3 a tool that must not be run again has failed, and says that it may have been done in part', async () => {
    for (const definition of [
      { effect: 'write' },
      { task: { mode: 'optional', restart: 'fail' }, effect: 'read' },
    ] as const) {
      const { kill, task, effects, next } = await twoProcesses({ definition });
      kill();
      const { ended, tasks } = await next();
      expect(await ended(task)).toMatchObject({
        note: 'The server stopped while the tool was running; it may have been done in part',
        end: { kind: 'error', error: { code: -32603, data: { hint: 'Look what was done before you call it again.' } } },
      });
      expect(effects).toEqual(['first in 1']);
      await tasks.close();
    }
  });

  it('T3 a task that waits for an answer waits over a restart, also where its tool must not be run again', async () => {
    const store = openMemoryStore({ leaseMs });
    const effects: string[] = [];
    const handler = async (_args: unknown, ctx: ToolContext) => {
      await ctx.once('first', () => effects.push(`first in ${ctx.task?.attempt}`));
      const { content } = await ctx.elicit('a', { message: 'Which?', schema: { it: 'string' } });
      return text(String(content?.['it']));
    };
    const one = await openTasksBench(handler, { store, leaseMs });
    const task = await one.start();
    await one.asking(task);
    await one.tasks.close();
    const { tasks, ended } = await openTasksBench(handler, { store, leaseMs });
    await new Promise(resolve => setTimeout(resolve, leaseMs * 1.5));
    await tasks.answer(task.id, 'alice', { a: accept({ it: 'x' }) });
    expect((await ended(task)).end).toEqual({ kind: 'result', result: text('x') });
    expect(effects).toEqual(['first in 1']);
    await tasks.close();
  });

  it('T3 a task that takes its process along is begun so often only', async () => {
    const store = openMemoryStore({ leaseMs });
    const hang = () => new Promise(() => undefined);
    const options = { leaseMs, definition: resume };
    const [first, ...others] = [1, 2, 3].map(() => mortal(store));
    const one = await openTasksBench(hang, { ...options, store: first?.store as Store });
    const task = await one.start();
    first?.kill();
    for (const { store: mine, kill } of others) {
      const { handled } = await openTasksBench(hang, { ...options, store: mine, limits: { mostCrashes: 3 } });
      await expect.poll(() => handled.length, { timeout: 3000 }).toBe(1);
      kill();
    }
    const { ended, tasks } = await openTasksBench(hang, { ...options, store, limits: { mostCrashes: 3 } });
    expect((await ended(task)).note).toBe('The server ended 3 times while the tool was running; it is not begun again');
    await tasks.close();
  });

  it('T3 a tool that was changed meanwhile does not go on with the old call', async () => {
    const { kill, task, effects, next } = await twoProcesses(
      { definition: resume },
      { definition: resume, version: '2.0.0' },
    );
    kill();
    const { ended, tasks } = await next();
    expect((await ended(task)).note).toBe(
      'The tool was changed before the task was over; it may have been done in part',
    );
    expect(effects).toEqual(['first in 1']);
    await tasks.close();
  });

  it.each([
    ['options', { options: { pageSize: 5 } }],
    ['secrets', { token: 'of another account' }],
  ])('T3 a server with other %s leaves the task to one with the same', async (_name, settings) => {
    const { kill, task, next } = await twoProcesses({ definition: resume });
    kill();
    const other = await openTasksBench(() => text('wrong'), {
      ...{ leaseMs, definition: resume, ...settings },
      store: (await next()).store,
    });
    expect((await other.ended(task)).end).toEqual({ kind: 'result', result: text('done in 2 after 2') });
    expect(other.handled).toEqual([]);
    await other.tasks.close();
  });

  it('T3 a process that was overtaken learns it, and does no further step', async () => {
    const store = openMemoryStore({ leaseMs });
    const effects: string[] = [];
    let isStopped = false;
    // Its loop is blocked, as far as others can see.
    const stopped: Store = {
      ...store,
      renew: (...args) => (isStopped ? new Promise(() => undefined) : store.renew(...args)),
    };
    let goOn = (): void => undefined;
    const resumed = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const one = await openTasksBench(
      async (_args, ctx) => {
        await ctx.once('first', () => effects.push('first in 1'));
        await resumed;
        await ctx.once('second', () => effects.push('second in 1'));
        return text('wrong');
      },
      { leaseMs, definition: resume, store: stopped },
    );
    const task = await one.start();
    await expect.poll(() => effects.length).toBe(1);
    isStopped = true;
    const two = await openTasksBench(steps([], effects), { leaseMs, definition: resume, store });
    expect((await two.ended(task)).end?.kind).toBe('result');
    isStopped = false;
    goOn();
    await expect.poll(() => one.handled[0]?.signal.aborted).toBe(true);
    expect(effects).toEqual(['first in 1', 'second in 2']);
    for (const { tasks } of [one, two]) await tasks.close();
  });
});
