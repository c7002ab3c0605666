// What every store of tasks must do, whatever it keeps them in.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AskedQuestion, NewTask, Store, TaskRef } from '../../../runtime/tasks/store.js';
import { makeTaskId } from '../../../runtime/tasks/task-id.js';
import type { TaskEnd } from '../../../runtime/tasks/tasks.js';

export interface StoreBench {
  /** A store on the same tasks, as another process would open one. */
  open(): Promise<Store>;
  /** As long as a lease, in which others may look. */
  readonly leaseMs: number;
  /** Lets time go by for all stores. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const done: TaskEnd = { kind: 'result', result: { content: [{ type: 'text', text: 'done' }] } };
const late: TaskEnd = { kind: 'error', error: { code: -32603, message: 'late' } };
const color: AskedQuestion = { key: 'color', question: { kind: 'elicit', params: { message: 'Which color?' } } };
const size: AskedQuestion = { key: 'size', question: { kind: 'elicit', params: { message: 'Which size?' } } };
const mine = () => true;

export function newTask(given: Partial<NewTask> = {}): NewTask {
  const createdAt = given.createdAt ?? Date.now();
  return {
    id: makeTaskId(createdAt),
    owner: 'alice',
    tool: 'report',
    args: { month: 'May' },
    createdAt,
    ttlMs: 3_600_000,
    caller: { client: { name: 'test', version: '1', capabilities: {} } },
    means: 'm1',
    settings: 's1',
    journal: { answers: {}, once: {} },
    isBegun: true,
    ...given,
  };
}

export function holdStore(name: string, openBench: () => Promise<StoreBench>): void {
  async function within(use: (bench: StoreBench, one: Store, other: Store) => Promise<void>): Promise<void> {
    const bench = await openBench();
    const stores = [await bench.open(), await bench.open()] as const;
    try {
      await use(bench, ...stores);
    } finally {
      for (const store of new Set(stores)) await store.close();
      await bench.close();
    }
  }

  async function accepted(store: Store, given: Partial<NewTask> = {}): Promise<NewTask> {
    const task = newTask(given);
    expect(await store.accept(task, 100)).toBe(true);
    return task;
  }

  /** Looks now and then, as a process does, for as long as `leases`. */
  async function takeWithin(bench: StoreBench, store: Store, leases: number) {
    for (let look = 0; look <= leases * 10; look += 1) {
      const taken = await store.take(mine);
      if (taken !== undefined) return taken;
      await bench.pass(bench.leaseMs / 10);
    }
    return undefined;
  }

  describe(`the store ${name}`, () => {
    it('T2 a task that was accepted is found by every process, whole', () =>
      within(async (_, one, other) => {
        const task = await accepted(one, {
          journal: { answers: { a: 1 }, once: { b: [2] } },
          args: { text: 'Grüße\n"\u2028 ', __proto__: undefined, list: [null, 1.5] },
        });
        const record = await other.get(task);
        expect(record).toMatchObject({ ...task, args: { text: 'Grüße\n"\u2028 ', list: [null, 1.5] }, run: 1 });
        expect(record).toMatchObject({ open: [], asked: {}, answered: {}, once: {}, note: undefined, end: undefined });
        expect(record?.updatedAt).toBeGreaterThanOrEqual(task.createdAt);
      }));

    it('T2 a task of somebody else, an unknown id and a malformed one are not found', () =>
      within(async (_, one) => {
        const task = await accepted(one);
        const others: TaskRef[] = [
          { id: task.id, owner: 'bob' },
          { id: task.id, owner: '' },
          { id: makeTaskId(Date.now()), owner: 'alice' },
          ...['', '..', '../../etc/passwd', `${task.id}.1`, `${task.id}\0`, task.id.toUpperCase(), '__proto__'].map(
            id => ({
              id,
              owner: 'alice',
            }),
          ),
        ];
        for (const ref of others) {
          expect(await one.get(ref)).toBeUndefined();
          expect(await one.cancel(ref)).toBeUndefined();
          expect(await one.answer(ref, { color: 1 })).toBeUndefined();
          expect(await one.renew(ref, 1)).toBe(false);
          expect(await one.finish(ref, 1, done)).toBe(false);
          one.onChange(ref.id, () => undefined)();
        }
        expect((await one.get(task))?.end).toBeUndefined();
      }));

    it('T2 the caller of a task is kept, and what is not known of it stays absent', () =>
      within(async (_, one, other) => {
        const auth = { token: 't', clientId: 'c', scopes: ['a'], subject: 's', claims: { org: 1 } };
        const client = { name: 'n', version: '2', capabilities: { elicitation: { form: {} } } };
        const task = await accepted(one, { caller: { client, auth, isRemote: true, meta: { x: 1 } } });
        const { token: _token, ...rest } = auth;
        expect((await other.get(task))?.caller).toMatchObject({ client, auth: rest, isRemote: true, meta: { x: 1 } });
      }));

    it('T2 an owner has so many open tasks, and others have their own', () =>
      within(async (_, one, other) => {
        const [first] = [await accepted(one), await accepted(one)];
        expect(await other.accept(newTask(), 2)).toBe(false);
        expect(await other.accept(newTask({ owner: 'bob' }), 2)).toBe(true);
        await one.finish(first, 1, done);
        expect(await other.accept(newTask(), 2)).toBe(true);
      }));

    it('T2 a task that has begun is not taken while its run is renewed', () =>
      within(async (bench, one, other) => {
        const task = await accepted(one);
        for (let look = 0; look < 40; look += 1) {
          expect(await one.renew(task, 1)).toBe(true);
          expect(await other.take(mine)).toBeUndefined();
          await bench.pass(bench.leaseMs / 10);
        }
      }));

    it('T3 a run that is not renewed is overtaken, and can do nothing any more', () =>
      within(async (bench, one, other) => {
        const task = await accepted(one);
        expect(await one.keep(task, 1, 'first', [1])).toBe(true);
        const taken = await takeWithin(bench, other, 3);
        expect(taken).toMatchObject({ run: 2, isCutShort: true, crashes: 1, record: { run: 2, once: { first: [1] } } });
        expect(await one.renew(task, 1)).toBe(false);
        expect(await one.keep(task, 1, 'second', [2])).toBe(false);
        expect(await one.note(task, 1, 'still here')).toBe(false);
        expect(await one.ask(task, 1, { color })).toBe(false);
        expect(await one.leave(task, 1)).toBe(false);
        expect(await one.finish(task, 1, done)).toBe(false);
        expect(await other.renew(task, 2)).toBe(true);
        const record = await one.get(task);
        expect(record).toMatchObject({ run: 2, once: { first: [1] }, open: [], note: undefined, end: undefined });
        expect(await other.finish(task, 2, done)).toBe(true);
      }));

    it('T3 what an overtaken run wrote too late is not seen by later runs either', () =>
      within(async (bench, one, other) => {
        const task = await accepted(one);
        expect((await takeWithin(bench, other, 3))?.run).toBe(2);
        await one.keep(task, 1, 'step', ['of the first run']);
        expect(await other.keep(task, 2, 'step', ['of the second run'])).toBe(true);
        const third = await takeWithin(bench, one, 3);
        expect(third).toMatchObject({ run: 3, crashes: 2, record: { once: { step: ['of the second run'] } } });
      }));

    it('T2 a task that nobody has begun is due, the oldest first, each to one only', () =>
      within(async (_, one, other) => {
        const now = Date.now();
        const tasks = [1, 2, 3].map(age => newTask({ isBegun: false, createdAt: now + age }));
        for (const task of [2, 0, 1]) await one.accept(tasks[task] as NewTask, 100);
        const taken = [await one.take(mine), await other.take(mine), await one.take(mine), await other.take(mine)];
        expect(taken.map(one => one?.record.id)).toEqual([...tasks.map(({ id }) => id), undefined]);
        expect(taken[0]).toMatchObject({ run: 1, isCutShort: false, crashes: 0 });
      }));

    it('T2 many that take at once get different tasks', () =>
      within(async (_, one, other) => {
        const tasks = Array.from({ length: 20 }, () => newTask({ isBegun: false }));
        await Promise.all(tasks.map(task => one.accept(task, 100)));
        const taken = await Promise.all(Array.from({ length: 30 }, (_, index) => (index % 2 ? one : other).take(mine)));
        const ids = taken.flatMap(one => one?.record.id ?? []);
        while (ids.length < 20) {
          const more = await one.take(mine);
          if (more === undefined) break;
          ids.push(more.record.id);
        }
        expect(ids.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
      }));

    it('T2 nobody takes what it must not run', () =>
      within(async (_, one) => {
        const task = await accepted(one, { isBegun: false, settings: 'theirs' });
        expect(await one.take(({ settings, tool }) => settings === 'ours' && tool === 'report')).toBeUndefined();
        expect((await one.take(({ id, owner }) => id === task.id && owner === 'alice'))?.run).toBe(1);
      }));

    it('T2 a run that is left is due at once, and does not count as a crash', () =>
      within(async (_, one, other) => {
        const task = await accepted(one);
        expect(await one.leave(task, 1)).toBe(true);
        expect(await one.keep(task, 1, 'late', [])).toBe(false);
        expect(await other.take(mine)).toMatchObject({ run: 2, isCutShort: true, crashes: 0 });
      }));

    it('T1 a task with open questions waits, and is due with the last answer', () =>
      within(async (bench, one, other) => {
        const task = await accepted(one);
        expect(await one.ask(task, 1, { color, 'size~2': size })).toBe(true);
        expect(await one.keep(task, 1, 'late', [])).toBe(false);
        expect(await other.get(task)).toMatchObject({ open: ['color', 'size~2'], asked: { color, 'size~2': size } });
        expect(await takeWithin(bench, other, 3)).toBeUndefined();
        const half = await other.answer(task, { color: 'red', size: 1, other: 2 });
        expect(half).toMatchObject({ open: ['size~2'], answered: { color: 'red' } });
        expect(await one.take(mine)).toBeUndefined();
        expect((await one.answer(task, { color: 'blue', 'size~2': null }))?.answered).toEqual({
          color: 'red',
          'size~2': null,
        });
        const taken = await other.take(mine);
        expect(taken).toMatchObject({ run: 2, isCutShort: false, crashes: 0 });
        expect(taken?.record).toMatchObject({ open: [], answered: { color: 'red', 'size~2': null } });
      }));

    it('T1 of two answers to a question at the same time one counts', () =>
      within(async (_, one, other) => {
        const task = await accepted(one);
        await one.ask(task, 1, { color });
        await Promise.all([one, other, one, other].map((store, index) => store.answer(task, { color: index })));
        const record = await one.get(task);
        expect(record?.answered).toEqual((await other.get(task))?.answered);
        await one.answer(task, { color: 'later' });
        expect((await other.get(task))?.answered).toEqual(record?.answered);
      }));

    it('T1 questions of earlier runs stay known, and their answers too', () =>
      within(async (_, one) => {
        const task = await accepted(one);
        await one.ask(task, 1, { color });
        await one.answer(task, { color: 'red' });
        await one.take(mine);
        await one.ask(task, 2, { 'color~2': { ...color, question: size.question } });
        expect(await one.get(task)).toMatchObject({ open: ['color~2'], answered: { color: 'red' } });
        expect(Object.keys((await one.get(task))?.asked ?? {})).toEqual(['color', 'color~2']);
      }));

    it('T3 the first end counts, and nothing can be done afterwards', () =>
      within(async (bench, one, other) => {
        const task = await accepted(one);
        await one.keep(task, 1, 'a', [{ b: 1 }]);
        await one.note(task, 1, 'almost');
        expect(await one.finish(task, 1, done)).toBe(true);
        expect(await one.finish(task, 1, late)).toBe(false);
        expect((await other.cancel(task))?.end).toEqual(done);
        expect(await one.renew(task, 1)).toBe(false);
        expect(await one.keep(task, 1, 'c', [])).toBe(false);
        expect(await other.answer(task, { color: 1 })).toMatchObject({
          end: done,
          note: 'almost',
          once: { a: [{ b: 1 }] },
        });
        expect(await takeWithin(bench, other, 3)).toBeUndefined();
      }));

    it('T1 a cancellation ends a task that runs, one that asks and one that waits', () =>
      within(async (bench, one, other) => {
        const [running, asking, waiting] = [
          await accepted(one),
          await accepted(one),
          await accepted(one, { isBegun: false }),
        ];
        await one.ask(asking, 1, { color });
        for (const task of [running, asking, waiting]) {
          expect(await other.cancel(task)).toMatchObject({ end: { kind: 'cancelled' }, open: [] });
        }
        expect(await one.finish(running, 1, done)).toBe(false);
        expect((await one.get(running))?.end).toEqual({ kind: 'cancelled' });
        expect(await takeWithin(bench, one, 3)).toBeUndefined();
      }));

    it('T3 of an end and a cancellation at the same time one wins, for everybody', () =>
      within(async (_, one, other) => {
        for (let round = 0; round < 20; round += 1) {
          const task = await accepted(one);
          const both = [() => one.finish(task, 1, done), () => other.cancel(task)];
          const [first, second] = round % 2 ? both : both.toReversed();
          const results = await Promise.all([first?.(), second?.()]);
          const finished = results.find(result => typeof result === 'boolean');
          const end = (await one.get(task))?.end;
          expect(end).toEqual(finished === true ? done : { kind: 'cancelled' });
          expect((await other.get(task))?.end).toEqual(end);
        }
      }));

    it('T1 the newest note is seen', () =>
      within(async (_, one, other) => {
        const task = await accepted(one);
        for (const text of ['1 of 3', '2 of 3']) expect(await one.note(task, 1, text)).toBe(true);
        expect((await other.get(task))?.note).toBe('2 of 3');
      }));

    it('T1 tasks of an owner are listed, the newest first, in pages', () =>
      within(async (_, one, other) => {
        const now = Date.now();
        const tasks = Array.from({ length: 5 }, (_, index) => newTask({ createdAt: now + index }));
        for (const task of [...tasks, newTask({ owner: 'bob' })]) await one.accept(task, 100);
        await one.finish(tasks[3] as NewTask, 1, done);
        const ids = tasks.map(({ id }) => id).toReversed();
        const first = await other.list('alice', undefined, 2);
        expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2));
        expect(first[1]?.end).toEqual(done);
        expect((await other.list('alice', ids[1], 10)).map(({ id }) => id)).toEqual(ids.slice(2));
        expect(await other.list('nobody', undefined, 10)).toEqual([]);
      }));

    it('T1 a listener hears of changes by every process, until it stops', () =>
      within(async (_, one, other) => {
        const task = await accepted(one);
        let [here, there] = [0, 0];
        const stops = [
          one.onChange(task.id, () => {
            here += 1;
          }),
          other.onChange(task.id, () => {
            there += 1;
          }),
        ];
        await one.note(task, 1, randomBytes(4).toString('hex'));
        await expect.poll(() => here > 0 && there > 0, { timeout: 5000 }).toBe(true);
        for (const stop of stops) stop();
        [here, there] = [0, 0];
        await one.finish(task, 1, done);
        await new Promise(resolve => setTimeout(resolve, 100));
        expect([here, there]).toEqual([0, 0]);
      }));

    it('T2 what outlives its ttl ends, can be seen a while longer, and goes', () =>
      within(async (bench, one, other) => {
        const short = { ttlMs: 10_000 };
        const [open, over, long] = [await accepted(one, short), await accepted(one, short), await accepted(one)];
        await one.finish(over, 1, done);
        await one.sweep(late);
        expect((await one.get(open))?.end).toBeUndefined();
        await bench.pass(20_000);
        for (let round = 0; round < 2; round += 1) {
          await other.sweep(late);
          if ((await one.get(open))?.end === undefined) await bench.pass(61_000);
        }
        await other.sweep(late);
        expect((await one.get(open))?.end).toEqual(late);
        expect(await one.finish(open, 1, done)).toBe(false);
        for (let round = 0; round < 4; round += 1) {
          await bench.pass(61_000);
          await one.sweep(late);
        }
        expect([await one.get(open), await other.get(over)]).toEqual([undefined, undefined]);
        expect((await one.list('alice', undefined, 10)).map(({ id }) => id)).toEqual([long.id]);
      }));

    it('T2 large arguments, steps and results come back as they were', () =>
      within(async (_, one, other) => {
        const text = 'ä\u0000x'.repeat(300_000);
        const task = await accepted(one, { args: { text } });
        expect(await one.keep(task, 1, 'big', [text])).toBe(true);
        expect(await one.finish(task, 1, { kind: 'result', result: { content: [{ type: 'text', text }] } })).toBe(true);
        const record = await other.get(task);
        expect(record?.args).toEqual({ text });
        expect(record?.once).toEqual({ big: [text] });
        expect(record?.end).toEqual({ kind: 'result', result: { content: [{ type: 'text', text }] } });
      }));

    it('T1 keys may be any text', () =>
      within(async (_, one, other) => {
        const task = await accepted(one);
        const keys = ['__proto__', 'constructor', 'a/b', '..', '', '7', 'ä\n', 'x'.repeat(5000)];
        for (const key of keys) await one.keep(task, 1, key, [key]);
        await one.ask(task, 1, Object.fromEntries(keys.map(key => [key, { ...color, key }])));
        expect((await other.get(task))?.open.toSorted()).toEqual(keys.toSorted());
        await other.answer(task, Object.fromEntries(keys.map(key => [key, { is: key }])));
        const record = (await other.take(mine))?.record;
        for (const key of keys) {
          expect(Object.entries(record?.once ?? {}).find(([name]) => name === key)?.[1]).toEqual([key]);
          expect(Object.entries(record?.answered ?? {}).find(([name]) => name === key)?.[1]).toEqual({ is: key });
        }
      }));
  });
}
