// T3. Runs whose handler is in another process that is gone, and processes that work only at some tasks.
import { describe, expect, it } from 'vitest';
import { RunLost } from '../../../runtime/call/run-lost.js';
import { openMemoryStore } from '../../../runtime/tasks/memory-store.js';
import { gate, openTasksBench, text } from './tasks-kit.js';

const resumes = { task: { mode: 'optional', restart: 'resume' } } as const;

describe('T3 a run that is lost', () => {
  it('T3 a run that is handed over is begun again at once, however often', async () => {
    let runs = 0;
    const handler = async (): Promise<unknown> => {
      runs += 1;
      if (runs < 9) throw new RunLost('replaced');
      return text('done');
    };
    const bench = await openTasksBench(handler, { definition: resumes });
    const { end } = await bench.ended(await bench.start());
    expect([runs, end]).toEqual([9, { kind: 'result', result: text('done') }]);
    await bench.tasks.close();
  });

  it('T3 a run that takes its process along is not begun for ever', async () => {
    let runs = 0;
    const handler = async (): Promise<unknown> => {
      runs += 1;
      throw new RunLost('exit code 1', { isCrash: true });
    };
    const bench = await openTasksBench(handler, { definition: resumes, limits: { mostCrashes: 3 } });
    const { end } = await bench.ended(await bench.start());
    expect(runs).toBe(3);
    expect(end).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('The server ended 3 times') },
    });
    await bench.tasks.close();
  });

  it('T3 a task whose tool does not resume fails where its run is lost', async () => {
    let runs = 0;
    const handler = async (): Promise<unknown> => {
      runs += 1;
      throw new RunLost('replaced');
    };
    const bench = await openTasksBench(handler);
    const { end } = await bench.ended(await bench.start());
    expect(runs).toBe(1);
    expect(end).toMatchObject({ error: { message: expect.stringContaining('may have been done in part') } });
    await bench.tasks.close();
  });
});

it('T2 a process that works only at some tasks leaves the others to another one', async () => {
  const store = openMemoryStore();
  const { opened, open } = gate();
  const handler = async (): Promise<unknown> => {
    await opened;
    return text('done');
  };
  const first = await openTasksBench(handler, { store, definition: resumes });
  const task = await first.start();
  await first.tasks.close();
  open();
  const mine = new Set<string>();
  const second = await openTasksBench(handler, {
    store,
    definition: resumes,
    mayTake: id => mine.has(id),
    leaseMs: 50,
  });
  const own = await second.start();
  expect((await second.ended(own)).end?.kind).toBe('result');
  await new Promise(resolve => setTimeout(resolve, 60));
  expect((await second.tasks.get(task.id, 'alice'))?.end).toBeUndefined();
  mine.add(task.id);
  expect((await second.ended(task)).end?.kind).toBe('result');
  await second.tasks.close();
});
