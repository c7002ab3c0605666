// What a call does as a run of a task: it goes on where its journal ends, and nothing else ends it but its signal.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openToolJournal } from '../../../runtime/call/context/create-context.js';
import { ProtocolError } from '../../../runtime/index.js';
import { errorOf, type Handler, type Kit, type KitOptions, makeKit, makeRequest, textsOf } from './call-kit.js';
import { accept, everything, nobody } from './context-round.js';
import { asked, type Call, FakeTask, resultOf } from './task-kit.js';

afterEach(() => {
  vi.useRealTimers();
});

const form = { message: 'Pay?', schema: { sure: 'boolean' } } as const;

/** A call of the tool by a client that can be asked. */
function callOf(kit: Kit, args: unknown = {}): Call {
  return request => kit.outcome(args, { client: everything, ...request });
}

/** A tool that reserves, asks, and pays; `effects` are those that happened. */
function makeShop(definition: string, options: Omit<KitOptions, 'handler'> = {}) {
  const effects: string[] = [];
  const attempts: unknown[] = [];
  const handler: Handler = async (_args, ctx) => {
    attempts.push(ctx.task?.attempt);
    const order = await ctx.once('reserve', () => {
      effects.push('reserve');
      return { id: 7 };
    });
    const answer = await ctx.elicit('sure', form);
    await ctx.once('pay', () => void effects.push('pay'));
    return `${order.id} ${answer.action}`;
  };
  const kit = makeKit(definition, { ...options, handler });
  return { kit, call: callOf(kit), effects, attempts };
}

describe('a run of a task', () => {
  it.each(['read', 'destructive'])(
    'T1 T3 a tool with effect %s that dies twice and asks once does each step once',
    async effect => {
      const { call, effects, attempts } = makeShop(`{description: d, effect: ${effect}}`);
      const task = new FakeTask();
      expect(await task.run(call, 'keep reserve')).toBe('died');
      const asking = asked(await task.run(call));
      expect(Object.keys(asking.questions)).toEqual(['sure']);
      expect(asking.state).toBe('');
      task.answer({ sure: accept({ sure: true }) });
      expect(await task.run(call, 'keep pay')).toBe('died');
      expect(textsOf(resultOf(await task.run(call)))).toEqual(['7 accept']);
      expect(effects).toEqual(['reserve', 'pay']);
      expect(attempts).toEqual([1, 2, 3, 4]);
      expect(task.once).toEqual({ reserve: [{ id: 7 }], pay: [] });
    },
  );

  it('T1 a step is asked for before it begins, and kept before its handler goes on', async () => {
    const { call, effects } = makeShop('description: d');
    const task = new FakeTask();
    expect(await task.run(call, 'begin')).toBe('died');
    expect(effects).toEqual([]);
    asked(await task.run(call));
    expect(task.log).toEqual(['begin', 'begin', 'keep reserve']);
    // What is kept is not asked for again.
    asked(await task.run(call));
    expect(task.log).toHaveLength(3);
  });

  it('T1 a run that was overtaken asks nothing more, not even in a branch of its own', async () => {
    const kit = makeKit('description: d', {
      handler: (_args, ctx) => Promise.all([ctx.once('step', () => 1), ctx.elicit('sure', form)]),
    });
    const aborting = new AbortController();
    const run = {
      ...{ id: 'x', attempt: 1, journal: { answers: {}, once: {} }, note: () => undefined },
      ...{ mayBegin: async () => false, keep: async () => true },
    };
    let isOver = false;
    const ended = kit.outcome({}, { client: everything, task: run, signal: aborting.signal }).finally(() => {
      isOver = true;
    });
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(isOver).toBe(false);
    aborting.abort();
    expect(errorOf(resultOf(await ended))).toMatchObject({ code: 'CANCELLED' });
  });

  it('T1 an effect that fails is not kept, and the next run tries it again', async () => {
    let tries = 0;
    const kit = makeKit('description: d', {
      handler: (_args, ctx) =>
        ctx.once('flaky', () => {
          tries += 1;
          if (tries === 1) throw new Error('not now');
          return 'done';
        }),
    });
    const task = new FakeTask();
    expect(resultOf(await task.run(callOf(kit))).isError).toBe(true);
    expect(task.once).toEqual({});
    expect(textsOf(resultOf(await task.run(callOf(kit))))).toEqual(['done']);
  });

  it('T1 a store that fails fails the step, and nothing of it is lost in silence', async () => {
    const kit = makeKit('description: d', { handler: (_args, ctx) => ctx.once('step', () => 1) });
    const task = {
      ...{ id: 'x', attempt: 1, journal: { answers: {}, once: {} }, note: () => undefined },
      mayBegin: async () => true,
      keep: () => Promise.reject(new Error('the disk is full')),
    };
    expect(errorOf(resultOf(await kit.outcome({}, { task })))).toMatchObject({ code: 'UNEXPECTED_ERROR' });
    expect(kit.reports.join()).toContain('the disk is full');
  });

  it('T1 what a task has done so far may be of any size and age', async () => {
    const long = 'x'.repeat(300_000);
    const kit = makeKit('description: d', {
      async handler(_args, ctx) {
        const kept = await ctx.once('long', () => long);
        await ctx.elicit('sure', form);
        return String(kept.length);
      },
    });
    const plain = await kit.outcome({}, { client: everything });
    expect(errorOf(resultOf(plain))).toMatchObject({ code: 'STATE_TOO_LARGE' });
    const task = new FakeTask();
    asked(await task.run(callOf(kit)));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3600_000 });
    task.answer({ sure: accept({ sure: true }) });
    expect(textsOf(resultOf(await task.run(callOf(kit))))).toEqual(['300000']);
  });

  it('T1 an answer that does not fit is asked for again, with the reason', async () => {
    const { call } = makeShop('description: d');
    const task = new FakeTask();
    asked(await task.run(call));
    task.answer({ sure: accept({ sure: 'perhaps' }) });
    const { questions } = asked(await task.run(call));
    expect(JSON.stringify(questions['sure'])).toContain('Please answer again');
    task.answer({ sure: accept({ sure: false }) });
    expect(textsOf(resultOf(await task.run(call)))).toEqual(['7 accept']);
  });

  it('T1 C6 a tool with `confirm` runs with the agreement in its journal, in every run', async () => {
    const { call, effects } = makeShop('{description: d, effect: destructive, confirm: true}');
    const task = new FakeTask();
    const confirm = asked(await task.run(call));
    expect(Object.keys(confirm.questions)).toEqual(['toolwright/confirm']);
    expect(effects).toEqual([]);
    task.answer({ 'toolwright/confirm': accept() });
    asked(await task.run(call));
    task.answer({ sure: accept({ sure: true }) });
    expect(textsOf(resultOf(await task.run(call)))).toEqual(['7 accept']);
    const refused = new FakeTask({ answers: { 'toolwright/confirm': { action: 'decline' } }, once: {} });
    expect(textsOf(resultOf(await refused.run(call)))[0]).toContain('the user declined');
    expect(effects).toEqual(['reserve', 'pay']);
  });

  it('T1 C4 no time limit of the tool ends it, and its signal does', async () => {
    const kit = makeKit('{description: d, limits: {timeoutMs: 1000}}', { handler: () => new Promise(() => {}) });
    await kit.host.validators(kit.served.tool);
    vi.useFakeTimers();
    const aborting = new AbortController();
    let isOver = false;
    const ended = new FakeTask().run(callOf(kit), undefined, { signal: aborting.signal }).finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(3600_000);
    expect(isOver).toBe(false);
    // Calls beside it have one.
    const plain = kit.fail();
    await vi.advanceTimersByTimeAsync(1001);
    expect(await plain).toMatchObject({ code: 'TIMEOUT' });
    aborting.abort();
    expect(errorOf(resultOf(await ended))).toMatchObject({ code: 'CANCELLED' });
  });

  it('T1 X9 it waits for its turn, also where no more plain calls may wait', async () => {
    const running: string[] = [];
    let most = 0;
    const kit = makeKit('{description: d, limits: {concurrency: 1, queue: 0}}', {
      async handler(_args, ctx) {
        running.push(ctx.task?.id ?? 'plain');
        most = Math.max(most, running.length);
        await new Promise(resolve => setTimeout(resolve, 10));
        running.pop();
        return 'done';
      },
    });
    const first = kit.outcome();
    const tasks = [1, 2, 3].map(() => new FakeTask().run(callOf(kit)));
    expect(errorOf(resultOf(await kit.outcome()))).toMatchObject({ code: 'BUSY' });
    for (const ended of [await first, ...(await Promise.all(tasks))])
      expect(textsOf(resultOf(ended))).toEqual(['done']);
    expect(most).toBe(1);
  });
});

describe('ctx.task', () => {
  it('T1 `ctx.task` has the id, the attempt and a note without secrets, and a plain call has none', async () => {
    const seen: unknown[] = [];
    const kit = makeKit('description: d', {
      manifest: 'config: { TOKEN: { type: string, secret: true } }',
      env: { TOKEN: 'hush-hush-hush' },
      handler(_args, ctx) {
        seen.push(ctx.task && { id: ctx.task.id, attempt: ctx.task.attempt });
        ctx.task?.note('uses hush-hush-hush');
        return 'done';
      },
    });
    const task = new FakeTask();
    await task.run(callOf(kit));
    await task.run(callOf(kit));
    await kit.outcome();
    expect(seen).toEqual([{ id: 'task-1', attempt: 1 }, { id: 'task-1', attempt: 2 }, undefined]);
    expect(task.notes).toHaveLength(2);
    expect(task.notes.join()).not.toContain('hush-hush');
  });

  it('T1 tools that it calls are plain calls, whose steps are not kept', async () => {
    const inner: unknown[] = [];
    const kit = makeKit('description: d', {
      services: {
        call: async (_tool, _args, request) => {
          inner.push(request.task);
          return { content: [] };
        },
      },
      handler: (_args, ctx) => ctx.call('other'),
    });
    await new FakeTask().run(callOf(kit));
    expect(inner).toEqual([undefined]);
  });
});

describe('what a task begins with', () => {
  const open = (kit: Kit, request = {}, args: unknown = {}) =>
    openToolJournal({
      served: kit.served,
      args,
      request: { ...makeRequest(), client: everything, ...request },
      services: kit.services,
    });

  it('T1 answers and steps of the rounds before it are in its journal', async () => {
    const { kit, call, effects } = makeShop('description: d');
    const { state } = asked(await kit.outcome({}, { client: everything }));
    const { journal } = open(kit, { state, answers: { sure: accept({ sure: true }) } });
    expect(journal).toEqual({ answers: { sure: accept({ sure: true }) }, once: { reserve: [{ id: 7 }] } });
    expect(textsOf(resultOf(await new FakeTask(journal).run(call)))).toEqual(['7 accept']);
    expect(effects).toEqual(['reserve', 'pay']);
  });

  it('T1 a task that asked before it began goes on as the plain rounds of a call do', async () => {
    const { kit, effects } = makeShop('{description: d, effect: destructive}');
    const opened = open(kit);
    const task = new FakeTask(opened.journal);
    asked(await task.run(callOf(kit)));
    const state = opened.seal({ answers: task.answers, once: task.once });
    const again = open(kit, { state, answers: { sure: accept({ sure: true }) } });
    expect(again.journal.once).toEqual({ reserve: [{ id: 7 }] });
    // A destructive tool takes a state once.
    expect(() => open(kit, { state })).toThrow(ProtocolError);
    expect(effects).toEqual(['reserve']);
  });

  it('T1 a destructive tool takes no answers to what it was not asked, and no state of another call', () => {
    const { kit } = makeShop('{description: d, effect: destructive}');
    expect(open(kit, { answers: { sure: accept({ sure: true }) } }).journal.answers).toEqual({});
    expect(() => open(kit, { state: 'forged' })).toThrow(ProtocolError);
  });

  it('T1 C6 a client that cannot ask gets the question as the result of its task, and the next task has the steps', async () => {
    const { kit, effects } = makeShop('{description: d, effect: destructive}');
    const call: Call = request => kit.outcome({}, { ...request, client: nobody });
    const result = resultOf(await new FakeTask().run(call));
    const [text = ''] = textsOf(result);
    expect(result._meta).toEqual({ 'toolwright/unfinished': true });
    const _state = /"_state":"([^"]+)"/.exec(text)?.[1];
    const args = { _answers: { sure: { sure: true } }, _state };
    const { journal } = open(kit, { client: nobody }, args);
    const task = new FakeTask(journal);
    const again: Call = request => kit.outcome(args, { ...request, client: nobody });
    // The state of a destructive tool opens once: every run goes by the journal.
    expect(await task.run(again, 'keep pay')).toBe('died');
    expect(textsOf(resultOf(await task.run(again)))).toEqual(['7 accept']);
    expect(effects).toEqual(['reserve', 'pay']);
    expect(() => open(kit, { client: nobody }, args)).toThrow('_state is not the one');
  });
});
