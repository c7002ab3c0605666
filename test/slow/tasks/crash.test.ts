// T3: tasks over four processes that are killed, stopped and run out of disk at random: every task whose handle was received ends once, and what was
// kept is not done again. `npm run slow:tasks` has two thousand of them; TOOLWRIGHT_TASKS says how many otherwise.
import { describe, expect, it } from 'vitest';
import { judge, type Line, runTrial } from './trial.js';

const tasks = Number(process.env['TOOLWRIGHT_TASKS'] ?? 150);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

describe('tasks whose processes crash', () => {
  it(
    'T3 every task with a handle ends once, and no step that was kept is done again',
    async () => {
      const trial = await runTrial({ tasks, processes: 4, seed });
      const { wrong, repeatedUnkept, overtaken } = judge(trial);
      const { counts, handles, seconds } = trial;
      console.log(
        `${handles} tasks in ${seconds.toFixed(0)} s: ${JSON.stringify(counts)}; steps done again that nobody had kept: ${repeatedUnkept}; ` +
          `done by a run that was being overtaken: ${overtaken}`,
      );
      expect(wrong).toEqual([]);
      expect(handles).toBeGreaterThanOrEqual(tasks);
      expect([...trial.ends.keys()].length).toBe(handles);
      // The trial was one.
      const attempts = trial.lines.filter(({ what, attempt }) => what === 'begun' && attempt > 1).length;
      expect(Math.min(counts.kills, counts.stops, counts.torn, counts.full, counts.jumps, attempts)).toBeGreaterThan(0);
    },
    120_000 + tasks * 500,
  );

  it('T3 the judge of the trial sees a step that is done again, a second end and a lost task', () => {
    const line = (what: string, step: number, attempt: number): Line => ({ what, id: 'a', step, attempt, pid: 1 });
    const ok = new Map([['a', new Set(['{"kind":"result"}'])]]);
    const good = [line('effect', 1, 1), line('kept', 1, 1), line('kept', 1, 2), line('finished', 0, 2)];
    expect(judge({ lines: good, ends: ok })).toEqual({ wrong: [], repeatedUnkept: 0, overtaken: 0 });
    const between = [line('effect', 1, 1), line('effect', 1, 2), line('kept', 1, 2), line('effect', 1, 1)];
    expect(judge({ lines: between, ends: ok })).toEqual({ wrong: [], repeatedUnkept: 1, overtaken: 1 });
    const wrongOf = (lines: readonly Line[], ends: readonly string[] = ['{"kind":"result"}']) =>
      judge({ lines, ends: new Map([['a', new Set(ends)]]) }).wrong.length;
    expect(wrongOf([...good, line('effect', 1, 2)])).toBe(1);
    expect(wrongOf([...good, line('finished', 0, 3)])).toBe(1);
    expect(wrongOf(good, ['{"kind":"result"}', '{"kind":"cancelled"}'])).toBe(1);
    expect(wrongOf(good, ['UNKNOWN'])).toBeGreaterThan(0);
  });
});
